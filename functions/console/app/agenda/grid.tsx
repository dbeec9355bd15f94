// The appointments of a day or a week on a grid of hours, where they are moved by mouse, finger or keyboard.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, List, Row } from "../api";
import { locale, say } from "../say";
import { go } from "../state";
import { Icon, Loading, reason, toast } from "../ui";
import { addDays, dayBegins, dayName, instant, wall } from "../zone";
import { change, statuses } from "./change";

export const open = (a: Row) => a.status === "pending" || a.status === "confirmed";
export const minutes = (a: Row) => Math.round((Date.parse(a.end_time) - Date.parse(a.start_time)) / 60_000);
export const clock = (iso: string, zone: string) => wall(new Date(iso), zone).slice(11);

/** All appointments of an agent that start from one day of a zone until another. */
export async function between(agentID: number, zone: string, from: string, to: string): Promise<Row[]> {
  const all: Row[] = [];
  let path: string | null = `appointments/?agent_id=${agentID}&from=${dayBegins(from, zone).toISOString()}&to=${dayBegins(to, zone).toISOString()}`;
  for (; path && all.length < 2000;) {
    const page: List = await get<List>(path);
    all.push(...page.results); path = page.next;
  }
  return all;
}

const hour = 48; // pixels
const snap = 15; // minutes

