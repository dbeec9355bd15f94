// The agent, the team, API keys, sign-ins and the audit log.
import { useEffect, useState } from "preact/hooks";
import { del, get, insist, patch, post, Row } from "../api";
import { chooseLanguage, chosenLanguage, languages, say } from "../say";
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
  <option value="">{say("Language of the browser")}</option>{Object.entries(languages).map(([code, name]) => <option key={code} value={code} lang={code}>{name}</option>)}</select>;

function Assistant() {
  const [a, setA] = useState<Row | null>(null);
  const id = agent.value?.id;
  useEffect(() => { setA(null); if (id) get(`agents/${id}/`).then(setA); }, [id]);
  if (!id) return <Empty icon="ai" title={say("There is no assistant yet")}><a class="btn primary" href="#/start">{say("Set one up")}</a></Empty>;
  if (!a) return <Loading />;
  const b = a.business ?? a, p = a.persona ?? a, m = a.messages ?? a;
  return <section class="card"><div class="spread"><h2>{a.name}</h2><span class="row"><span class={"tag " + (a.status === "active" ? "ok" : "warn")}>{word(a.status)}</span>
    {a.status === "active" ? <Do act={async () => { await post(`agents/${id}/pause/`); setA(await get(`agents/${id}/`)); await loadAgents(); }}>{say("Pause")}</Do>
      : <Do class="primary" act={async () => { await post(`agents/${id}/activate/`); setA(await get(`agents/${id}/`)); await loadAgents(); }}>{say("Activate")}</Do>}</span></div>
    {a.warnings?.map((w: Row) => <p key={w.code} class="note warn">{w.detail}{w.values.length > 0 && ` (${w.values.join("; ")})`}</p>)}
    <Form key={a.updated_at} submit={async (v) => { setA(await patch(`agents/${id}/`, v)); await loadAgents(); toast(say("Saved")); }}>
      <div class="grid2">
        <Field label={say("Name")}><input class="input" name="name" required maxLength={100} defaultValue={a.name} /></Field>
        <Field label={say("Business")}><input class="input" name="business_name" defaultValue={b.business_name} /></Field>
        <Field label={say("Opening hours")}><textarea class="input" name="business_hours" defaultValue={b.business_hours} /></Field>
        <Field label={say("About the business")}><textarea class="input" name="business_description" defaultValue={b.business_description} /></Field>
        <Field label={say("Address")}><input class="input" name="business_address" defaultValue={b.business_address} /></Field>
        <Field label={say("Time zone")}><input class="input" name="timezone" defaultValue={b.timezone} list="zones" /></Field>
        <Field label={say("Tone")}><select class="input" name="tone">{["friendly", "professional", "casual", "formal", "enthusiastic", "empathetic"].map((t) => <option key={t} value={t} selected={t === p.tone}>{word(t)}</option>)}</select></Field>
        <Field label={say("Greeting")}><input class="input" name="greeting_message" defaultValue={m.greeting_message} /></Field>
      </div>
      <datalist id="zones">{Intl.supportedValuesOf("timeZone").map((z) => <option key={z} value={z} />)}</datalist>
      <div><button class="btn primary">{say("Save")}</button></div>
    </Form></section>;
}

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
