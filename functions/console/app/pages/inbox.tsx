// The inbox: the list of conversations, one thread, and the contact beside it.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, insist, List, post, Row } from "../api";
import { agents, go, isUnread, keep, latest, markSeen, place, read, refresh } from "../state";
import { Do, Empty, Icon, reason, toast, when } from "../ui";

const channels: Record<string, string> = { webchat: "Website", whatsapp: "WhatsApp", sms: "SMS", email: "E-mail", instagram: "Instagram", messenger: "Messenger", api: "API" };
const nameOf = (c: Row) => c.contact_name || c.claimed?.name || "Visitor";
const filters: [string, string, (c: Row) => boolean][] = [
  ["open", "Open", (c) => c.status !== "resolved" && c.status !== "closed"],
  ["waiting", "With a person", (c) => !c.ai_enabled && c.status !== "resolved"],
  ["resolved", "Resolved", (c) => c.status === "resolved"],
];

export default function Inbox() {
  const [filter, setFilter] = useState("open");
  const [older, setOlder] = useState<Row[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [words, setWords] = useState("");
  const id = Number(place.value.id) || 0;
  useEffect(() => { get<List>("conversations/").then((l) => { latest.value = l.results; setNext(l.next); }).catch((e) => toast(reason(e))); }, []);
  const known = new Set(latest.value.map((c) => c.id));
  const all = [...latest.value, ...older.filter((c) => !known.has(c.id))];
  const rows = all.filter(filters.find((f) => f[0] === filter)![2]).filter((c) => nameOf(c).toLowerCase().includes(words.toLowerCase()))
    .sort((a, b) => b.last_message_at.localeCompare(a.last_message_at));
  useKeys(rows, id);
  const current = all.find((c) => c.id === id);
  return <div class={"inbox" + (id ? " open" : "")}>
    <section class="list-pane" aria-label="Conversations">
      <div class="pane-head">
        <div class="spread"><h1>Inbox</h1><select class="input" style={{ width: "auto" }} aria-label="Which conversations" value={filter} onChange={(e) => setFilter(e.currentTarget.value)}>
          {filters.map(([key, label]) => <option key={key} value={key}>{label}</option>)}</select></div>
        <input class="input" type="search" placeholder="Find by name" aria-label="Find by name" value={words} onInput={(e) => setWords(e.currentTarget.value)} />
      </div>
      <ul class="rows list">
        {rows.map((c) => <li key={c.id}><a class="item" href={"#/inbox/" + c.id} aria-current={c.id === id ? "true" : undefined}>
          <span class={"avatar" + (c.ai_enabled ? " ai" : " person")} aria-hidden="true">{nameOf(c)[0].toUpperCase()}</span>
          <span class="grow tight"><span class="spread" style={{ flexWrap: "nowrap" }}><span class={"truncate" + (isUnread(c) ? " unread" : "")} dir="auto">{nameOf(c)}</span><time dateTime={c.last_message_at}>{when(c.last_message_at)}</time></span>
            {c.preview && <span class="truncate muted" dir="auto">{c.preview}</span>}
            <span class="row"><Handler c={c} /><span class="tag">{channels[c.channel] ?? c.channel}</span>{c.priority === "urgent" && <span class="tag danger">Urgent</span>}{isUnread(c) && <span class="count">new</span>}</span></span>
        </a></li>)}
        {rows.length === 0 && <li><Empty icon="inbox" title="Nobody is waiting"><p>Conversations appear here as people write to your assistant.</p>{agents.value?.length === 0 && <a class="btn" href="#/start">Set up the assistant</a>}</Empty></li>}
        {next && <li style={{ padding: "12px", textAlign: "center" }}><Do act={async () => { const page = await get<List>(next); setOlder((o) => [...o, ...page.results]); setNext(page.next); }}>Show older</Do></li>}
      </ul>
    </section>
    {id ? <Thread key={id} id={id} listed={current} /> : <section class="thread-pane" aria-label="Thread"><Empty icon="visitor" title="Choose a conversation"><p><kbd>j</kbd> and <kbd>k</kbd> move through the list.</p></Empty></section>}
  </div>;
}

function Handler({ c }: { c: Row }) {
  if (c.status === "resolved") return <span class="tag ok"><Icon name="check" />Resolved</span>;
  return c.ai_enabled ? <span class="tag ai"><Icon name="ai" />AI</span> : <span class="tag person"><Icon name="person" />Person</span>;
}

function Thread({ id, listed }: { id: number; listed?: Row }) {
  const [c, setC] = useState<Row | null>(listed ?? null);
  const [contact, setContact] = useState<Row | null>(null);
  const [messages, setMessages] = useState<Row[] | null>(null);
  const [error, setError] = useState("");
  const [text, setText] = useState(read("draft." + id));
  const box = useRef<HTMLDivElement>(null);
  const follow = useRef(true);
  const load = async () => {
    try {
      const now = await get(`conversations/${id}/`);
      const all: Row[] = [];
      for (let path: string | null = `conversations/${id}/messages/`; path && all.length < 2000;) {
        const page: List = await get<List>(path);
        all.push(...page.results); path = page.next;
      }
      setC(now); setMessages(all); setError(""); markSeen(now);
    } catch (e) { setError(reason(e)); }
  };
  useEffect(() => { load(); }, [id, listed?.last_message_at, listed?.ai_enabled, listed?.status]);
  useEffect(() => { if (c?.contact_id) get(`contacts/${c.contact_id}/`).then(setContact, () => setContact(null)); }, [c?.contact_id]);
  useEffect(() => { if (follow.current && box.current) box.current.scrollTop = box.current.scrollHeight; }, [messages?.length]);
  const act = async (what: string, done: string) => { setC(await post(`conversations/${id}/${what}/`)); toast(done); refresh(); };
  const send = async () => {
    const message = text.trim();
    if (!message) return;
    const sent = await insist(`conversations/${id}/reply/`, { message });
    setText(""); keep("draft." + id, "");
    follow.current = true;
    setMessages((m) => [...(m ?? []).filter((x) => x.id !== sent.id), sent]);
    refresh();
  };
  if (error && !c) return <section class="thread-pane"><Empty icon="visitor" title="This conversation is not there"><p>{error}</p></Empty></section>;
  return <>
    <section class="thread-pane" aria-label="Thread">
      <div class="pane-head"><div class="spread">
        <div class="row grow" style={{ flexWrap: "nowrap" }}><a class="btn quiet icon-only back" href="#/inbox" aria-label="Back to the list"><Icon name="back" /></a><h2 class="truncate" dir="auto">{c ? nameOf(c) : ""}</h2>{c && <Handler c={c} />}</div>
        {c && <div class="row">
          {c.ai_enabled ? <Do act={() => act("handoff", "You have taken over. The AI is silent here.")} data-key="t"><Icon name="person" />Take over</Do>
            : <Do act={() => act("resume-ai", "The AI answers again.")} data-key="b"><Icon name="ai" />Hand back</Do>}
          {c.status !== "resolved" && <Do act={() => act("resolve", "Resolved")} data-key="e"><Icon name="check" />Resolve</Do>}
        </div>}
      </div></div>
      <div class="thread" ref={box} role="log" aria-label="Messages" tabIndex={0} onScroll={(e) => { const b = e.currentTarget; follow.current = b.scrollHeight - b.scrollTop - b.clientHeight < 80; }}>
        {messages?.map((m) => <Message key={m.id} m={m} who={c ? nameOf(c) : ""} />)}
        {messages === null && <p class="muted" role="status">Loading…</p>}
      </div>
      <form class="composer" onSubmit={(e) => e.preventDefault()}>
        <label><span class="hidden">Reply</span><textarea class="input" dir="auto" value={text} maxLength={4000} data-key="r"
          placeholder={c?.ai_enabled ? "Reply yourself. The AI goes on answering unless you take over." : "Reply"}
          onInput={(e) => { setText(e.currentTarget.value); keep("draft." + id, e.currentTarget.value); }}
          onKeyDown={(e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) { e.preventDefault(); send().catch((cause) => toast(reason(cause))); } }} /></label>
        <div class="spread"><span class="muted small">Ctrl Enter sends</span><Do class="primary" act={send} disabled={!text.trim()}><Icon name="send" />Send</Do></div>
      </form>
    </section>
    <section class="contact" aria-label="Contact">
      <div class="pane-head"><h2>Contact</h2></div>
      {c && <dl class="facts">
        <Fact name="Name" value={contact?.name || nameOf(c)} /><Fact name="Phone" value={contact?.phone} /><Fact name="E-mail" value={contact?.email} />
        <Fact name="Stage" value={contact?.stage} /><Fact name="Tags" value={contact?.tags?.join(", ")} /><Fact name="Notes" value={contact?.notes} />
        <Fact name="Channel" value={channels[c.channel]} /><Fact name="Since" value={when(c.created_at, true)} />
        <Fact name="Why a person" value={c.handoff_reason?.replace("_", " ")} />
      </dl>}
    </section>
  </>;
}

