// The agent, the team, API keys, sign-ins and the audit log.
import { useState } from "preact/hooks";
import { del, insist, patch, post, Row } from "../api";
import { languages, Openings, save, Switch, useAgent, Warnings } from "../assistant";
import { chooseLanguage, chosenLanguage, languages as spoken, locale, say } from "../say";
import { word } from "../words";
import * as passkey from "../passkey";
import { administers, agent, leave, loadAgents, place, session } from "../state";
import { copy, Do, Empty, Field, Form, Icon, Loading, More, toast, useList, when } from "../ui";

export default function Settings() {
  const tabs: [string, string, () => any][] = [["agent", say("Assistant"), Assistant], ...(administers.value ? [["team", say("Team"), Team], ["keys", say("API keys"), Keys]] as any : []),
    ["signins", say("Sign-ins"), SignIns], ...(administers.value ? [["audit", say("Audit log"), Audit]] as any : [])];
  const [id, , Tab] = tabs.find((t) => t[0] === place.value.id) ?? tabs[0];
  return <div class="page"><div class="inner">
    <header class="spread"><h1>{say("Settings")}</h1><span class="row muted">{session.value?.member?.name}<span class="tag">{word(session.value?.role ?? "")}</span><Language /><Do class="quiet" act={leave}><Icon name="out" />{say("Sign out")}</Do></span></header>
    <nav class="tabs" aria-label={say("Settings")}>{tabs.map(([key, label]) => <a key={key} href={"#/settings/" + key} aria-current={key === id ? "page" : undefined}>{label}</a>)}</nav>
    <Tab />
  </div></div>;
}

/** The language of the dashboard in this browser. */
const Language = () => <select class="input" style={{ width: "auto" }} aria-label={say("Language of the dashboard")} value={chosenLanguage} onChange={(e) => chooseLanguage(e.currentTarget.value)}>
  <option value="">{say("Language of the browser")}</option>{Object.entries(spoken).map(([code, name]) => <option key={code} value={code} lang={code}>{name}</option>)}</select>;

function Assistant() {
  const id = agent.value?.id;
  const [a, setA] = useAgent(id, agent.value?.status);
  if (!id) return <Empty icon="ai" title={say("There is no assistant yet")}><a class="btn primary" href="#/start">{say("Set one up")}</a></Empty>;
  if (!a) return <Loading />;
  const active = a.status === "active";
  return <section class="card"><div class="spread"><h2>{a.name}</h2><span class="row"><span class={"tag " + (active ? "ok" : "warn")}>{word(a.status)}</span>
    <Do class={active ? "" : "primary"} act={async () => { await post(`agents/${id}/${active ? "pause" : "activate"}/`); await loadAgents(); }}>{active ? say("Pause") : say("Activate")}</Do></span></div>
    <Warnings a={a} />
    {a.ai.restrictions.map((r: string) => <p key={r} class="note warn">{restrictions[r] ?? r}</p>)}
    <Form key={a.updated_at} submit={async (v) => { setA(await save(a, v)); await loadAgents(); toast(say("Saved")); }}>
      <Told a={a} /><h3>{say("Opening hours and bookings")}</h3><Openings a={a} /><Says a={a} /><Answers a={a} />
      <div><button class="btn primary">{say("Save")}</button></div>
    </Form></section>;
}

const restrictions: Record<string, string> = {
  agent_limit: say("Your plan has fewer assistants. This one keeps messages for people."),
  model_not_in_plan: say("Your plan does not include this language model. The built-in engine answers."),
  budget_spent: say("The budget of today is spent. The built-in engine answers until midnight (UTC)."),
};

