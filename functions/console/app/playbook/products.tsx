// What the business sells, with its import from a spreadsheet.
import { useState } from "preact/hooks";
import { post, Row } from "../api";
import { readCSV, readNumber } from "../csv";
import { locale, plural, say } from "../say";
import { Do, Field, Modal, toast } from "../ui";
import { Collection } from "./collection";

const price = (r: Row) => {
  try { return new Intl.NumberFormat(locale, { style: "currency", currency: r.currency }).format(r.price); } catch { return `${r.price} ${r.currency}`; }
};

export function Products({ agent }: { agent: Row }) {
  const [importing, setImporting] = useState(false);
  return <Collection agent={agent} kind={{
    name: "products", title: say("Products"), add: say("Add a product"), about: say("What the assistant offers, and at what price."),
    inputs: [
      { name: "name", label: say("Name"), required: true, max: 200 },
      { name: "price", label: say("Price"), kind: "number", required: true },
      { name: "currency", label: say("Currency"), value: "EUR", required: true, max: 3, options: ["EUR", "USD", "GBP", "CHF"] },
      { name: "description", label: say("Description"), kind: "area", max: 2000 },
      { name: "sku", label: say("Your number of it"), max: 100 },
      { name: "url", label: say("Address of its page in the shop"), max: 500 },
      { name: "image_url", label: say("Address of a picture"), max: 500 },
      { name: "is_active", label: say("The assistant offers it"), kind: "check", value: true },
    ],
    heading: (r) => r.name, detail: (r) => [r.sku, r.description].filter(Boolean).join(" · "),
    marks: (r) => <>{!r.is_active && <span class="tag warn">{say("Off")}</span>}<span>{price(r)}</span></>,
  }}>{(reload) => <>
    <button class="btn" onClick={() => setImporting(true)}>{say("Import")}</button>
    {importing && <Import agent={agent} close={() => setImporting(false)} done={reload} />}
  </>}</Collection>;
}

// The columns that an import knows, with names that files give them.
const columns: Record<string, RegExp> = {
  sku: /^(sku|article.*|item.?(no|number|id)|artikel.*|r[eé]f.*|referencia|nummer|number)$/i,
  name: /^(name|title|product|produkt|bezeichnung|nom|titre|nombre|t[ií]tulo|producto)$/i,
  price: /^(price|preis|prix|precio|variant price)$/i,
  currency: /^(currency|w[aä]hrung|devise|moneda)$/i,
  description: /^(description|beschreibung|descripci[oó]n|body.*)$/i,
  image_url: /^(image.*|bild.*|imagen|picture|foto)$/i,
  url: /^(url|link|page|product.?(url|link)|seite|lien|enlace|p[aá]gina)$/i,
  is_active: /^(is_active|active|aktiv|actif|activo|status)$/i,
};

interface Read { rows: Row[]; problems: string[] }

/** Reads products from CSV whose first line names the columns. */
function readProducts(text: string): Read {
  const [head = [], ...lines] = readCSV(text);
  const at = Object.fromEntries(Object.entries(columns).map(([field, names]) => [field, head.findIndex((h) => names.test(h.trim()))]));
  const problems: string[] = [];
  if (at.name < 0) return { rows: [], problems: [say("No column is called name. The first line has to name the columns.")] };
  const rows = lines.map((cells, i) => {
    const row: Row = {};
    for (const [field, place] of Object.entries(at)) if (place >= 0 && cells[place]) row[field] = cells[place];
    if (!row.name) problems.push(say("Line {line} has no name.", { line: i + 2 }));
    if (row.price !== undefined) {
      row.price = readNumber(row.price);
      if (Number.isNaN(row.price) || row.price < 0) problems.push(say("The price in line {line} is no number.", { line: i + 2 }));
    }
    if (row.currency) row.currency = row.currency.toUpperCase();
    if (row.is_active !== undefined) row.is_active = /^(1|true|yes|ja|oui|s[ií]|x|active|aktiv)$/i.test(row.is_active);
    return row;
  });
  if (!rows.length) problems.push(say("The file has no products."));
  return { rows, problems };
}

const atOnce = 500;

function Import({ agent, close, done }: { agent: Row; close: () => void; done: () => Promise<void> }) {
  const [read, setRead] = useState<Read | null>(null);
  const [currency, setCurrency] = useState("EUR");
  const [progress, setProgress] = useState(0);
  const unpriced = read?.rows.some((r) => !r.currency);
  return <Modal title={say("Import products")} close={close}>
    <p class="muted">{say("A CSV file whose first line names the columns: name, price, and if you like sku, currency, description, image, url. A product with the same sku is changed, or one of the same name where there is no sku.")}</p>
    <Field label={say("File (CSV)")}><input class="input" type="file" accept=".csv,text/csv,text/plain" onChange={async (e) => {
      const file = e.currentTarget.files?.[0];
      if (file) setRead(readProducts(await file.text()));
    }} /></Field>
    {read && read.problems.length > 0 && <div class="note error" role="alert"><ul>{read.problems.slice(0, 8).map((p) => <li key={p}>{p}</li>)}</ul></div>}
    {read && read.problems.length === 0 && <>
      <p role="status">{plural(read.rows.length, "{n} product was read.", "{n} products were read.")}</p>
      <div class="scroll" tabIndex={0}><table><thead><tr><th>{say("Name")}</th><th>{say("Price")}</th><th>sku</th></tr></thead>
        <tbody>{read.rows.slice(0, 5).map((r, i) => <tr key={i}><td dir="auto">{r.name}</td><td>{r.price} {r.currency ?? currency}</td><td>{r.sku}</td></tr>)}</tbody></table></div>
      {unpriced && <Field label={say("Currency")}><input class="input" value={currency} maxLength={3} onInput={(e) => setCurrency(e.currentTarget.value.toUpperCase())} /></Field>}
    </>}
    {progress > 0 && read && <progress max={read.rows.length} value={progress} aria-label={say("Progress")} />}
    <div class="row"><Do class="primary" disabled={!read || read.problems.length > 0} act={async () => {
      const sum = { created: 0, updated: 0, unchanged: 0 };
      const rows = read!.rows.map((r) => r.price === undefined ? r : { currency, ...r });
      for (let at = 0; at < rows.length; at += atOnce) {
        const part = await post(`agents/${agent.id}/imports/products/`, { products: rows.slice(at, at + atOnce) });
        for (const k of ["created", "updated", "unchanged"] as const) sum[k] += part[k];
        setProgress(at + atOnce);
      }
      await done(); close();
      toast(say("{created} new, {updated} changed, {unchanged} as they were", sum));
    }}>{say("Import")}</Do><button class="btn quiet" type="button" onClick={close}>{say("Cancel")}</button></div>
  </Modal>;
}
