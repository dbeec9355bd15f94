import { render, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { get, post, online, signedOut, Row } from "./api";
import { say } from "./say";
import { keep, read } from "./storage";
import { agent, agentID, agents, go, leave, loadAgents, place, poll, session, theme, unread } from "./state";
import "./words"; // which most pages need: fetched with the shell and not after them
import { Palette } from "./palette";
import * as passkey from "./passkey";
import { Do, Icon, Loading, Modal, reason, toast, Toasts } from "./ui";

const pages: Record<string, { title: string; icon: string; letter: string; load: () => Promise<{ default: ComponentType }> }> = {
  start: { title: say("Start"), icon: "start", letter: "h", load: () => import("./pages/start") },
  inbox: { title: say("Inbox"), icon: "inbox", letter: "i", load: () => import("./pages/inbox") },
  agenda: { title: say("Agenda"), icon: "agenda", letter: "a", load: () => import("./pages/agenda") },
  contacts: { title: say("Contacts"), icon: "contacts", letter: "c", load: () => import("./pages/contacts") },
  knowledge: { title: say("Knowledge"), icon: "knowledge", letter: "k", load: () => import("./pages/knowledge") },
  unanswered: { title: say("Unanswered"), icon: "unanswered", letter: "u", load: () => import("./pages/unanswered") },
  playbook: { title: say("Playbook"), icon: "playbook", letter: "p", load: () => import("./pages/playbook") },
  analytics: { title: say("Analytics"), icon: "analytics", letter: "s", load: () => import("./pages/analytics") },
  widget: { title: say("Widget"), icon: "widget", letter: "w", load: () => import("./pages/widget") },
  channels: { title: say("Channels"), icon: "channels", letter: "n", load: () => import("./pages/channels") },
  webhooks: { title: say("Webhooks"), icon: "webhooks", letter: "e", load: () => import("./pages/webhooks") },
  settings: { title: say("Settings"), icon: "settings", letter: ",", load: () => import("./pages/settings") },
};

/** Whether a passkey is offered to who has just signed in by a link. */
const offered = signal(false);

function Offer() {
  const close = (answer: string) => { keep("passkey", answer); offered.value = false; };
  return <div class="banner offer" role="region" aria-label={say("Passkey")}>
    <span class="grow">{say("Next time, sign in without a link: with the fingerprint, face or PIN of this device.")}</span>
    <Do class="primary" act={async () => { await passkey.make(passkey.device()); close("made"); toast(say("From now on you can sign in with your passkey")); }}>{say("Make a passkey")}</Do>
    <button class="btn quiet" onClick={() => close("declined")}>{say("Not now")}</button>
  </div>;
}

/** Where nobody is signed in. */
function Door({ token, enter }: { token: string; enter: (s: Row) => void }) {
  const [error, setError] = useState("");
  const [refused, setRefused] = useState("");
  useEffect(() => {
    if (!token) return;
    post("session/", { token }).then((s) => { offered.value = passkey.supported && !read("passkey"); enter(s); }, (e) => setError(reason(e)));
  }, [token]);
  return <main class="door"><div class="card">
    <div class="brand" style={{ padding: 0 }}><span class="mark"><Icon name="visitor" /></span>Frontdesk</div>
    {token && !error ? <p role="status">{say("Signing you in…")}</p> : <>
      <h1>{error ? say("This link no longer works") : say("Sign in")}</h1>
      {error && <p class="error" role="alert">{error}</p>}
      {passkey.supported && <div class="row"><button class="btn primary" onClick={() => passkey.signIn().then((s) => { keep("passkey", "made"); enter(s); }, (e) => setRefused(reason(e)))}>{say("Sign in with a passkey")}</button></div>}
      {refused && <p class="error" role="alert">{refused}</p>}
      <p class="muted">{say("You sign in by a link that works once, within 15 minutes. Ask an administrator of your workspace for one. Whoever runs the service makes one by")}</p>
      <pre class="code mono">make account LOGIN=local</pre>
    </>}
  </div></main>;
}

const places = Object.entries(pages).map(([id, p]) => ({ id, title: p.title, icon: p.icon, letter: p.letter }));
const inBar = ["inbox", "agenda", "contacts", "unanswered"]; // on phones; the others are behind More

function Shell() {
  const [more, setMore] = useState(false);
  useEffect(poll, []);
  const [Page, setPage] = useState<ComponentType | null>(null);
  const [error, setError] = useState("");
  const name = pages[place.value.page] ? place.value.page : "inbox";
  useEffect(() => {
    let current = true;
    setError("");
    pages[name].load().then((m) => { if (current) setPage(() => m.default); }, (e) => setError(reason(e)));
    return () => { current = false; };
  }, [name]);
  useEffect(() => { document.querySelector(".rail [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }); }, [name]);
  return <div class="shell">
    <nav class="rail" aria-label={say("Pages")}>
      <div class="brand"><span class="mark"><Icon name="visitor" /></span>{session.value?.account.name}</div>
      {agents.value && agents.value.length > 1 && <label class="field" style={{ padding: "0 4px 8px" }}><span class="hidden">{say("Agent")}</span>
        <select class="input" value={agent.value?.id} onChange={(e) => { agentID.value = Number(e.currentTarget.value); keep("agent", e.currentTarget.value); }}>
          {agents.value.map((a) => <option key={a.id} value={a.id}>{a.name}</option>)}
        </select></label>}
      {Object.entries(pages).map(([id, p]) => <a key={id} href={"#/" + id} class={inBar.includes(id) ? "" : "not-in-bar"} aria-current={id === name ? "page" : undefined}>
        <Icon name={p.icon} />{p.title}{id === "inbox" && unread.value > 0 && <span class="count" aria-label={say("{n} unread", { n: unread.value })}>{unread.value}</span>}</a>)}
      <button class="more-btn" aria-haspopup="dialog" aria-current={inBar.includes(name) ? undefined : "page"} onClick={() => setMore(true)}><span aria-hidden="true">•••</span>{say("More")}</button>
      <div class="foot">
        <button class="btn quiet" style={{ justifyContent: "flex-start" }} onClick={() => { theme.value = document.documentElement.dataset.theme === "dark" ? "light" : "dark"; }}><Icon name="theme" />{say("Light or dark")}</button>
        <button class="btn quiet" style={{ justifyContent: "flex-start" }} onClick={leave}><Icon name="out" />{say("Sign out")}</button>
      </div>
    </nav>
    <main class="main">
      {offered.value && <Offer />}
      {!online.value && <div class="banner" role="status">{say("The service cannot be reached. Trying again…")}</div>}
      {error || !Page || !agents.value ? <Loading error={error} /> : <Page />}
    </main>
    <Toasts />
    <Palette pages={places} />
    {more && <Modal title={say("More")} close={() => setMore(false)}><nav class="sheet" aria-label={say("More pages")}>
      {places.filter((p) => !inBar.includes(p.id)).map((p) => <a key={p.id} class="item" href={"#/" + p.id} aria-current={p.id === name ? "page" : undefined} onClick={() => setMore(false)}><Icon name={p.icon} />{p.title}</a>)}
      <button class="item" onClick={() => { theme.value = document.documentElement.dataset.theme === "dark" ? "light" : "dark"; }}><Icon name="theme" />{say("Light or dark")}</button>
      <button class="item" onClick={leave}><Icon name="out" />{say("Sign out")}</button></nav>
      <div><button class="btn" onClick={() => setMore(false)}>{say("Close")}</button></div></Modal>}
  </div>;
}

const given = takeToken();
// What the first page needs is asked for at once and not one after the other. Its failures show where it is waited for.
const early = given ? null : { session: get("session/"), agents: loadAgents() };
early?.agents.catch(() => {});
(pages[place.value.page] ?? pages.inbox).load().catch(() => {});

function App() {
  const [token, setToken] = useState(given);
  const [asked, setAsked] = useState(false);
  const enter = async (s: Row, agentsOf: Promise<void> = loadAgents()) => {
    session.value = s; signedOut.value = false; setToken("");
    await agentsOf;
    if (!agents.value?.length) go("start");
  };
  useEffect(() => {
    addEventListener("hashchange", () => { const t = takeToken(); if (t) { session.value = null; setToken(t); } });
    early?.session.then((s) => enter(s, early.agents), () => {}).finally(() => setAsked(true));
  }, []);
  if (session.value && !signedOut.value) return <Shell />;
  return token || asked || signedOut.value ? <Door token={token} enter={enter} /> : <main class="door"><p class="muted" role="status">{say("Loading…")}</p></main>;
}

/** The token of a sign-in link in the address, which it is taken out of. */
function takeToken() {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1] ?? "";
  if (token) history.replaceState(null, "", "#/");
  return token;
}

render(<App />, document.getElementById("app")!);
