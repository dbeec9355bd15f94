// The people who write to an agent: a table, and the profile of one.
import { useEffect, useState } from "preact/hooks";
import { call, del, get, insist, List, patch, post, Row } from "../api";
import { agent, go, place } from "../state";
import { Do, Empty, Field, Form, Icon, Loading, Modal, More, NoAgent, reason, toast, useList, when } from "../ui";

const stages: Record<string, string> = { lead: "Lead", prospect: "Prospect", customer: "Customer", churned: "Lost" };
const proofs: Record<string, [string, string, string]> = {
  verified: ["Verified", "ok", "The phone or address is proved, by the channel or by your signature."],
  claimed: ["Claimed", "warn", "What is known was only stated, and is not proved. It opens nothing."],
  anonymous: ["Anonymous", "", "Nothing is known of who this is."],
};
const nameOf = (c: Row) => c.name || c.claimed?.name || c.phone || c.email || "Visitor";
const Proof = ({ c }: { c: Row }) => { const [label, kind, title] = proofs[c.identity] ?? proofs.anonymous; return <span class={"tag " + kind} title={title}>{label}</span>; };
const Score = ({ c }: { c: Row }) => {
  const [label, kind] = c.lead_score >= 70 ? ["hot", "danger"] : c.lead_score >= 40 ? ["warm", "warn"] : ["cold", ""];
  return <span class={"tag " + kind}>{c.lead_score} {label}</span>;
};

export default function Contacts() {
  const a = agent.value;
  if (place.value.id) return <Profile key={place.value.id} id={place.value.id} />;
  return a ? <Table key={a.id} agentID={a.id} /> : <NoAgent icon="contacts" />;
}

function Table({ agentID }: { agentID: number }) {
  const list = useList(`contacts/?agent_id=${agentID}`);
  const [words, setWords] = useState("");
  const [adding, setAdding] = useState(false);
  const rows = list.rows?.filter((c) => [nameOf(c), c.phone, c.email, c.stage, ...c.tags].join(" ").toLowerCase().includes(words.toLowerCase()));
  return <div class="page"><div class="inner">
    <header class="spread"><h1>Contacts</h1><button class="btn primary" onClick={() => setAdding(true)}><Icon name="plus" />Add</button></header>
    <input class="input" type="search" placeholder="Find by name, phone, stage or tag" aria-label="Find contacts" value={words} onInput={(e) => setWords(e.currentTarget.value)} />
    <section class="card flat" aria-label="Contacts">
      {!rows ? <Loading error={list.error} /> : list.rows!.length === 0 ? <Empty icon="contacts" title="Nobody yet"><p>People appear here when they write to your assistant.</p></Empty>
        : rows.length === 0 ? <Empty icon="contacts" title="Nobody found"><p>{list.more ? "Not among those that are loaded so far." : "No contact has these words."}</p></Empty>
          : <table class="stacks"><thead><tr><th>Name</th><th>Stage</th><th>Score</th><th>Tags</th><th>Last seen</th></tr></thead>
            <tbody>{rows.map((c) => <tr key={c.id}><td><div class="tight"><span class="row"><a href={"#/contacts/" + c.id} dir="auto"><b>{nameOf(c)}</b></a><Proof c={c} />{!c.opted_in && <span class="tag danger">No messages</span>}</span>
              <span class="muted small">{[c.phone, c.email].filter(Boolean).join(" · ")}</span></div></td>
              <td>{stages[c.stage]}</td><td><Score c={c} /></td><td><span class="row">{c.tags.map((t: string) => <span key={t} class="tag" dir="auto">{t}</span>)}</span></td><td class="muted">{when(c.last_seen_at)}</td></tr>)}</tbody></table>}
      <More list={list} />
    </section>
    {adding && <Modal title="Add a contact" close={() => setAdding(false)}><Form submit={async (v) => {
      const c = await insist("contacts/", { agent_id: agentID, name: v.name, phone: v.phone.replace(/[\s()-]/g, ""), email: v.email || undefined, stage: v.stage });
      setAdding(false); go("contacts/" + c.id);
    }}>
      <Field label="Name"><input class="input" name="name" required maxLength={200} autocomplete="off" /></Field>
      <Field label="Phone, with the country's code"><input class="input" name="phone" type="tel" required placeholder="+49 30 901820" autocomplete="off" /></Field>
      <Field label="E-mail (optional)"><input class="input" name="email" type="email" autocomplete="off" /></Field>
      <Stage />
      <div class="row"><button class="btn primary">Save</button><button class="btn quiet" type="button" onClick={() => setAdding(false)}>Cancel</button></div>
    </Form></Modal>}
  </div></div>;
}

const Stage = ({ stage }: { stage?: string }) => <Field label="Stage"><select class="input" name="stage">{Object.entries(stages).map(([k, label]) => <option key={k} value={k} selected={k === stage}>{label}</option>)}</select></Field>;