/** What it knows of the business. */
const Told = ({ a }: { a: Row }) => <><h3>{say("The business")}</h3><div class="grid2">
  <Field label={say("Business")}><input class="input" name="business_name" maxLength={200} defaultValue={a.business.business_name} dir="auto" /></Field>
  <Field label={say("Name")}><input class="input" name="name" required maxLength={100} defaultValue={a.name} dir="auto" /></Field>
  <Field label={say("Language")}><select class="input" name="language">{Object.entries(languages).map(([tag, name]) => <option key={tag} value={tag} lang={tag} selected={tag === a.language}>{name}</option>)}</select></Field>
  <Field label={say("About the business")}><textarea class="input" name="business_description" maxLength={4000} defaultValue={a.business.business_description} dir="auto" /></Field>
  <Field label={say("Address")}><input class="input" name="business_address" maxLength={300} defaultValue={a.business.business_address} dir="auto" /></Field>
  <Field label={say("Phone, with the country's code")}><input class="input" name="phone_number" type="tel" defaultValue={a.business.phone_number} placeholder="+49 30 901820" /></Field>
  <Field label={say("E-mail")}><input class="input" name="business_email" type="email" defaultValue={a.business.business_email} /></Field>
  <Field label={say("Website")}><input class="input" name="website_url" type="url" maxLength={500} defaultValue={a.business.website_url} placeholder="https://" /></Field>
</div></>;

/** How it speaks, and when a person is asked. */
const Says = ({ a }: { a: Row }) => <><h3>{say("What it says")}</h3><div class="grid2">
  <Field label={say("Tone")}><select class="input" name="tone">{["friendly", "professional", "casual", "formal", "enthusiastic", "empathetic"].map((t) => <option key={t} value={t} selected={t === a.tone}>{word(t)}</option>)}</select></Field>
  <Field label={say("Greeting")}><input class="input" name="greeting_message" maxLength={500} defaultValue={a.messages.greeting_message} dir="auto" /></Field>
  <Field label={say("When it brings in a person")}><input class="input" name="handoff_message" maxLength={500} defaultValue={a.messages.handoff_message} dir="auto" /></Field>
  <Field label={say("When you are closed")}><input class="input" name="out_of_hours_message" maxLength={500} defaultValue={a.messages.out_of_hours_message} dir="auto" /></Field>
  <Field label={say("Offers of the moment")}><input class="input" name="current_offers" maxLength={1000} defaultValue={a.sales.current_offers} dir="auto" /></Field>
  <Field label={say("What it stays away from")}><input class="input" name="restricted_topics" maxLength={1000} defaultValue={a.training.restricted_topics} dir="auto" /></Field>
  <Field label={say("Words that bring in a person")} hint={say("With commas between")}><input class="input" name="handoff_keywords" maxLength={500} defaultValue={a.keywords.handoff_keywords} dir="auto" /></Field>
  <Field label={say("Words that are urgent")} hint={say("With commas between")}><input class="input" name="urgent_keywords" maxLength={500} defaultValue={a.keywords.urgent_keywords} dir="auto" /></Field>
</div>
  <Switch name="handoff_enabled" label={say("It brings in a person when somebody asks for one, complains or gets no answer")} on={a.features.handoff_enabled} />
  <Switch name="lead_capture_enabled" label={say("It asks for name and address of who is interested")} on={a.features.lead_capture_enabled} /></>;

/** What answers, within which limits, and how long conversations are kept. */
const Answers = ({ a }: { a: Row }) => <><h3>{say("AI and data")}</h3><div class="grid2">
  <Field label={say("What answers")} hint={say("builtin needs no outside service. Language models: bedrock:name or openai:name")}><input class="input mono" name="ai_model" required defaultValue={a.ai.ai_model} list="models" /></Field>
  <Field label={say("Budget for the language model, US dollars a day")} hint={say("{spent} spent today", { spent: a.ai.ai_spent_today_usd.toLocaleString(locale, { style: "currency", currency: "USD" }) })}><input class="input" name="ai_daily_budget_usd" type="number" min={0} max={10000} step="any" defaultValue={a.ai.ai_daily_budget_usd} /></Field>
  <Field label={say("Longest answer, in characters")}><input class="input" name="max_response_length" type="number" required min={50} max={4000} defaultValue={a.ai.max_response_length} /></Field>
  <Field label={say("Delete conversations after days without a message")} hint={say("Empty keeps them.")}><input class="input" name="retention_days" type="number" min={1} max={3650} defaultValue={a.retention_days ?? ""} /></Field>
