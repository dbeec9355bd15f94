// Funnels: an ordered list of steps each, with how often each was reached, and a box to try them out.
import { useEffect, useRef, useState } from "preact/hooks";
import { call, del, get, insist, List, patch, Row } from "../api";
import { say } from "../say";
import { go } from "../state";
import { Do, Empty, Field, Form, Icon, Loading, Modal, More, reason, toast, useList } from "../ui";

export const Funnels = ({ agent, id }: { agent: Row; id: string }) => id ? <One key={id} agent={agent} path={`agents/${agent.id}/funnels/${encodeURIComponent(id)}/`} /> : <All agent={agent} />;

function All({ agent }: { agent: Row }) {
  const path = `agents/${agent.id}/funnels/`;
  const list = useList(path);
  const [adding, setAdding] = useState(false);
  const add = async (v: Row) => go("playbook/funnels/" + (await insist(path, v)).id);
  const sample = async () => {
    const f = await insist(path, { name: say("Callback"), trigger_keyword: say("call me") });
    for (const step of [
      { step_type: "question", content: say("Gladly! What is your name?"), save_response_to: "name" },
      { step_type: "question", content: say("And the number we may call?"), save_response_to: "phone" },
      { step_type: "handoff", content: say("Thank you. One of us will call you back.") },
    ]) await insist(`${path}${f.id}/steps/`, step);
    go("playbook/funnels/" + f.id);
  };
  return <>
    <div class="spread"><p class="muted grow">{say("Questions and messages in a fixed order, begun by a word that somebody writes.")}</p><button class="btn primary" onClick={() => setAdding(true)}><Icon name="plus" />{say("Add a funnel")}</button></div>
    <section class="card flat" aria-label={say("Funnels")}>
      {!list.rows ? <Loading error={list.error} /> : list.rows.length === 0 ? <Empty icon="playbook" title={say("Nothing here yet")}><p>{say("A funnel leads people through questions, one after the other.")}</p><Do act={sample}>{say("Begin with a sample")}</Do></Empty>
        : <ul class="list">{list.rows.map((f) => <li key={f.id}><a class="item" href={"#/playbook/funnels/" + f.id}><span class="grow tight"><b class="truncate" dir="auto">{f.name}</b>
          <span class="muted truncate" dir="auto">{f.trigger_keyword ? say("Begins with “{word}”", { word: f.trigger_keyword }) : say("No word begins it")}</span></span><span class={"tag " + (f.is_active ? "ok" : "warn")}>{f.is_active ? say("On") : say("Off")}</span></a></li>)}</ul>}
      <More list={list} /></section>
    {adding && <Modal title={say("Add a funnel")} close={() => setAdding(false)}><Form submit={add}><FunnelFields f={{}} />
      <div class="row"><button class="btn primary">{say("Save")}</button><button class="btn quiet" type="button" onClick={() => setAdding(false)}>{say("Cancel")}</button></div></Form></Modal>}
  </>;
}

const FunnelFields = ({ f }: { f: Row }) => <>
  <Field label={say("Name")}><input class="input" name="name" required maxLength={200} defaultValue={f.name} dir="auto" /></Field>
  <Field label={say("Begins with the word")}><input class="input" name="trigger_keyword" maxLength={100} defaultValue={f.trigger_keyword} dir="auto" /></Field>
  <Field label={say("Description")}><input class="input" name="description" maxLength={2000} defaultValue={f.description} dir="auto" /></Field>
</>;

const types = (): Record<string, string> => ({ message: say("Message"), question: say("Question"), delay: say("Wait"), handoff: say("Hand over to a person") });

/** A length of time in words. */
function lasting(seconds: number): string {
  if (seconds % 3600 === 0) return say("{n} h", { n: seconds / 3600 });
  return seconds % 60 === 0 ? say("{n} min", { n: seconds / 60 }) : say("{n} s", { n: seconds });
}

