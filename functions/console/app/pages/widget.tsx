// The chat box of the website: its settings, with the real box beside them, and the line that puts it on a page.
import { useEffect, useState } from "preact/hooks";
import { get, patch, post, Row } from "../api";
import { mix, say } from "../say";
import { agent, loadAgents } from "../state";
import { copy, Do, Field, Form, Icon, Loading, NoAgent, reason, toast } from "../ui";

export default function Widget() {
  const id = agent.value?.id;
  const [w, setW] = useState<Row | null>(null);
  const [error, setError] = useState("");
  useEffect(() => { setW(null); if (id) get(`agents/${id}/widget/`).then(setW, (e) => setError(reason(e))); }, [id]);
  if (!id) return <NoAgent icon="widget" />;
  return w ? <Box key={id} path={`agents/${id}/widget/`} w={w} set={async (now) => { setW(now); await loadAgents(); }} /> : <Loading error={error} />;
}

/** The contrast of two colours, from 1 to 21, as WCAG defines it. */
function contrast(one: string, other: string) {
  const luminance = (c: string) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16) / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function Meter({ primary, secondary }: { primary: string; secondary: string }) {
  const c = contrast(primary, secondary);
  const instead = contrast(primary, "#ffffff") >= contrast(primary, "#000000") ? "white" : "black";
  return <div class="tight" role="status"><div class="row"><span class="swatch" style={{ background: primary, color: c >= 4.5 ? secondary : instead }} aria-hidden="true">Aa</span>
    <meter min={1} max={21} low={3} high={4.5} optimum={21} value={c} aria-label={say("Contrast")} /><b>{c.toFixed(2)} : 1</b><span class={"tag " + (c >= 4.5 ? "ok" : "danger")}>{c >= 4.5 ? say("Easy to read") : say("Hard to read")}</span></div>
    {c < 4.5 && <span class="muted small">{instead === "white" ? say("Below 4.5 the box writes in white instead, so that everybody can read it.") : say("Below 4.5 the box writes in black instead, so that everybody can read it.")}</span>}</div>;
}

const flags = ["show_team", "ask_rating", "accept_files", "sound", "powered_by"];

/** What the form has of numbers and switches, as the API takes it. */
function behaviour(v: Row): Row {
  return { offset_side: Number(v.offset_side), offset_bottom: Number(v.offset_bottom), ...Object.fromEntries(flags.map((name) => [name, Boolean(v[name])])) };
}

/** The fields for how the box behaves. */
function Behaviour({ w }: { w: Row }) {
  const choice = (name: string, label: string, options: [string, string][], hint = "") => <Field label={label} hint={hint}><select class="input" name={name}>{options.map(([value, text]) => <option value={value} selected={w[name] === value}>{text}</option>)}</select></Field>;
  const away = (name: string, label: string) => <Field label={label}><input class="input" name={name} type="number" min={0} max={200} required defaultValue={w[name]} /></Field>;
  const asked: [string, string][] = [["off", say("Not asked")], ["optional", say("May be left empty")], ["required", say("Must be filled in")]];
  const words: Record<string, string> = {
    show_team: say("Say who of the team is online and how soon you usually reply"), ask_rating: say("Ask for a rating when a conversation is resolved"),
    accept_files: say("Take pictures and PDF files from visitors"), sound: say("Play a sound when a message comes while nobody looks"), powered_by: say("Say that the box is Frontdesk's"),
  };
  return <>
    {choice("size", say("Size"), [["compact", say("Small")], ["standard", say("Medium")], ["large", say("Large")]])}
    <div class="grid2">{away("offset_side", say("Pixels from the side"))}{away("offset_bottom", say("Pixels from the bottom"))}</div>
    <h3>{say("Form before the chat")}</h3>
    {choice("form_name", say("Name"), asked)}{choice("form_email", say("Email"), asked)}{choice("form_phone", say("Phone"), asked)}
    {choice("show_sources", say("Sources of an answer"), [["none", say("Not shown")], ["pages", say("Public web pages, with their links")], ["all", say("All documents, by their titles")]], say("Visitors open them below the answer."))}
    {flags.map((name) => <label class="row" key={name}><input type="checkbox" name={name} defaultChecked={w[name]} />{words[name]}</label>)}
  </>;
}

