// The agent, the team, API keys, sign-ins and the audit log.
import { useEffect, useState } from "preact/hooks";
import { del, get, insist, patch, post, Row } from "../api";
import { administers, agent, leave, loadAgents, place, session } from "../state";
import { copy, Do, Empty, Field, Form, Icon, Loading, More, toast, useList, when } from "../ui";

export default function Settings() {
  const tabs: [string, string, () => any][] = [["agent", "Assistant", Assistant], ...(administers.value ? [["team", "Team", Team], ["keys", "API keys", Keys]] as any : []),
    ["signins", "Sign-ins", SignIns], ...(administers.value ? [["audit", "Audit log", Audit]] as any : [])];
  const [id, , Tab] = tabs.find((t) => t[0] === place.value.id) ?? tabs[0];
  return <div class="page"><div class="inner">
    <header class="spread"><h1>Settings</h1><span class="row muted">{session.value?.member?.name}<span class="tag">{session.value?.role}</span><Do class="quiet" act={leave}><Icon name="out" />Sign out</Do></span></header>
    <nav class="tabs" aria-label="Settings">{tabs.map(([key, label]) => <a key={key} href={"#/settings/" + key} aria-current={key === id ? "page" : undefined}>{label}</a>)}</nav>
    <Tab />
  </div></div>;
}

function Assistant() {
  const [a, setA] = useState<Row | null>(null);
  const id = agent.value?.id;
  useEffect(() => { setA(null); if (id) get(`agents/${id}/`).then(setA); }, [id]);
  if (!id) return <Empty icon="ai" title="There is no assistant yet"><a class="btn primary" href="#/start">Set one up</a></Empty>;
  if (!a) return <Loading />;
  const b = a.business ?? a, p = a.persona ?? a, m = a.messages ?? a;
  return <section class="card"><div class="spread"><h2>{a.name}</h2><span class="row"><span class={"tag " + (a.status === "active" ? "ok" : "warn")}>{a.status}</span>
    {a.status === "active" ? <Do act={async () => { await post(`agents/${id}/pause/`); setA(await get(`agents/${id}/`)); await loadAgents(); }}>Pause</Do>
      : <Do class="primary" act={async () => { await post(`agents/${id}/activate/`); setA(await get(`agents/${id}/`)); await loadAgents(); }}>Activate</Do>}</span></div>
    {a.warnings?.map((w: Row) => <p key={w.code} class="note warn">{w.detail}{w.values.length > 0 && ` (${w.values.join("; ")})`}</p>)}
    <Form key={a.updated_at} submit={async (v) => { setA(await patch(`agents/${id}/`, v)); await loadAgents(); toast("Saved"); }}>
      <div class="grid2">
        <Field label="Name"><input class="input" name="name" required maxLength={100} defaultValue={a.name} /></Field>
        <Field label="Business"><input class="input" name="business_name" defaultValue={b.business_name} /></Field>
        <Field label="Opening hours"><textarea class="input" name="business_hours" defaultValue={b.business_hours} /></Field>
        <Field label="About the business"><textarea class="input" name="business_description" defaultValue={b.business_description} /></Field>
        <Field label="Address"><input class="input" name="business_address" defaultValue={b.business_address} /></Field>
        <Field label="Time zone"><input class="input" name="timezone" defaultValue={b.timezone} list="zones" /></Field>
        <Field label="Tone"><select class="input" name="tone">{["friendly", "professional", "casual", "formal", "enthusiastic", "empathetic"].map((t) => <option key={t} selected={t === p.tone}>{t}</option>)}</select></Field>
        <Field label="Greeting"><input class="input" name="greeting_message" defaultValue={m.greeting_message} /></Field>
      </div>
      <datalist id="zones">{Intl.supportedValuesOf("timeZone").map((z) => <option key={z} value={z} />)}</datalist>
      <div><button class="btn primary">Save</button></div>
    </Form></section>;
}

