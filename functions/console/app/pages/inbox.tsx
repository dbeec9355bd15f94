// The inbox: the list of conversations, one thread, and the contact beside it.
import { Fragment } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { call, fileAt, get, insist, List, patch, post, Row } from "../api";
import { mix, say } from "../say";
import { capital, word } from "../words";
import { keep, read } from "../storage";
import { agent, agents, go, latest, meet, place, presence, Present, refresh, session, show } from "../state";
import { typing } from "../palette";
import { Do, Empty, Field, Icon, More, reason, toast, when } from "../ui";
import { useWindow } from "../window";

const channels: Record<string, string> = { webchat: say("Website"), whatsapp: "WhatsApp", sms: "SMS", email: say("E-mail"), instagram: "Instagram", messenger: "Messenger", api: "API" };
const nameOf = (c: Row) => c.contact_name || c.claimed?.name || say("Visitor");
const filters: [string, string, (c: Row) => boolean][] = [
  ["open", say("Open"), (c) => c.status !== "resolved" && c.status !== "closed"],
  ["unread", say("Unread"), (c) => c.unread > 0],
  ["waiting", say("With a person"), (c) => !c.ai_enabled && c.status !== "resolved"],
  ["mine", say("Mine"), (c) => c.assignee !== null && c.assignee === session.value?.member?.id && c.status !== "resolved"],
  ["resolved", say("Resolved"), (c) => c.status === "resolved"],
];

const rowHeight = 88; // pixels, as .rows .item has in the style

