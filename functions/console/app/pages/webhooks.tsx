// Where events are sent to, and what became of each delivery.
import { useEffect, useState } from "preact/hooks";
import { del, get, insist, patch, post, Row } from "../api";
import { say } from "../say";
import { agent, go, place } from "../state";
import { copy, Do, Empty, Field, Form, Icon, Loading, Modal, More, NoAgent, reason, toast, useList, when } from "../ui";
import { Blocks } from "../window";

// The kinds that are sent. The API takes others too, which nothing publishes yet.
const events: Record<string, string> = {
  "message.sent": say("The assistant answered on WhatsApp"), "conversation.resolved": say("A conversation was resolved"),
  "appointment.created": say("An appointment was made"), "appointment.updated": say("An appointment was moved"),
};

export default function Webhooks() {
  const a = agent.value;
  if (!a) return <NoAgent icon="webhooks" />;
  return place.value.id ? <One key={a.id + place.value.id} path={`agents/${a.id}/webhooks/${encodeURIComponent(place.value.id)}/`} /> : <All key={a.id} agent={a} />;
}

const State = ({ w }: { w: Row }) => w.disabled_at ? <span class="tag danger">{say("Switched off by the service")}</span> : !w.active ? <span class="tag warn">{say("Off")}</span>
  : w.failing_since ? <span class="tag danger">{say("Failing")}</span> : <span class="tag ok">{say("On")}</span>;

function All({ agent }: { agent: Row }) {
  const list = useList(`agents/${agent.id}/webhooks/`);
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState("");
  return <div class="page"><div class="inner">
    <header class="spread"><h1>{say("Webhooks")}</h1><button class="btn primary" onClick={() => setAdding(true)}><Icon name="plus" />{say("Add")}</button></header>
    {secret && <Secret secret={secret} close={() => setSecret("")} />}
    <section class="card flat" aria-label={say("Webhooks")}>{!list.rows ? <Loading error={list.error} /> : list.rows.length === 0 ? <Empty icon="webhooks" title={say("Nothing is told of events")}><p>{say("A webhook tells your own systems what happens here, signed, with retries.")}</p></Empty>
      : <ul class="list">{list.rows.map((w) => <li key={w.id}><a class="item" href={"#/webhooks/" + w.id}><span class="grow tight"><b class="truncate" dir="auto">{w.name}</b><span class="muted truncate">{w.url}</span></span><State w={w} /></a></li>)}</ul>}<More list={list} /></section>
    {adding && <Modal title={say("Add a webhook")} close={() => setAdding(false)}><Editor submit={async (body) => {
      const w = await insist(`agents/${agent.id}/webhooks/`, body);
      setSecret(w.secret); setAdding(false); await list.load();
    }} close={() => setAdding(false)} /></Modal>}
  </div></div>;
}

const Secret = ({ secret, close }: { secret: string; close: () => void }) => <section class="card" role="status"><h2>{say("The secret that deliveries are signed with")}</h2>
  <p class="muted">{say("Copy it now: it is not shown again.")}</p><pre class="code mono" tabIndex={0}>{secret}</pre><div class="row"><Do class="primary" act={() => copy(secret)}><Icon name="copy" />{say("Copy")}</Do><button class="btn quiet" onClick={close}>{say("Done")}</button></div></section>;

function Editor({ w, submit, close }: { w?: Row; submit: (body: Row) => Promise<void>; close: () => void }) {
  const all = { ...events, ...Object.fromEntries((w?.events ?? []).filter((e: string) => !events[e]).map((e: string) => [e, e])) };
  return <Form submit={async (v) => {
    const chosen = Object.keys(all).filter((e) => v["on " + e]);
    if (!chosen.length) throw new Error(say("Choose at least one event."));
    await submit({ url: v.url, description: v.description, events: chosen });
  }}>
    <Field label={say("Address")}><input class="input" name="url" type="url" required defaultValue={w?.url} placeholder="https://" /></Field>
    <Field label={say("Name (optional)")}><input class="input" name="description" maxLength={200} defaultValue={w?.name} dir="auto" /></Field>
    <fieldset style={{ border: 0, padding: 0, margin: 0 }}><legend style={{ fontWeight: 560 }}>{say("Events")}</legend>
      {Object.entries(all).map(([e, label]) => <label key={e} class="check"><input type="checkbox" name={"on " + e} defaultChecked={w?.events.includes(e)} /><span>{label}</span></label>)}</fieldset>
    <div class="row"><button class="btn primary">{say("Save")}</button><button class="btn quiet" type="button" onClick={close}>{say("Cancel")}</button></div>
  </Form>;
}

