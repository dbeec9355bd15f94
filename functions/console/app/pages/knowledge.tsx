// What the agent was taught, with a box to try it beside.
import { useState } from "preact/hooks";
import { del, get, insist, patch, post, Row } from "../api";
import { say } from "../say";
import { agent, loadAgents } from "../state";
import { Ask } from "../ask";
import { Websites } from "../websites";
import { Do, Empty, Field, Form, Icon, Loading, Modal, More, toast, useList, when } from "../ui";
import { Blocks } from "../window";

const kinds: Record<string, string> = { text: say("Text"), faq: say("Questions and answers"), url: say("Web page"), file: say("File") };

export default function Knowledge() {
  const a = agent.value;
  const list = useList(a ? `agents/${a.id}/knowledge/` : null);
  const [open, setOpen] = useState<Row | null>(null);
  if (!a) return <div class="page"><Empty icon="knowledge" title={say("There is no assistant yet")}><a class="btn primary" href="#/start">{say("Set one up")}</a></Empty></div>;
  const saved = async () => { setOpen(null); await Promise.all([list.load(), loadAgents()]); };
  return <div class="page"><div class="inner">
    <header class="spread"><h1>{say("Knowledge")}</h1><button class="btn primary" onClick={() => setOpen({ doc_type: "text" })}><Icon name="plus" />{say("Add")}</button></header>
    <section class="card"><h2>{say("Try it")}</h2><p class="muted small">{say("What you ask here is neither kept nor counted.")}</p><Ask agent={a} /></section>
    <section class="card"><h2>{say("Websites")}</h2><Websites agent={a} changed={() => Promise.all([list.load(), loadAgents()])} /></section>
    <section class="card flat" aria-label={say("Documents")}>
      {!list.rows ? <Loading error={list.error} /> : list.rows.length === 0 ? <Empty icon="knowledge" title={say("It knows nothing yet")}><p>{say("Begin with your opening hours, your prices, and how to find you.")}</p></Empty>
        : <Blocks of="ul" rows={list.rows} row={(d) => <li key={d.id}><button class="item" onClick={async () => setOpen(await get(`knowledge/${d.id}/`))}>
          <span class="grow tight"><b class="truncate" dir="auto">{d.title}</b><span class="muted truncate" dir="auto">{d.doc_type === "url" ? d.source_url : d.content.slice(0, 140)}</span></span>
          {d.index_error ? <span class="tag danger">{say("Could not be read")}</span> : d.warnings?.length ? <span class="tag danger">{say("No text")}</span> : !d.is_active ? <span class="tag warn">{say("Off")}</span> : <span class="tag">{kinds[d.doc_type]}</span>}
          <span class="muted small">{when(d.updated_at)}</span></button></li>} />}
      <More list={list} />
    </section>
    {open && <Editor key={open.id ?? "new"} agent={a} doc={open} close={() => setOpen(null)} saved={saved} />}
  </div></div>;
}

function Editor({ agent, doc, close, saved }: { agent: Row; doc: Row; close: () => void; saved: () => Promise<void> }) {
  const [kind, setKind] = useState<string>(doc.doc_type);
  const [file, setFile] = useState<File | null>(null);
  const uploads = kind === "file" && !doc.id;
  return <Modal title={doc.id ? say("Change") : say("Add knowledge")} close={close}>
    {doc.warnings?.map((w: Row) => <p key={w.code} class="error">{w.detail}</p>)}
    <Form submit={async (v) => {
      if (kind === "file" && !doc.id) {
        await insist(`agents/${agent.id}/knowledge/upload/`, { name: file!.name, data: await base64(file!), title: v.title });
        toast(say("Learnt")); await saved();
        return;
      }
      const body: Row = { title: v.title };
      if (kind === "url") body.url = v.url; else body.content = v.content;
      if (doc.id) await patch(`knowledge/${doc.id}/`, kind === "url" ? { title: v.title } : body);
      else await insist(`agents/${agent.id}/knowledge/`, { ...body, doc_type: kind });
      toast(say("Learnt")); await saved();
    }}>
      {!doc.id && <Field label={say("What")}><select class="input" name="doc_type" value={kind} onChange={(e) => setKind(e.currentTarget.value)}>{Object.entries(kinds).map(([k, l]) => <option key={k} value={k}>{l}</option>)}</select></Field>}
      {uploads && <Field label={say("File")} hint={say("PDF, DOCX, HTML, TXT or MD, 3 MB at most")}><input class="input" type="file" name="data" required accept=".pdf,.docx,.html,.htm,.txt,.md" onChange={(e) => setFile(e.currentTarget.files?.[0] ?? null)} /></Field>}
      <Field label={uploads ? say("Title (optional)") : say("Title")}><input class="input" name="title" required={!uploads} maxLength={300} defaultValue={doc.title} dir="auto" /></Field>
      {kind === "url" ? <Field label={say("Address")}><input class="input" name="url" type="url" required defaultValue={doc.source_url} readOnly={!!doc.id} placeholder="https://" /></Field>
        : !uploads && <Field label={say("Text")}><textarea class="input" name="content" rows={10} required defaultValue={doc.content} dir="auto" placeholder={kind === "faq" ? say("Q: Is parking free?\nA: Yes, behind the house.") : ""} /></Field>}
      <div class="spread"><div class="row"><button class="btn primary">{say("Save")}</button><button class="btn quiet" type="button" onClick={close}>{say("Cancel")}</button></div>
        {doc.id && <div class="row">{kind === "url" && <Do act={async () => { const r = await post(`knowledge/${doc.id}/reindex/`); toast(r.reindexed ? say("Read anew") : say("It could not be read")); await saved(); }}>{say("Read anew")}</Do>}
          <Do class="danger" act={async () => { await del(`knowledge/${doc.id}/`); toast(say("Deleted")); await saved(); }}><Icon name="trash" />{say("Delete")}</Do></div>}</div>
    </Form>
  </Modal>;
}

/** The content of a file in base64. */
function base64(file: File): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => failed(new Error(say("The file could not be read.")));
    reader.readAsDataURL(file);
  });
}
