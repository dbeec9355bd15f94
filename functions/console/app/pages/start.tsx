// The checklist that leads from nothing to an assistant on the website.
import { useState } from "preact/hooks";
import { insist, post, Row } from "../api";
import { agent, agentID, keep, loadAgents, read } from "../state";
import { Ask } from "../ask";
import { Websites } from "../websites";
import { copy, Do, Field, Form, Icon, reason, toast } from "../ui";

const industries = ["general", "restaurant", "retail", "real_estate", "healthcare", "beauty", "fitness", "legal", "education", "hospitality", "automotive", "home_services", "finance", "travel", "technology"];
const languages: Record<string, string> = { en: "English", de: "Deutsch", fr: "Français", es: "Español", it: "Italiano", nl: "Nederlands", pt: "Português" };
const speaks = languages[navigator.language.slice(0, 2)] ? navigator.language.slice(0, 2) : "en";

export default function Start() {
  const a = agent.value;
  const [asked, setAsked] = useState(read("asked") === "1");
  const [copied, setCopied] = useState(read("snippet"));
  const steps = [
    { title: "Name your business", done: !!a, body: <Business /> },
    { title: "Teach your assistant", done: !!a && a.knowledge_count > 0, body: a && <Teach agent={a} /> },
    { title: "Ask it something", done: !!a && asked, body: a && <Ask agent={a} asked={() => { keep("asked", "1"); setAsked(true); }} /> },
    { title: "Put it on your website", done: !!a && copied === String(a.id), body: a && <Snippet agent={a} done={() => { keep("snippet", String(a.id)); setCopied(String(a.id)); }} /> },
  ];
  const current = steps.findIndex((s) => !s.done);
  return <div class="page"><div class="inner">
    <header class="tight"><h1>{current < 0 ? "Your assistant is set up" : "Set up your assistant"}</h1>
      <p class="muted">{steps.filter((s) => s.done).length} of {steps.length} done. You can leave at any time and go on later.</p></header>
    <ol class="card flat steps">{steps.map((s, i) => <li key={s.title} class={s.done ? "done" : ""}>
      <span class="dot" aria-hidden="true">{s.done ? <Icon name="check" /> : i + 1}</span>
      <div class="grow stack"><h2>{s.title}{s.done && <span class="hidden">, done</span>}</h2>{(i === current || (s.done && i > 0)) && s.body}</div>
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
      <Field label="Business"><input class="input" name="business_name" required maxLength={200} autocomplete="organization" /></Field>
      <Field label="Name of the assistant"><input class="input" name="name" required maxLength={100} defaultValue="Mia" /></Field>
      <Field label="Industry"><select class="input" name="industry">{industries.map((i) => <option key={i} value={i}>{(i[0].toUpperCase() + i.slice(1)).replace("_", " ")}</option>)}</select></Field>
      <Field label="Language"><select class="input" name="language">{Object.entries(languages).map(([k, v]) => <option key={k} value={k} selected={k === speaks}>{v}</option>)}</select></Field>
      <Field label="Website (optional)"><input class="input" name="website_url" type="url" placeholder="https://" autocomplete="url" /></Field>
    </div>
    <div><button class="btn primary">Create the assistant</button></div>
  </Form>;
}

function Teach({ agent }: { agent: Row }) {
  return <>
    <p class="muted">{agent.knowledge_count ? `It knows ${agent.knowledge_count} ${agent.knowledge_count === 1 ? "document" : "documents"}.` : "Write what people ask about most: opening hours, prices, how to find you."}</p>
    <Websites agent={agent} changed={loadAgents} address={agent.website_url} />
    <h3>Or write it</h3>
    <Form submit={async (v) => {
      await insist(`agents/${agent.id}/knowledge/`, { title: v.title, content: v.content, doc_type: "text" });
      await loadAgents(); toast("Learnt");
    }}>
      <Field label="Title"><input class="input" name="title" required maxLength={200} placeholder="Opening hours" /></Field>
      <Field label="Text"><textarea class="input" name="content" required placeholder="We are open Monday to Friday from 9 to 18." /></Field>
      <div class="row"><button class="btn primary">Teach</button><a class="btn quiet" href="#/knowledge">All it knows</a></div>
    </Form>
  </>;
}

function Snippet({ agent, done }: { agent: Row; done: () => void }) {
  const snippet = agent.widget?.embed_snippet ?? "";
  return <>
    <p class="muted">Copy this line into every page, before <code>&lt;/body&gt;</code>. The chat box appears at once.</p>
    <pre class="code mono" tabIndex={0}>{snippet}</pre>
    <div class="row"><Do class="primary" act={async () => { await copy(snippet); done(); }}><Icon name="copy" />Copy</Do></div>
  </>;
}