export default function Inbox() {
  const [filter, setFilter] = useState("open");
  const [older, setOlder] = useState<Row[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [words, setWords] = useState("");
  const id = Number(place.value.id) || 0;
  const [found, setFound] = useState<Row[] | null>(null); // by the words, or of the days
  const [nextFound, setNextFound] = useState<string | null>(null);
  const days = place.value.query.toString(); // since, until and status, as the page Analytics links
  const of = agent.value?.id;
  useEffect(() => { get<List>("conversations/").then((l) => { show(l.results); setNext(l.next); }).catch((e) => toast(reason(e))); }, []);
  useEffect(() => {
    setNextFound(null);
    if (!words.trim() && !(days && of)) { setFound(null); return; }
    let late = false;
    const path = words.trim() ? "conversations/?q=" + encodeURIComponent(words.trim()) : `agents/${of}/conversations/?${days}`;
    const timer = setTimeout(() => get<List>(path)
      .then((l) => { if (!late) { setFound(l.results); setNextFound(l.next); } }).catch((e) => toast(reason(e))), words ? 250 : 0);
    return () => { late = true; clearTimeout(timer); };
  }, [words, days, of]);
  const newest = latest.value;
  const [all, rows] = useMemo(() => {
    const known = new Map(newest.map((c) => [c.id, c]));
    const all = [...newest, ...older.filter((c) => !known.has(c.id))];
    const rows = found ? found.map((c) => known.get(c.id) ?? c) : all.filter(filters.find((f) => f[0] === filter)![2]);
    return [all, rows.sort((a, b) => a.last_message_at < b.last_message_at ? 1 : -1)]; // times of one form, in UTC
  }, [newest, older, found, filter]);
  useKeys(rows);
  const current = all.find((c) => c.id === id);
  const box = useRef<HTMLUListElement>(null);
  const near = useWindow(box, rows.length, rowHeight);
  useEffect(() => { // the chosen row stays in sight
    const at = rows.findIndex((c) => c.id === id), of = box.current;
    if (at < 0 || !of) return;
    if (at * rowHeight < of.scrollTop) of.scrollTop = at * rowHeight;
    else if ((at + 1) * rowHeight > of.scrollTop + of.clientHeight) of.scrollTop = (at + 1) * rowHeight - of.clientHeight;
  }, [id]);
  const looked = words + days + of, now = useRef(looked); // what comes of other words comes too late
  now.current = looked;
  const loadFound = found && nextFound ? async () => {
    const page = await get<List>(nextFound);
    if (now.current !== looked) return;
    setFound((f) => [...(f ?? []), ...page.results]); setNextFound(page.next);
  } : null;
  const loadOlder = found ? loadFound : next ? async () => { const page = await get<List>(next); setOlder((o) => [...o, ...page.results]); setNext(page.next); } : null;
  const query = place.value.query;
  return <div class={"inbox" + (id ? " open" : "")}>
    <section class="list-pane" aria-label={say("Conversations")}>
      <div class="pane-head">
        <div class="spread"><h1>{say("Inbox")}</h1><select class="input" style={{ width: "auto" }} aria-label={say("Which conversations")} value={filter} onChange={(e) => setFilter(e.currentTarget.value)}>
          {filters.map(([key, label]) => <option key={key} value={key}>{label}</option>)}</select></div>
        <input class="input" type="search" placeholder={say("Search names and messages")} aria-label={say("Search names and messages")} value={words} onInput={(e) => setWords(e.currentTarget.value)} />
        {days && !words && <div class="row"><span class="tag">{say("Begun from {since} to {until}", { since: query.get("since") ?? "", until: query.get("until") ?? "" })}</span><a class="small" href="#/inbox">{say("Show all")}</a></div>}
      </div>
      <ul class="rows list" ref={box}>
        {near.before > 0 && <li aria-hidden="true" style={{ blockSize: near.before + "px" }} />}
        {rows.slice(near.begin, near.end).map((c) => <li key={c.id}><a class="item" href={"#/inbox/" + c.id + (days && "?" + days)} aria-current={c.id === id ? "true" : undefined}>
          <span class={"avatar" + (c.ai_enabled ? " ai" : " person")} aria-hidden="true">{nameOf(c)[0].toUpperCase()}</span>
          <span class="grow tight"><span class="spread" style={{ flexWrap: "nowrap" }}><span class={"truncate" + (c.unread ? " unread" : "")} dir="auto">{nameOf(c)}</span><time dateTime={c.last_message_at}>{when(c.last_message_at)}</time></span>
            <Preview c={c} />
            <span class="row marks"><Handler c={c} />{peopleAt(c.id).filter((p) => !p.visitor).map((p) => <span key={p.name} class="tag"><Icon name="eye" /><span class="hidden">{say("Also here:")} </span><span dir="auto">{called(p)}</span></span>)}<span class="tag">{channels[c.channel] ?? c.channel}</span>{c.priority === "urgent" && <span class="tag danger">{say("Urgent")}</span>}{c.labels.map((l: string) => <span key={l} class="tag" dir="auto">{l}</span>)}{c.unread > 0 && <span class="count" aria-label={say("{n} unread", { n: c.unread })}>{c.unread}</span>}</span></span>
        </a></li>)}
        {rows.length === 0 && found && <li><Empty icon="inbox" title={say("Nothing was found")}><p>{words ? say("Words are looked for in names, addresses, labels and messages.") : say("No conversation began in these days.")}</p></Empty></li>}
        {rows.length === 0 && !found && <li><Empty icon="inbox" title={say("Nobody is waiting")}><p>{say("Conversations appear here as people write to your assistant.")}</p>{agents.value?.length === 0 && <a class="btn" href="#/start">{say("Set up the assistant")}</a>}</Empty></li>}
        {near.after > 0 && <li aria-hidden="true" style={{ blockSize: near.after + "px" }} />}
        {loadOlder && <li><More list={{ more: loadOlder }} /></li>}
      </ul>
    </section>
    {id ? <Thread key={id} id={id} listed={current} /> : <section class="thread-pane" aria-label={say("Thread")}><Empty icon="visitor" title={say("Choose a conversation")}><p>{mix("{j} and {k} move through the list.", { j: <kbd>j</kbd>, k: <kbd>k</kbd> })}</p></Empty></section>}
  </div>;
}

const peopleAt = (conversation: number) => [...presence.value.values()].filter((p) => p.conversation === conversation);
const writes = (p: Present) => p.writing > performance.now();
const called = (p: Present) => p.name || say("A colleague");

/** The beginning of the last message, or who writes the next one. */
function Preview({ c }: { c: Row }) {
  const writer = peopleAt(c.id).find(writes);
  if (writer) return <span class="truncate writing" dir="auto">{writesNow(writer, c)}</span>;
  return c.preview ? <span class="truncate muted" dir="auto">{c.preview}</span> : null;
}

const writesNow = (p: Present, c: Row) => say("{name} is writing…", { name: p.visitor ? nameOf(c) : called(p) });

/** Who else is at a conversation. It is no live region, since it changes too often: a colleague who begins to write is read out once. */
function Others({ c }: { c: Row }) {
  const there = peopleAt(c.id);
  const [first, setFirst] = useState("");
  const colleague = there.find((p) => !p.visitor && writes(p));
  useEffect(() => { if (colleague && !first) setFirst(writesNow(colleague, c)); }, [colleague]);
  return <>
    <p class="others" id="others">{there.map((p) => writes(p)
      ? <span key={p.visitor + p.name} class="writing"><Icon name={p.visitor ? "visitor" : "person"} /><span dir="auto">{writesNow(p, c)}</span></span>
      : <span key={p.visitor + p.name}><Icon name="eye" /><span dir="auto">{say("{name} is viewing this too", { name: called(p) })}</span></span>)}</p>
    <p class="hidden" role="status">{first}</p>
  </>;
}

/** Until when one may reply, where the channel's platform sets an end. */
function Until({ c }: { c: Row }) {
  if (!c.window_ends_at) return null;
  const over = Date.parse(c.window_ends_at) <= Date.now(), ends = { channel: channels[c.channel] ?? c.channel, time: when(c.window_ends_at, true) };
  return <p class={"small " + (over ? "error" : "muted")} id="until">{over
    ? say("{channel} takes no replies since {time}, until the contact writes again.", ends) : say("{channel} takes replies until {time}.", ends)}</p>;
}

const reportTime = 8_000; // milliseconds between two reports of typing
const viewingTime = 33_000; // and between two of viewing, which the service forgets after 45 s
const awayTime = 120_000; // after which somebody who does nothing counts as away

/** Reports that one views a conversation, where there are colleagues, and returns what reports that one writes in it. */
function usePresence(id: number, colleagues: boolean) {
  const last = useRef({ activity: "left", at: 0 });
  const report = (activity: string) => {
    const now = Date.now();
    if (activity === last.current.activity && now - last.current.at < reportTime) return;
    last.current = { activity, at: now };
    call("POST", `conversations/${id}/presence/`, { activity }, undefined, true).then((all) => meet(all.presence), () => {});
  };
  const leave = () => { if (last.current.activity !== "left") report("left"); };
  useEffect(() => {
    addEventListener("pagehide", leave);
    return () => { removeEventListener("pagehide", leave); leave(); };
  }, []);
  useEffect(() => {
    if (!colleagues) return;
    let acted = Date.now();
    const act = () => { acted = Date.now(); };
    const look = () => {
      const there = document.hasFocus() && Date.now() - acted < awayTime;
      if (there && (last.current.activity === "left" || Date.now() - last.current.at >= viewingTime)) report("viewing");
    };
    const hide = () => { if (document.hidden) leave(); };
    const first = setTimeout(look, 1000), timer = setInterval(look, 5000);
    for (const name of ["keydown", "pointermove"]) addEventListener(name, act, true);
    document.addEventListener("visibilitychange", hide);
    return () => {
      clearTimeout(first); clearInterval(timer);
      for (const name of ["keydown", "pointermove"]) removeEventListener(name, act, true);
      document.removeEventListener("visibilitychange", hide);
    };
  }, [colleagues]);
  return (writing: boolean) => { if (writing) report("writing"); else if (last.current.activity === "writing") report("viewing"); };
}

function Handler({ c }: { c: Row }) {
  if (c.status === "resolved") return <span class="tag ok"><Icon name="check" />{say("Resolved")}</span>;
  if (c.ai_enabled) return <span class="tag ai"><Icon name="ai" />{say("AI")}</span>;
  return c.unread ? <span class="tag danger"><Icon name="person" />{say("Waits for a person")}</span> : <span class="tag person"><Icon name="person" />{say("Person")}</span>;
}

function Thread({ id, listed }: { id: number; listed?: Row }) {
  const [c, setC] = useState<Row | null>(listed ?? null);
  const [contact, setContact] = useState<Row | null>(null);
  const [messages, setMessages] = useState<Row[] | null>(null);
  const [error, setError] = useState("");
  const [notes, setNotes] = useState<Row[]>([]);
  const [text, setText] = useState(read("draft." + id));
  const [aside, setAside] = useState(false); // on narrow screens, whether the details are in place of the thread
  const [noting, setNoting] = useState(false); // whether what is typed is a note for colleagues
  const [members, setMembers] = useState<Row[]>([]);
  const box = useRef<HTMLDivElement>(null);
  const follow = useRef(true);
  const colleagues = members.length > 1 || peopleAt(id).some((p) => !p.visitor);
  const reportWriting = usePresence(id, colleagues);
  const heard = colleagues || (c?.channel === "webchat" && !c.ai_enabled); // whether anybody sees that one writes
  const load = async () => {
    try {
      const now = await get(`conversations/${id}/`);
      const [all, internal] = await Promise.all([every(`conversations/${id}/messages/`), every(`conversations/${id}/notes/`)]);
      setC(now); setMessages(all); setNotes(internal); setError("");
      if (now.unread && document.hasFocus()) change({ read: true });
    } catch (e) { setError(reason(e)); }
  };
  const change = async (fields: Row) => { const now = await patch(`conversations/${id}/`, fields); setC(now); show([now]); refresh(); };
  useEffect(() => { load(); }, [id, JSON.stringify(listed)]);
  useEffect(() => { every("members/").then(setMembers, () => setMembers([])); }, []);
  useEffect(() => {
    const focused = () => { if (c?.unread) change({ read: true }).catch(() => {}); };
    addEventListener("focus", focused);
    return () => removeEventListener("focus", focused);
  }, [c]);
  useEffect(() => { if (c?.contact_id) get(`contacts/${c.contact_id}/`).then(setContact, () => setContact(null)); }, [c?.contact_id]);
  const toEnd = () => { if (follow.current && box.current) box.current.scrollTop = box.current.scrollHeight; };
  useEffect(toEnd, [messages?.length, notes.length]);
  useEffect(() => { // also when the lines above the reply take some of its height
    if (!box.current) return;
    const sizes = new ResizeObserver(toEnd);
    sizes.observe(box.current);
    return () => sizes.disconnect();
  }, []);
  const act = async (what: string, done: string) => { setC(await post(`conversations/${id}/${what}/`)); toast(done); refresh(); };
  const send = async () => {
    const message = text.trim();
    if (!message) return;
    const sent = noting ? await insist(`conversations/${id}/notes/`, { content: message }) : await insist(`conversations/${id}/reply/`, { message });
    setText(""); keep("draft." + id, ""); setNoting(false); reportWriting(false);
    follow.current = true;
    const add = (all: Row[] | null) => [...(all ?? []).filter((x) => x.id !== sent.id), sent];
    noting ? setNotes(add) : setMessages(add);
    refresh();
  };
  const marks = changesOfHands(messages ?? [], c?.ai_enabled);
  if (error && !c) return <section class="thread-pane"><Empty icon="visitor" title={say("This conversation is not there")}><p>{error}</p></Empty></section>;
  return <>
    <section class={"thread-pane" + (aside ? " behind" : "")} aria-label={say("Thread")}>
      <div class="pane-head"><div class="spread">
        <div class="row grow" style={{ flexWrap: "nowrap" }}><a class="btn quiet icon-only back" href="#/inbox" aria-label={say("Back to the list")}><Icon name="back" /></a><h2 class="truncate" dir="auto">{c ? nameOf(c) : ""}</h2>{c && <Handler c={c} />}</div>
        {c && <div class="row">
          <button type="button" class="btn quiet details-btn" onClick={() => setAside(true)}>{say("Details")}</button>
          {c.ai_enabled ? <Do act={() => act("handoff", say("You have taken over. The AI is silent here."))} data-key="t"><Icon name="person" />{say("Take over")}</Do>
            : <Do act={() => act("resume-ai", say("The AI answers again."))} data-key="b"><Icon name="ai" />{say("Hand back")}</Do>}
          {c.status !== "resolved" && <Do act={() => act("resolve", say("Resolved"))} data-key="e"><Icon name="check" />{say("Resolve")}</Do>}
        </div>}
      </div></div>
      <div class="thread" ref={box} role="log" aria-label={say("Messages")} tabIndex={0} onScroll={(e) => { const b = e.currentTarget; follow.current = b.scrollHeight - b.scrollTop - b.clientHeight < 80; }}>
        {messages && [...messages, ...notes].sort((a, b) => a.id - b.id).map((m) => <Fragment key={m.id}>{marks.has(m.id) && <p class="divider">{marks.get(m.id)}</p>}
          {m.direction ? <Message m={m} who={c ? nameOf(c) : ""} /> : <Note n={m} />}</Fragment>)}
        {marks.has(0) && <p class="divider">{marks.get(0)}</p>}
        {messages === null && <p class="muted" role="status">{say("Loading…")}</p>}
      </div>
      <form class="composer" onSubmit={(e) => e.preventDefault()}>
        {c && <Others c={c} />}
        {c && !noting && <Until c={c} />}
        {!noting && text.startsWith("/") && c && <Canned agent={c.agent_id} words={text.slice(1)} choose={(content) => { setText(content); keep("draft." + id, content); }} />}
        <label><span class="hidden">{noting ? say("Note") : say("Reply")}</span><textarea class={"input" + (noting ? " note" : "")} dir="auto" value={text} maxLength={4000} data-key="r" aria-describedby="others until"
          placeholder={noting ? say("A note for your colleagues. The contact never sees it.") : c?.ai_enabled ? say("Reply yourself. The AI is silent here from then on, until you hand back.") : say("Reply")}
          onInput={(e) => { setText(e.currentTarget.value); keep("draft." + id, e.currentTarget.value); if (heard) reportWriting(!noting && e.currentTarget.value !== ""); }}
          onKeyDown={(e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) { e.preventDefault(); send().catch((cause) => toast(reason(cause))); } }} /></label>
        <div class="spread"><label class="row small"><input type="checkbox" checked={noting} onChange={(e) => setNoting(e.currentTarget.checked)} />{say("Note for colleagues")}</label>
          <span class="row"><span class="muted small shortcut">{say("Ctrl Enter")}</span><Do class="primary" act={send} disabled={!text.trim()}><Icon name="send" />{noting ? say("Add note") : say("Send")}</Do></span></div>
      </form>
    </section>
    <section class={"contact" + (aside ? " shown" : "")} aria-label={say("Contact")}>
      <div class="pane-head"><div class="spread"><h2>{say("Conversation")}</h2><button type="button" class="btn quiet details-btn" onClick={() => setAside(false)}>{say("Back to the messages")}</button></div></div>
      {c && <Desk c={c} members={members} change={change} />}
      <div class="pane-head"><h2>{say("Contact")}</h2></div>
      {c && <dl class="facts">
        <Fact name={say("Name")} value={contact?.name || nameOf(c)} /><Fact name={say("Phone")} value={contact?.phone} /><Fact name={say("E-mail")} value={contact?.email} />
        <Fact name={say("Stage")} value={contact?.stage && word(contact.stage)} /><Fact name={say("Tags")} value={contact?.tags?.join(", ")} /><Fact name={say("Notes")} value={contact?.notes} />
        <Fact name={say("Channel")} value={channels[c.channel]} /><Fact name={say("Since")} value={when(c.created_at, true)} />
        <Fact name={say("Why a person")} value={c.handoff_reason && word(c.handoff_reason)} />
        <Fact name={say("Handed over")} value={c.handoff_summary?.replaceAll("\n", " · ")} />
      </dl>}
    </section>
  </>;
}

