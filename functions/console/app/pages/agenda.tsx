// What contacts have arranged with the business, by day, in the time zone of the agent.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, insist, List, patch, Row } from "../api";
import { between, clock, Grid, minutes, open } from "../agenda/grid";
import { say } from "../say";
import { keep, read } from "../storage";
import { agent, appointmentChanges, go, place } from "../state";
import { Do, Empty, Field, Form, Icon, Loading, Modal, More, NoAgent, reason, toast, useList, within } from "../ui";
import { change, statuses } from "../agenda/change";
import { addDays, dayName, instant, wall } from "../zone";


export default function Agenda() {
  const a = agent.value;
  const [zone, setZone] = useState<string | null>(null);
  const id = a?.id;
  const [error, setError] = useState("");
  const first = useRef<Promise<List> | null>(null); // the first page of the list, asked for beside the agent
  useEffect(() => {
    setZone(null); setError("");
    first.current = id && viewOf() === "list" ? get<List>(firstPage(id)) : null;
    first.current?.catch(() => {}); // the list asks again, and says what is wrong
    if (id) get(`agents/${id}/`).then((full) => setZone(full.business?.timezone || "UTC"), (e) => setError(reason(e)));
  }, [id]);
  if (!a) return <NoAgent icon="agenda" />;
  return zone === null ? <Loading error={error} /> : <Days key={id} agentID={a.id} zone={zone} first={first} />;
}

type First = { current: Promise<List> | null };

const firstPage = (agentID: number) => `appointments/?agent_id=${agentID}`;

