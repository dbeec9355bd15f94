// What an assistant is told of its business: the fields, as the pages Start and Settings share them, and what it could
// not use of what was written.
import { useEffect, useState } from "preact/hooks";
import { get, patch, Row } from "./api";
import { locale, say } from "./say";
import { Field, reason, toast } from "./ui";
import { capital } from "./words";

/** The languages of assistants by their tags, each in its own words. */
export const languages: Record<string, string> = Object.fromEntries(
  ["en", "es", "fr", "de", "it", "pt", "nl", "sv", "da", "no", "fi", "ro", "hu", "ru", "tr", "ar"]
    .map((tag) => [tag, capital(new Intl.DisplayNames([tag], { type: "language" }).of(tag)!)]));

/** An agent in full, null until it is there. `version` reads it again. */
export function useAgent(id: number | undefined, version: unknown): [Row | null, (a: Row) => void] {
  const [a, setA] = useState<Row | null>(null);
  useEffect(() => { setA((now) => now?.id === id ? now : null); if (id) get(`agents/${id}/`).then(setA, (e) => toast(reason(e))); }, [id, version]);
  return [a, setA];
}

const switches = ["booking_enabled", "handoff_enabled", "lead_capture_enabled", "ai_fallback"];
const numbers = ["retention_days", "max_response_length", "ai_daily_budget_usd"];

/** Changes an agent by the fields of a form: those that differ, and those that its industry's template assumed. */
export function save(a: Row, v: Record<string, string>): Promise<Row> {
  const to: Row = { ...v };
  if ("available_services" in v) to.available_services = v.available_services.split("\n").map((s) => s.trim()).filter(Boolean);
  if ("phone_number" in v) to.phone_number = v.phone_number.replace(/[\s()/.-]/g, "");
  for (const name of switches) if (`has_${name}` in v) { to[name] = v[name] === "on"; delete to[`has_${name}`]; }
  for (const name of numbers) if (name in v) to[name] = v[name].trim() === "" ? null : Number(v[name]);
  const now: Row = { ...a, ...a.business, ...a.messages, ...a.features, ...a.sales, ...a.ai, ...a.training, ...a.keywords };
  for (const [name, value] of Object.entries(to)) {
    if (!a.business.assumed.includes(name) && JSON.stringify(value) === JSON.stringify(now[name])) delete to[name];
  }
  return patch(`agents/${a.id}/`, to);
}

/** A checkbox of a form that `save` reads. It says that it was there, since an empty one is left out of what is sent. */
export const Switch = ({ name, label, on }: { name: string; label: string; on: boolean }) => <label class="check">
  <input type="hidden" name={`has_${name}`} value="1" /><input type="checkbox" name={name} defaultChecked={on} />{label}</label>;

/** When the business is open and what can be booked. */
export function Openings({ a }: { a: Row }) {
  const assumed: string[] = a.business.assumed;
  const example = say("An example of your industry. Your assistant uses it once you have saved it.");
  return <>
    <div class="grid2">
      <Field label={say("Opening hours")} hint={assumed.includes("business_hours") ? example : undefined}>
        <textarea class="input" name="business_hours" maxLength={500} defaultValue={a.business.business_hours} dir="auto" placeholder={say("Monday to Friday 9:00-17:00, Saturday closed")} /></Field>
      <Field label={say("What customers can book, one a line")} hint={assumed.includes("available_services") ? example : say("With how long it takes and its price, such as: Table, 2 hours")}>
        <textarea class="input" name="available_services" defaultValue={a.business.available_services.join("\n")} dir="auto" placeholder={say("Table, 2 hours")} /></Field>
      <Field label={say("Time zone")}><input class="input" name="timezone" defaultValue={a.business.timezone} list="zones" /></Field>
    </div>
    <Understood a={a} />
    <datalist id="zones">{Intl.supportedValuesOf("timeZone").map((z) => <option key={z} value={z} />)}</datalist>
    <Switch name="booking_enabled" label={say("It books appointments or tables by itself")} on={a.features.booking_enabled} />
  </>;
}

/** How the opening hours were understood: the days of a week, those with the same hours together. */
function Understood({ a }: { a: Row }) {
  const times: Row[] = a.opening_times;
  if (times.length === 0) return null;
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].map((day, i) => ({
    name: new Date(Date.UTC(2026, 5, 1 + i)).toLocaleDateString(locale, { weekday: "short", timeZone: "UTC" }), // a Monday and on
    hours: times.filter((t) => t.day === day).map((t) => `${t.from} – ${t.to}`).join(", ") || say("closed"),
  }));
  const groups = days.reduce<{ first: string; last: string; hours: string }[]>((all, d) => {
    const before = all.at(-1);
    if (before?.hours === d.hours) before.last = d.name; else all.push({ first: d.name, last: d.name, hours: d.hours });
    return all;
  }, []);
  return <p class="muted small" role="status">{say("Understood: {hours}", { hours: groups.map((g) => (g.first === g.last ? g.first : `${g.first} – ${g.last}`) + " " + g.hours).join("; ") })}</p>;
}

/** What the assistant could not use, in the reader's words. */
export function Warnings({ a }: { a: Row }) {
  const texts: Record<string, () => string> = {
    hours_unread: () => say("Part of the opening hours cannot be read, so it does not know when you are open. Write them like: Monday to Friday 9:00-17:00, Saturday closed."),
    service_without_duration: () => say("Without a duration an appointment takes 30 minutes. Write it behind the name, like: Haircut, 45 min."),
    document_without_text: () => say("Some documents hold no text to answer from. The page Knowledge says which and why."),
  };
  return <>{a.warnings.map((w: Row) => <p key={w.code} class="note warn" role="status">{texts[w.code]?.() ?? w.detail}{w.values.length > 0 && ` (${w.values.join("; ")})`}</p>)}</>;
}