function Profile({ id }: { id: string }) {
  const [c, setC] = useState<Row | null>(null);
  const [error, setError] = useState("");
  useEffect(() => { get(`contacts/${encodeURIComponent(id)}/`).then(setC, (e) => setError(reason(e))); }, [id]);
  if (!c) return <div class="page"><div class="inner"><a href="#/contacts">All contacts</a><section class="card"><Loading error={error} /></section></div></div>;
  const path = `contacts/${c.id}/`;
  return <div class="page"><div class="inner">
    <header class="spread"><div class="row grow"><a class="btn quiet icon-only" href="#/contacts" aria-label="All contacts"><Icon name="back" /></a><h1 class="truncate" dir="auto">{nameOf(c)}</h1><Proof c={c} /><Score c={c} /></div>
      <a class="btn" href={"#/agenda?contact=" + c.id}><Icon name="agenda" />New appointment</a></header>
    <section class="card"><h2>Who this is</h2>
      <p class="muted">{(proofs[c.identity] ?? proofs.anonymous)[2]}</p>
      <dl class="facts" style={{ padding: 0, gridTemplateColumns: "repeat(auto-fit, minmax(160px, 1fr))" }}>
        <Fact name="Phone" value={c.phone} /><Fact name="Stated name" value={c.claimed?.name} /><Fact name="Stated phone" value={c.claimed?.phone} /><Fact name="Stated e-mail" value={c.claimed?.email} />
        {Object.entries(c.facts ?? {}).map(([k, v]) => <Fact key={k} name={k.replace(/_/g, " ")} value={String(v)} />)}
        <Fact name="Since" value={when(c.created_at, true)} /><Fact name="Last seen" value={when(c.last_seen_at, true)} /></dl>
      <Tags c={c} set={setC} />
    </section>
    <section class="card"><h2>Details</h2><Form key={JSON.stringify([c.name, c.email, c.stage, c.budget, c.location, c.notes])} submit={async (v) => { setC(await patch(path, v)); toast("Saved"); }}>
      <div class="grid2">
        <Field label="Name"><input class="input" name="name" maxLength={200} defaultValue={c.name} dir="auto" /></Field>
        <Field label="E-mail"><input class="input" name="email" type="email" defaultValue={c.email} /></Field>
        <Stage stage={c.stage} />
        <Field label="Budget"><input class="input" name="budget" maxLength={200} defaultValue={c.budget} /></Field>
        <Field label="Place"><input class="input" name="location" maxLength={300} defaultValue={c.location} dir="auto" /></Field>
      </div>
      <Field label="Notes"><textarea class="input" name="notes" maxLength={5000} defaultValue={c.notes} dir="auto" /></Field>
      <div><button class="btn primary">Save</button></div></Form></section>
    <Conversations c={c} />
    <section class="card"><h2>Messages and data</h2>
      <div class="spread"><p class="grow">{c.opted_in ? "May be written to first." : "Wants no messages. Sending to this contact is refused."}</p>
        {c.opted_in && <Do act={async () => { if (confirm(`Note that ${nameOf(c)} wants no messages? Only they can change that again.`)) { setC(await post(path + "opt-out/")); toast("Noted"); } }}>Wants no messages</Do>}</div>
      <div class="spread"><p class="grow">Deleting takes the profile and what is known. Conversations and appointments stay.</p>
        <Do class="danger" act={async () => { if (confirm(`Delete ${nameOf(c)}? This cannot be undone.`)) { await del(path); toast("Deleted"); go("contacts"); } }}><Icon name="trash" />Delete</Do></div>
    </section>
  </div></div>;
}

const Fact = ({ name, value }: { name: string; value?: string }) => value ? <div><dt>{name}</dt><dd dir="auto">{value}</dd></div> : null;

function Tags({ c, set }: { c: Row; set: (c: Row) => void }) {
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  return <div class="tight"><form class="row" onSubmit={async (e) => {
    e.preventDefault();
    if (!text.trim()) return;
    try { set(await post(`contacts/${c.id}/tags/`, { tags: [text.trim()] })); setText(""); setError(""); } catch (cause) { setError(reason(cause)); }
  }}>
    {c.tags.map((t: string) => <span key={t} class="tag" dir="auto">{t}<button type="button" aria-label={"Remove tag " + t} onClick={async () => {
      try { set(await call("DELETE", `contacts/${c.id}/tags/${encodeURIComponent(t)}/`)); } catch (cause) { setError(reason(cause)); }
    }}>×</button></span>)}
    <label><span class="hidden">New tag</span><input class="input" style={{ width: "140px" }} placeholder="New tag" maxLength={50} value={text} onInput={(e) => setText(e.currentTarget.value)} /></label>
    <button class="btn">Add tag</button></form>{error && <p class="error" role="alert">{error}</p>}</div>;
}

/** The conversations of a contact, found among those of the agent that began since a day before the contact was known. */
function Conversations({ c }: { c: Row }) {
  const [rows, setRows] = useState<Row[] | null>(null);
  const [next, setNext] = useState<string | null>(`agents/${c.agent_id}/conversations/?since=${new Date(Date.parse(c.created_at) - 86_400_000).toISOString()}`);
  const [error, setError] = useState("");
  const more = async () => {
    let path = next;
    const found: Row[] = [];
    for (let pages = 0; path && pages < 5 && found.length < 10; pages++) {
      const page: List = await get<List>(path);
      found.push(...page.results.filter((o) => o.contact_id === c.id)); path = page.next;
    }
    setRows((r) => [...(r ?? []), ...found]); setNext(path);
  };
  useEffect(() => { more().catch((e) => setError(reason(e))); }, []);
  return <section class="card flat" aria-label="Conversations"><h2 style={{ padding: "20px 20px 8px" }}>Conversations</h2>
    {!rows ? <Loading error={error} /> : rows.length === 0 ? <p class="muted" style={{ padding: "0 20px 20px" }}>{next ? "None among the newest conversations." : "None."}</p>
      : <ul class="list">{rows.map((o) => <li key={o.id}><a class="item" href={"#/inbox/" + o.id}><span class="grow tight"><span class="truncate" dir="auto">{o.preview || "Conversation"}</span><span class="muted small">{o.channel}, {o.status}</span></span><span class="muted small">{when(o.last_message_at)}</span></a></li>)}</ul>}
    {rows && next && <div style={{ padding: "12px", textAlign: "center" }}><Do act={more}>Look further back</Do></div>}
  </section>;
}
