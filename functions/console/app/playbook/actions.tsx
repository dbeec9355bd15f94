// Actions: what happens by itself, each as a sentence "when … if … then …", with a log of its runs.
import { useEffect, useState } from "preact/hooks";
import { del, get, insist, List, patch, Row } from "../api";
import { say } from "../say";
import { word } from "../words";
import { go } from "../state";
import { Do, Empty, Field, Form, Icon, Loading, More, reason, toast, useList, when } from "../ui";

const triggers = (): Record<string, string> => ({
  message_received: say("a message arrives"), keyword: say("a message has certain words"), intent_detected: say("a message is about something certain"),
  message_sent: say("an answer is sent"), conversation_started: say("a conversation begins"), conversation_resolved: say("a conversation is resolved"),
  handoff: say("a person takes over"), contact_created: say("somebody new appears"), stage_changed: say("a contact's stage changes"),
  appointment_created: say("an appointment is made"), appointment_updated: say("an appointment is moved"),
});
const subjects = (): Record<string, string> => ({
  message: say("the message"), intent: say("the topic"), confidence: say("the certainty (0 to 1)"), channel: say("the channel"), contact_stage: say("the contact's stage"),
  lead_score: say("the lead score"), tags: say("the contact's tags"),
});
const operators = (): Record<string, string> => ({
  equals: say("is"), not_equals: say("is not"), contains: say("contains"), not_contains: say("does not contain"), greater_than: say("is greater than"), less_than: say("is less than"),
});
const effects = (): Record<string, string> => ({
  add_tag: say("add a tag"), remove_tag: say("remove a tag"), set_stage: say("set the stage"), set_priority: say("set the priority"), send_message: say("send a message"),
  handoff: say("hand over to a person"), resolve: say("resolve the conversation"), fire_webhook: say("call an address"),
});
const needs: Record<string, string> = { add_tag: "tag", remove_tag: "tag", set_stage: "stage", set_priority: "priority", send_message: "message", fire_webhook: "url" };
const choices: Record<string, string[]> = {
  stage: ["lead", "prospect", "customer", "churned"], priority: ["low", "normal", "high", "urgent"],
  contact_stage: ["lead", "prospect", "customer", "churned"], channel: ["webchat", "whatsapp", "sms", "email", "instagram", "messenger", "api"],
};
const operatorsOf = (subject: string) => subject === "confidence" || subject === "lead_score" ? ["equals", "not_equals", "greater_than", "less_than"]
  : subject === "tags" ? ["contains", "not_contains"] : ["equals", "not_equals", "contains", "not_contains"];

/** The action in one sentence. */
function sentence(a: Row): string {
  const what = effects()[a.action_type] ?? a.action_type;
  const value = a.config[needs[a.action_type]];
  const then = value ? `${what}: ${choices[needs[a.action_type]] ? word(value) : value}` : what;
  const trigger = triggers()[a.trigger_on] ?? a.trigger_on;
  if (!a.conditions.length) return say("When {trigger}, then {effect}.", { trigger, effect: then });
  const conditions = a.conditions.map((c: Row) => `${subjects()[c.field] ?? c.field} ${operators()[c.operator] ?? c.operator} “${choices[c.field] ? word(c.value) : c.value}”`);
  return say("When {trigger}, if {conditions}, then {effect}.", { trigger, conditions: conditions.join(` ${say("and")} `), effect: then });
}

export const Actions = ({ agent, id }: { agent: Row; id: string }) => id ? <One key={id} path={`agents/${agent.id}/actions/`} id={id} /> : <All agent={agent} />;

function All({ agent }: { agent: Row }) {
  const path = `agents/${agent.id}/actions/`;
  const list = useList(path);
  const recipes: [string, Row][] = [
    [say("Hand over who asks for a refund"), { name: say("Refund"), action_type: "handoff", trigger_on: "keyword", conditions: [{ field: "message", operator: "contains", value: say("refund") }] }],
    [say("Tag everybody who books"), { name: say("Booked"), action_type: "add_tag", trigger_on: "appointment_created", config: { tag: say("booked") } }],
    [say("Say thanks when a conversation is resolved"), { name: say("Thanks"), action_type: "send_message", trigger_on: "conversation_resolved", config: { message: say("Thank you for writing to us!") }, max_per_contact: 1 }],
  ];
  return <>
    <div class="spread"><p class="muted grow">{say("What happens by itself: when something happens, if something holds, then something is done.")}</p><a class="btn primary" href="#/playbook/actions/new"><Icon name="plus" />{say("Add an action")}</a></div>
    <section class="card flat" aria-label={say("Actions")}>
      {!list.rows ? <Loading error={list.error} /> : list.rows.length === 0 ? <Empty icon="playbook" title={say("Nothing here yet")}><p>{say("Begin with one of these:")}</p><div class="row" style={{ justifyContent: "center" }}>{recipes.map(([label, body]) => <Do key={label} act={async () => go("playbook/actions/" + (await insist(path, body)).id)}>{label}</Do>)}</div></Empty>
        : <ul class="list">{list.rows.map((a) => <li key={a.id}><a class="item" href={"#/playbook/actions/" + a.id}><span class="grow tight"><b class="truncate" dir="auto">{a.name}</b><span class="muted" dir="auto">{sentence(a)}</span></span><State a={a} /></a></li>)}</ul>}
      <More list={list} /></section>
  </>;
}

