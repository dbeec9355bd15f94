// How much an agent does, in numbers over a range of days, with the table behind each picture.
import { useEffect, useState } from "preact/hooks";
import { Failure, get, Row } from "../api";
import { download, writeCSV } from "../csv";
import { locale, mix, say } from "../say";
import { agent } from "../state";
import { Empty, Field, Loading, NoAgent, reason } from "../ui";

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const ranges: [string, number][] = [[say("7 days"), 6], [say("30 days"), 29], [say("90 days"), 89], [say("A year"), 364]];

export default function Analytics() {
  const a = agent.value;
  const [since, setSince] = useState(day(29));
  const [until, setUntil] = useState(day(0));
  if (!a) return <NoAgent icon="analytics" />;
  const ago = until === day(0) ? ranges.find((r) => day(r[1]) === since)?.[1] : undefined;
  return <div class="page"><div class="inner">
    <header class="spread"><div class="tight"><h1>{say("Analytics")}</h1><span class="muted">{say("Days are counted in UTC.")}</span></div>
      <div class="row" style={{ alignItems: "end" }}>
        <Field label={say("Range")}><select class="input" value={ago ?? ""} onChange={(e) => { if (e.currentTarget.value) { setSince(day(Number(e.currentTarget.value))); setUntil(day(0)); } }}>
          {ranges.map(([label, n]) => <option key={n} value={n}>{label}</option>)}<option value="">{say("Chosen days")}</option></select></Field>
        <Field label={say("From")}><input class="input" type="date" required value={since} max={until} onChange={(e) => e.currentTarget.value && setSince(e.currentTarget.value)} /></Field>
        <Field label={say("To")}><input class="input" type="date" required value={until} min={since} onChange={(e) => e.currentTarget.value && setUntil(e.currentTarget.value)} /></Field>
      </div></header>
    <Numbers key={a.id + since + until} agentID={a.id} since={since} until={until} />
  </div></div>;
}

const number = (n: number) => n.toLocaleString(locale);
const percent = (n: number) => (n / 100).toLocaleString(locale, { style: "percent", maximumFractionDigits: 1 });
function seconds(s: number) {
  const rounded = (n: number) => n.toLocaleString(locale, { maximumFractionDigits: 1 });
  return s < 90 ? say("{n} s", { n: rounded(s) }) : s < 5400 ? say("{n} min", { n: Math.round(s / 60) }) : say("{n} h", { n: rounded(s / 3600) });
}

function Numbers({ agentID, since, until }: { agentID: number; since: string; until: string }) {
  const [all, setAll] = useState<{ total: Row; days: Row; leads: Row; csat: Row | null; before: Row } | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    let current = true;
    const read = (what: string, from = since, to = until) => get(`agents/${agentID}/analytics/${what}?since=${from}&until=${to}`);
    const csat = read("csat/").catch((e) => { if (e instanceof Failure && e.status === 501) return null; throw e; });
    Promise.all([read(""), read("conversations/"), read("leads/"), csat, read("", ...beforeThat(since, until))])
      .then(([total, days, leads, csat, before]) => { if (current) setAll({ total, days, leads, csat, before }); }, (e) => { if (current) setError(reason(e)); });
    return () => { current = false; };
  }, []);
  if (!all) return <><section class="card"><h2>{say("Conversations by day")}</h2><Loading error={error} /></section><section class="card"><h2>{say("Contacts")}</h2></section></>;
  const { total, days, leads, csat, before } = all;
  const list = (of: string, first = since, last = until) => `#/${of}since=${first}&until=${last}`;
  const people = (n: number, which = "") => n > 0 ? <a href={list(`contacts?${which}`)}>{number(n)}</a> : number(n);
  const write = () => download(`analytics-${since}-${until}.csv`, writeCSV([
    [say("Day"), say("Conversations")], ...days.results.map((d: Row) => [d.date, String(d.count)]), [],
    [say("Number"), `${since} – ${until}`, beforeThat(since, until).join(" – ")],
    ...counted().map(([field, name]) => [name, String(total[field]), String(before[field])]),
  ]));
  const stages = new Map([[say("Lead"), "lead"], [say("Prospect"), "prospect"], [say("Customer"), "customer"], [say("Lost"), "churned"]]);
  return <>
    <div class="spread"><span class="muted">{say("Compared with {since} to {until}.", { since: beforeThat(since, until)[0], until: beforeThat(since, until)[1] })}</span>
      <button class="btn" onClick={write}>{say("Export")}</button></div>
    <dl class="numbers">{counted().filter(([field]) => field !== "ai_cost_usd" || total[field] > 0).map(([field, name, write, to]) =>
      <Figure key={field} name={name} value={write(total[field])} before={write(before[field])} to={to === null ? undefined : list(to)} />)}</dl>
    <section class="card"><h2>{say("Conversations by day")}</h2>{total.conversations_total === 0 ? <Empty icon="analytics" title={say("None in these days")}><p>{say("Numbers appear from the first chat on.")}</p></Empty>
      : <Bars name={say("Conversations by day")} first={say("Day")} rows={days.results.map((d: Row) => [d.date, d.count])} to={(day) => list("inbox?", day, day)} />}</section>
    <section class="card"><h2>{say("Contacts")}</h2><p class="muted">{mix("{total_contacts} in all: {hot_leads} hot, {warm_leads} warm, {cold_leads} cold.", { total_contacts: people(leads.total_contacts), hot_leads: people(leads.hot_leads, "score=hot&"), warm_leads: people(leads.warm_leads, "score=warm&"), cold_leads: people(leads.cold_leads, "score=cold&") })}</p>
      {leads.total_contacts > 0 && <Bars name={say("Contacts by stage")} first={say("Stage")} rows={[...stages].map(([label, stage]) => [label, leads.by_stage[stage]])} to={(label) => list(`contacts?stage=${stages.get(label)}&`)} />}</section>
    {csat ? <section class="card"><h2>{say("Ratings and times")}</h2><dl class="numbers">
      <Figure name={say("Satisfied")} value={csat.message_feedback.total ? percent(csat.message_feedback.satisfaction_rate) : say("No ratings")} /><Figure name={say("Ratings")} value={say("{good} good, {bad} bad", { good: number(csat.message_feedback.positive), bad: number(csat.message_feedback.negative) })} />
      <Figure name={say("First answer, median")} value={csat.sla.first_response.count ? seconds(csat.sla.first_response.median_seconds) : say("None")} to={csat.sla.first_response.count ? list("inbox?") : undefined} /><Figure name={say("Until resolved, median")} value={csat.sla.resolution.count ? seconds(csat.sla.resolution.median_seconds) : say("None")} to={csat.sla.resolution.count ? list("inbox?status=resolved&") : undefined} />
    </dl></section> : <p class="muted">{say("Ratings and answer times belong to a plan with enterprise analytics.")}</p>}
  </>;
}

