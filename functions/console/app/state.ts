// What all pages share: who is signed in, the agents, the place in the dashboard, and what has changed.
import { computed, effect, signal } from "@preact/signals";
import { get, List, Row, signedOut } from "./api";

export const session = signal<Row | null>(null);
export const agents = signal<Row[] | null>(null);
export const agentID = signal<number>(Number(read("agent")) || 0);
export const agent = computed(() => agents.value?.find((a) => a.id === agentID.value) ?? agents.value?.[0] ?? null);
export const administers = computed(() => session.value?.role === "owner" || session.value?.role === "admin");

/** Reads what this browser keeps; a browser may refuse to keep anything. */
export function read(name: string): string {
  try { return localStorage.getItem("frontdesk." + name) ?? ""; } catch { return ""; }
}
export function keep(name: string, value: string) {
  try { value ? localStorage.setItem("frontdesk." + name, value) : localStorage.removeItem("frontdesk." + name); } catch { /* not kept */ }
}

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
  const [page = "", id = ""] = path.split("/");
  return { page: page || "inbox", id, query: new URLSearchParams(query) };
}
addEventListener("hashchange", () => { place.value = parse(); });
export function go(path: string) { location.hash = "#/" + path; }

// The theme: as the system has it, unless one was chosen.
export const theme = signal(read("theme"));
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => { document.documentElement.dataset.theme = theme.value || (dark.matches ? "dark" : "light"); };
dark.addEventListener("change", paint);
effect(() => { keep("theme", theme.value); paint(); });

// What has changed: the newest conversations, asked for every 3.5 s in focus, 15 s visible and 60 s hidden. What was read
// is kept by this browser.
export const latest = signal<Row[]>([]);
const seen = signal<Record<string, string>>(parseSeen());
function parseSeen(): Record<string, string> { try { return JSON.parse(read("seen")) ?? {}; } catch { return {}; } }
export const isUnread = (c: Row) => c.status !== "resolved" && !c.ai_enabled && (seen.value[c.id] ?? "") < c.last_message_at;
export function markSeen(c: Row) {
  if ((seen.value[c.id] ?? "") >= c.last_message_at) return;
  seen.value = Object.fromEntries([...Object.entries(seen.value), [String(c.id), c.last_message_at]].slice(-500));
  keep("seen", JSON.stringify(seen.value));
}
export const unread = computed(() => latest.value.filter(isUnread).length);

let wake = () => {};
export function refresh() { wake(); }
export function poll() {
  let going = true;
  (async () => {
    while (going && !signedOut.value) {
      try {
        const rows = (await get<List>("conversations/")).results;
        if (JSON.stringify(rows) !== JSON.stringify(latest.value)) latest.value = rows;
      } catch { /* the banner tells */ }
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
