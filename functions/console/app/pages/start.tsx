// The checklist that leads from nothing to an assistant on the website.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, insist, List, post, Row } from "../api";
import { language, mix, plural, say } from "../say";
import { capital, word } from "../words";
import { keep, read } from "../storage";
import { agent, agentID, appointmentChanges, latest, loadAgents } from "../state";
import { languages, Openings, save, useAgent, Warnings } from "../assistant";
import { Websites } from "../websites";
import { copy, Do, Field, Form, Icon, reason, toast } from "../ui";
import { dayName, wall } from "../zone";

const industries = ["general", "restaurant", "retail", "real_estate", "healthcare", "beauty", "fitness", "legal", "education", "hospitality", "automotive", "home_services", "finance", "travel", "technology"];
/** The place of the step that shows the chat box. */
const trying = 3;
const speaks = [...navigator.languages.map((l) => l.slice(0, 2)), language].find((l) => languages[l]) ?? "en";

export default function Start() {
  const a = agent.value;
  const [full, setFull] = useAgent(a?.id, a?.updated_at);
  const [later, setLater] = useState(read("hours-later"));
  const [copied, setCopied] = useState(read("snippet"));
  const mine = (kept: string) => kept === String(a?.id);
  const put = (name: string, set: (id: string) => void) => { keep(name, String(a!.id)); set(String(a!.id)); };
  const said = !!a && latest.value.some((c) => c.agent_id === a.id);
  const opened = !!full && full.business.business_hours !== "" && !full.business.assumed.includes("business_hours");
  const steps = [
    { title: say("Name your business"), done: !!a, body: !a && <Business /> },
    { title: say("Say when you are open and what can be booked"), done: opened || mine(later), body: full && <Open a={full} set={setFull} later={opened || mine(later) ? undefined : () => put("hours-later", setLater)} /> },
    { title: say("Teach your assistant"), done: !!a && a.knowledge_count > 0, body: a && <Teach agent={a} /> },
    { title: say("Try it as a customer"), done: said, body: a && <Try agent={a} zone={full?.business.timezone || "UTC"} /> },
    { title: say("Put it on your website"), done: mine(copied), body: a && <Snippet agent={a} done={() => put("snippet", setCopied)} /> },
  ];
  const current = steps.findIndex((s) => !s.done);
  const list = useRef<HTMLOListElement>(null), before = useRef(current);
  useEffect(() => { // the next step comes into view, but nobody who is chatting is taken away from it
    if (current === before.current + 1 && current <= trying) list.current?.children[current].scrollIntoView({ block: "start" });
    before.current = current;
  }, [current]);
  return <div class="page"><div class="inner">
    <header class="tight"><h1>{current < 0 ? say("Your assistant is set up") : say("Set up your assistant")}</h1>
      <p class="muted">{say("{done} of {all} done. You can leave at any time and go on later.", { done: steps.filter((s) => s.done).length, all: steps.length })}</p></header>
    <ol class="card flat steps" ref={list}>{steps.map((s, i) => <li key={s.title} class={s.done ? "done" : ""}>
      <span class="dot" aria-hidden="true">{s.done ? <Icon name="check" /> : i + 1}</span>
      <div class="grow stack"><h2>{s.title}{s.done && <span class="hidden">{say(", done")}</span>}</h2>{(i === current || s.done) && s.body}</div>
    </li>)}</ol>
  </div></div>;
}

function Business() {
  return <Form submit={async (v) => {
    const made = await insist("agents/", { name: v.name, business_name: v.business_name, industry: v.industry, language: v.language,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, website_url: v.website_url || undefined });
    await post(`agents/${made.id}/activate/`);
    agentID.value = made.id; keep("agent", String(made.id));
    if (v.website_url) await post(`agents/${made.id}/websites/`, { url: v.website_url })
      .catch((e) => toast(reason(e)));
    await loadAgents();
  }}>
    <div class="grid2">
      <Field label={say("Business")}><input class="input" name="business_name" required maxLength={200} autocomplete="organization" /></Field>
      <Field label={say("Name of the assistant")}><input class="input" name="name" required maxLength={100} defaultValue="Mia" /></Field>
      <Field label={say("Industry")}><select class="input" name="industry">{industries.map((i) => <option key={i} value={i}>{capital(word(i))}</option>)}</select></Field>
      <Field label={say("Language")}><select class="input" name="language">{Object.entries(languages).map(([k, v]) => <option key={k} value={k} selected={k === speaks}>{v}</option>)}</select></Field>
      <Field label={say("Website (optional)")}><input class="input" name="website_url" type="url" placeholder="https://" autocomplete="url" /></Field>
    </div>
    <div><button class="btn primary">{say("Create the assistant")}</button></div>
  </Form>;
}

