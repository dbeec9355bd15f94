// Times in the time zone of a business, which may be another than the browser's.
import { locale, say } from "./say";

/** The wall clock of a zone at an instant, as YYYY-MM-DDTHH:MM. An empty zone is UTC. */
export function wall(at: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone || "UTC", hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit",
  }).formatToParts(at);
  const part = (type: string) => parts.find((p) => p.type === type)!.value;
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}

/** Milliseconds that the zone is ahead of UTC at an instant. */
const ahead = (at: Date, zone: string) => Date.parse(wall(at, zone) + "Z") - Math.floor(at.getTime() / 60_000) * 60_000;

/**
 * The instant at which a zone's clock shows a time, as ISO 8601 with the zone's offset. The first of two where clocks
 * are set back; an error where they are set forward over it.
 */
export function instant(local: string, zone: string): string {
  const naive = Date.parse(local + "Z");
  if (Number.isNaN(naive)) throw new Error(say("Choose a day and a time."));
  const day = 86_400_000;
  for (const offset of [ahead(new Date(naive - day), zone), ahead(new Date(naive + day), zone)]) {
    const at = new Date(naive - offset);
    if (wall(at, zone) !== local) continue;
    const minutes = Math.abs(offset) / 60_000;
    const two = (n: number) => String(Math.floor(n)).padStart(2, "0");
    return `${local}:00${offset < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
  }
  throw new Error(say("Clocks are set forward over this time in {zone}. Choose another.", { zone: zone || "UTC" }));
}

/** The day so many days later, of a day as YYYY-MM-DD. */
export const addDays = (day: string, n: number) => new Date(Date.parse(day + "T12:00Z") + n * 86_400_000).toISOString().slice(0, 10);

/** The instant at which a day begins in a zone. */
export function dayBegins(day: string, zone: string): Date {
  for (const at of ["00:00", "00:30", "01:00", "02:00"]) { // clocks may be set forward at midnight
    try { return new Date(instant(`${day}T${at}`, zone)); } catch { /* no such time */ }
  }
  return new Date(day + "T00:00Z");
}

/** A day of a zone in words, with today and tomorrow named. */
export function dayName(day: string, zone: string): string {
  const at = new Date(day + "T12:00Z");
  const name = at.toLocaleDateString(locale, { timeZone: "UTC", weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const now = Date.now();
  if (day === wall(new Date(now), zone).slice(0, 10)) return say("Today, {day}", { day: name });
  if (day === wall(new Date(now + 86_400_000), zone).slice(0, 10)) return say("Tomorrow, {day}", { day: name });
  return name;
}
