// The people who write to an agent: a table, and the profile of one.
import { useEffect, useRef, useState } from "preact/hooks";
import { call, del, get, insist, List, patch, post, Row } from "../api";
import { download, readCSV, writeCSV } from "../csv";
import { mix, plural, say } from "../say";
import { word } from "../words";
import { agent, go, place } from "../state";
import { Do, Empty, Field, Form, Icon, Loading, Modal, More, NoAgent, reason, toast, useList, when, within } from "../ui";
import { Blocks } from "../window";

const stages: Record<string, string> = { lead: say("Lead"), prospect: say("Prospect"), customer: say("Customer"), churned: say("Lost") };
const proofs: Record<string, [string, string, string]> = {
  verified: [say("Verified"), "ok", say("The phone or address is proved, by the channel or by your signature.")],
  claimed: [say("Claimed"), "warn", say("What is known was only stated, and is not proved. It opens nothing.")],
  anonymous: [say("Anonymous"), "", say("Nothing is known of who this is.")],
};
const nameOf = (c: Row) => c.name || c.claimed?.name || c.phone || c.email || say("Visitor");
const Proof = ({ c }: { c: Row }) => { const [label, kind, title] = proofs[c.identity] ?? proofs.anonymous; return <span class={"tag " + kind} title={title}>{label}</span>; };
const scores: Record<string, [string, string]> = { hot: [say("hot"), "danger"], warm: [say("warm"), "warn"], cold: [say("cold"), ""] };
const scoreOf = (c: Row) => c.lead_score >= 70 ? "hot" : c.lead_score >= 40 ? "warm" : "cold";
const Score = ({ c }: { c: Row }) => {
  const [label, kind] = scores[scoreOf(c)];
  return <span class={"tag " + kind}>{c.lead_score} {label}</span>;
};

export default function Contacts() {
  const a = agent.value;
  if (place.value.id) return <Profile key={place.value.id} id={place.value.id} />;
  return a ? <Table key={a.id} agentID={a.id} /> : <NoAgent icon="contacts" />;
}