function One({ agent, path }: { agent: Row; path: string }) {
  const [f, setF] = useState<Row | null>(null);
  const [steps, setSteps] = useState<Row[] | null>(null);
  const [error, setError] = useState("");
  const [editing, setEditing] = useState<Row | null>(null); // a step, {} for a new one
  const [renaming, setRenaming] = useState(false);
  const load = () => Promise.all([get(path), get<List>(path + "steps/")]).then(([funnel, list]) => { setF(funnel); setSteps(list.results); }).catch((e) => setError(reason(e)));
  useEffect(() => { load(); }, [path]);
  if (!f || !steps) return <Loading error={error} />;
  const order = async (ids: number[]) => {
    const before = steps;
    setSteps(ids.map((id) => steps.find((s) => s.id === id)!));
    try { setSteps((await call<List>("PUT", path + "steps/", { order: ids })).results); } catch (e) { setSteps(before); toast(reason(e)); await load(); }
  };
  return <>
    <div class="spread"><div class="row grow"><a class="btn quiet icon-only" href="#/playbook/funnels" aria-label={say("All funnels")}><Icon name="back" /></a><h2 class="truncate" dir="auto">{f.name}</h2><span class={"tag " + (f.is_active ? "ok" : "warn")}>{f.is_active ? say("On") : say("Off")}</span>
      {f.trigger_keyword && <span class="muted" dir="auto">{say("Begins with “{word}”", { word: f.trigger_keyword })}</span>}</div>
      <div class="row"><button class="btn" onClick={() => setRenaming(true)}>{say("Change")}</button>
        <Do act={async () => setF(await patch(path, { is_active: !f.is_active }))}>{f.is_active ? say("Switch off") : say("Switch on")}</Do>
        <Do class="danger" act={async () => { if (confirm(say("Delete {name}? This cannot be undone.", { name: f.name }))) { await del(path); toast(say("Deleted")); go("playbook/funnels"); } }}><Icon name="trash" />{say("Delete")}</Do></div></div>
    <div class="beside">
      <section class="card flat" aria-label={say("Steps")}>
        {steps.length === 0 ? <Empty icon="playbook" title={say("No steps yet")}><p>{say("Add what the assistant says first.")}</p></Empty> : <Steps steps={steps} order={order} open={setEditing} />}
        <div style={{ padding: "12px" }}><button class="btn" onClick={() => setEditing({})}><Icon name="plus" />{say("Add a step")}</button></div>
      </section>
      <section class="card" aria-label={say("Try-out")}><TryOut agent={agent} steps={steps} /></section>
    </div>
    {renaming && <Modal title={say("Change the funnel")} close={() => setRenaming(false)}><Form submit={async (v) => { setF(await patch(path, v)); setRenaming(false); toast(say("Saved")); }}><FunnelFields f={f} />
      <div class="row"><button class="btn primary">{say("Save")}</button><button class="btn quiet" type="button" onClick={() => setRenaming(false)}>{say("Cancel")}</button></div></Form></Modal>}
    {editing && <StepEditor step={editing} path={path} close={() => setEditing(null)} saved={load} />}
  </>;
}

/** The ordered list. A step is moved by dragging it, by its buttons, or by Alt and an arrow. */
function Steps({ steps, order, open }: { steps: Row[]; order: (ids: number[]) => Promise<void>; open: (s: Row) => void }) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const most = Math.max(1, ...steps.map((s) => s.reached));
  const move = async (from: number, to: number) => {
    if (to < 0 || to >= steps.length || from === to) return;
    const ids = steps.map((s) => s.id);
    ids.splice(to, 0, ...ids.splice(from, 1));
    await order(ids);
    list.current?.children[to]?.querySelector<HTMLElement>("button")?.focus();
  };
  return <ol class="list" ref={list}>{steps.map((s, i) => <li key={s.id} draggable class={over === i && dragged !== i ? "drop" : ""}
    onDragStart={(e) => { setDragged(i); e.dataTransfer?.setData("text/plain", String(s.id)); }} onDragEnd={() => { setDragged(null); setOver(null); }}
    onDragOver={(e) => { e.preventDefault(); setOver(i); }} onDrop={(e) => { e.preventDefault(); if (dragged !== null) move(dragged, i); setOver(null); }}
    onKeyDown={(e) => { if (e.altKey && (e.key === "ArrowUp" || e.key === "ArrowDown")) { e.preventDefault(); move(i, i + (e.key === "ArrowUp" ? -1 : 1)); } }}>
    <div class="item wraps"><span class="avatar" aria-hidden="true">{i + 1}</span>
      <button class="plain grow tight" onClick={() => open(s)}><span class="row"><b>{types()[s.step_type]}</b>{s.delay_seconds > 0 && <span class="tag">{say("after {time}", { time: lasting(s.delay_seconds) })}</span>}{s.save_response_to && <span class="tag">{s.save_response_to}</span>}</span>
        {s.content && <span class="muted clamp" dir="auto">{s.content}</span>}</button>
      <span class="tight reached"><span class="small muted">{say("{n} reached", { n: s.reached })}</span><progress max={most} value={s.reached} aria-label={say("Step {n}, reached", { n: i + 1 })} /></span>
      <span class="row"><button class="btn quiet icon-only" aria-label={say("Move step {n} up", { n: i + 1 })} disabled={i === 0} onClick={() => move(i, i - 1)}>↑</button>
        <button class="btn quiet icon-only" aria-label={say("Move step {n} down", { n: i + 1 })} disabled={i === steps.length - 1} onClick={() => move(i, i + 1)}>↓</button></span>
    </div></li>)}</ol>;
}

