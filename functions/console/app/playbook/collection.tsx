// The rows of one kind of a playbook: a list, and a form to add or change one.
import { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { del, insist, patch, Row } from "../api";
import { say } from "../say";
import { Do, Empty, Field, Form, Icon, Loading, Modal, More, toast, useList } from "../ui";
import { Blocks } from "../window";

/** A field of a row's form. The values of "lines" are lists: one entry a line or between commas. */
export interface Input {
  name: string;
  label: string;
  kind?: "text" | "area" | "number" | "lines" | "check";
  required?: boolean;
  max?: number;
  hint?: string;
  options?: string[]; // to choose from; others may be typed
  value?: unknown; // of a new row
}

export interface Kind {
  name: string; // in paths
  title: string;
  about: string;
  add: string;
  inputs: Input[];
  heading: (row: Row) => string;
  detail: (row: Row) => string;
  marks?: (row: Row) => ComponentChildren;
}

const entries = (text: string) => text.split(/[\n,]/).map((e) => e.trim()).filter(Boolean);

/** What a form says of a row. */
function bodyOf(inputs: Input[], values: Record<string, string>): Row {
  return Object.fromEntries(inputs.map((i): [string, unknown] => {
    const value = values[i.name] ?? "";
    if (i.kind === "lines") return [i.name, entries(value)];
    if (i.kind === "check") return [i.name, value === "on"];
    if (i.kind === "number") return [i.name, Number(value.replace(",", "."))];
    return [i.name, value];
  }));
}

function InputOf({ of, row }: { of: Input; row: Row }) {
  const value = row.id ? row[of.name] : of.value;
  const shared = { class: "input", name: of.name, required: of.required, maxLength: of.max, dir: "auto" as const };
  if (of.kind === "check") return <label class="check"><input type="checkbox" name={of.name} defaultChecked={value as boolean} /><span>{of.label}</span></label>;
  return <Field label={of.label} hint={of.hint}>
    {of.kind === "area" ? <textarea {...shared} rows={5} defaultValue={value as string} />
      : of.kind === "lines" ? <textarea {...shared} rows={2} defaultValue={((value as string[]) ?? []).join("\n")} />
        : <input {...shared} type="text" inputMode={of.kind === "number" ? "decimal" : undefined} defaultValue={value === undefined ? "" : String(value)} list={of.options && "choices-" + of.name} autocomplete="off" />}
    {of.options && <datalist id={"choices-" + of.name}>{of.options.map((o) => <option key={o} value={o} />)}</datalist>}
  </Field>;
}

export function Collection({ agent, kind, children }: { agent: Row; kind: Kind; children?: (reload: () => Promise<void>) => ComponentChildren }) {
  const path = `agents/${agent.id}/${kind.name}/`;
  const list = useList(path);
  const [open, setOpen] = useState<Row | null>(null);
  const close = () => setOpen(null);
  return <>
    <div class="spread"><p class="muted grow">{kind.about}</p><div class="row">{children?.(list.load)}<button class="btn primary" onClick={() => setOpen({})}><Icon name="plus" />{kind.add}</button></div></div>
    <section class="card flat" aria-label={kind.title}>
      {!list.rows ? <Loading error={list.error} /> : list.rows.length === 0 ? <Empty icon="playbook" title={say("Nothing here yet")}><p>{kind.about}</p></Empty>
        : <Blocks of="ul" rows={list.rows} row={(row) => <li key={row.id}><button class="item" onClick={() => setOpen(row)}>
          <span class="grow tight"><b class="truncate" dir="auto">{kind.heading(row)}</b><span class="muted truncate" dir="auto">{kind.detail(row)}</span></span>{kind.marks?.(row)}</button></li>} />}
      <More list={list} />
    </section>
    {open && <Modal title={open.id ? kind.heading(open) : kind.add} close={close}><Form submit={async (v) => {
      const body = bodyOf(kind.inputs, v);
      if (open.id) await patch(`${path}${open.id}/`, body); else await insist(path, body);
      await list.load(); close(); toast(say("Saved"));
    }}>
      {kind.inputs.map((i) => <InputOf key={i.name} of={i} row={open} />)}
      <div class="spread"><div class="row"><button class="btn primary">{say("Save")}</button><button class="btn quiet" type="button" onClick={close}>{say("Cancel")}</button></div>
        {open.id && <Do class="danger" act={async () => { await del(`${path}${open.id}/`); await list.load(); close(); toast(say("Deleted")); }}><Icon name="trash" />{say("Delete")}</Do>}</div>
    </Form></Modal>}
  </>;
}
