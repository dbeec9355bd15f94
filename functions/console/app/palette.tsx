// The keyboard: a palette to go anywhere, a page of help, and g with a letter to go to a page.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, List, Row } from "./api";
import { say } from "./say";
import { keep, read } from "./storage";
import { agentID, agents, go, leave, theme } from "./state";
import { Icon, Modal } from "./ui";

/** Whether single letters do something. People who dictate switch them off. */
export const lettersOn = () => read("letters") !== "off";

/** Whether a key is meant for what has the focus, and no shortcut. */
export function typing(e: KeyboardEvent): boolean {
  const at = e.target as HTMLElement | null;
  return e.isComposing || e.ctrlKey || e.metaKey || e.altKey || !lettersOn() || !!at?.closest?.("input, textarea, select, [contenteditable], dialog");
}

export interface Page { id: string; title: string; icon: string; letter: string }
interface Command { title: string; icon: string; hint?: string; act: () => unknown }

export function Palette({ pages }: { pages: Page[] }) {
  const [shown, setShown] = useState<"" | "palette" | "help">("");
  const going = useRef(0); // until when a letter after g leads to a page
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if ((e.ctrlKey || e.metaKey) && !e.shiftKey && !e.altKey && e.key.toLowerCase() === "k") { e.preventDefault(); setShown((s) => s === "palette" ? "" : "palette"); return; }
      if (typing(e)) return;
      if (e.key === "?") { e.preventDefault(); setShown("help"); return; }
      const page = Date.now() < going.current && pages.find((p) => p.letter === e.key);
      if (page) { e.preventDefault(); e.stopImmediatePropagation(); go(page.id); }
      going.current = e.key === "g" && !page ? Date.now() + 1500 : 0;
    };
    addEventListener("keydown", press, true);
    return () => removeEventListener("keydown", press, true);
  }, [pages]);
  const close = () => setShown("");
  if (shown === "help") return <Help pages={pages} close={close} />;
  return shown === "palette" ? <Search pages={pages} close={close} help={() => setShown("help")} /> : null;
}

function Search({ pages, close, help }: { pages: Page[]; close: () => void; help: () => void }) {
  const [words, setWords] = useState("");
  const [found, setFound] = useState<Command[]>([]);
  const [at, setAt] = useState(0);
  useEffect(() => {
    setAt(0); setFound([]);
    const q = words.trim();
    if (q.length < 2) return;
    let late = false;
    const timer = setTimeout(async () => {
      const query = "?q=" + encodeURIComponent(q);
      const [contacts, conversations] = await Promise.allSettled([get<List>("contacts/" + query), get<List>("conversations/" + query)]);
      const rows = (r: PromiseSettledResult<List>) => r.status === "fulfilled" ? r.value.results.slice(0, 5) : [];
      if (late) return;
      setFound([
        ...rows(contacts).map((c: Row): Command => ({ title: c.name || c.phone || c.email, icon: "contacts", hint: say("Contact"), act: () => go("contacts/" + c.id) })),
        ...rows(conversations).map((c: Row): Command => ({ title: c.contact_name || c.claimed?.name || say("Visitor"), icon: "inbox", hint: c.preview, act: () => go("inbox/" + c.id) })),
      ]);
    }, 200);
    return () => { late = true; clearTimeout(timer); };
  }, [words]);
  const commands: Command[] = [
    ...pages.map((p): Command => ({ title: p.title, icon: p.icon, hint: "g " + p.letter, act: () => go(p.id) })),
    { title: say("Light or dark"), icon: "theme", act: () => { theme.value = document.documentElement.dataset.theme === "dark" ? "light" : "dark"; } },
    ...(agents.value && agents.value.length > 1 ? agents.value.map((a): Command => ({ title: a.name, icon: "ai", hint: say("Assistant"), act: () => { agentID.value = a.id; keep("agent", String(a.id)); } })) : []),
    { title: say("Keys"), icon: "start", hint: "?", act: help },
    { title: say("Sign out"), icon: "out", act: leave },
  ];
  const all = [...commands.filter((c) => c.title.toLowerCase().includes(words.trim().toLowerCase())), ...found];
  const run = (c?: Command) => { if (c) { close(); c.act(); } };
  return <Modal title={say("Go to")} close={close}>
    <input class="input" type="text" inputMode="search" role="combobox" aria-expanded="true" aria-controls="commands" aria-activedescendant={all[at] && "command-" + at} aria-label={say("Page, person or conversation")} placeholder={say("Page, person or conversation")} autofocus value={words}
      onInput={(e) => setWords(e.currentTarget.value)} onKeyDown={(e) => {
        if (e.key === "ArrowDown" || e.key === "ArrowUp") { e.preventDefault(); setAt((i) => Math.max(0, Math.min(all.length - 1, i + (e.key === "ArrowDown" ? 1 : -1)))); }
        if (e.key === "Enter") { e.preventDefault(); run(all[at]); }
      }} />
    <ul class="list commands" id="commands" role="listbox" aria-label={say("Found")}>{all.map((c, i) => <li key={i} id={"command-" + i} role="option" aria-selected={i === at} class="item" onClick={() => run(c)} ref={(e) => { if (e && i === at) e.scrollIntoView({ block: "nearest" }); }}>
      <Icon name={c.icon} /><span class="grow truncate" dir="auto">{c.title}</span>{c.hint && <span class="muted small truncate" dir="auto">{c.hint}</span>}</li>)}</ul>
    {all.length === 0 && <p class="muted" role="status">{say("Nothing was found")}</p>}
  </Modal>;
}

function Help({ pages, close }: { pages: Page[]; close: () => void }) {
  const [on, setOn] = useState(lettersOn());
  const keys: [string, string][] = [
    [say("Ctrl K"), say("Go to a page, a person or a conversation")], ["?", say("This help")], ...pages.map((p): [string, string] => ["g " + p.letter, p.title]),
    ["j k", say("Inbox: next and previous conversation")], ["r", say("Inbox: write a reply")], ["t", say("Inbox: take over")], ["b", say("Inbox: hand back to the AI")], ["e", say("Inbox: resolve")],
    [say("Ctrl Enter"), say("Inbox: send")], ["/", say("Inbox: a quick answer, at the beginning of a reply")], ["Alt ↑ ↓ ← →", say("Agenda: move an appointment")],
  ];
  return <Modal title={say("Keys")} close={close}>
    <label class="check"><input type="checkbox" checked={on} onChange={(e) => { setOn(e.currentTarget.checked); keep("letters", e.currentTarget.checked ? "" : "off"); }} />{say("Single letters do something")}</label>
    <dl class="keys">{keys.map(([k, what]) => <div key={k}><dt><kbd>{k}</kbd></dt><dd>{what}</dd></div>)}</dl>
    <div><button class="btn" onClick={close}>{say("Close")}</button></div>
  </Modal>;
}