const State = ({ a }: { a: Row }) => !a.configured ? <span class="tag danger">{say("Not complete")}</span> : a.is_active ? <span class="tag ok">{say("On")}</span> : <span class="tag warn">{say("Off")}</span>;

function One({ path, id }: { path: string; id: string }) {
  const isNew = id === "new";
  const [a, setA] = useState<Row | null>(isNew ? { action_type: "add_tag", trigger_on: "message_received", config: {}, conditions: [], cooldown_seconds: 0, max_per_contact: 0, max_per_day: 0 } : null);
  const [error, setError] = useState("");
  const at = `${path}${encodeURIComponent(id)}/`;
  useEffect(() => { if (!isNew) get(at).then(setA, (e) => setError(reason(e))); }, [at]);
  if (!a) return <Loading error={error} />;
  return <>
    <div class="spread"><div class="row grow"><a class="btn quiet icon-only" href="#/playbook/actions" aria-label={say("All actions")}><Icon name="back" /></a><h2 class="truncate" dir="auto">{a.name || say("New action")}</h2>{!isNew && <State a={a} />}</div>
      {!isNew && <div class="row"><Do act={async () => setA(await patch(at, { is_active: !a.is_active }))}>{a.is_active ? say("Switch off") : say("Switch on")}</Do>
        <Do class="danger" act={async () => { if (confirm(say("Delete {name}? This cannot be undone.", { name: a.name }))) { await del(at); toast(say("Deleted")); go("playbook/actions"); } }}><Icon name="trash" />{say("Delete")}</Do></div>}</div>
    {!isNew && <p class="note" dir="auto">{sentence(a)}</p>}
    <section class="card" aria-label={say("Action")}><Editor key={a.updated_at} a={a} save={async (body) => {
      if (!isNew) { setA(await patch(at, body)); toast(say("Saved")); return; }
      const made = await insist(path, body);
      toast(say("Saved")); go("playbook/actions/" + made.id);
    }} /></section>
    {!isNew && <Log at={at} />}
  </>;
}