function Table({ agentID }: { agentID: number }) {
  const [words, setWords] = useState("");
  const [looked, setLooked] = useState(""); // the words that are looked for, once the reader has stopped to type
  useEffect(() => { const timer = setTimeout(setLooked, 250, words.trim()); return () => clearTimeout(timer); }, [words]);
  const list = useList(`contacts/?agent_id=${agentID}` + (looked ? "&q=" + encodeURIComponent(looked) : ""));
  const query = place.value.query; // since, until, stage and score, as the page Analytics links
  const since = query.get("since") ?? "", until = query.get("until") ?? "", stage = query.get("stage"), score = query.get("score");
  const chosen = query.toString() !== "";
  const rows = list.rows?.filter((c) => within(c.created_at, since, until) && (!stage || c.stage === stage) && (!score || scoreOf(c) === score));
  // The list has the newest contacts first, so none of the days follows a contact from before them.
  const ended = list.rows?.length && list.rows[list.rows.length - 1].created_at.slice(0, 10) < since;
  const [adding, setAdding] = useState(false);
  const [importing, setImporting] = useState(false);
  return <div class="page"><div class="inner">
    <header class="spread"><h1>{say("Contacts")}</h1><div class="row"><button class="btn" onClick={() => setImporting(true)}>{say("Import")}</button><Do act={() => exportAll(agentID)}>{say("Export")}</Do>
      <button class="btn primary" onClick={() => setAdding(true)}><Icon name="plus" />{say("Add")}</button></div></header>
    {importing && <Import agentID={agentID} close={() => setImporting(false)} done={list.load} />}
    <input class="input" type="search" placeholder={say("Find by name, phone, e-mail or tag")} aria-label={say("Find contacts")} value={words} onInput={(e) => setWords(e.currentTarget.value)} />
    {chosen && <div class="row">{since && until && <span class="tag">{say("First seen from {since} to {until}", { since, until })}</span>}{stage && <span class="tag">{stages[stage] ?? stage}</span>}{score && <span class="tag">{scores[score]?.[0] ?? score}</span>}<a class="small" href="#/contacts">{say("Show all")}</a></div>}
    <section class="card flat" aria-label={say("Contacts")}>
      {!rows ? <Loading error={list.error} /> : rows.length > 0 ? null
        : chosen ? <Empty icon="contacts" title={say("Nobody found")}><p>{say("No contact of the list so far is one of these.")}</p></Empty>
        : looked ? <Empty icon="contacts" title={say("Nobody found")}><p>{say("No contact has these words.")}</p></Empty>
          : <Empty icon="contacts" title={say("Nobody yet")}><p>{say("People appear here when they write to your assistant.")}</p></Empty>}
      {rows && rows.length > 0 && <table class="stacks"><thead><tr><th>{say("Name")}</th><th>{say("Stage")}</th><th>{say("Score")}</th><th>{say("Tags")}</th><th>{say("Last seen")}</th></tr></thead>
            <Blocks of="tbody" rows={rows} row={(c) => <tr key={c.id}><td><div class="tight"><span class="row"><a href={"#/contacts/" + c.id} dir="auto"><b>{nameOf(c)}</b></a><Proof c={c} />{!c.opted_in && <span class="tag danger">{say("No messages")}</span>}</span>
              <span class="muted small">{[c.phone, c.email].filter(Boolean).join(" · ")}</span></div></td>
              <td>{stages[c.stage]}</td><td><Score c={c} /></td><td><span class="row">{c.tags.map((t: string) => <span key={t} class="tag" dir="auto">{t}</span>)}</span></td><td class="muted">{when(c.last_seen_at)}</td></tr>} /></table>}
      <More list={ended ? { more: null } : list} />
    </section>
    {adding && <Modal title={say("Add a contact")} close={() => setAdding(false)}><Form submit={async (v) => {
      const c = await insist("contacts/", { agent_id: agentID, name: v.name, phone: v.phone.replace(/[\s()-]/g, ""), email: v.email || undefined, stage: v.stage });
      setAdding(false); go("contacts/" + c.id);
    }}>
      <Field label={say("Name")}><input class="input" name="name" required maxLength={200} autocomplete="off" /></Field>
      <Field label={say("Phone, with the country's code")}><input class="input" name="phone" type="tel" required placeholder="+49 30 901820" autocomplete="off" /></Field>
      <Field label={say("E-mail (optional)")}><input class="input" name="email" type="email" autocomplete="off" /></Field>
      <Stage />
      <div class="row"><button class="btn primary">{say("Save")}</button><button class="btn quiet" type="button" onClick={() => setAdding(false)}>{say("Cancel")}</button></div>
    </Form></Modal>}
  </div></div>;
}

const Stage = ({ stage }: { stage?: string }) => <Field label={say("Stage")}><select class="input" name="stage">{Object.entries(stages).map(([k, label]) => <option key={k} value={k} selected={k === stage}>{label}</option>)}</select></Field>;