function StepEditor({ step, path, close, saved }: { step: Row; path: string; close: () => void; saved: () => Promise<void> }) {
  const [type, setType] = useState<string>(step.step_type ?? "message");
  const at = `${path}steps/${step.id}/`;
  return <Modal title={step.id ? say("Change the step") : say("Add a step")} close={close}><Form submit={async (v) => {
    const body = { step_type: type, content: v.content ?? "", save_response_to: v.save_response_to ?? "", delay_seconds: Math.round(Number(v.delay.replace(",", ".")) * 60) };
    if (step.id) await patch(at, body); else await insist(path + "steps/", body);
    await saved(); close(); toast(say("Saved"));
  }}>
    <Field label={say("What happens")}><select class="input" name="step_type" value={type} onChange={(e) => setType(e.currentTarget.value)}>{Object.entries(types()).map(([k, l]) => <option key={k} value={k}>{l}</option>)}</select></Field>
    {type !== "delay" && <Field label={say("Text")}><textarea class="input" name="content" rows={4} maxLength={4000} required={type !== "handoff"} defaultValue={step.content} dir="auto" /></Field>}
    {type === "question" && <Field label={say("Keep the answer as")} hint={say("name, email, phone, budget and location fill in the contact.")}><input class="input" name="save_response_to" maxLength={64} pattern="[A-Za-z_][A-Za-z0-9_]*" defaultValue={step.save_response_to} list="answer-fields" autocomplete="off" />
      <datalist id="answer-fields">{["name", "email", "phone", "budget", "location"].map((n) => <option key={n} value={n} />)}</datalist></Field>}
    <Field label={say("Wait before it, in minutes")}><input class="input" name="delay" inputMode="decimal" pattern="[0-9]+([.,][0-9]+)?" required defaultValue={String((step.delay_seconds ?? 0) / 60)} /></Field>
    <div class="spread"><div class="row"><button class="btn primary">{say("Save")}</button><button class="btn quiet" type="button" onClick={close}>{say("Cancel")}</button></div>
      {step.id && <Do class="danger" act={async () => { await del(at); await saved(); close(); }}><Icon name="trash" />{say("Delete")}</Do>}</div>
  </Form></Modal>;
}

interface Line { kind: "ai" | "visitor" | "note"; text: string }

/** Plays the steps as they stand in the list. Nothing of it is stored, sent or counted, and waits are skipped. */
function TryOut({ agent, steps }: { agent: Row; steps: Row[] }) {
  const [lines, setLines] = useState<Line[]>([]);
  const [awaits, setAwaits] = useState(-1); // the place of the question that awaits an answer
  const box = useRef<HTMLDivElement>(null);
  const go = (from: number, before: Line[]) => {
    const said = [...before];
    let at = -1;
    for (let i = from; i < steps.length; i++) {
      const s = steps[i];
      if (s.delay_seconds > 0) said.push({ kind: "note", text: say("{time} go by", { time: lasting(s.delay_seconds) }) });
      if (s.step_type !== "delay" && s.content) said.push({ kind: "ai", text: s.content });
      if (s.step_type === "question" && s.content) { at = i; break; }
      if (s.step_type === "handoff") { said.push({ kind: "note", text: say("A person takes over") }); break; }
    }
    if (at < 0) said.push({ kind: "note", text: say("The funnel is over") });
    setLines(said); setAwaits(at);
  };
  useEffect(() => { setLines([]); setAwaits(-1); }, [steps]);
  useEffect(() => { if (box.current) box.current.scrollTop = box.current.scrollHeight; }, [lines]);
  return <><div class="spread"><h2>{say("Try it")}</h2><button class="btn" disabled={!steps.length} onClick={() => go(0, [])}>{lines.length ? say("From the start") : say("Begin")}</button></div>
    <p class="muted small">{say("Nothing is stored or counted, and waits are skipped.")}</p>
    {lines.length > 0 && <div class="chatbox" ref={box} role="log" aria-label={say("Try-out")} tabIndex={0}>{lines.map((l, i) => l.kind === "note" ? <p key={i} class="muted small">{l.text}</p>
      : <div key={i} class={"msg " + (l.kind === "ai" ? "ai" : "out")}><div class="bubble" dir="auto">{l.text}</div></div>)}</div>}
    {awaits >= 0 && <form class="row" style={{ flexWrap: "nowrap" }} onSubmit={(e) => {
      e.preventDefault();
      const field = (e.currentTarget as HTMLFormElement).elements.namedItem("answer") as HTMLInputElement;
      const text = field.value.trim();
      if (!text) return;
      const kept = steps[awaits].save_response_to;
      field.value = "";
      go(awaits + 1, [...lines, { kind: "visitor", text }, ...(kept ? [{ kind: "note" as const, text: say("Kept as {field}", { field: kept }) }] : [])]);
    }}><label class="grow"><span class="hidden">{say("Answer")}</span><input class="input" name="answer" autocomplete="off" placeholder={say("Answer {name}", { name: agent.name })} dir="auto" /></label><button class="btn primary"><Icon name="send" />{say("Send")}</button></form>}
  </>;
}