</div>
  <datalist id="models"><option value="builtin" /></datalist>
  <Switch name="ai_fallback" label={say("Where the language model fails, the built-in engine answers")} on={a.ai.ai_fallback} /></>;

function Team() {
  const list = useList("members/");
  const [link, setLink] = useState<{ name: string; url: string } | null>(null);
  const owner = session.value?.role === "owner";
  const roles = owner ? ["agent", "admin", "owner"] : ["agent", "admin"];
  const invite = async (m: Row) => setLink({ name: m.name, url: (await post(`members/${m.id}/invite/`)).url });
  return <>
    {link && <section class="card" role="status"><h2>{say("Sign-in link for {name}", { name: link.name })}</h2><p class="muted">{say("It works once, for 15 minutes. Whoever has it signs in as {name}.", { name: link.name })}</p><pre class="code mono" tabIndex={0}>{link.url}</pre><div class="row"><Do class="primary" act={() => copy(link.url)}><Icon name="copy" />{say("Copy")}</Do><button class="btn quiet" onClick={() => setLink(null)}>{say("Done")}</button></div></section>}
    <section class="card flat">{!list.rows ? <Loading error={list.error} /> : <ul class="list">{list.rows.map((m) => {
      const fixed = m.role === "owner" && !owner;
      return <li key={m.id}><div class="item wraps"><span class="avatar person" aria-hidden="true">{m.name[0]?.toUpperCase()}</span>
        <span class="grow tight"><b dir="auto">{m.name}</b><span class="muted small">{m.email || (m.signed_in_at ? say("Signed in {signed_in_at}", { signed_in_at: when(m.signed_in_at) }) : say("Not signed in yet"))}</span></span>
        <select class="input" style={{ width: "auto" }} aria-label={say("Role of {name}", { name: m.name })} value={m.role} disabled={fixed} onChange={async (e) => {
          try { await patch(`members/${m.id}/`, { role: e.currentTarget.value }); toast(say("Changed")); } catch (cause) { toast((cause as Error).message); }
          await list.load();
        }}>{(fixed ? ["owner"] : roles).map((r) => <option key={r} value={r}>{word(r)}</option>)}</select>
        {!fixed && <Do act={() => invite(m)}>{say("Sign-in link")}</Do>}
        {!fixed && m.id !== session.value?.member?.id && <Do class="quiet icon-only" aria-label={say("Remove {name}", { name: m.name })} act={async () => { if (confirm(say("Remove {name}? They are signed out at once.", { name: m.name }))) { await del(`members/${m.id}/`); await list.load(); } }}><Icon name="trash" /></Do>}
      </div></li>;
    })}</ul>}<More list={list} /></section>
    <section class="card"><h2>{say("Add a colleague")}</h2><Form submit={async (v) => { const m = await insist("members/", { name: v.name, email: v.email || undefined, role: v.role }); await list.load(); await invite(m); }}>
      <div class="grid2"><Field label={say("Name")}><input class="input" name="name" required maxLength={100} autocomplete="off" /></Field>
        <Field label={say("E-mail (optional)")}><input class="input" name="email" type="email" autocomplete="off" /></Field>
        <Field label={say("Role")}><select class="input" name="role">{roles.map((r) => <option key={r} value={r}>{word(r)}</option>)}</select></Field></div>
      <div><button class="btn primary">{say("Add")}</button></div></Form></section>
  </>;
}

