// Questions that the agent had no answer to. An answer is live at once.
import { useState } from "preact/hooks";
import { del, insist, post, Row } from "../api";
import { plural, say } from "../say";
import { agent, loadAgents } from "../state";
import { Do, Empty, Field, Form, Loading, More, toast, useList, when } from "../ui";

export default function Unanswered() {
  const a = agent.value;
  const list = useList(a ? `agents/${a.id}/knowledge/unanswered/` : null);
  return <div class="page"><div class="inner">
    <header class="tight"><h1>{say("Unanswered")}</h1><p class="muted">{say("What people asked and your assistant did not know. Your answer is live at once.")}</p></header>
    {!a ? <Empty icon="unanswered" title={say("There is no assistant yet")}><a class="btn primary" href="#/start">{say("Set one up")}</a></Empty>
      : !list.rows ? <Loading error={list.error} />
        : list.rows.length === 0 ? <section class="card"><Empty icon="check" title={say("Nothing missed")}><p>{say("Every question had an answer.")}</p></Empty></section>
          : <ul class="stack">{list.rows.map((q) => <Question key={q.id} agent={a} q={q} done={list.load} />)}</ul>}
    <More list={list} />
  </div></div>;
}

function Question({ agent, q, done }: { agent: Row; q: Row; done: () => Promise<void> }) {
  const [open, setOpen] = useState(false);
  const [said, setSaid] = useState("");
  const question: string = q.question ?? q.content ?? "";
  const path = `agents/${agent.id}/knowledge/unanswered/${q.id}/`;
  return <li class="card">
    <div class="spread"><div class="tight grow"><h2 dir="auto">{question}</h2><span class="muted small">{plural(q.count, "Asked {at}", "Asked {n} times, last {at}", { at: when(q.last_asked_at ?? q.created_at, true) })}</span></div>
      {!open && !said && <div class="row"><button class="btn primary" onClick={() => setOpen(true)}>{say("Answer")}</button><Do class="quiet" act={async () => { await del(path); await done(); }}>{say("Dismiss")}</Do></div>}</div>
    {open && <Form submit={async (v) => {
      const answer = v.answer.replace(/\n\s*\n/g, "\n").trim();
      await insist(`agents/${agent.id}/knowledge/`, { title: question.slice(0, 200), doc_type: "faq", content: `Q: ${question.replace(/\s+/g, " ")}\nA: ${answer}` });
      await del(path).catch(() => {});
      setSaid((await post(`agents/${agent.id}/chat/dry-run/`, { message: question })).reply);
      setOpen(false); toast(say("Learnt")); await loadAgents();
    }}><Field label={say("Answer")}><textarea class="input" name="answer" required dir="auto" /></Field>
      <div class="row"><button class="btn primary">{say("Teach")}</button><button type="button" class="btn quiet" onClick={() => setOpen(false)}>{say("Cancel")}</button></div></Form>}
    {said && <div class="msg ai" role="status"><span class="who">{say("It now answers:")}</span><div class="bubble" dir="auto">{said}</div><button class="btn quiet" onClick={done}>{say("Done")}</button></div>}
  </li>;
}
