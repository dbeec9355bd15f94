// What all pages share: who is signed in, the agents, the place in the dashboard, and what has changed.
import { computed, effect, signal } from "@preact/signals";
import { call, Failure, get, List, Row, signedOut } from "./api";
import { keep, read } from "./storage";

export const session = signal<Row | null>(null);
export const agents = signal<Row[] | null>(null);
export const agentID = signal<number>(Number(read("agent")) || 0);
export const agent = computed(() => agents.value?.find((a) => a.id === agentID.value) ?? agents.value?.[0] ?? null);
export const administers = computed(() => session.value?.role === "owner" || session.value?.role === "admin");

export async function loadAgents() {
  const all: Row[] = [];
  for (let path: string | null = "agents/"; path && all.length < 1000;) {
    const page: List = await get<List>(path);
    all.push(...page.results);
    path = page.next;
  }
  agents.value = all;
}

// The place is the fragment, as in #/inbox/123.
export const place = signal(parse());
function parse() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [page = "", id = "", sub = ""] = path.split("/");
  return { page: page || "inbox", id, sub, query: new URLSearchParams(query) };
}
addEventListener("hashchange", () => { place.value = parse(); });
export function go(path: string) { location.hash = "#/" + path; }

// The theme: as the system has it, unless one was chosen.
export const theme = signal(read("theme"));
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => { document.documentElement.dataset.theme = theme.value || (dark.matches ? "dark" : "light"); };
dark.addEventListener("change", paint);
effect(() => { keep("theme", theme.value); paint(); });

// The newest conversations, those that changed, and how many are unread. What changed is asked for every 3.5 s in focus,
// 15 s visible and 60 s hidden.
export const latest = signal<Row[]>([]);
export const unread = signal(0);
/** Counts up when an appointment changed. */
export const appointmentChanges = signal(0);
const mostRead = 20; // conversations that are read one by one when they changed

/** Puts conversations into the list as they are now. */
export function show(rows: Row[]) {
  const changed = new Map(rows.map((c) => [c.id, c]));
  latest.value = [...latest.value.map((c) => changed.get(c.id) ?? c), ...rows.filter((c) => !latest.value.some((l) => l.id === c.id))];
}

/** Somebody who is at a conversation, and until when, on the clock of performance.now(). */
export interface Present { conversation: number; visitor: boolean; name: string; viewing: number; writing: number }
/** The visitors who type and the other members who are at a conversation, by conversation and person. */
export const presence = signal(new Map<string, Present>());
let parting: ReturnType<typeof setTimeout>;

/** Takes in who is at conversations, as the API tells it. Those whose time is over go by themselves. */
export function meet(told: Row[] = []) {
  const now = performance.now(), all = new Map(presence.value);
  for (const p of told) {
    all.set(`${p.conversation_id}/${p.visitor ? "visitor" : p.member_id}`, {
      conversation: p.conversation_id, visitor: p.visitor, name: p.name,
      viewing: now + p.viewing_seconds * 1000, writing: now + p.writing_seconds * 1000,
    });
  }
  for (const [key, p] of all) if (p.viewing <= now && p.writing <= now) all.delete(key);
  const ends = [...all.values()].flatMap((p) => [p.viewing, p.writing]).filter((at) => at > now);
  clearTimeout(parting);
  if (ends.length) parting = setTimeout(meet, Math.min(...ends) - now + 1);
  if (told.length || all.size || presence.value.size) presence.value = all;
}

// Tabs of one browser share what they hear: the others do not ask as long as one of them asks often enough. `after` and
// `at` are when the two answers were asked for that the news lies between.
interface News { session: number; after: number; at: number; changes: Row; rows: Row[]; all: boolean }
const tabs = new BroadcastChannel("frontdesk.changes");

let cursor = "";
let asked = 0; // when the last answer that this tab knows of was asked for
async function look() {
  const at = Date.now();
  if (!cursor) {
    const now = await get("changes/");
    latest.value = (await get<List>("conversations/")).results;
    cursor = now.cursor; unread.value = now.unread; asked = at;
    return;
  }
  try {
    const changes = await get("changes/?after=" + encodeURIComponent(cursor));
    const all = changes.conversations.length > mostRead;
    const rows: Row[] = all ? (await get<List>("conversations/")).results
      : (await Promise.allSettled<Row>(changes.conversations.map((id: number) => get(`conversations/${id}/`)))).flatMap((r) => r.status === "fulfilled" ? [r.value] : []);
    const news = { session: session.value?.id, after: asked, at, changes, rows, all };
    hear(news);
    tabs.postMessage(news);
  } catch (e) {
    if (e instanceof Failure && e.status === 404) cursor = "";
    throw e;
  }
}

/** Takes in what this tab or another one was told. */
function hear({ at, changes, rows, all }: News) {
  if (all) latest.value = rows;
  else if (rows.length) show(rows);
  if (changes.presence.length) meet(changes.presence);
  if (changes.appointments.length) appointmentChanges.value++;
  cursor = changes.cursor; unread.value = changes.unread; asked = at;
}

tabs.onmessage = ({ data }: MessageEvent<News>) => {
  // What another tab missed this one would miss too, and news of before its own last look it has already.
  if (!cursor || data.session !== session.value?.id || data.after > asked || data.at < asked) return;
  hear(data);
  rest(1.5); // longer than the other tab does, which so asks first again
};

let rest = (_times: number) => {}; // begins the pause between two looks once more
let wake = () => {};
export function refresh() { wake(); }
export function poll() {
  let going = true;
  (async () => {
    while (going && !signedOut.value) {
      try { await look(); } catch { /* the banner tells */ }
      await new Promise<void>((next) => {
        let timer: ReturnType<typeof setTimeout>;
        rest = (times) => { clearTimeout(timer); timer = setTimeout(next, times * (document.hidden ? 60_000 : document.hasFocus() ? 3_500 : 15_000)); };
        rest(1);
        wake = () => { clearTimeout(timer); next(); };
      });
    }
  })();
  const awake = () => { if (!document.hidden) wake(); };
  addEventListener("focus", awake);
  addEventListener("online", awake);
  document.addEventListener("visibilitychange", awake);
  return () => { going = false; wake(); };
}
effect(() => { document.title = (unread.value ? `(${unread.value}) ` : "") + "Frontdesk"; });

/** leave ends the session. */
export async function leave() {
  await call("DELETE", "session/");
  session.value = null;
  signedOut.value = true;
}