/** Where somebody else begins to answer: what stands there, by the id of the message that it stands before, 0 at the end. */
function changesOfHands(messages: Row[], byAI: boolean): Map<number, string> {
  const marks = new Map<number, string>();
  let person = false;
  for (const m of messages) {
    if (m.direction === "inbound" || person === !m.sent_by_ai) continue;
    person = !person;
    marks.set(m.id, person ? say("{name} answers", { name: m.author || say("A person") }) : say("The AI answers again"));
  }
  if (person && byAI) marks.set(0, say("The AI answers again"));
  return marks;
}

/** Reads all of a list, up to 2,000 rows. */
async function every(first: string): Promise<Row[]> {
  const all: Row[] = [];
  for (let path: string | null = first; path && all.length < 2000;) {
    const page: List = await get<List>(path);
    all.push(...page.results); path = page.next;
  }
  return all;
}

/** Who takes care of a conversation, its labels and its priority. */
function Desk({ c, members, change }: { c: Row; members: Row[]; change: (fields: Row) => Promise<void> }) {
  const set = (fields: Row) => change(fields).catch((e) => toast(reason(e)));
  return <div class="facts">
    <Field label={say("Assigned to")}><select class="input" value={c.assignee ?? ""} onChange={(e) => set({ assignee: Number(e.currentTarget.value) || null })}>
      <option value="">{say("Nobody")}</option>{members.map((m) => <option key={m.id} value={m.id}>{m.name || m.email}</option>)}</select></Field>
    <Field label={say("Priority")}><select class="input" value={c.priority} onChange={(e) => set({ priority: e.currentTarget.value })}>
      {["low", "normal", "high", "urgent"].map((p) => <option key={p} value={p}>{capital(word(p))}</option>)}</select></Field>
    <Field label={say("Labels, with commas between")}><input key={c.id} class="input" dir="auto" defaultValue={c.labels.join(", ")}
      onChange={(e) => set({ labels: e.currentTarget.value.split(",").map((l) => l.trim()).filter(Boolean) })} /></Field>
    <Do class="quiet" act={() => change({ read: false })} disabled={c.unread > 0}>{say("Mark as unread")}</Do>
  </div>;
}