/** Minutes of the day that a zone's clock shows. */
const minuteOf = (local: string) => Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16));
const two = (n: number) => String(n).padStart(2, "0");
const localTime = (day: string, minute: number) => `${day}T${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

interface Placed { a: Row; day: string; from: number; to: number; column: number; columns: number }

/** Puts the appointments of a day beside each other where they overlap. */
function placed(rows: Row[], day: string, zone: string): Placed[] {
  const all = rows.filter((a) => wall(new Date(a.start_time), zone).startsWith(day)).map((a): Placed => {
    const from = minuteOf(wall(new Date(a.start_time), zone));
    return { a, day, from, to: Math.min(1440, from + Math.max(minutes(a), 20)), column: 0, columns: 1 };
  }).sort((x, y) => x.from - y.from);
  let group: Placed[] = [], end = 0;
  const close = () => { const columns = Math.max(1, ...group.map((p) => p.column + 1)); group.forEach((p) => { p.columns = columns; }); group = []; };
  for (const p of all) {
    if (p.from >= end) close();
    while (group.some((o) => o.column === p.column && o.to > p.from)) p.column++;
    group.push(p); end = Math.max(end, p.to);
  }
  close();
  return all;
}

interface Props { agentID: number; zone: string; view: string; day: string; today: string; version: number; choose: (a: Row) => void; changed: () => Promise<void> }

export function Grid({ agentID, zone, view, day, today, version, choose, changed }: Props) {
  const [rows, setRows] = useState<Row[] | null>(null);
  const [error, setError] = useState("");
  const [moved, setMoved] = useState<{ id: number; day: string; from: number } | null>(null); // where one is dragged to
  const drag = useRef<{ p: Placed; x: number; y: number; grabbed: number; moving: boolean } | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const weekday = (new Date(day + "T12:00Z").getUTCDay() + 6) % 7;
  const first = view === "week" ? addDays(day, -weekday) : day;
  const days = Array.from({ length: view === "week" ? 7 : 1 }, (_, i) => addDays(first, i));
  useEffect(() => {
    let late = false;
    between(agentID, zone, first, addDays(first, days.length)).then((all) => { if (!late) { setRows(all.filter((a) => a.status !== "cancelled")); setError(""); } }, (e) => setError(reason(e)));
    return () => { late = true; };
  }, [agentID, zone, first, days.length, version]);
  useEffect(() => { if (box.current) box.current.scrollTop = 8 * hour; }, [rows === null]);

  /** Moves an appointment to a time that the zone's clock shows, unless that is taken or does not exist. */
  const move = async (a: Row, to: string) => {
    try {
      const start = instant(to, zone);
      if (Date.parse(start) === Date.parse(a.start_time)) return;
      const end = new Date(Date.parse(start) + minutes(a) * 60_000).toISOString().replace(/\.\d+/, "");
      await change(a, { start_time: start, end_time: end, only_if_free: true }, say("Moved to {time}", { time: `${dayName(to.slice(0, 10), zone)}, ${to.slice(11)}` }), changed);
    } catch (e) { toast(reason(e)); }
  };
  const at = (e: PointerEvent) => {
    const columns = [...box.current!.querySelectorAll<HTMLElement>("[data-day]")];
    const of = columns.find((c) => { const r = c.getBoundingClientRect(); return e.clientX >= r.left && e.clientX < r.right; });
    if (!of) return null;
    const minute = (e.clientY - of.getBoundingClientRect().top) / hour * 60 - drag.current!.grabbed;
    return { day: of.dataset.day!, from: Math.max(0, Math.min(1440 - snap, Math.round(minute / snap) * snap)) };
  };
  const press = (e: PointerEvent, p: Placed) => {
    if (e.button !== 0 || !open(p.a)) return;
    const grabbed = (e.clientY - (e.currentTarget as HTMLElement).getBoundingClientRect().top) / hour * 60;
    drag.current = { p, x: e.clientX, y: e.clientY, grabbed, moving: false };
    (e.currentTarget as HTMLElement).setPointerCapture(e.pointerId);
  };
  const track = (e: PointerEvent) => {
    const d = drag.current;
    if (!d || (!d.moving && Math.hypot(e.clientX - d.x, e.clientY - d.y) < 6)) return;
    d.moving = true;
    const to = at(e);
    if (to) setMoved({ id: d.p.a.id, ...to });
  };
  const drop = (e: PointerEvent) => {
    const d = drag.current, to = d?.moving ? at(e) : null;
    setMoved(null);
    if (d && to) move(d.p.a, localTime(to.day, to.from)).finally(() => { drag.current = null; }); else if (!d?.moving) drag.current = null;
  };
  const key = (e: KeyboardEvent, p: Placed) => {
    const steps: Record<string, [number, number]> = { ArrowUp: [0, -snap], ArrowDown: [0, snap], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const step = steps[e.key];
    if (!e.altKey || !step || !open(p.a)) return;
    e.preventDefault();
    const minute = p.from + step[1];
    if (minute >= 0 && minute < 1440) move(p.a, localTime(addDays(p.day, step[0]), minute)).then(() => box.current?.querySelector<HTMLElement>(`[data-id="${p.a.id}"]`)?.focus());
  };
  const step = (n: number) => go(`agenda/${view}/${addDays(day, n * (view === "week" ? 7 : 1))}`);
  const head = (d: string) => new Date(d + "T12:00Z").toLocaleDateString(locale, { timeZone: "UTC", weekday: "short", day: "numeric", month: "short" });
  const all = (rows ?? []).map((a) => moved?.id === a.id ? { ...a, start_time: safe(localTime(moved!.day, moved!.from), zone, a.start_time), ghost: true } : a)
    .map((a) => a.ghost ? { ...a, end_time: new Date(Date.parse(a.start_time) + minutes(rows!.find((r) => r.id === a.id)!) * 60_000).toISOString() } : a);
  return <section class="card flat" aria-label={view === "week" ? say("Week") : say("Day")}>
    <div class="spread" style={{ padding: "8px 12px" }}><div class="row"><button class="btn quiet icon-only" aria-label={say("Earlier")} onClick={() => step(-1)}><Icon name="back" /></button>
      <button class="btn quiet icon-only turned" aria-label={say("Later")} onClick={() => step(1)}><Icon name="back" /></button><button class="btn" onClick={() => go(`agenda/${view}/${today}`)}>{say("Today")}</button></div>
      <h2 aria-live="polite">{view === "day" ? dayName(day, zone) : `${head(days[0])} – ${head(days[6])}`}</h2></div>
    <p class="shortcut muted small" style={{ padding: "0 12px 8px" }}>{say("Drag an appointment, or hold Alt and press an arrow.")}</p>
    {!rows ? <Loading error={error} /> : <div class="hours" ref={box} tabIndex={0} role="group" aria-label={say("Hours")} style={{ gridTemplateColumns: `44px repeat(${days.length}, minmax(${days.length > 1 ? 104 : 0}px, 1fr))` }}>
      <div class="hours-corner" />{days.map((d) => <div key={d} class={"hours-head" + (d === today ? " today" : "")}>{head(d)}</div>)}
      <div class="hours-scale" style={{ blockSize: 24 * hour + "px" }}>{Array.from({ length: 23 }, (_, i) => <span key={i} style={{ insetBlockStart: (i + 1) * hour - 8 + "px" }}>{two(i + 1)}:00</span>)}</div>
      {days.map((d) => <div key={d} class="hours-day" data-day={d} style={{ blockSize: 24 * hour + "px" }} onDblClick={(e) => { if (e.target === e.currentTarget) choose({ start: localTime(d, Math.floor(e.offsetY / hour * 60 / 30) * 30) }); }}>
        {placed(all, d, zone).map((p) => { const [label, kind] = statuses()[p.a.status]; return <button key={p.a.id} data-id={p.a.id} class={`block ${kind}` + (p.a.ghost ? " ghost" : "") + (p.columns > 1 ? " clash" : "")}
          aria-label={`${p.a.title}, ${p.a.contact_name}, ${dayName(d, zone)}, ${clock(p.a.start_time, zone)} – ${clock(p.a.end_time, zone)}, ${label}` + (p.columns > 1 ? ", " + say("overlaps another") : "")}
          style={{ insetBlockStart: p.from / 60 * hour + "px", blockSize: (p.to - p.from) / 60 * hour - 2 + "px", insetInlineStart: p.column / p.columns * 100 + "%", inlineSize: 100 / p.columns + "%" }}
          onPointerDown={(e) => press(e, p)} onPointerMove={track} onPointerUp={drop} onPointerCancel={() => { drag.current = null; setMoved(null); }} onKeyDown={(e) => key(e, p)}
          onClick={() => { if (!drag.current?.moving) choose(rows.find((r) => r.id === p.a.id)!); }}>
          <b dir="auto">{p.a.title}</b><span>{clock(p.a.start_time, zone)} {p.a.contact_name}</span></button>; })}
      </div>)}
    </div>}
  </section>;
}

/** The instant of a local time, or another where clocks are set forward over it. */
function safe(local: string, zone: string, otherwise: string): string {
  try { return instant(local, zone); } catch { return otherwise; }
}
