// The channels that an agent is connected to, each with the settings that its platform asks for.
import { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { del, post, Row } from "../api";
import { mix, say } from "../say";
import { administers, agent } from "../state";
import { copy, Do, Field, Form, Icon, Loading, NoAgent, toast, useList, when } from "../ui";

interface Setting { name: string; label: string; secret?: boolean; optional?: boolean; hint?: string; options?: string[] }
const meta: Setting[] = [
  { name: "access_token", label: say("Access token"), secret: true, hint: say("A permanent one, of a system user.") },
  { name: "app_secret", label: say("App secret"), secret: true, optional: true, hint: say("Meta signs what it sends with it. Without it no messages are received.") },
  { name: "verify_token", label: say("Verify token"), secret: true, optional: true, hint: say("A word of your own. Enter the same at Meta.") },
];
const metaApps = { name: "Meta for Developers", at: "https://developers.facebook.com/apps" };
/** What is told of a channel: where its settings are found, and where its platform is told the address. */
type Known = { name: string; hint: string; platform?: { name: string; at: string }; tell: string; settings: Setting[] };
const channels: Record<string, Known> = {
  whatsapp: { name: "WhatsApp", platform: metaApps, tell: say("In the app choose WhatsApp, Configuration. Enter the address as callback URL and your verify token, and subscribe to the field messages. Then publish the app."), hint: say("From Meta for Developers: your app, WhatsApp, API setup."), settings: [{ name: "phone_number_id", label: say("Phone number id") }, ...meta] },
  sms: { name: "SMS", platform: { name: "Twilio", at: "https://console.twilio.com" }, tell: say("At your number choose Messaging, A message comes in: webhook, HTTP POST. Append #rc=3&rp=all, so that Twilio tries again. A messaging service has its own address, under Integration."), hint: say("From the Twilio console."), settings: [{ name: "account_sid", label: say("Account SID") }, { name: "auth_token", label: say("Auth token"), secret: true }, { name: "from", label: say("From, with the country's code"), optional: true, hint: say("A number of your Twilio account, such as +4930901820.") }, { name: "messaging_service_sid", label: say("Messaging service SID"), optional: true, hint: say("In place of a number.") }] },
  email: { name: say("E-mail"), tell: say("Your inbound service posts mail to this address. Put any user and the inbound password before the host, as in https://frontdesk:PASSWORD@… Where Amazon SES receives mail, nothing is posted."), hint: say("Your address, and where mail for the assistant arrives."), settings: [{ name: "from", label: say("Sender") }, { name: "inbound_address", label: say("Inbound address"), optional: true }, { name: "inbound_secret", label: say("Inbound password"), secret: true, optional: true, hint: say("At least 16 characters. The service that posts incoming mail sends it.") }, { name: "signing_key", label: say("Mailgun's signing key"), secret: true, optional: true, hint: say("Only where Mailgun posts.") }] },
  instagram: { name: "Instagram", platform: metaApps, tell: say("In the app choose Instagram, API setup. Enter the address and your verify token, subscribe to messages, and switch the account's webhook subscription on. Then publish the app."), hint: say("From Meta for Developers: your app, Instagram."), settings: [{ name: "page_id", label: say("Account id") }, { name: "login", label: say("Login"), optional: true, options: ["page", "instagram"], hint: say("By which login the token was made: that of the page, or Instagram's own.") }, ...meta] },
  messenger: { name: "Messenger", platform: metaApps, tell: say("In the app choose Messenger API settings. Enter the address and your verify token, and subscribe the page to messages, message_echoes, message_deliveries and message_reads. Then publish the app."), hint: say("From Meta for Developers: your app, Messenger."), settings: [{ name: "page_id", label: say("Page id") }, ...meta] },
};

export default function Channels() {
  const a = agent.value;
  return a ? <All key={a.id} agent={a} /> : <NoAgent icon="channels" />;
}

function All({ agent }: { agent: Row }) {
  const list = useList(`agents/${agent.id}/channels/`);
  const path = `agents/${agent.id}/channels/`;
  return <div class="page"><div class="inner">
    <header class="tight"><h1>{say("Channels")}</h1><p class="muted">{mix("Where people write to {name}. The chat box of your website is at {widget}.", { name: agent.name, widget: <a href="#/widget">{say("Widget")}</a> })}</p></header>
    {!administers.value && <p class="note">{say("Only administrators connect channels.")}</p>}
    {!list.rows ? <section class="card flat"><Loading error={list.error} /></section> : list.rows.map((row) => <Channel key={row.channel_type} row={row} path={path} changed={list.load} />)}
    {administers.value && <Identity agent={agent} />}
  </div></div>;
}

/** Makes the secret by which the business's own website vouches for who a visitor is. */
function Identity({ agent }: { agent: Row }) {
  const [secret, setSecret] = useState("");
  return <section class="card" aria-label={say("Who a visitor is")}><h2>{say("Who a visitor is")}</h2>
    <p class="muted">{say("Where people sign in on your website, it can vouch for who they are: it signs their data with this secret. Until then what they state is only a claim, which opens nothing.")}</p>
    {secret && <div class="tight" role="status"><p>{say("Copy it now: it is not shown again. The one before has ended.")}</p><pre class="code mono" tabIndex={0}>{secret}</pre><div class="row"><Do class="primary" act={() => copy(secret)}><Icon name="copy" />{say("Copy")}</Do><button class="btn quiet" onClick={() => setSecret("")}>{say("Done")}</button></div></div>}
    {!secret && <div><Do act={async () => { if (confirm(say("Make a new secret? Signatures by the one before are refused at once."))) setSecret((await post(`agents/${agent.id}/widget/identity-secret/`)).identity_secret); }}>{say("Make a secret")}</Do></div>}
  </section>;
}

function State({ row }: { row: Row }) {
  if (row.status === "reconnect") return <span class="tag danger">{say("Connect again")}</span>;
  if (row.live) return <span class="tag ok"><Icon name="check" />{say("Connected")}</span>;
  return row.updated_at ? <span class="tag warn">{say("Not complete")}</span> : <span class="tag">{say("Not connected")}</span>;
}

function Channel({ row, path, changed }: { row: Row; path: string; changed: () => Promise<void> }) {
  const [open, setOpen] = useState(false);
  const [checked, setChecked] = useState<Row | null>(null); // what the check found
  const known = channels[row.channel_type] ?? { name: row.channel_type, hint: "", tell: "", settings: [] };
  const further = Object.keys(row.config).filter((k) => !known.settings.some((s) => s.name === k));
  const settings = [...known.settings, ...further.map((k): Setting => ({ name: k, label: k.replace(/_/g, " "), secret: row.config[k] === "__set__", optional: true }))];
  const detail = typeof row.status_detail === "string" ? row.status_detail : row.status_detail?.message ?? row.status_detail?.detail;
  return <section class="card" aria-label={known.name}>
    <div class="spread"><div class="row"><h2>{known.name}</h2><State row={row} /></div>
      {administers.value && <button class={"btn" + (row.updated_at || open ? "" : " primary")} aria-expanded={open} aria-label={open ? say("Close {name}", known) : row.updated_at ? say("Change {name}", known) : say("Connect {name}", known)} onClick={() => setOpen(!open)}>{open ? say("Close") : row.updated_at ? say("Change") : say("Connect")}</button>}</div>
    {row.updated_at && <p class="muted small">{say("Last changed {updated_at}", { updated_at: when(row.updated_at, true) })}</p>}
    {row.updated_at && row.config.access_token && !row.config.app_secret && <p class="note warn">{say("Without the app secret no messages are received.")}</p>}
    {detail && <p class="error">{detail}</p>}
    {row.status === "reconnect" && <p class="muted">{say("Nothing is sent until then. Enter a new token, or mend it at the platform and check.")}</p>}
    {open && <ol class="steps"><Step n={1} done={row.live} title={say("Enter what the platform gave you")}>{known.hint && <p class="muted">{known.hint} {known.platform && <a href={known.platform.at} target="_blank" rel="noreferrer">{say("Open {name}", known.platform)}</a>}</p>}<Form submit={async (v) => {
      const config: Row = {};
      for (const s of settings) {
        const value = v[s.name]?.trim() ?? "";
        if (s.secret ? value : value !== (row.config[s.name] ?? "")) config[s.name] = value; // an empty secret stays as it is
      }
      await post(path, { channel_type: row.channel_type, config });
      await changed(); setOpen(false); setChecked(null); toast(say("{name} saved", { name: known.name }));
    }}>
      <div class="grid2">{settings.map((s) => { const set = row.config[s.name] === "__set__"; return <Field key={s.name} label={s.optional ? say("{label} (optional)", { label: s.label }) : s.label} hint={s.hint}>
        {s.options ? <select class="input" name={s.name}>{s.options.map((o) => <option key={o} selected={o === row.config[s.name]}>{o}</option>)}</select> : <input class="input" name={s.name} type={(s.secret ? "password" : "text") as "text"} autocomplete={s.secret ? "new-password" : "off"} spellcheck={false} required={!s.optional && !set}
          defaultValue={s.secret ? "" : row.config[s.name]} placeholder={set ? say("Set. Leave empty to keep it.") : ""} />}</Field>; })}</div>
      <div class="spread"><button class="btn primary">{row.updated_at ? say("Save") : say("Connect")}</button>
        {row.updated_at && <Do class="danger" act={async () => {
          if (!confirm(say("Disconnect {name}? Its settings are deleted, and nobody is answered there any more.", { name: known.name }))) return;
          await del(`${path}${row.channel_type}/`); await changed(); setOpen(false); toast(say("{name} disconnected", { name: known.name }));
        }}>{say("Disconnect")}</Do>}</div>
    </Form></Step></ol>}
    {row.updated_at && <ol class="steps">
      {row.inbound_url && <Step n={2} done={checked?.ok} title={say("Give this address to the platform:")}><div class="row"><code class="mono grow">{row.inbound_url}</code><Do act={() => copy(row.inbound_url)}><Icon name="copy" />{say("Copy")}</Do></div>{known.tell && !checked?.ok && <p class="muted">{known.tell}</p>}</Step>}
      <Step n={3} done={checked?.ok} title={say("Check both directions")}>
        <p class="muted">{say("The platform is asked whether it accepts the settings and posts messages here.")}</p>
        {checked && <div role="status"><ul class="tight findings">{checked.findings.map((f: Row) => <li key={f.name}><span class={"tag " + (f.ok ? "ok" : "danger")}>{f.ok ? <Icon name="check" /> : null}{f.ok ? say("In order") : say("Missing")}</span> {f.detail}</li>)}</ul></div>}
        {administers.value && <div class="row"><Do act={async () => { setChecked(await post(`${path}${row.channel_type}/check/`)); await changed(); }} aria-label={say("Check {name}", known)}>{say("Check")}</Do></div>}
      </Step>
    </ol>}
  </section>;
}

/** One step of connecting a channel. */
function Step({ n, done, title, children }: { n: number; done?: boolean; title: string; children: ComponentChildren }) {
  return <li class={done ? "done" : ""}><span class="dot" aria-hidden="true">{done ? <Icon name="check" /> : n}</span><div class="grow tight"><b>{title}</b>{children}</div></li>;
}
