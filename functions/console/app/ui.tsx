// The parts that all pages are made of.
import { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { Failure, get, List, Row } from "./api";
import { locale, say } from "./say";

const paths: Record<string, string> = {
  inbox: "M3 13h5l2 3h4l2-3h5M5 5h14l2 8v6H3v-6z", start: "M5 12l5 5L20 7", knowledge: "M4 5a2 2 0 012-2h13v16H6a2 2 0 00-2 2zM19 19v2H6",
  unanswered: "M9 9a3 3 0 116 0c0 2-3 2-3 4M12 17h.01M12 21a9 9 0 100-18 9 9 0 000 18", settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  ai: "M12 3l1.8 5.2L19 10l-5.2 1.8L12 17l-1.8-5.2L5 10l5.2-1.8zM19 16v4M17 18h4", person: "M12 12a4 4 0 100-8 4 4 0 000 8zM4 21a8 8 0 0116 0",
  visitor: "M21 12a8 8 0 01-8 8H4l2-3a8 8 0 1115-5z", send: "M5 12h14M13 6l6 6-6 6", back: "M15 5l-7 7 7 7", check: "M5 12l5 5L20 7", plus: "M12 5v14M5 12h14",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13", out: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9", theme: "M12 3a9 9 0 109 9 7 7 0 01-9-9z", copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  agenda: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4", contacts: "M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2 20a7 7 0 0114 0M16 4.5a3.5 3.5 0 010 6M18 14a7 7 0 014 6",
  widget: "M4 4h16v12H10l-4 4v-4H4zM8 8h8M8 12h5", channels: "M10 14a4 4 0 005.7 0l3-3A4 4 0 0013 5.3l-1 1M14 10a4 4 0 00-5.7 0l-3 3A4 4 0 0011 18.7l1-1",
  playbook: "M4 5h7v14H4zM13 5h7v14h-7zM6 9h3M6 12h3M15 9h3M15 12h3",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zM12 15a3 3 0 100-6 3 3 0 000 6z",
  webhooks: "M13 3L5 14h6l-1 7 8-11h-6z", analytics: "M4 20h16M7 16v-5M12 16V5M17 16v-8",
};
export const Icon = ({ name }: { name: string }) => <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d={paths[name]} /></svg>;

const toasts = signal<{ id: number; text: string; undo?: () => unknown }[]>([]);
const hide = (id: number) => { toasts.value = toasts.value.filter((t) => t.id !== id); };
/** Tells that something is done, for 5 seconds, or for 12 where it can be undone. */
export function toast(text: string, undo?: () => unknown) {
  const id = Date.now() + Math.random();
  toasts.value = [...toasts.value, { id, text, undo }].slice(-3);
  setTimeout(hide, undo ? 12_000 : 5000, id);
}
export const Toasts = () => <div class="toasts" role="status">{toasts.value.map((t) => <div class="toast" key={t.id}>{t.text}
  {t.undo && <Do class="quiet" act={async () => { hide(t.id); await t.undo!(); }}>{say("Undo")}</Do>}</div>)}</div>;
export const reason = (e: unknown) => e instanceof Error ? e.message : String(e);

export function Empty({ icon, title, children }: { icon: string; title: string; children?: ComponentChildren }) {
  return <div class="empty"><Icon name={icon} /><h2>{title}</h2>{children}</div>;
}

/** A button that is busy until what it does has ended, and tells when that fails. */
export function Do({ act, class: kind = "", children, ...rest }: { act: () => unknown; class?: string; children: ComponentChildren; [name: string]: any }) {
  const [busy, setBusy] = useState(false);
  return <button type="button" class={"btn " + kind} disabled={busy || rest.disabled} {...rest} onClick={async () => {
    setBusy(true);
    try { await act(); } catch (e) { toast(reason(e)); } finally { setBusy(false); }
  }}>{children}</button>;
}

/** A form whose error stands below its fields. */
export function Form({ submit, children }: { submit: (values: Record<string, string>) => unknown; children: ComponentChildren }) {
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  return <form class="stack" onSubmit={async (e) => {
    e.preventDefault();
    const form = e.currentTarget as HTMLFormElement;
    setBusy(true); setError("");
    try {
      await submit(Object.fromEntries([...new FormData(form)].map(([k, v]) => [k, String(v)])));
      form.reset();
    } catch (cause) {
      setError(reason(cause));
      if (cause instanceof Failure && cause.field) (form.elements.namedItem(cause.field) as HTMLElement | null)?.focus();
    } finally { setBusy(false); }
  }}><fieldset class="stack" disabled={busy} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>{children}</fieldset>
    {error && <p class="error" role="alert">{error}</p>}</form>;
}
export const Field = ({ label, hint, children }: { label: string; hint?: string; children: ComponentChildren }) => <div class="tight">
  <label class="field"><span>{label}</span>{children}</label>{hint && <small class="muted">{hint}</small>}</div>;

export function Modal({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => { box.current?.showModal(); }, []);
  return <dialog ref={box} onClose={close} aria-label={title}><div class="stack"><h2>{title}</h2>{children}</div></dialog>;
}

/** The rows of a list, loaded page by page, and a way to read them again. */
export function useList<T extends Row = Row>(path: string | null) {
  const [rows, setRows] = useState<T[] | null>(null);
  const [next, setNext] = useState<{ of: string; path: string | null } | null>(null); // the next page, of which path
  const [error, setError] = useState("");
  const asked = useRef(path); // what comes of another path comes too late
  asked.current = path;
  const load = async () => {
    if (!path) return;
    try {
      const page = await get<List<T>>(path);
      if (asked.current !== path) return;
      setRows(page.results); setNext({ of: path, path: page.next }); setError("");
    } catch (e) { setError(reason(e)); }
  };
  useEffect(() => { setRows(null); load(); }, [path]);
  const following = next && next.of === path ? next.path : null;
  const more = path && following ? async () => {
    const page = await get<List<T>>(following);
    if (asked.current !== path) return;
    setRows((r) => [...(r ?? []), ...page.results]); setNext({ of: path, path: page.next });
  } : null;
  return { rows, error, load, more };
}

/**
 * Loads the next page of a list once the end of what is there comes into view. After five pages without a
 * movement of the reader's it waits for the button, so that a filter that finds nothing does not read everything.
 */
export function More({ list }: { list: { more: (() => Promise<void>) | null } }) {
  const end = useRef<HTMLDivElement>(null);
  const more = useRef(list.more);
  const unasked = useRef(0);
  const busy = useRef(false);
  more.current = list.more;
  useEffect(() => {
    const moved = () => { unasked.current = 0; };
    const moves = ["wheel", "touchmove", "keydown"];
    moves.forEach((m) => addEventListener(m, moved, { passive: true }));
    return () => moves.forEach((m) => removeEventListener(m, moved));
  }, []);
  useEffect(() => {
    if (!end.current) return;
    const watch = new IntersectionObserver(async ([entry]) => {
      if (!entry.isIntersecting || busy.current || !more.current || unasked.current >= 5) return;
      unasked.current++; busy.current = true;
      try { await more.current(); } catch (e) { toast(reason(e)); } finally { busy.current = false; }
    }, { rootMargin: "200px" });
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [list.more]);
  return list.more ? <div ref={end} class="row" style={{ justifyContent: "center", padding: "12px" }}><Do act={list.more}>{say("Show more")}</Do></div> : null;
}
/** A page that shows something of one agent, or says that there is none. */
export const NoAgent = ({ icon }: { icon: string }) => <div class="page"><Empty icon={icon} title={say("There is no assistant yet")}><a class="btn primary" href="#/start">{say("Set one up")}</a></Empty></div>;
export const Loading = ({ error }: { error?: string }) => <p class={error ? "error" : "muted"} role={error ? "alert" : "status"} style={{ padding: "24px" }}>{error || say("Loading…")}</p>;

export function when(text: string, long = false) {
  const at = new Date(text), now = new Date();
  if (long) return at.toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
  return at.toDateString() === now.toDateString() ? at.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" })
    : at.toLocaleDateString(locale, { day: "numeric", month: "short" });
}
/** Whether a time lies in the days from since to until, both in UTC as yyyy-mm-dd; an empty one is no bound. */
export const within = (time: string, since: string, until: string) => time.slice(0, 10) >= since && (!until || time.slice(0, 10) <= until);
export async function copy(text: string) { await navigator.clipboard.writeText(text); toast(say("Copied")); }