function Keys() {
  const list = useList("api-keys/");
  const [key, setKey] = useState("");
  return <>
    {key && <section class="card" role="status"><h2>{say("Your new key")}</h2><p class="muted">{say("Copy it now: it is not shown again.")}</p><pre class="code mono" tabIndex={0}>{key}</pre><div class="row"><Do class="primary" act={() => copy(key)}><Icon name="copy" />{say("Copy")}</Do><button class="btn quiet" onClick={() => setKey("")}>{say("Done")}</button></div></section>}
    <section class="card flat">{!list.rows ? <Loading error={list.error} /> : list.rows.length === 0 ? <Empty icon="settings" title={say("No API keys")} /> : <ul class="list">{list.rows.map((k) => <li key={k.id}><div class="item">
      <span class="grow tight"><b>{k.name}</b><span class="muted small">{say("Made {created_at}, ends {expires_at}", { created_at: when(k.created_at, true), expires_at: when(k.expires_at, true) })}</span></span>
      <Do class="danger" act={async () => { if (confirm(say("Revoke {name}? It ends at once.", { name: k.name }))) { await del(`api-keys/${k.id}/`); await list.load(); } }}>{say("Revoke")}</Do></div></li>)}</ul>}<More list={list} /></section>
    {session.value?.api_access ? <section class="card"><Form submit={async (v) => { setKey((await insist("api-keys/", { name: v.name })).api_key); await list.load(); }}><Field label={say("Name of the new key")}><input class="input" name="name" required maxLength={100} autocomplete="off" /></Field><div><button class="btn primary">{say("Make a key")}</button></div></Form></section>
      : <p class="muted">{say("Your plan does not include the API.")}</p>}
  </>;
}

function SignIns() {
  const list = useList("sessions/");
  return <><Passkeys /><section class="card flat"><h2>{say("Browsers")}</h2>{!list.rows ? <Loading error={list.error} /> : <ul class="list">{list.rows.map((s) => <li key={s.id}><div class="item">
    <span class="grow tight"><b>{s.current ? say("{address} (this browser)", { address: s.address || say("This machine") }) : s.address || say("This machine")}</b><span class="muted small truncate">{s.user_agent}</span><span class="muted small">{say("Since {created_at}", { created_at: when(s.created_at, true) })}</span></span>
    <Do class="danger" act={async () => { if (s.current) return leave(); await del(`sessions/${s.id}/`); await list.load(); }}>{say("Sign out")}</Do></div></li>)}</ul>}<More list={list} /></section></>;
}

function Passkeys() {
  const list = useList("passkeys/");
  const me = session.value?.member?.id;
  return <>
    <section class="card flat"><h2>{say("Passkeys")}</h2>{!list.rows ? <Loading error={list.error} /> : list.rows.length === 0 ? <p class="muted">{say("With a passkey you sign in by the fingerprint, face or PIN of your device.")}</p> : <ul class="list">{list.rows.map((p) => <li key={p.id}><div class="item">
      <span class="grow tight"><b dir="auto">{p.name}</b>{p.member_id !== me && <span class="muted small">{say("A colleague's")}</span>}<span class="muted small">{p.used_at ? say("Used {at}", { at: when(p.used_at, true) }) : say("Made {at}, not used yet", { at: when(p.created_at, true) })}</span></span>
      <Do class="danger" aria-label={say("Remove {name}", { name: p.name })} act={async () => { if (confirm(say("Remove {name}? It signs nobody in any more.", { name: p.name }))) { await del(`passkeys/${p.id}/`); await list.load(); } }}>{say("Remove")}</Do></div></li>)}</ul>}<More list={list} /></section>
    {passkey.supported && <section class="card"><Form submit={async (v) => { await passkey.make(v.name); await list.load(); }}><Field label={say("Name of the new passkey")}><input class="input" name="name" required maxLength={100} autocomplete="off" defaultValue={passkey.device()} /></Field><div><button class="btn primary">{say("Add a passkey")}</button></div></Form></section>}
  </>;
}

function Audit() {
  const list = useList("audit/");
  return <section class="card flat">{!list.rows ? <Loading error={list.error} /> : list.rows.length === 0 ? <Empty icon="settings" title={say("Nothing yet")} /> : <ul class="list">{list.rows.map((e) => <li key={e.id}><div class="item">
    <span class="grow tight"><b>{e.action}</b><span class="muted small truncate">{e.actor.kind === "api_key" ? say("{name} (API key)", e.actor) : e.actor.name} · {e.path}</span></span><time class="muted small" dateTime={e.at}>{when(e.at, true)}</time></div></li>)}</ul>}<More list={list} /></section>;
}
