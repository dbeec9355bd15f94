// The visitor's session: a UUID that is kept in the browser, where the browser allows it, for every page of the site.
import { uuid } from "./service.js";

export class Session {
  constructor(agent, changed) {
    this.place = `frontdesk:${agent}`;
    this.id = this.read();
    // Another tab began or ended the session.
    addEventListener("storage", (event) => {
      if (event.key !== this.place || event.newValue === this.id) return;
      this.id = event.newValue;
      changed();
    });
  }

  read() {
    try {
      return localStorage.getItem(this.place);
    } catch {
      return null;
    }
  }

  // begin returns the session's id, of a new session where there is none. It is stored before it is used, so that two
  // tabs that begin at the same time share one.
  begin() {
    this.id ||= this.read() || uuid();
    this.store(this.id);
    return this.id;
  }

  end() {
    this.store(null);
  }

  store(id) {
    this.id = id;
    try {
      if (id) localStorage.setItem(this.place, id);
      else localStorage.removeItem(this.place);
    } catch {}
  }
}