const Fact = ({ name, value }: { name: string; value?: string }) => value ? <div><dt>{name}</dt><dd dir="auto">{value}</dd></div> : null;

function Message({ m, who }: { m: Row; who: string }) {
  const kind = m.direction === "inbound" ? "visitor" : m.sent_by_ai ? "ai" : "person";
  const label = kind === "visitor" ? who : kind === "ai" ? "AI" : m.author?.name ?? "Person";
  return <div class={`msg ${kind}` + (kind === "visitor" ? "" : " out")}>
    <span class="who"><Icon name={kind} /><b>{label}</b><time dateTime={m.created_at}>{when(m.created_at)}</time>{m.status === "failed" && <span class="tag danger">Not delivered</span>}{m.status === "queued" && <span class="tag warn">On its way</span>}</span>
    <div class="bubble" dir="auto">{m.content}</div>
    {m.status_detail && <span class="small error">{m.status_detail}</span>}
  </div>;
}

/** Single letters, never in fields: j k move, r replies, t takes over, b hands back, e resolves. */
function useKeys(rows: Row[], id: number) {
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      const at = e.target as HTMLElement;
      if (e.ctrlKey || e.metaKey || e.altKey || at.closest("input, textarea, select, dialog")) return;
      if (e.key === "j" || e.key === "k") {
        const next = rows[rows.findIndex((c) => c.id === id) + (e.key === "j" ? 1 : -1)];
        if (next) go("inbox/" + next.id);
      } else {
        const to = "rtbe".includes(e.key) ? document.querySelector<HTMLElement>(`[data-key="${e.key}"]`) : null;
        if (!to) return;
        e.preventDefault();
        to instanceof HTMLTextAreaElement ? to.focus() : to.click();
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
