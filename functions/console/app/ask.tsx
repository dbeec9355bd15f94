// A box to try an agent in, beside what it was taught. Nothing of it is stored or counted.
import { useEffect, useRef, useState } from "preact/hooks";
import { post, Row } from "./api";
import { say } from "./say";
import { Icon, reason } from "./ui";

interface Turn { text: string; mine: boolean; sources?: string[] }

export function Ask({ agent, asked }: { agent: Row; asked?: () => void }) {
  const [turns, setTurns] = useState<Turn[]>([]);
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => { setTurns([]); }, [agent.id]);
  useEffect(() => { if (box.current) box.current.scrollTop = box.current.scrollHeight; }, [turns]);
  return <div class="stack">
    {turns.length > 0 && <div class="chatbox" ref={box} role="log" aria-label={say("Test conversation")} tabIndex={0}>{turns.map((t, i) => <div key={i} class={"msg " + (t.mine ? "out" : "ai")}>
      <div class="bubble" dir="auto">{t.text}</div>
      {t.sources && t.sources.length > 0 && <div class="row">{t.sources.map((s) => <span key={s} class="tag">{s}</span>)}</div>}</div>)}</div>}
    <form class="row" style={{ flexWrap: "nowrap" }} onSubmit={async (e) => {
      e.preventDefault();
      const message = text.trim();
      if (!message || busy) return;
      setBusy(true); setText(""); setTurns((t) => [...t, { text: message, mine: true }]);
      try {
        const a = await post(`agents/${agent.id}/chat/dry-run/`, { message });
        const titles = new Set<string>((a.sources ?? []).map((s: Row) => s.title));
        setTurns((t) => [...t, { text: a.reply ?? say("It does not reply by itself."), mine: false, sources: [...titles] }]);
        asked?.();
      } catch (cause) { setTurns((t) => [...t, { text: reason(cause), mine: false }]); setText(message); }
      setBusy(false);
    }}>
      <label class="grow"><span class="hidden">{say("Question")}</span><input class="input" value={text} onInput={(e) => setText(e.currentTarget.value)} placeholder={say("Ask {name} as a customer would", { name: agent.name })} maxLength={4000} /></label>
      <button class="btn primary" disabled={busy}><Icon name="send" />{say("Ask")}</button>
    </form>
  </div>;
}
