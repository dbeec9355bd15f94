// What the visitor sees: the launcher with its badge and preview, and the panel with the messages.
import { element, render } from "./markup.js";
import { readable, isColour } from "./colour.js";
import style from "./style.css";

const rightToLeft = ["ar", "fa", "he", "ur"];
const phone = matchMedia("(max-width: 480px), (max-height: 480px)");
const nearEnd = 80; // pixels: a reader who is that close to the end of the log follows it

// A View shows a chat. `actions` is what it calls: send(words), rate(id, rating), earlier(), opened(), closed().
export class View {
  constructor(config, actions) {
    this.config = config;
    this.words = config.texts;
    this.actions = actions;
    this.unread = 0;
    this.pageTitle = null;
    this.host = element("div", { className: "frontdesk-chat", lang: config.language });
    this.host.dir = rightToLeft.includes(config.language) ? "rtl" : "ltr";
    this.host.popover = "manual"; // the top layer: no element of the page can cover it
    if (config.position === "left") this.host.dataset.side = "left";
    this.paint(config.primary_color, config.secondary_color);
    const root = this.host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet(); // which a page's Content-Security-Policy does not forbid
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    this.buildPanel();
    this.buildLauncher();
    root.append(this.preview, this.dialog, this.launcher);
    // A page's shortcuts must not fire while somebody types here.
    for (const name of ["keydown", "keyup", "keypress"]) this.host.addEventListener(name, (event) => event.stopPropagation());
  }

  paint(background, text) {
    if (!isColour(background)) return;
    this.host.style.setProperty("--primary", background);
    this.host.style.setProperty("--on-primary", readable(background, text));
  }

  buildPanel() {
    const { config, words } = this;
    this.log = element("div", { className: "log", role: "log", tabIndex: 0, ariaLabel: config.brand_name });
    this.older = element("button", { className: "earlier", type: "button", textContent: words.earlier, hidden: true });
    this.older.onclick = () => this.actions.earlier();
    this.log.append(this.older);
    this.pill = element("button", { className: "new", type: "button", textContent: words.new_message, hidden: true });
    this.pill.onclick = () => this.log.scrollTo({ top: this.log.scrollHeight });
    this.log.onscroll = () => {
      if (this.atEnd()) this.pill.hidden = true;
    };
    this.status = element("p", { className: "status", role: "status" });
    this.input = element("textarea", { rows: 1, maxLength: 4000, placeholder: words.input, ariaLabel: words.input, dir: "auto" });
    this.submit = element("button", { className: "send", type: "submit", textContent: words.send });
    const form = element("form", {}, this.input, this.submit);
    const close = element("button", { className: "close", type: "button", textContent: "×", ariaLabel: words.close });
    const title = element("strong", { textContent: config.brand_name, dir: "auto" });
    const heading = element("header", {}, element("div", {}, title, element("span", { textContent: config.tagline, dir: "auto" })), close);
    const picture = config.avatar_url || config.logo_url;
    if (picture) heading.prepend(element("img", { src: picture, alt: "", referrerPolicy: "no-referrer" }));
    this.dialog = element("dialog", { id: "panel", ariaLabel: config.brand_name }, heading, this.log, this.pill, this.status, form);
    form.onsubmit = (event) => {
      event.preventDefault();
      this.sendInput();
    };
    this.input.onkeydown = (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.sendInput();
    };
    this.input.oninput = () => this.fit();
    close.onclick = () => this.close();
    this.dialog.oncancel = (event) => {
      event.preventDefault();
      this.close();
    };
    this.dialog.onkeydown = (event) => {
      if (event.key === "Escape") this.close();
    };
  }

  buildLauncher() {
    this.badge = element("span", { className: "badge", hidden: true });
    this.launcher = element("button", { className: "launcher", type: "button", ariaExpanded: "false" },
      element("span", { textContent: this.config.button_text || "Chat" }), this.badge);
    this.launcher.setAttribute("aria-controls", this.dialog.id);
    this.launcher.setAttribute("aria-haspopup", "dialog");
    this.launcher.onclick = () => this.open();
    this.preview = element("button", { className: "preview", type: "button", hidden: true, dir: "auto" });
    this.preview.onclick = () => this.open();
  }

  // attach puts the box on the page, or puts it back where the page's content was replaced.
  attach() {
    if (this.host.isConnected) return;
    document.body.append(this.host);
    this.host.showPopover?.();
    if (this.isOpen) this.show();
  }

