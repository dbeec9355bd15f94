// Values in the local storage of the browser: choices and drafts.

/** Returns a stored value, or "" if there is none or the browser allows no storage. */
export function read(name: string): string {
  try { return localStorage.getItem("frontdesk." + name) ?? ""; } catch { return ""; }
}

/** Stores a value; "" removes it. Does nothing if the browser allows no storage. */
export function keep(name: string, value: string) {
  try { value ? localStorage.setItem("frontdesk." + name, value) : localStorage.removeItem("frontdesk." + name); } catch { /* no storage */ }
}