/** Quick answers whose shortcut or title has the words; the first is taken by Tab or a click. */
function Canned({ agent, words, choose }: { agent: number; words: string; choose: (content: string) => void }) {
  const [all, setAll] = useState<Row[]>([]);
  useEffect(() => { every(`agents/${agent}/quick-answers/`).then(setAll, () => setAll([])); }, [agent]);
  const found = all.filter((a) => (a.shortcut.replace(/^\//, "") + " " + a.title).toLowerCase().includes(words.trim().toLowerCase())).slice(0, 6);
  const first = useRef(found[0]);
  first.current = found[0];
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (e.key !== "Tab" || e.shiftKey || !first.current || !(e.target as HTMLElement).matches(".composer textarea")) return;
      e.preventDefault(); choose(first.current.content);
    };
    addEventListener("keydown", press, true);
    return () => removeEventListener("keydown", press, true);
  }, [choose]);
  return found.length === 0 ? null : <ul class="card flat list canned" aria-label={say("Quick answers")}>{found.map((a, i) => <li key={a.id}><button type="button" class="item" onClick={() => choose(a.content)}>
    <span class="tag" dir="auto">{a.shortcut}</span><span class="grow truncate" dir="auto">{a.title}: {a.content}</span>{i === 0 && <kbd>{say("Tab")}</kbd>}</button></li>)}</ul>;
}

