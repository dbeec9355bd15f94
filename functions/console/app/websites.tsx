// The websites that an agent learns from, with how far each is crawled.
import { useEffect, useState } from "preact/hooks";
import { del, get, insist, List, post, Row } from "./api";
import { say } from "./say";
import { Do, Field, Form, Icon, reason, toast } from "./ui";

const busy = (w: Row) => ["queued", "crawling", "deleting"].includes(w.status);
const states: Record<string, string> = { queued: say("Waiting"), crawling: say("Reading"), done: say("Read"), stopped: say("Stopped"), failed: say("Could not be read"), deleting: say("Deleting") };

/** The websites of an agent. `changed` is called when pages were read or deleted. */
export function Websites({ agent, changed, address = "" }: { agent: Row; changed: () => unknown; address?: string }) {
  const [sites, setSites] = useState<Row[] | null>(null);
  const path = `agents/${agent.id}/websites/`;
  const load = async () => setSites((await get<List>(path)).results);
  useEffect(() => { setSites(null); load().catch((e) => toast(reason(e))); }, [agent.id]);
  const working = sites?.some(busy) ?? false;
  useEffect(() => {
    if (!working) return;
    const timer = setInterval(() => load().then(changed, () => { /* the banner tells */ }), 1500);
    return () => clearInterval(timer);
  }, [working, agent.id]);
  useEffect(() => { if (sites && !working) changed(); }, [working]);
  return <div class="stack">
    {sites?.map((w) => <Site key={w.id} site={w} path={path + w.id + "/"} load={load} />)}
    <Form submit={async (v) => { await insist(path, { url: v.website }); await load(); }}>
      <Field label={say("Address of the website")}><input class="input" name="website" type="url" required placeholder="https://" autocomplete="url" defaultValue={sites?.length ? "" : address} /></Field>
      <div><button class="btn primary"><Icon name="plus" />{say("Learn from it")}</button></div>
    </Form>
  </div>;
}

function Site({ site: w, path, load }: { site: Row; path: string; load: () => Promise<void> }) {
  const seen = w.pages.read + w.pages.skipped + w.pages.failed;
  const act = (name: string) => async () => { await post(path + name + "/"); await load(); };
  return <div class="tight"><div class="spread">
    <b class="truncate">{w.url}</b><span class={"tag " + (w.status === "failed" ? "danger" : w.status === "done" ? "ok" : "")}>{states[w.status]}</span></div>
    {busy(w) && w.status !== "deleting" && <progress max={w.pages.found || 1} value={seen} aria-label={say("Pages of {url}", { url: w.url })} style={{ inlineSize: "100%" }} />}
    <span class="muted small" role="status">{w.detail || [say("{read} of {found} pages read", w.pages), w.pages.skipped && say("{skipped} skipped", w.pages), w.pages.failed && say("{failed} could not be read", w.pages)].filter(Boolean).join(", ")}</span>
    {w.problems.length > 0 && <details><summary class="small">{say("What could not be read")}</summary><ul class="small">{w.problems.map((p: Row) => <li key={p.url}>{p.url}: {p.detail}</li>)}</ul></details>}
    <div class="row">{busy(w) ? w.status !== "deleting" && <Do act={act("stop")}>{say("Stop")}</Do> : <Do act={act("crawl")}>{say("Read anew")}</Do>}
      {w.status !== "deleting" && <Do class="quiet" act={async () => { if (confirm(say("Delete the website with all that was learnt from it?"))) { await del(path); await load(); } }}><Icon name="trash" />{say("Delete")}</Do>}</div>
  </div>;
}
