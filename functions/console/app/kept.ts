// What this browser keeps of its reader's choices and drafts.

/** Reads a kept value. Empty where none is kept, or where the browser refuses to keep anything. */
export function read(name: string): string {
  try { return localStorage.getItem("frontdesk." + name) ?? ""; } catch { return ""; }
}

/** Keeps a value; an empty one is removed. Nothing happens where the browser refuses to keep anything. */
export function keep(name: string, value: string) {
  try { value ? localStorage.setItem("frontdesk." + name, value) : localStorage.removeItem("frontdesk." + name); } catch { /* not kept */ }
}
