// What the visitor sees: the launcher with its badge and preview, and the panel with the messages.
import { cards, files, rendered, sources } from "./parts.js";
import { element } from "./markup.js";
import { form } from "./form.js";
import { attachable } from "./file.js";
import { readable, isColour } from "./colour.js";
import style from "./style.css";

const rightToLeft = ["ar", "fa", "he", "ur"];
const phone = matchMedia("(max-width: 480px), (max-height: 480px)");
const writingTime = 12000; // for how long somebody is shown to write, unless it is said again
const nearEnd = 80; // pixels: a reader who is that close to the end of the log follows it

// beep is heard where the visitor has touched the page, which browsers ask for.
function beep() {
  const audio = new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.1, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.3);
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => audio.close();
  tone.start();
  tone.stop(audio.currentTime + 0.3);
}

// A View shows a chat. `actions` is what it calls: send(words, file), rate(id, rating), earlier(), introduce(fields),
// opened(), closed(), typed().
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
    this.host.dataset.size = config.size;
    for (const edge of ["side", "bottom"]) this.host.style.setProperty(`--${edge}`, `${config[`offset_${edge}`]}px`);
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
    // Not in a live region: it comes and goes too often to be read out.
    const dots = element("span", { className: "dots", role: "img", ariaLabel: words.typing }, element("i"), element("i"), element("i"));
    this.writer = element("p", { className: "writer", hidden: true }, element("b", { dir: "auto" }), dots);
    this.input = element("textarea", { rows: 1, maxLength: 4000, placeholder: words.input, ariaLabel: words.input, dir: "auto" });
    this.submit = element("button", { className: "send", type: "submit", textContent: words.send });
    this.composer = element("form", { className: "composer" }, ...this.attachment(), this.input, this.submit);
    this.form = form(config, (fields) => this.actions.introduce(fields));
    this.team = element("span", { className: "team", hidden: true, dir: "auto" });
    const close = element("button", { className: "close", type: "button", textContent: "×", ariaLabel: words.close });
    const title = element("strong", { textContent: config.brand_name, dir: "auto" });
    const heading = element("header", {}, element("div", {}, title, element("span", { textContent: config.tagline, dir: "auto" }), this.team), close);
    const picture = config.avatar_url || config.logo_url;
    if (picture) heading.prepend(element("img", { src: picture, alt: "", referrerPolicy: "no-referrer" }));
    this.dialog = element("dialog", { id: "panel", ariaLabel: config.brand_name }, heading, this.log, this.pill, this.writer, this.status, ...this.form, this.composer);
    if (config.powered_by) this.dialog.append(element("p", { className: "powered", textContent: words.powered }));
    this.composer.onsubmit = (event) => {
      event.preventDefault();
      this.sendInput();
    };
    this.input.onkeydown = (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.sendInput();
    };
    this.input.oninput = () => {
      this.fit();
      if (this.input.value) this.actions.typed();
    };
    close.onclick = () => this.close();
    this.dialog.oncancel = (event) => {
      event.preventDefault();
      this.close();
    };
    this.dialog.onkeydown = (event) => {
      if (event.key === "Escape") this.close();
    };
  }

  // attachment is what chooses a file to send, where visitors may send files. What is in the input goes with it.
  attachment() {
    if (!this.config.accept_files) return [];
    const { words } = this;
    const take = async (chosen) => {
      if (!chosen || this.submit.disabled) return;
      const file = await attachable(chosen);
      if (file.error) return this.say(words[file.error]);
      this.sendInput(file);
    };
    const choose = element("input", { type: "file", accept: "image/*,application/pdf", hidden: true });
    choose.onchange = () => {
      take(choose.files[0]);
      choose.value = "";
    };
    this.input.onpaste = (event) => take(event.clipboardData.files[0]);
    const button = element("button", { className: "attach", type: "button", textContent: "📎", title: words.attach, ariaLabel: words.attach });
    button.onclick = () => choose.click();
    return [choose, button];
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

  // follow takes up the state of another view, which this one is shown in the place of.
  follow(view) {
    this.input.value = view.input.value;
    this.isOpen = view.isOpen;
    this.launcher.hidden = view.launcher.hidden;
    this.launcher.ariaExpanded = view.launcher.ariaExpanded;
    view.read();
  }

  // ask shows the form before the chat in the place of the input, where there is one, or takes it away.
  ask(shown) {
    if (!this.form.length) return;
    this.form[0].hidden = !shown;
    this.composer.hidden = shown;
  }

  // meet shows who of the team is there, and how soon a person usually replies.
  meet({ online, names, replies }) {
    const { words } = this;
    const there = online && [names.join(", "), words.online].filter(Boolean).join(" · ");
    this.team.textContent = [there, words[replies]].filter(Boolean).join(" · ");
    this.team.hidden = !this.team.textContent;
  }

  // judge asks how the conversation was, for as long as nothing more is said. The rating is of its last message.
  judge(id) {
    if (this.judged?.isConnected) return;
    const { words } = this;
    const row = this.ratings(id, "", () => this.judged.replaceChildren(words.thanks));
    this.judged = element("div", { className: "judge", role: "group", ariaLabel: words.rate }, element("span", { textContent: words.rate }), row);
    const follow = this.atEnd();
    this.log.append(this.judged);
    if (follow) this.log.scrollTop = this.log.scrollHeight;
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

  sendInput(file) {
    const words = this.input.value.trim();
    if ((!words && !file) || this.submit.disabled) return;
    this.input.value = "";
    this.fit();
    this.actions.send(words, file);
  }

  fit() {
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight + 2}px`;
  }

  say(text, busy) {
    this.status.textContent = text;
    this.status.classList.toggle("busy", Boolean(busy));
  }

  // write shows by whom an answer is being written.
  write(names) {
    const follow = this.atEnd();
    this.writer.hidden = !names.length;
    this.writer.firstChild.textContent = names.map((name) => name || this.words.person).join(", ");
    if (follow) this.log.scrollTop = this.log.scrollHeight;
    clearTimeout(this.writes);
    if (names.length) this.writes = setTimeout(() => this.write([]), writingTime);
  }

  atEnd() {
    return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < nearEnd;
  }

  // add shows a message: {who: "visitor" | "agent" | "person", text, id, author, at, rating, choices, cards, sources,
  // files}. `before` is the element that it goes before; without one it goes to the end and counts as new.
  add(message, before) {
    const { who, id, at } = message;
    const { brand_name: brand, language } = this.config;
    const name = who === "visitor" ? this.words.you : message.author || (who === "person" ? this.words.person : brand);
    const said = element("div", { className: `message ${who}` });
    const named = who === "person" || (who === "agent" && this.takesBack(before));
    const head = element("div", { className: named ? "who" : "who visually-hidden" }, element("b", { textContent: name }));
    if (at) {
      const when = new Date(at);
      const time = when.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
      head.append(element("time", { dateTime: at, textContent: time }));
      said.title = time;
    }
    const body = element("div", { className: "text", dir: "auto" });
    body.append(...rendered(message), ...files(message.files));
    said.append(head, body, ...cards(message.cards, this.words), ...sources(message.sources, this.words));
    if (who === "agent" && id) said.append(this.ratings(id, message.rating));
    if (!before) this.judged?.remove();
    const follow = before || this.atEnd();
    if (!before) this.offer(said, message.choices);
    this.log.insertBefore(said, before || null);
    if (!before) this.reveal(said, who, follow);
    return said;
  }

  // takesBack reports whether a person gave the reply above: the agent's next one shows who speaks again.
  takesBack(before) {
    let above = before ? before.previousElementSibling : this.log.lastElementChild;
    while (above && !above.matches(".agent, .person")) above = above.previousElementSibling;
    return Boolean(above?.matches(".person"));
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

  // ratings are the buttons that rate a message; `given` is its rating so far, and `rated` is called after each.
  ratings(id, given, rated) {
    const row = element("div", { className: "ratings" });
    for (const rating of ["positive", "negative"]) {
      const button = element("button", { type: "button", textContent: rating === "positive" ? "👍" : "👎",
        title: this.words[rating], ariaLabel: this.words[rating], ariaPressed: String(rating === given) });
      button.onclick = async () => {
        try {
          await this.actions.rate(id, rating);
          for (const other of row.children) other.ariaPressed = String(other === button);
          rated?.();
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
    if (this.config.sound) beep();
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