  show() {
    this.dialog.removeAttribute("open");
    if (phone.matches) this.dialog.showModal();
    else this.dialog.show();
  }

  open() {
    if (!this.isOpen) {
      this.isOpen = true;
      this.show();
      this.launcher.hidden = true;
      this.launcher.ariaExpanded = "true";
      this.read();
      this.log.scrollTop = this.log.scrollHeight;
    }
    this.input.focus();
    this.actions.opened();
  }

  close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.dialog.close();
    this.launcher.hidden = false;
    this.launcher.ariaExpanded = "false";
    this.launcher.focus();
    this.actions.closed();
  }

  sendInput() {
    const words = this.input.value.trim();
    if (!words || this.submit.disabled) return;
    this.input.value = "";
    this.fit();
    this.actions.send(words);
  }

  fit() {
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight + 2}px`;
  }

  say(text, busy) {
    this.status.textContent = text;
    this.status.classList.toggle("busy", Boolean(busy));
  }

  atEnd() {
    return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < nearEnd;
  }

  // add shows a message: {who: "visitor" | "agent" | "person", text, id, author, at}. `before` is the element that it
  // goes before; without one it goes to the end and counts as new.
  add(message, before) {
    const { who, text, id, at } = message;
    const { brand_name: brand, language } = this.config;
    const name = who === "visitor" ? this.words.you : message.author || (who === "person" ? this.words.person : brand);
    const said = element("div", { className: `message ${who}` });
    const head = element("div", { className: who === "person" ? "who" : "who visually-hidden" }, element("b", { textContent: name }));
    if (at) {
      const when = new Date(at);
      const time = when.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
      head.append(element("time", { dateTime: at, textContent: time }));
      said.title = time;
    }
    const body = element("div", { className: "text", dir: "auto" });
    body.append(...(who === "visitor" ? [element("p", { textContent: text })] : render(text)));
    said.append(head, body);
    if (who === "agent" && id) said.append(this.ratings(id, message.rating));
    const follow = before || this.atEnd();
    if (!before) this.offer(said, message.choices);
    this.log.insertBefore(said, before || null);
    if (!before) this.reveal(said, who, follow);
    return said;
  }

  // offer shows the answers that a message offers, for as long as it is the last one.
  offer(said, choices) {
    this.choices?.remove();
    if (!choices?.length) return;
    const buttons = choices.map(({ label }) => {
      const button = element("button", { type: "button", textContent: label, dir: "auto" });
      button.onclick = () => {
        if (this.submit.disabled) return;
        this.input.focus(); // the button goes
        this.actions.send(label);
      };
      return button;
    });
    this.choices = element("div", { className: "choices" }, ...buttons);
    said.append(this.choices);
  }

  // reveal brings a new message into view where the reader was at the end: the beginning of a long one.
  reveal(said, who, follow) {
    if (follow || who === "visitor") {
      const top = said.offsetTop - this.log.offsetTop - 12;
      this.log.scrollTop = Math.min(top, this.log.scrollHeight);
      if (said.offsetHeight < this.log.clientHeight) this.log.scrollTop = this.log.scrollHeight;
    } else {
      this.pill.hidden = false;
    }
  }

  ratings(id, given) {
    const row = element("div", { className: "ratings" });
    for (const rating of ["positive", "negative"]) {
      const button = element("button", { type: "button", textContent: rating === "positive" ? "👍" : "👎",
        title: this.words[rating], ariaLabel: this.words[rating], ariaPressed: String(rating === given) });
      button.onclick = async () => {
        try {
          await this.actions.rate(id, rating);
          for (const other of row.children) other.ariaPressed = String(other === button);
        } catch {
          this.say(this.words.failed);
        }
      };
      row.append(button);
    }
    return row;
  }

  // notify tells of a message that came while nobody looked.
  notify(message) {
    if (this.isOpen && !document.hidden) return;
    this.unread++;
    this.badge.textContent = String(this.unread);
    this.badge.hidden = false;
    this.launcher.ariaLabel = `${this.config.button_text || "Chat"} (${this.unread})`;
    if (!this.isOpen) {
      this.preview.textContent = message.text;
      this.preview.hidden = false;
    }
    this.pageTitle ??= document.title;
    document.title = `(${this.unread}) ${this.pageTitle}`;
  }

  // read takes back what notify showed.
  read() {
    this.unread = 0;
    this.badge.hidden = this.preview.hidden = true;
    this.launcher.ariaLabel = null;
    if (this.pageTitle !== null) document.title = this.pageTitle;
    this.pageTitle = null;
  }
}