function Editor({ a, save }: { a: Row; save: (body: Row) => Promise<void> }) {
  const [trigger, setTrigger] = useState<string>(a.trigger_on);
  const [kind, setKind] = useState<string>(a.action_type);
  const [conditions, setConditions] = useState<Row[]>(a.conditions);
  const change = (i: number, to: Row) => setConditions((all) => all.map((c, at) => at === i ? { ...c, ...to } : c));
  const add = (field = "message") => setConditions((all) => [...all, { field, operator: operatorsOf(field)[field === "message" ? 2 : 0], value: "" }]);
  const need = needs[kind];
  return <Form submit={async (v) => {
    const body: Row = { name: v.name, action_type: kind, trigger_on: trigger, conditions, cooldown_seconds: Math.round(Number(v.cooldown) * 60), max_per_contact: Number(v.max_per_contact), max_per_day: Number(v.max_per_day) };
    if (need) body.config = { [need]: v.value };
    if (kind === "fire_webhook" && v.secret) body.config.secret = v.secret;
    await save(body);
  }}>
    <Field label={say("Name")}><input class="input" name="name" required maxLength={200} defaultValue={a.name} dir="auto" /></Field>
    <Field label={say("When")}><select class="input" value={trigger} onChange={(e) => {
      const to = e.currentTarget.value;
      setTrigger(to);
      const needed = to === "keyword" ? "message" : to === "intent_detected" ? "intent" : "";
      if (needed && !conditions.some((c) => c.field === needed)) add(needed);
    }}>{Object.entries(triggers()).map(([k, l]) => <option key={k} value={k}>{l}</option>)}</select></Field>
    <fieldset class="stack plain-set"><legend>{say("If")}</legend>
      {conditions.length === 0 && <p class="muted">{say("In any case.")}</p>}
      {conditions.map((c, i) => <div key={i} class="row condition" role="group" aria-label={say("Condition {n}", { n: i + 1 })}>
        <select class="input" aria-label={say("What")} value={c.field} onChange={(e) => { const field = e.currentTarget.value; change(i, { field, operator: operatorsOf(field).includes(c.operator) ? c.operator : operatorsOf(field)[0], value: "" }); }}>{Object.entries(subjects()).map(([k, l]) => <option key={k} value={k}>{l}</option>)}</select>
        <select class="input" aria-label={say("How")} value={c.operator} onChange={(e) => change(i, { operator: e.currentTarget.value })}>{operatorsOf(c.field).map((o) => <option key={o} value={o}>{operators()[o]}</option>)}</select>
        <input class="input" aria-label={say("Value")} required maxLength={200} value={c.value} onInput={(e) => change(i, { value: e.currentTarget.value })} list={choices[c.field] && "values-" + c.field} dir="auto" />
        <button type="button" class="btn quiet icon-only" aria-label={say("Remove condition {n}", { n: i + 1 })} onClick={() => setConditions((all) => all.filter((_, at) => at !== i))}><Icon name="trash" /></button>
      </div>)}
      {["contact_stage", "channel"].map((field) => <datalist key={field} id={"values-" + field}>{choices[field].map((o) => <option key={o} value={o} />)}</datalist>)}
      <div><button type="button" class="btn" disabled={conditions.length >= 20} onClick={() => add()}><Icon name="plus" />{say("Add a condition")}</button></div>
    </fieldset>
    <Field label={say("Then")}><select class="input" value={kind} onChange={(e) => setKind(e.currentTarget.value)}>{Object.entries(effects()).map(([k, l]) => <option key={k} value={k}>{l}</option>)}</select></Field>
    {need && <Field label={effects()[kind]}>{choices[need] ? <select class="input" name="value" key={need}>{choices[need].map((o) => <option key={o} value={o} selected={o === a.config[need]}>{word(o)}</option>)}</select>
      : need === "message" ? <textarea class="input" name="value" key={need} required maxLength={4000} defaultValue={a.config[need]} dir="auto" />
        : <input class="input" name="value" key={need} required type={(need === "url" ? "url" : "text") as "text"} maxLength={need === "url" ? 2000 : 100} defaultValue={a.config[need]} placeholder={need === "url" ? "https://" : ""} dir="auto" />}</Field>}
    {kind === "fire_webhook" && <Field label={say("Secret to sign with (optional)")}><input class="input" name="secret" type="password" autocomplete="new-password" maxLength={255} placeholder={a.config.secret ? say("Set. Leave empty to keep it.") : ""} /></Field>}
    <details><summary>{say("Limits")}</summary><div class="grid2" style={{ paddingBlockStart: "12px" }}>
      <Field label={say("Pause between runs for one contact, in minutes")}><input class="input" name="cooldown" type="number" min={0} max={43200} defaultValue={a.cooldown_seconds / 60} step="any" /></Field>
      <Field label={say("Runs for one contact, at most (0: no limit)")}><input class="input" name="max_per_contact" type="number" min={0} max={1000000} defaultValue={a.max_per_contact} /></Field>
      <Field label={say("Runs in a day, at most (0: no limit)")}><input class="input" name="max_per_day" type="number" min={0} max={1000000} defaultValue={a.max_per_day} /></Field>
    </div></details>
    <div><button class="btn primary">{say("Save")}</button></div>
  </Form>;
}

const outcomes = (): Record<string, [string, string]> => ({ done: [say("Done"), "ok"], unchanged: [say("Nothing to do"), ""], pending: [say("On its way"), "warn"], delivered: [say("Delivered"), "ok"], failed: [say("Failed"), "danger"] });

function Log({ at }: { at: string }) {
  const [rows, setRows] = useState<Row[] | null>(null);
  const [error, setError] = useState("");
  const load = () => get<List>(at + "runs/").then((l) => { setRows(l.results); setError(""); }, (e) => setError(reason(e)));
  useEffect(() => { load(); }, [at]);
  return <section class="card flat" aria-label={say("Runs")}><div class="spread" style={{ padding: "12px 16px" }}><h2>{say("Runs")}</h2><Do class="quiet" act={load}>{say("Look again")}</Do></div>
    {!rows ? <Loading error={error} /> : rows.length === 0 ? <p class="muted" style={{ padding: "0 16px 16px" }}>{say("It has not run in the last 30 days.")}</p>
      : <ul class="list">{rows.map((r) => <li key={r.id}><div class="item wraps"><span class="grow tight"><span>{say("When {trigger}", { trigger: triggers()[r.trigger] ?? r.trigger })}</span>
        <span class="row small"><a href={"#/contacts/" + r.contact_id}>{say("Contact")}</a>{r.conversation_id > 0 && <a href={"#/inbox/" + r.conversation_id}>{say("Conversation")}</a>}{r.detail && <span class="muted" dir="auto">{r.detail}</span>}</span></span>
        <span class={"tag " + (outcomes()[r.outcome]?.[1] ?? "")}>{outcomes()[r.outcome]?.[0] ?? r.outcome}</span><time class="muted small" dateTime={r.at}>{when(r.at, true)}</time></div></li>)}</ul>}
  </section>;
}