function Open({ a, set, later }: { a: Row; set: (a: Row) => void; later?: () => void }) {
  return <>
    <Warnings a={a} />
    <Form key={a.updated_at} submit={async (v) => { set(await save(a, v)); toast(say("Saved")); }}>
      <Openings a={a} />
      <div class="row"><button class="btn primary">{say("Save")}</button>{later && <button type="button" class="btn quiet" onClick={later}>{say("Later")}</button>}</div>
    </Form>
  </>;
}

function Teach({ agent }: { agent: Row }) {
  return <>
    <p class="muted">{agent.knowledge_count ? plural(agent.knowledge_count, "It knows {n} document.", "It knows {n} documents.") : say("Write what people ask about most: prices, the menu, how to find you.")}</p>
    <Websites agent={agent} changed={loadAgents} address={agent.website_url} />
    <h3>{say("Or write it")}</h3>
    <Form submit={async (v) => {
      await insist(`agents/${agent.id}/knowledge/`, { title: v.title || v.content.trim().split(/[.!?\n]/)[0].slice(0, 80), content: v.content, doc_type: "text" });
      await loadAgents(); toast(say("Learnt"));
    }}>
      <Field label={say("Text")}><textarea class="input" name="content" required dir="auto" placeholder={say("Pizza from 11 euros. There is a car park behind the house. Dogs are welcome.")} /></Field>
      <Field label={say("Title (optional)")}><input class="input" name="title" maxLength={200} dir="auto" /></Field>
      <div class="row"><button class="btn primary">{say("Teach")}</button><a class="btn quiet" href="#/knowledge">{say("All it knows")}</a></div>
    </Form>
  </>;
}

/** The real chat box, and the newest appointment that came of it. */
function Try({ agent: a, zone }: { agent: Row; zone: string }) {
  const [booked, setBooked] = useState<Row | null>(null);
  useEffect(() => { get<List>(`appointments/?agent_id=${a.id}`).then((l) => setBooked(l.results[0] ?? null), () => { /* the banner tells */ }); }, [a.id, appointmentChanges.value]);
  const at = booked && wall(new Date(booked.start_time), zone);
  return <>
    <p class="muted">{say("This is your real chat box. Ask what your customers ask, and book something: it arrives in the inbox and in the agenda.")}</p>
    {a.widget?.enabled ? <iframe class="preview" title={say("The chat box")} src={"preview.html#" + new URLSearchParams({ agent: a.widget.embed_key, color: a.widget.primary_color ?? "" })} /> : <p class="muted">{say("It is switched off.")}</p>}
    {at && <p class="note row" role="status"><span class="grow" dir="auto">{say("In the agenda: {title}, {at}", { title: booked!.title, at: `${dayName(at.slice(0, 10), zone)}, ${at.slice(11)}` })}</span><a class="btn" href={"#/agenda/week/" + at.slice(0, 10)}>{say("See it in the agenda")}</a></p>}
    <div class="row"><a class="btn quiet" href="#/inbox">{say("See it in the inbox")}</a></div>
  </>;
}

function Snippet({ agent, done }: { agent: Row; done: () => void }) {
  const snippet = agent.widget?.embed_snippet ?? "";
  return <>
    <p class="muted">{mix("Copy this line into every page, before {tag}. The chat box appears at once.", { tag: <code>&lt;/body&gt;</code> })}</p>
    <pre class="code mono" tabIndex={0}>{snippet}</pre>
    <div class="row"><Do class="primary" act={async () => { await copy(snippet); done(); }}><Icon name="copy" />{say("Copy")}</Do></div>
  </>;
}