/** The numbers of a range: their field, name, form, and the address of their list up to the days, null where there is none. */
const counted = (): [string, string, (n: number) => string, string | null][] => [
  ["conversations_total", say("Conversations"), number, "inbox?"],
  ["ai_resolved_pct", say("Resolved by the AI alone"), percent, "inbox?status=resolved&"],
  ["handoff_pct", say("Taken over by a person"), percent, "inbox?"],
  ["appointments_booked", say("Appointments"), number, "agenda/made?"],
  ["messages_received", say("Messages received"), number, null],
  ["messages_sent", say("Messages sent"), number, null],
  ["ai_cost_usd", say("Language model, list price"), (n) => "$" + n.toFixed(2), null],
];

/** The first and the last of as many days before a range. */
function beforeThat(since: string, until: string): [string, string] {
  const first = Date.parse(since), length = Date.parse(until) - first + 86_400_000;
  return [first - length, first - 86_400_000].map((t) => new Date(t).toISOString().slice(0, 10)) as [string, string];
}

function Figure({ name, value, before, to }: { name: string; value: string; before?: string; to?: string }) {
  return <div><dt>{name}</dt><dd>{to ? <a href={to}>{value}</a> : value}</dd>{before !== undefined && <dd class="muted small before">{say("{n} before", { n: before })}</dd>}</div>;
}

/** Bars of at most 366 values, with the same as a table, whose numbers lead to where `to` says. */
function Bars({ name, first, rows, to }: { name: string; first: string; rows: [string, number][]; to?: (label: string) => string }) {
  const most = Math.max(1, ...rows.map((r) => r[1]));
  const step = 100 / Math.max(1, rows.length);
  return <><figure class="chart"><div class="scale muted small" aria-hidden="true"><span>{number(most)}</span><span>0</span></div>
    <svg class="bars" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={say("{name}: at most {most}. The table below has the numbers.", { name, most: number(most) })}>
      {rows.map(([label, n], i) => <rect key={label} x={i * step + step * .1} width={step * .8} y={100 - n / most * 100} height={n / most * 100}><title>{label}: {number(n)}</title></rect>)}</svg>
    {rows.length > 0 && <figcaption class="spread muted small">{(rows.length <= 5 ? rows : [rows[0], rows[rows.length - 1]]).map((r) => <span key={r[0]}>{r[0]}</span>)}</figcaption>}</figure>
    <details><summary>{say("As a table")}</summary><div class="scroll" tabIndex={0} role="region" aria-label={name} style={{ maxHeight: "320px", overflow: "auto" }}><table><thead><tr><th>{first}</th><th>{say("Number")}</th></tr></thead>
      <tbody>{rows.map((r) => <tr key={r[0]}><td>{r[0]}</td><td>{to && r[1] > 0 ? <a href={to(r[0])}>{number(r[1])}</a> : number(r[1])}</td></tr>)}</tbody></table></div></details></>;
}
