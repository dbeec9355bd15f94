// What all pages share: who is signed in, the agents, the place in the dashboard, and what has changed.
import { computed, effect, signal } from "@preact/signals";
import { call, Failure, get, List, Row, signedOut } from "./api";
import { keep, read } from "./kept";

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

let cursor = "";
async function look() {
  if (!cursor) {
    const now = await get("changes/");
    latest.value = (await get<List>("conversations/")).results;
    cursor = now.cursor; unread.value = now.unread;
    return;
  }
  try {
    const now = await get("changes/?after=" + encodeURIComponent(cursor));
    if (now.conversations.length > mostRead) latest.value = (await get<List>("conversations/")).results;
    else if (now.conversations.length) {
      const read = await Promise.allSettled(now.conversations.map((id: number) => get(`conversations/${id}/`)));
      show(read.flatMap((r) => r.status === "fulfilled" ? [r.value as Row] : []));
    }
    if (now.appointments.length) appointmentChanges.value++;
    cursor = now.cursor; unread.value = now.unread;
  } catch (e) {
    if (e instanceof Failure && e.status === 404) cursor = "";
    throw e;
  }
}

let wake = () => {};
export function refresh() { wake(); }
export function poll() {
  let going = true;
  (async () => {
    while (going && !signedOut.value) {
      try { await look(); } catch { /* the banner tells */ }
      await new Promise<void>((next) => {
        const timer = setTimeout(next, document.hidden ? 60_000 : document.hasFocus() ? 3_500 : 15_000);
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