function Team() {
  const list = useList("members/");
  const [link, setLink] = useState<{ name: string; url: string } | null>(null);
  const owner = session.value?.role === "owner";
  const roles = owner ? ["agent", "admin", "owner"] : ["agent", "admin"];
  const invite = async (m: Row) => setLink({ name: m.name, url: (await post(`members/${m.id}/invite/`)).url });
  return <>
    {link && <section class="card" role="status"><h2>Sign-in link for {link.name}</h2><p class="muted">It works once, for 15 minutes. Whoever has it signs in as {link.name}.</p><pre class="code mono" tabIndex={0}>{link.url}</pre><div class="row"><Do class="primary" act={() => copy(link.url)}><Icon name="copy" />Copy</Do><button class="btn quiet" onClick={() => setLink(null)}>Done</button></div></section>}
    <section class="card flat">{!list.rows ? <Loading error={list.error} /> : <ul class="list">{list.rows.map((m) => {
      const fixed = m.role === "owner" && !owner;
      return <li key={m.id}><div class="item wraps"><span class="avatar person" aria-hidden="true">{m.name[0]?.toUpperCase()}</span>
        <span class="grow tight"><b dir="auto">{m.name}</b><span class="muted small">{m.email || (m.signed_in_at ? "Signed in " + when(m.signed_in_at) : "Not signed in yet")}</span></span>
        <select class="input" style={{ width: "auto" }} aria-label={"Role of " + m.name} value={m.role} disabled={fixed} onChange={async (e) => {
          try { await patch(`members/${m.id}/`, { role: e.currentTarget.value }); toast("Changed"); } catch (cause) { toast((cause as Error).message); }
          await list.load();
        }}>{(fixed ? ["owner"] : roles).map((r) => <option key={r}>{r}</option>)}</select>
        {!fixed && <Do act={() => invite(m)}>Sign-in link</Do>}
        {!fixed && m.id !== session.value?.member?.id && <Do class="quiet icon-only" aria-label={"Remove " + m.name} act={async () => { if (confirm(`Remove ${m.name}? They are signed out at once.`)) { await del(`members/${m.id}/`); await list.load(); } }}><Icon name="trash" /></Do>}
      </div></li>;
    })}</ul>}<More list={list} /></section>
    <section class="card"><h2>Add a colleague</h2><Form submit={async (v) => { const m = await insist("members/", { name: v.name, email: v.email || undefined, role: v.role }); await list.load(); await invite(m); }}>
      <div class="grid2"><Field label="Name"><input class="input" name="name" required maxLength={100} autocomplete="off" /></Field>
        <Field label="E-mail (optional)"><input class="input" name="email" type="email" autocomplete="off" /></Field>
        <Field label="Role"><select class="input" name="role">{roles.map((r) => <option key={r}>{r}</option>)}</select></Field></div>
      <div><button class="btn primary">Add</button></div></Form></section>
  </>;
}

function Keys() {
  const list = useList("api-keys/");
  const [key, setKey] = useState("");
  return <>
    {key && <section class="card" role="status"><h2>Your new key</h2><p class="muted">Copy it now: it is not shown again.</p><pre class="code mono" tabIndex={0}>{key}</pre><div class="row"><Do class="primary" act={() => copy(key)}><Icon name="copy" />Copy</Do><button class="btn quiet" onClick={() => setKey("")}>Done</button></div></section>}
    <section class="card flat">{!list.rows ? <Loading error={list.error} /> : list.rows.length === 0 ? <Empty icon="settings" title="No API keys" /> : <ul class="list">{list.rows.map((k) => <li key={k.id}><div class="item">
      <span class="grow tight"><b>{k.name}</b><span class="muted small">Made {when(k.created_at, true)}, ends {when(k.expires_at, true)}</span></span>
      <Do class="danger" act={async () => { if (confirm(`Revoke ${k.name}? It ends at once.`)) { await del(`api-keys/${k.id}/`); await list.load(); } }}>Revoke</Do></div></li>)}</ul>}<More list={list} /></section>
    {session.value?.api_access ? <section class="card"><Form submit={async (v) => { setKey((await insist("api-keys/", { name: v.name })).api_key); await list.load(); }}><Field label="Name of the new key"><input class="input" name="name" required maxLength={100} autocomplete="off" /></Field><div><button class="btn primary">Make a key</button></div></Form></section>
      : <p class="muted">Your plan does not include the API.</p>}
  </>;
}

function SignIns() {
  const list = useList("sessions/");
  return <section class="card flat">{!list.rows ? <Loading error={list.error} /> : <ul class="list">{list.rows.map((s) => <li key={s.id}><div class="item">
    <span class="grow tight"><b>{s.address || "This machine"}{s.current && " (this browser)"}</b><span class="muted small truncate">{s.user_agent}</span><span class="muted small">Since {when(s.created_at, true)}</span></span>
    <Do class="danger" act={async () => { if (s.current) return leave(); await del(`sessions/${s.id}/`); await list.load(); }}>Sign out</Do></div></li>)}</ul>}<More list={list} /></section>;
}

function Audit() {
  const list = useList("audit/");
  return <section class="card flat">{!list.rows ? <Loading error={list.error} /> : list.rows.length === 0 ? <Empty icon="settings" title="Nothing yet" /> : <ul class="list">{list.rows.map((e) => <li key={e.id}><div class="item">
    <span class="grow tight"><b>{e.action}</b><span class="muted small truncate">{e.actor.name}{e.actor.kind === "api_key" && " (API key)"} · {e.path}</span></span><time class="muted small" dateTime={e.at}>{when(e.at, true)}</time></div></li>)}</ul>}<More list={list} /></section>;
}