function Profile({ id }: { id: string }) {
  const [c, setC] = useState<Row | null>(null);
  const [error, setError] = useState("");
  const [joining, setJoining] = useState(false);
  const [joined, setJoined] = useState(0); // counts up when another contact was joined into this one
  useEffect(() => { get(`contacts/${encodeURIComponent(id)}/`).then(setC, (e) => setError(reason(e))); }, [id]);
  if (!c) return <div class="page"><div class="inner"><a href="#/contacts">{say("All contacts")}</a><section class="card"><Loading error={error} /></section></div></div>;
  const path = `contacts/${c.id}/`;
  return <div class="page"><div class="inner">
    <header class="spread"><div class="row grow"><a class="btn quiet icon-only" href="#/contacts" aria-label={say("All contacts")}><Icon name="back" /></a><h1 class="truncate" dir="auto">{nameOf(c)}</h1><Proof c={c} /><Score c={c} /></div>
      <a class="btn" href={"#/agenda?contact=" + c.id}><Icon name="agenda" />{say("New appointment")}</a></header>
    <section class="card"><h2>{say("Who this is")}</h2>
      <p class="muted">{(proofs[c.identity] ?? proofs.anonymous)[2]}</p>
      <dl class="facts" style={{ padding: 0, gridTemplateColumns: "repeat(auto-fit, minmax(160px, 1fr))" }}>
        <Fact name={say("Phone")} value={c.phone} /><Fact name={say("Stated name")} value={c.claimed?.name} /><Fact name={say("Stated phone")} value={c.claimed?.phone} /><Fact name={say("Stated e-mail")} value={c.claimed?.email} />
        {Object.entries(c.facts ?? {}).map(([k, v]) => <Fact key={k} name={k.replace(/_/g, " ")} value={String(v)} />)}
        <Fact name={say("Since")} value={when(c.created_at, true)} /><Fact name={say("Last seen")} value={when(c.last_seen_at, true)} /></dl>
      <Tags c={c} set={setC} />
    </section>
    <section class="card"><h2>{say("Details")}</h2><Form key={JSON.stringify([c.name, c.email, c.stage, c.budget, c.location, c.notes])} submit={async (v) => { setC(await patch(path, v)); toast(say("Saved")); }}>
      <div class="grid2">
        <Field label={say("Name")}><input class="input" name="name" maxLength={200} defaultValue={c.name} dir="auto" /></Field>
        <Field label={say("E-mail")}><input class="input" name="email" type="email" defaultValue={c.email} /></Field>
        <Stage stage={c.stage} />
        <Field label={say("Budget")}><input class="input" name="budget" maxLength={200} defaultValue={c.budget} /></Field>
        <Field label={say("Place")}><input class="input" name="location" maxLength={300} defaultValue={c.location} dir="auto" /></Field>
      </div>
      <Field label={say("Notes")}><textarea class="input" name="notes" maxLength={5000} defaultValue={c.notes} dir="auto" /></Field>
      <div><button class="btn primary">{say("Save")}</button></div></Form></section>
    <Timeline key={joined} c={c} />
    <section class="card"><h2>{say("Messages and data")}</h2>
      <div class="spread"><p class="grow">{c.opted_in ? say("May be written to first.") : say("Wants no messages. Sending to this contact is refused.")}</p>
        {c.opted_in && <Do act={async () => { if (confirm(say("Note that {name} wants no messages? Only they can change that again.", { name: nameOf(c) }))) { setC(await post(path + "opt-out/")); toast(say("Noted")); } }}>{say("Wants no messages")}</Do>}</div>
      <div class="spread"><p class="grow">{say("The same person may be there twice, as when they wrote by e-mail and by phone.")}</p><button class="btn" onClick={() => setJoining(true)}>{say("Join another contact")}</button></div>
      {joining && <Merge c={c} close={() => setJoining(false)} done={(now) => { setC(now); setJoined((n) => n + 1); }} />}
      <div class="spread"><p class="grow">{say("Deleting takes the profile and what is known. Conversations and appointments stay.")}</p>
        <Do class="danger" act={async () => { if (confirm(say("Delete {name}? This cannot be undone.", { name: nameOf(c) }))) { await del(path); toast(say("Deleted")); go("contacts"); } }}><Icon name="trash" />{say("Delete")}</Do></div>
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
    {c.tags.map((t: string) => <span key={t} class="tag" dir="auto">{t}<button type="button" aria-label={say("Remove tag {name}", { name: t })} onClick={async () => {
      try { set(await call("DELETE", `contacts/${c.id}/tags/${encodeURIComponent(t)}/`)); } catch (cause) { setError(reason(cause)); }
    }}>×</button></span>)}
    <label><span class="hidden">{say("New tag")}</span><input class="input" style={{ width: "140px" }} placeholder={say("New tag")} maxLength={50} value={text} onInput={(e) => setText(e.currentTarget.value)} /></label>
    <button class="btn">{say("Add tag")}</button></form>{error && <p class="error" role="alert">{error}</p>}</div>;
}

