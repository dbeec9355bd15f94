// Tables as CSV, as spreadsheets write and read them.

/** Reads CSV into rows of cells. The separator is the one of , ; and tab that the first line has most of. */
export function readCSV(text: string): string[][] {
  const source = text.replace(/^\ufeff/, "");
  const first = source.split(/\r?\n/, 1)[0];
  const separator = [",", ";", "\t"].sort((a, b) => first.split(b).length - first.split(a).length)[0];
  const rows: string[][] = [];
  let row: string[] = [], cell = "", quoted = false;
  const endCell = () => { row.push(cell.trim()); cell = ""; };
  const endRow = () => { endCell(); if (row.some(Boolean)) rows.push(row); row = []; };
  for (let i = 0; i < source.length; i++) {
    const c = source[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (source[i + 1] === '"') { cell += c; i++; } else quoted = false;
    } else if (c === '"' && cell.trim() === "") { quoted = true; cell = ""; } else if (c === separator) endCell();
    else if (c === "\n") endRow();
    else if (c !== "\r") cell += c;
  }
  if (cell || row.length) endRow();
  return rows;
}

/** Writes rows as CSV. A cell that a spreadsheet would take for a formula gets an apostrophe in front. */
export function writeCSV(rows: string[][]): string {
  const cell = (text: string) => {
    const safe = /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d ().-]+$/.test(text) ? "'" + text : text;
    return /[",\r\n]/.test(safe) ? '"' + safe.replace(/"/g, '""') + '"' : safe;
  };
  return "\ufeff" + rows.map((r) => r.map(cell).join(",")).join("\r\n") + "\r\n";
}

/** A number as people write it: 1299.90, 1.299,90 or 1,299.90. NaN where it is none. */
export function readNumber(text: string): number {
  let digits = text.replace(/[^\d.,-]/g, "");
  const comma = digits.lastIndexOf(","), dot = digits.lastIndexOf(".");
  if (comma > dot) digits = /,\d{3}$/.test(digits) && dot < 0 && digits.indexOf(",") !== comma ? digits.replace(/,/g, "") : digits.replace(/\./g, "").replace(",", ".");
  else digits = digits.replace(/,/g, "");
  return digits === "" ? NaN : Number(digits);
}

/** Has the browser keep a text as a file. */
export function download(name: string, text: string, type = "text/csv;charset=utf-8") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