function Box({ path, w, set }: { path: string; w: Row; set: (w: Row) => Promise<void> }) {
  const [primary, setPrimary] = useState<string>(w.primary_color);
  const [secondary, setSecondary] = useState<string>(w.secondary_color);
  const [shown, setShown] = useState(0);
  const [color, setColor] = useState(primary);
  useEffect(() => { const timer = setTimeout(setColor, 400, primary); return () => clearTimeout(timer); }, [primary]);
  const text = (name: string, label: string, max: number, type: "text" | "url" = "text") => <Field label={label}><input class="input" name={name} type={type as "text"} maxLength={max} defaultValue={w[name]} dir="auto" placeholder={type === "url" ? "https://" : ""} /></Field>;
  const change = async (to: Row, done: string) => { await set(await patch(path, to)); setColor(primary); setShown((n) => n + 1); toast(done); };
  return <div class="page"><div class="inner" style={{ maxInlineSize: "1120px" }}>
    <header class="spread"><div class="row"><h1>{say("Widget")}</h1><span class={"tag " + (w.enabled ? "ok" : "warn")}>{w.enabled ? say("On") : say("Off")}</span></div>
      <Do act={async () => { if (!w.enabled || confirm(say("Switch the chat box off? It disappears from your website."))) await change({ enabled: !w.enabled }, w.enabled ? say("Switched off") : say("Switched on")); }}>{w.enabled ? say("Switch off") : say("Switch on")}</Do></header>
    <div class="beside">
      <section class="card"><h2>{say("Look and words")}</h2><Form key={JSON.stringify(w)} submit={async (v) => {
        const domains = v.allowed_domains.split(/[\s,]+/).filter(Boolean);
        await change({ ...v, ...behaviour(v), allowed_domains: domains, primary_color: primary, secondary_color: secondary }, say("Saved"));
      }}>
        <div class="grid2">
          <Field label={say("Colour")}><input class="input" name="primary_color" type="color" value={primary} onInput={(e) => setPrimary(e.currentTarget.value)} /></Field>
          <Field label={say("Text on it")}><input class="input" name="secondary_color" type="color" value={secondary} onInput={(e) => setSecondary(e.currentTarget.value)} /></Field>
        </div>
        <Meter primary={primary} secondary={secondary} />
        {text("brand_name", say("Name on the box"), 100)}{text("tagline", say("Line below it"), 150)}{text("welcome_message", say("Welcome"), 500)}{text("button_text", say("Words on the button"), 50)}
        {text("logo_url", say("Address of a logo"), 500, "url")}{text("avatar_url", say("Address of a picture of the assistant"), 500, "url")}
        <Field label={say("Corner of the page")}><select class="input" name="position"><option value="right" selected={w.position === "right"}>{say("Right")}</option><option value="left" selected={w.position === "left"}>{say("Left")}</option></select></Field>
        <Behaviour w={w} />
        <Field label={say("Websites it may run on")} hint={say("One domain a line, such as acme.example; subdomains belong to it. Empty for any.")}><textarea class="input" name="allowed_domains" rows={2} defaultValue={w.allowed_domains.join("\n")} /></Field>
        <div><button class="btn primary">{say("Save")}</button></div>
      </Form></section>
      <section class="card" aria-label={say("The box as visitors see it")}><div class="spread"><h2>{say("As visitors see it")}</h2><button class="btn quiet" onClick={() => setShown(shown + 1)}>{say("Load again")}</button></div>
        {w.enabled ? <iframe key={w.embed_key + color + shown} class="preview" title={say("The chat box")} src={"preview.html#" + new URLSearchParams({ agent: w.embed_key, color })} /> : <p class="muted">{say("It is switched off.")}</p>}
        <p class="muted small">{say("This is the real box: what you write in it arrives in the inbox. The colour shows at once, the rest after saving.")}</p></section>
    </div>
    <section class="card"><h2>{say("On your website")}</h2><p class="muted">{mix("Copy this line into every page, before {tag}.", { tag: <code>&lt;/body&gt;</code> })}</p><pre class="code mono" tabIndex={0}>{w.embed_snippet}</pre>
      <div class="row"><Do class="primary" act={() => copy(w.embed_snippet)}><Icon name="copy" />{say("Copy")}</Do>
        <Do class="danger" act={async () => { if (confirm(say("Make a new key? The box disappears from every page that has the line above, until you replace it there."))) { await set(await post(path + "rotate-key/")); toast(say("There is a new key. Copy the line again.")); } }}>{say("New key")}</Do></div></section>
  </div></div>;
}