/** What happened with a contact: conversations, found among the agent's since a day before the contact was known, and appointments. */
function Timeline({ c }: { c: Row }) {
  const [rows, setRows] = useState<Row[] | null>(null);
  const [next, setNext] = useState<string | null>(`agents/${c.agent_id}/conversations/?since=${new Date(Date.parse(c.created_at) - 86_400_000).toISOString()}`);
  const [appointments, setAppointments] = useState<Row[]>([]);
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
  useEffect(() => {
    more().catch((e) => setError(reason(e)));
    get<List>(`appointments/?agent_id=${c.agent_id}&contact_id=${c.id}`).then((l) => setAppointments(l.results), (e) => setError(reason(e)));
  }, []);
  const all = [
    ...(rows ?? []).map((o) => ({ at: o.last_message_at, key: "c" + o.id, icon: "inbox", to: "#/inbox/" + o.id, text: o.preview || say("Conversation"), detail: `${word(o.channel)}, ${word(o.status)}` })),
    ...appointments.map((o) => ({ at: o.start_time, key: "a" + o.id, icon: "agenda", to: "#/agenda/day/" + o.start_time.slice(0, 10), text: o.title, detail: `${when(o.start_time, true)}, ${word(o.status)}` })),
    { at: c.created_at, key: "known", icon: "contacts", to: "", text: say("First seen"), detail: when(c.created_at, true) },
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return <section class="card flat" aria-label={say("Timeline")}><h2 style={{ padding: "20px 20px 8px" }}>{say("Timeline")}</h2>
    {!rows ? <Loading error={error} /> : <ul class="list">{all.map((o) => { const inside = <><Icon name={o.icon} /><span class="grow tight"><span class="truncate" dir="auto">{o.text}</span><span class="muted small">{o.detail}</span></span><span class="muted small">{when(o.at)}</span></>;
      return <li key={o.key}>{o.to ? <a class="item" href={o.to}>{inside}</a> : <div class="item">{inside}</div>}</li>; })}</ul>}
    {rows && next && <div style={{ padding: "12px", textAlign: "center" }}><Do act={more}>{say("Look further back")}</Do></div>}
  </section>;
}

/** Joins another contact into one, after both were shown beside each other. */
function Merge({ c, close, done }: { c: Row; close: () => void; done: (c: Row) => void }) {
  const [words, setWords] = useState("");
  const [found, setFound] = useState<Row[] | null>(null);
  const [other, setOther] = useState<Row | null>(null);
  useEffect(() => {
    if (words.trim().length < 2) { setFound(null); return; }
    let late = false;
    const timer = setTimeout(() => get<List>(`contacts/?agent_id=${c.agent_id}&q=${encodeURIComponent(words.trim())}`)
      .then((l) => { if (!late) setFound(l.results.filter((o) => o.id !== c.id).slice(0, 8)); }, (e) => toast(reason(e))), 200);
    return () => { late = true; clearTimeout(timer); };
  }, [words]);
  return <Modal title={say("Join another contact into this one")} close={close}>
    {!other ? <>
      <Field label={say("Name, phone or e-mail of the other")}><input class="input" type="search" value={words} onInput={(e) => setWords(e.currentTarget.value)} /></Field>
      {found && (found.length === 0 ? <p class="muted" role="status">{say("Nobody found")}</p> : <ul class="list" aria-label={say("Found")}>{found.map((o) => <li key={o.id}><button type="button" class="item" onClick={() => setOther(o)}><span class="grow tight"><b dir="auto">{nameOf(o)}</b><span class="muted small">{[o.phone, o.email].filter(Boolean).join(" · ")}</span></span></button></li>)}</ul>)}
    </> : <>
      <p>{mix("Conversations, appointments, tags and notes of {other} become those of {this}. This cannot be undone.", { other: <b dir="auto">{nameOf(other)}</b>, this: <b dir="auto">{nameOf(c)}</b> })}</p>
      <div class="scroll" tabIndex={0}><table><thead><tr><th /><th>{say("Stays")}</th><th>{say("Goes")}</th></tr></thead><tbody>
        {[[say("Name"), "name"], [say("Phone"), "phone"], [say("E-mail"), "email"], [say("Stage"), "stage"]].map(([label, field]) => <tr key={field}><th scope="row">{label}</th><td dir="auto">{field === "stage" ? stages[c.stage] : c[field]}</td><td dir="auto">{field === "stage" ? stages[other.stage] : other[field]}</td></tr>)}</tbody></table></div>
    </>}
    <div class="row">{other && <Do class="primary" act={async () => { done(await post(`contacts/${c.id}/merge/`, { contact_id: other.id })); toast(say("Joined")); close(); }}>{say("Join")}</Do>}<button class="btn quiet" type="button" onClick={close}>{say("Cancel")}</button></div>
  </Modal>;
}

const columns: Record<string, RegExp> = {
  name: /^(name|full ?name|vorname.*|nom|nombre)$/i, phone: /^(phone|tel.*|mobile|mobil.*|handy|t[eé]l.*|m[oó]vil)$/i, email: /^(e-?mail.*|correo.*|courriel)$/i,
  stage: /^(stage|phase|etapa)$/i, notes: /^(notes?|notiz(en)?|notas?)$/i, location: /^(location|place|ort|city|stadt|ville|ciudad)$/i,
};

/** Contacts from CSV. One with a phone that is known is filled in and not made anew, as the API does it. */
function Import({ agentID, close, done }: { agentID: number; close: () => void; done: () => Promise<void> }) {
  const [rows, setRows] = useState<Row[]>([]);
  const [problem, setProblem] = useState("");
  const [progress, setProgress] = useState(0);
  const [failed, setFailed] = useState<string[]>([]);
  const ended = useRef(false);
  useEffect(() => () => { ended.current = true; }, []);
  const look = async (file?: File) => {
    if (!file) return;
    const [head = [], ...lines] = readCSV(await file.text());
    const at = Object.entries(columns).map(([field, names]): [string, number] => [field, head.findIndex((h) => names.test(h.trim()))]).filter(([, place]) => place >= 0);
    setFailed([]); setProgress(0);
    if (!at.some(([field]) => field === "phone")) { setRows([]); setProblem(say("No column is called phone. The first line has to name the columns.")); return; }
    const read = lines.map((cells, i) => ({ line: i + 2, ...Object.fromEntries(at.filter(([, place]) => cells[place]).map(([field, place]) => [field, cells[place]])) }));
    setRows(read); setProblem(read.length ? "" : say("The file has no contacts."));
  };
  const run = async () => {
    const waiting = [...rows], bad: string[] = [];
    const work = async () => {
      for (let row = waiting.shift(); row && !ended.current; row = waiting.shift()) {
        const { line, notes, location, ...fields } = row;
        try {
          const made = await insist("contacts/", { ...fields, phone: (fields.phone ?? "").replace(/[\s()-]/g, "").replace(/^00/, "+"), stage: fields.stage?.toLowerCase(), agent_id: agentID });
          const missing = Object.entries({ notes, location }).filter(([field, value]) => value && !made[field]);
          if (missing.length) await patch(`contacts/${made.id}/`, Object.fromEntries(missing));
        } catch (e) { bad.push(say("Line {line}: {reason}", { line, reason: reason(e) })); }
        setProgress((n) => n + 1);
      }
    };
    await Promise.all([1, 2, 3, 4].map(work));
    await done();
    setFailed(bad);
    toast(plural(rows.length - bad.length, "{n} contact was imported", "{n} contacts were imported"));
    if (!bad.length) close(); else setRows([]);
  };
  return <Modal title={say("Import contacts")} close={close}>
    <p class="muted">{say("A CSV file whose first line names the columns: phone, and if you like name, email, stage, notes, location. Who has a phone that is known already is not added again.")}</p>
    <Field label={say("File (CSV)")}><input class="input" type="file" accept=".csv,text/csv,text/plain" onChange={(e) => look(e.currentTarget.files?.[0])} /></Field>
    {problem && <p class="error" role="alert">{problem}</p>}
    {rows.length > 0 && <p role="status">{plural(rows.length, "{n} contact was read.", "{n} contacts were read.")}</p>}
    {progress > 0 && rows.length > 0 && <progress max={rows.length} value={progress} aria-label={say("Progress")} />}
    {failed.length > 0 && <div class="note error" role="alert"><ul>{failed.slice(0, 10).map((f) => <li key={f}>{f}</li>)}</ul></div>}
    <div class="row"><Do class="primary" disabled={rows.length === 0} act={run}>{say("Import")}</Do><button class="btn quiet" type="button" onClick={close}>{say("Close")}</button></div>
  </Modal>;
}

/** Writes all contacts of an agent to a CSV file. */
async function exportAll(agentID: number) {
  const fields = ["name", "phone", "email", "stage", "lead_score", "opted_in", "tags", "location", "budget", "notes", "created_at", "last_seen_at"];
  const lines = [fields];
  for (let path: string | null = `contacts/?agent_id=${agentID}`; path;) {
    const page: List = await get<List>(path);
    lines.push(...page.results.map((c) => fields.map((f) => Array.isArray(c[f]) ? c[f].join(", ") : String(c[f] ?? ""))));
    path = page.next;
  }
  download("contacts.csv", writeCSV(lines));
}