function One({ path }: { path: string }) {
  const [w, setW] = useState<Row | null>(null);
  const [error, setError] = useState("");
  const [editing, setEditing] = useState(false);
  const [secret, setSecret] = useState("");
  const [tested, setTested] = useState<Row | null>(null);
  const list = useList(path + "deliveries/");
  useEffect(() => { get(path).then(setW, (e) => setError(reason(e))); }, [path]);
  if (!w) return <div class="page"><div class="inner"><a href="#/webhooks">{say("All webhooks")}</a><section class="card"><Loading error={error} /></section></div></div>;
  return <div class="page"><div class="inner">
    <header class="spread"><div class="row grow"><a class="btn quiet icon-only" href="#/webhooks" aria-label={say("All webhooks")}><Icon name="back" /></a><h1 class="truncate" dir="auto">{w.name}</h1><State w={w} /></div>
      <div class="row"><Do class="primary" act={async () => { setTested(null); setTested(await post(path + "test/", {})); }}><Icon name="send" />{say("Test")}</Do><button class="btn" onClick={() => setEditing(true)}>{say("Change")}</button></div></header>
    {tested && <p class={"note" + (tested.delivered ? "" : " error")} role="status">{tested.delivered ? say("The test was delivered: it was answered with {http_status}.", { http_status: tested.http_status }) : say("The test was not delivered: {error}", { error: tested.error })}</p>}
    {secret && <Secret secret={secret} close={() => setSecret("")} />}
    <section class="card"><p class="mono">{w.url}</p><div class="row">{w.events.map((e: string) => <span key={e} class="tag">{events[e] ?? e}</span>)}</div>
      {w.disabled_reason && <p class="error">{w.disabled_reason}</p>}
      <div class="row"><Do act={async () => { setW(await patch(path, { active: !w.active })); toast(w.active ? say("Switched off") : say("Switched on")); }}>{w.active ? say("Switch off") : say("Switch on")}</Do>
        <Do act={async () => { if (confirm(say("Make a new secret? The old one signs as well for a while."))) { const made = await post(path + "rotate-secret/", {}); setSecret(made.secret); } }}>{say("New secret")}</Do>
        <Do class="danger" act={async () => { if (confirm(say("Delete {name}? Nothing more is sent to it.", { name: w.name }))) { await del(path); toast(say("Deleted")); go("webhooks"); } }}><Icon name="trash" />{say("Delete")}</Do></div></section>
    <section class="stack" aria-label={say("Deliveries")}><div class="spread"><h2>{say("Deliveries")}</h2><Do class="quiet" act={list.load}>{say("Look again")}</Do></div>
      <div class="card flat">{!list.rows ? <Loading error={list.error} /> : list.rows.length === 0 ? <Empty icon="webhooks" title={say("Nothing was sent yet")}><p>{say("Deliveries of live events are listed here with their attempts. Tests are not.")}</p></Empty>
        : <Blocks of="ul" rows={list.rows} row={(d) => <Delivery key={d.id} d={d} again={async () => { await post(`${path}deliveries/${d.id}/redeliver/`); toast(say("It is sent again")); await list.load(); }} />} />}<More list={list} /></div></section>
    {editing && <Modal title={say("Change the webhook")} close={() => setEditing(false)}><Editor w={w} close={() => setEditing(false)} submit={async (body) => { setW(await patch(path, body)); setEditing(false); toast(say("Saved")); }} /></Modal>}
  </div></div>;
}

const outcomes: Record<string, [string, string]> = { delivered: [say("Delivered"), "ok"], failed: [say("Failed"), "danger"], pending: [say("Being sent"), "warn"] };

function Delivery({ d, again }: { d: Row; again: () => Promise<void> }) {
  const [label, kind] = outcomes[d.status];
  return <li><div class="item wraps"><details class="grow"><summary><b>{events[d.event] ?? d.event}</b> <span class="muted small">{when(d.created_at, true)}</span></summary>
    <ol class="tight" style={{ padding: "8px 0 0 16px" }}>{d.attempts.map((t: Row, i: number) => <li key={i} class="small">{i + 1}. {when(t.time, true)}: {t.error ?? say("Answered with {http_status}.", t)} ({t.duration_ms} ms)</li>)}
      {d.attempts.length === 0 && <li class="small muted">{say("No attempt yet.")}</li>}{d.error && <li class="small error">{d.error}</li>}</ol></details>
    <span class={"tag " + kind}>{label}</span>{d.status !== "pending" && <Do act={again}>{say("Send again")}</Do>}</div></li>;
}