const Note = ({ n }: { n: Row }) => <div class="msg note-msg">
  <span class="who"><b>{n.author ? say("Note by {author}", n) : say("Note")}</b><time dateTime={n.created_at}>{when(n.created_at)}</time></span>
  <div class="bubble" dir="auto">{n.content}</div>
</div>;

const Fact = ({ name, value }: { name: string; value?: string }) => value ? <div><dt>{name}</dt><dd dir="auto">{value}</dd></div> : null;

function Message({ m, who }: { m: Row; who: string }) {
  const kind = m.direction === "inbound" ? "visitor" : m.sent_by_ai ? "ai" : "person";
  const label = kind === "visitor" ? who : kind === "ai" ? say("AI") : m.author || say("Person");
  return <div class={`msg ${kind}` + (kind === "visitor" ? "" : " out")}>
    <span class="who"><Icon name={kind} /><b>{label}</b><time dateTime={m.created_at}>{when(m.created_at)}</time>{m.status === "failed" && <span class="tag danger">{say("Not delivered")}</span>}{m.status === "queued" && <span class="tag warn">{say("On its way")}</span>}</span>
    <div class="bubble" dir="auto">{m.subject && <b class="subject">{m.subject}</b>}{m.content}</div>
    {m.choices?.length > 0 && <div class="row" role="group" aria-label={say("Offered to choose from")}>{m.choices.map((o: Row) => <span key={o.value} class="tag" dir="auto">{o.label}</span>)}</div>}
    {m.attachments?.length > 0 && <div class="row">{m.attachments.map((f: Row, i: number) => <a key={i} class="small" href={fileAt(m.id, i)} download>{f.name || say("File {n}", { n: i + 1 })}</a>)}</div>}
    {m.status_detail && <span class="small error">{m.status_detail}</span>}
  </div>;
}

/** Single letters, never in fields: j k move, r replies, t takes over, b hands back, e resolves. */
function useKeys(rows: Row[]) {
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (typing(e)) return;
      if (e.key === "j" || e.key === "k") {
        const at = Number(location.hash.split("/")[2]) || 0; // the place itself is told of a moment later
        const next = rows[rows.findIndex((c) => c.id === at) + (e.key === "j" ? 1 : -1)];
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