/** The appointments of an agent, latest first as the API lists them: all that are to come, and of the past page by page. */
function useAppointments(agentID: number, first: First) {
  const [rows, setRows] = useState<Row[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState("");
  const load = async () => {
    try {
      const all: Row[] = [];
      let path: string | null = firstPage(agentID);
      do {
        const page: List = await (first.current?.catch(() => null) ?? null) ?? await get<List>(path);
        first.current = null;
        all.push(...page.results); path = page.next;
      } while (path && all.length < 2000 && Date.parse(all[all.length - 1].end_time) > Date.now());
      setRows(all); setNext(path); setError("");
    } catch (e) { setError(reason(e)); }
  };
  useEffect(() => { load(); }, [agentID]);
  const more = next ? async () => { const page = await get<List>(next); setRows((r) => [...(r ?? []), ...page.results]); setNext(page.next); } : null;
  return { rows, error, load, more };
}

interface Shared { agentID: number; first: First; zone: string; choose: (a: Row) => void; version: number; changed: () => Promise<void> }

const views = (): [string, string][] => [["week", say("Week")], ["day", say("Day")], ["list", say("To come")], ["past", say("Past")]];

/** Which view the address names, or else the one that was chosen last. The view "made" has no tab: the page Analytics links to it. */
function viewOf() {
  if (place.value.id === "made" || views().some((v) => v[0] === place.value.id)) return place.value.id;
  return read("agenda") || (innerWidth < 760 ? "list" : "week");
}

function Days({ agentID, zone, first }: { agentID: number; zone: string; first: First }) {
  const [chosen, setChosen] = useState<Row | null>(null);
  const [version, setVersion] = useState(0); // counts up when appointments changed here
  const forContact = Number(place.value.query.get("contact")) || 0;
  useEffect(() => { if (forContact) setChosen({ contact_id: forContact }); }, [forContact]);
  const view = viewOf();
  const today = wall(new Date(), zone).slice(0, 10);
  const day = /^\d{4}-\d\d-\d\d$/.test(place.value.sub) ? place.value.sub : today;
  const close = () => { setChosen(null); if (forContact) go("agenda"); };
  const shared: Shared = { agentID, first, zone, choose: setChosen, version: version + appointmentChanges.value, changed: async () => { setVersion((v) => v + 1); } };
  return <div class="page"><div class="inner wide">
    <header class="spread"><div class="tight"><h1>{say("Agenda")}</h1><span class="muted">{say("Times of {zone}", { zone: zone.replace(/_/g, " ") })}</span></div>
      <button class="btn primary" onClick={() => setChosen({})}><Icon name="plus" />{say("New appointment")}</button></header>
    <nav class="tabs" aria-label={say("Which appointments")}>{views().map(([key, label]) => <a key={key} href={`#/agenda/${key}` + (key === "week" || key === "day" ? "/" + day : "")} aria-current={view === key ? "page" : undefined} onClick={() => { if (key !== "past") keep("agenda", key); }}>{label}</a>)}</nav>
    {view === "week" || view === "day" ? <Grid {...shared} view={view} day={day} today={today} /> : view === "made" ? <Made {...shared} />
      : <Listed key={view} {...shared} past={view === "past"} today={today} />}
    {chosen && (chosen.id ? <Change a={chosen} agentID={agentID} zone={zone} close={close} changed={shared.changed} />
      : <New agentID={agentID} contactID={chosen.contact_id} start={chosen.start} zone={zone} close={close} changed={shared.changed} />)}
  </div></div>;
}

function Listed({ agentID, first, zone, choose, version, changed, past, today }: Shared & { past: boolean; today: string }) {
  const list = useAppointments(agentID, first);
  useEffect(() => { if (version) list.load(); }, [version]);
  const rows = (list.rows ?? []).filter((a) => (dayOf(a, zone) < today) === past);
  if (!past) rows.reverse();
  return <>{!list.rows ? <section class="card flat"><Loading error={list.error} /></section>
    : rows.length === 0 ? <section class="card flat"><Empty icon="agenda" title={past ? say("Nothing was arranged before today") : say("Nothing is arranged")}>{!past && <p>{say("Appointments appear here when your assistant books them, or when you make one.")}</p>}</Empty></section>
      : <ByDay rows={rows} zone={zone} choose={choose} changed={changed} />}
    {past && <More list={list} />}</>;
}

/** The appointments that were made in the days of the address, whenever they take place. */
function Made({ agentID, zone, choose, version, changed }: Shared) {
  const list = useList(`appointments/?agent_id=${agentID}`);
  useEffect(() => { if (version) list.load(); }, [version]);
  const since = place.value.query.get("since") ?? "", until = place.value.query.get("until") ?? "";
  const rows = (list.rows ?? []).filter((a) => within(a.created_at, since, until));
  return <><div class="row"><span class="tag">{say("Made from {since} to {until}", { since, until })}</span><a class="small" href="#/agenda">{say("Show all")}</a></div>
    {!list.rows ? <section class="card flat"><Loading error={list.error} /></section>
      : rows.length === 0 ? <section class="card flat"><Empty icon="agenda" title={say("None in these days")} /></section>
        : <ByDay rows={rows} zone={zone} choose={choose} changed={changed} />}
    <More list={list} /></>;
}

const dayOf = (a: Row, zone: string) => wall(new Date(a.start_time), zone).slice(0, 10);

/** Appointments under the days on which they start, in the order of the rows. */
function ByDay({ rows, zone, choose, changed }: { rows: Row[]; zone: string; choose: Shared["choose"]; changed: Shared["changed"] }) {
  const days = [...new Set(rows.map((a) => dayOf(a, zone)))];
  return <>{days.map((d) => <section key={d} class="stack" style={{ gap: "8px" }} aria-label={dayName(d, zone)}><h2>{dayName(d, zone)}</h2><ul class="card flat list">
    {rows.filter((a) => dayOf(a, zone) === d).map((a) => <Appointment key={a.id} a={a} zone={zone} open={() => choose(a)} changed={changed} />)}</ul></section>)}</>;
}

function Appointment({ a, zone, open: show, changed }: { a: Row; zone: string; open: () => void; changed: () => Promise<void> }) {
  const [label, kind] = statuses()[a.status];
  return <li><div class="item wraps">
    <span class="slot">{clock(a.start_time, zone)} – {clock(a.end_time, zone)}</span>
    <span class="grow tight"><b class="truncate" dir="auto" style={a.status === "cancelled" ? { textDecoration: "line-through" } : {}}>{a.title}</b>
      <a class="truncate" dir="auto" href={"#/contacts/" + a.contact_id}>{a.contact_name || say("Contact")}</a></span>
    <span class={"tag " + kind}>{label}</span>
    {a.status === "pending" && <Do act={() => change(a, { status: "confirmed" }, say("Confirmed"), changed)} aria-label={say("Confirm {title}", { title: a.title })}><Icon name="check" />{say("Confirm")}</Do>}
    <button class="btn" aria-label={open(a) ? say("Change {title}", a) : say("Look at {title}", a)} onClick={show}>{open(a) ? say("Change") : say("Details")}</button>
  </div></li>;
}

/** The fields of a time, with the free times of its day, and a warning where something else is then. */
function Times({ a, agentID, zone }: { a: Row; agentID: number; zone: string }) {
  const [start, setStart] = useState<string>(a.start_time ? wall(new Date(a.start_time), zone) : a.start ?? "");
  const [length, setLength] = useState(a.start_time ? minutes(a) : 30);
  const [others, setOthers] = useState<Row[]>([]);
  const [free, setFree] = useState<Row[]>([]);
  const day = start.slice(0, 10);
  useEffect(() => {
    if (!/^\d{4}-\d\d-\d\d$/.test(day)) { setOthers([]); setFree([]); return; }
    let late = false;
    between(agentID, zone, addDays(day, -1), addDays(day, 2)).then((rows) => { if (!late) setOthers(rows); }, () => {});
    get<List>(`agents/${agentID}/free-times/?day=${day}&minutes=${length}` + (a.id ? "&moving=" + a.id : "")).then((l) => { if (!late) setFree(l.results); }, () => setFree([]));
    return () => { late = true; };
  }, [day, length]);
  let clash: Row | undefined, error = "";
  if (start) try {
    const from = Date.parse(instant(start, zone)), to = from + length * 60_000;
    clash = others.find((o) => o.id !== a.id && open(o) && Date.parse(o.start_time) < to && Date.parse(o.end_time) > from);
  } catch (e) { error = reason(e); }
  const lengths = [...new Set([15, 30, 45, 60, 90, 120, 180, 240, length])].sort((x, y) => x - y);
  return <>
    <div class="row times">
      <Field label={say("Start")}><input class="input" type="datetime-local" name="start" required value={start} onInput={(e) => setStart(e.currentTarget.value)} /></Field>
      <Field label={say("Length")}><select class="input" name="length" value={length} onChange={(e) => setLength(Number(e.currentTarget.value))}>{lengths.map((m) => <option key={m} value={m}>{m % 60 ? say("{n} min", { n: m }) : say("{n} h", { n: m / 60 })}</option>)}</select></Field>
    </div>
    <p class="muted small">{say("Time of {zone}", { zone: zone.replace(/_/g, " ") })}</p>
    {free.length > 0 && <div class="row" role="group" aria-label={say("Free times of the day")}>{free.slice(0, 12).map((f) => <button key={f.start_time} type="button" class="btn small-btn" aria-pressed={wall(new Date(f.start_time), zone) === start} onClick={() => setStart(wall(new Date(f.start_time), zone))}>{clock(f.start_time, zone)}</button>)}</div>}
    {error && <p class="error" role="status">{error}</p>}
    {clash && <div class="note warn" role="status"><p>{say("At the same time: {title}, {name} ({from} – {to})", { title: clash.title, name: clash.contact_name, from: clock(clash.start_time, zone), to: clock(clash.end_time, zone) })}</p>
      <label class="check"><input type="checkbox" name="anyway" />{say("Arrange it all the same")}</label></div>}
  </>;
}

function times(v: Record<string, string>, zone: string) {
  const start = instant(v.start, zone);
  return { only_if_free: v.anyway !== "on", start_time: start, end_time: new Date(Date.parse(start) + Number(v.length) * 60_000).toISOString().replace(/\.\d+/, "") };
}

function Change({ a, agentID, zone, close, changed }: { a: Row; agentID: number; zone: string; close: () => void; changed: () => Promise<void> }) {
  const final = (status: string, question: string, done: string) => async () => {
    if (!confirm(question)) return;
    await change(a, { status }, done, changed); close();
  };
  if (!open(a)) return <Modal title={a.title} close={close}>
    <p>{dayName(wall(new Date(a.start_time), zone).slice(0, 10), zone)}, {clock(a.start_time, zone)} – {clock(a.end_time, zone)} ({zone.replace(/_/g, " ")})</p>
    <p><span class={"tag " + statuses()[a.status][1]}>{statuses()[a.status][0]}</span></p>{a.notes && <p class="note" dir="auto">{a.notes}</p>}
    <div><button class="btn" onClick={close}>{say("Close")}</button></div></Modal>;
  return <Modal title={say("Change the appointment")} close={close}><Form submit={async (v) => {
    const to: Row = { title: v.title, notes: v.notes };
    const moved = times(v, zone);
    const before = [a.start_time, a.end_time].map(Date.parse).join();
    if ([moved.start_time, moved.end_time].map((t) => Date.parse(t)).join() !== before) Object.assign(to, moved);
    await change(a, to, to.start_time ? say("Moved") : say("Saved"), changed); close();
  }}>
    <p class="muted" dir="auto">{say("With {name}", { name: a.contact_name || say("a contact") })}</p>
    <Times a={a} agentID={agentID} zone={zone} />
    <Field label={say("What")}><input class="input" name="title" required maxLength={200} defaultValue={a.title} dir="auto" /></Field>
    <Field label={say("Notes")}><textarea class="input" name="notes" maxLength={5000} defaultValue={a.notes} dir="auto" /></Field>
    <div class="row"><button class="btn primary">{say("Save")}</button><button class="btn quiet" type="button" onClick={close}>{say("Close")}</button></div>
    <div class="row"><Do act={final("completed", "Has this appointment taken place? This cannot be undone.", "Completed")}><Icon name="check" />{say("Complete")}</Do>
      <Do class="danger" act={final("cancelled", "Cancel this appointment? This cannot be undone.", "Cancelled")}><Icon name="trash" />{say("Cancel it")}</Do></div>
  </Form></Modal>;
}

function New({ agentID, contactID, start, zone, close, changed }: { agentID: number; contactID?: number; start?: string; zone: string; close: () => void; changed: () => Promise<void> }) {
  const [contacts, setContacts] = useState<Row[]>([]);
  const [who, setWho] = useState(contactID ? String(contactID) : "");
  const [words, setWords] = useState("");
  const [next, setNext] = useState<string | null>(contactID ? `contacts/${contactID}/` : `contacts/?agent_id=${agentID}`);
  const more = async () => {
    const page = await get<List>(next!);
    setContacts((c) => [...c, ...page.results]); setNext(page.next);
  };
  useEffect(() => {
    if (contactID) get(next!).then((c) => { setContacts([c]); setNext(null); }, (e) => toast(reason(e)));
    else more().catch((e) => toast(reason(e)));
  }, []);
  const matching = contacts.filter((c) => String(c.id) === who || [c.name, c.phone, c.email].join(" ").toLowerCase().includes(words.toLowerCase()));
  return <Modal title={say("New appointment")} close={close}><Form submit={async (v) => {
    let contact = Number(who);
    if (who === "new") contact = (await insist("contacts/", { agent_id: agentID, name: v.name, phone: v.phone.replace(/[\s()-]/g, "") })).id;
    const made = await insist("appointments/", { agent_id: agentID, contact_id: contact, title: v.title, notes: v.notes, status: "confirmed", ...times(v, zone) });
    toast(say("Arranged"), async () => { await patch(`appointments/${made.id}/`, { status: "cancelled" }); await changed(); });
    await changed(); close();
  }}>
    {!contactID && contacts.length > 10 && <Field label={say("Find a contact")}><input class="input" type="search" value={words} onInput={(e) => setWords(e.currentTarget.value)} /></Field>}
    <Field label={say("Contact")}><select class="input" name="contact_id" required value={who} onChange={(e) => setWho(e.currentTarget.value)}>
      <option value="">{say("Choose…")}</option><option value="new">{say("Somebody new")}</option>
      {matching.map((c) => <option key={c.id} value={String(c.id)}>{[c.name || say("Without a name"), c.phone || c.email].filter(Boolean).join(", ")}</option>)}</select></Field>
    {!contactID && next && <div><Do class="quiet" act={more}>{say("Load more contacts")}</Do></div>}
    {who === "new" && <div class="grid2"><Field label={say("Name")}><input class="input" name="name" required maxLength={200} autocomplete="off" /></Field>
      <Field label={say("Phone, with the country's code")}><input class="input" name="phone" type="tel" required placeholder="+49 30 901820" autocomplete="off" /></Field></div>}
    <Field label={say("What")}><input class="input" name="title" required maxLength={200} dir="auto" /></Field>
    <Times a={{ start }} agentID={agentID} zone={zone} />
    <Field label={say("Notes")}><textarea class="input" name="notes" maxLength={5000} dir="auto" /></Field>
    <div class="row"><button class="btn primary">{say("Arrange")}</button><button class="btn quiet" type="button" onClick={close}>{say("Cancel")}</button></div>
  </Form></Modal>;
}
