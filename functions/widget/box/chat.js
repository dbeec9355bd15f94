// The conversation of one visitor: sends what is typed, and looks for what others say.
import { draft, longestPause, pause } from "./service.js";
import { Session } from "./session.js";
import { View } from "./view.js";

// How long to wait between two looks for new messages, in milliseconds. While a person is awaited, `open` and `closed` are
// the pauses by the state of the box, doubled after every `patience` of silence and never longer than `longest`. Otherwise
// each is as long as the silence before it, `idle` at least, and none goes beyond `end` of silence.
const pauses = { open: 3000, closed: 15000, idle: 30000, longest: 60000 };
const patience = 120000;
const end = 300000;
const beginning = 15000; // for how long a session that another tab began may be unknown
const report = 8000; // how often a person is told that the visitor types, at most
const page = 50; // messages that the history gives at once

export class Chat {
  constructor(service, config, emit) {
    this.service = service;
    this.emit = emit;
    this.session = new Session(config.agent_id, () => this.restart());
    this.last = Promise.resolve();
    this.build(config);
    this.greet();
    document.addEventListener("visibilitychange", () => this.returned());
    addEventListener("focus", () => this.returned());
  }

  // build makes the view, in the words of a configuration.
  build(config) {
    this.words = config.texts;
    this.config = config;
    this.view = new View(config, {
      send: (words, file) => this.inTurn(() => this.send(words, file)),
      rate: (id, rating) => this.service.rate(this.session.id, id, rating),
      earlier: () => this.inTurn(() => this.earlier()),
      introduce: (fields) => this.introduce(fields),
      typed: () => this.type(),
      opened: () => this.look("open"),
      closed: () => this.look("close"),
    });
  }

  // speak shows all that was said in a new view, in the words of another configuration.
  speak(config) {
    const { view, unsent } = this;
    view.host.remove();
    this.build(config);
    this.view.follow(view);
    this.view.attach();
    this.restart();
    this.unsent = unsent;
  }

  greet() {
    this.shown = new Set(); // ids of messages
    this.oldest = this.newest = 0; // of those that the history gave
    this.resumed = Boolean(this.session.id); // whether the conversation began before this page was opened
    this.active = 0; // when somebody last spoke, or came back to an open box
    this.looked = 0; // when news was last looked for
    this.person = false; // whether a person has the conversation, or an answer is awaited
    this.taken = false; // whether a person has the conversation
    this.typed = 0; // when a person was last told that the visitor types
    this.speaker = ""; // who spoke last
    this.unsent = null; // the draft that could not be sent, which the visitor may send again
    this.answer = null; // the last message to the visitor, which is rated at the end
    if (this.config.welcome_message) this.view.add({ who: "agent", text: this.config.welcome_message });
    this.view.ask(!this.session.id);
  }

  // restart follows another tab that began another session.
  restart() {
    this.view.log.replaceChildren(this.view.older);
    this.greet();
    this.active = Date.now();
    this.watch(0);
  }

  // inTurn runs one thing after the other, so that a message is not shown both as sent and as found in the history.
  inTurn(work) {
    this.last = this.last.then(work, work);
    return this.last;
  }

  look(event) {
    this.emit(event);
    if (this.view.isOpen) {
      this.active = Date.now();
      this.meet();
    }
    this.watch(this.view.isOpen ? 0 : undefined);
  }

  // meet shows who of the team is there, which is asked once a minute at most.
  async meet() {
    if (!this.config.show_team || Date.now() - this.met < 60000) return;
    this.met = Date.now();
    await this.service.team().then((team) => this.view.meet(team), () => {}); // the chat does without
  }

  // introduce tells the service what the visitor entered before the chat.
  async introduce(fields) {
    if (Object.keys(fields).length) await this.identify(fields);
    else this.session.begin();
    this.view.ask(false);
    this.view.input.focus();
  }

  // returned looks for news when the visitor comes back to the page, and plans anew when they leave it.
  returned() {
    const { isOpen } = this.view;
    if (!document.hidden && isOpen) {
      this.view.read();
      this.active = Date.now();
    }
    const due = this.looked + (isOpen || this.person ? pauses.open : pauses.longest);
    this.watch(!document.hidden && due <= Date.now() ? 0 : undefined);
  }

  // type tells the person who has the conversation that the visitor types.
  type() {
    const now = Date.now();
    if (!this.taken || now - this.typed < report) return;
    this.typed = this.active = now;
    this.service.type(this.session.id).catch(() => {}); // which the person does without
    this.watch();
  }

  async send(words, file) {
    const { view } = this;
    this.typed = 0;
    const mine = view.add({ who: "visitor", text: words, files: file && [file] });
    view.submit.disabled = true;
    view.say(this.words.typing, true);
    const again = !file && this.unsent?.words === words;
    const mail = again ? this.unsent : draft(words, this.session.begin(), file);
    this.unsent = null;
    try {
      const answer = await this.service.send(mail);
      this.session.store(answer.session_id);
      this.shown.add(answer.inbound_message_id);
      await pause(1000 * answer.delay_seconds);
      this.taken = answer.action === "human_handling" || answer.action === "handoff";
      this.person = this.taken || answer.reply === null;
      this.speaker = answer.reply === null ? "visitor" : "agent";
      if (answer.reply !== null) {
        const { reply: text, message_id: id, choices, cards, sources } = answer;
        this.show({ who: "agent", text, id, choices, cards, sources, at: new Date().toISOString() });
      }
      view.say(answer.reply === null ? this.words.arrived : "");
      this.emit("message", { from: "visitor", text: words });
    } catch (error) {
      this.fail(error, mail, mine);
    }
    view.submit.disabled = false;
    this.active = Date.now();
    this.watch();
  }

  fail(error, mail, mine) {
    const { view } = this;
    if (error.field === "Idempotency-Key") {
      view.say(this.words.arrived); // the service has it, but its answer is lost
      this.person = true;
      return;
    }
    if (!mail.body.data) this.unsent = mail;
    mine.remove();
    view.input.value ||= mail.words;
    view.fit();
    if (error.field === "data") view.say(this.words.wrong_type);
    else if (error.status === 403 || error.status === 404) view.say(this.words.closed);
    else if (error.retryAfter > longestPause) view.say(error.message); // in the agent's language
    else view.say(error.status === 429 ? this.words.hurried : this.words.failed);
  }

  show(message, before) {
    this.note(message);
    const said = this.view.add(message, before);
    if (!before && message.who !== "visitor") {
      this.view.notify(message);
      this.emit("message", { from: message.who, text: message.text });
    }
    return said;
  }

  // note remembers a message that is shown.
  note(message) {
    if (message.id) this.shown.add(message.id);
    if (message.who !== "visitor" && !(this.answer?.id > message.id)) this.answer = message;
  }

  // received shows messages of the history that are not shown yet.
  received(messages, before) {
    for (const message of messages) {
      if (this.shown.has(message.id)) continue;
      const who = message.direction === "inbound" ? "visitor" : message.sent_by_ai ? "agent" : "person";
      const first = this.resumed && !this.newest && !before; // what was said before the page was opened is no news
      const { id, content: text, created_at: at, author, rating, choices, cards, sources, attachments: files } = message;
      const line = { who, text, id, at, author, rating, choices, cards, sources, files };
      if (first || before) {
        this.note(line);
        this.view.add(line, before);
      } else {
        this.show(line);
        this.view.say("");
      }
      if (before) continue;
      this.speaker = who;
      this.active = Math.max(this.active, Math.min(Date.now(), Date.parse(at)));
    }
  }

  // refresh shows what is new, and returns how long to wait before the next look where more is there.
  async refresh() {
    const { messages, status, person, writing = [] } = await this.service.history(this.session.id, this.newest ? { after: this.newest } : {});
    this.received(messages);
    const over = status === "resolved" || status === "closed";
    if (status) {
      this.taken = !over && Boolean(person);
      this.person = this.taken || (!over && this.speaker === "visitor");
    }
    const spoke = messages.some(({ direction }) => direction === "outbound");
    this.view.write(spoke ? [] : writing); // who has just spoken may still be said to write
    if (writing.length) this.active = Date.now();
    if (over && this.config.ask_rating && this.answer && !this.answer.rating) this.view.judge(this.answer.id);
    if (!this.newest && messages.length === page) this.view.older.hidden = false;
    if (messages.length) {
      this.newest = messages.at(-1).id;
      this.oldest ||= messages[0].id;
    }
    return messages.length && !status ? 0 : undefined;
  }

  async earlier() {
    const { older, log } = this.view;
    const height = log.scrollHeight;
    const { messages } = await this.service.history(this.session.id, { before: this.oldest });
    this.received(messages, older.nextSibling);
    older.hidden = messages.length < page;
    if (messages.length) this.oldest = messages[0].id;
    log.scrollTop += log.scrollHeight - height;
  }

  // wait is how long to wait before the next look. On a hidden page only a person's answer is looked for.
  wait() {
    const silence = Date.now() - this.active;
    const { open, closed, idle, longest } = pauses;
    const next = Math.max(idle, silence);
    if (!this.person) return document.hidden || silence + next > end ? Infinity : next;
    const base = this.view.isOpen && !document.hidden ? open : closed;
    return Math.min(longest, base * 2 ** Math.min(5, Math.floor(silence / patience)));
  }

  watch(wait = this.wait()) {
    clearTimeout(this.timer);
    if (!this.session.id || !this.view.host.isConnected || wait === Infinity) return;
    this.timer = setTimeout(async () => {
      this.looked = Date.now();
      const next = await this.inTurn(() => (this.session.id ? this.refresh() : undefined)).catch((error) => {
        // The service does not know the session any more, or not yet where another tab has just begun it.
        if (error.status === 404) return Date.now() - this.active < beginning ? pauses.open : Infinity;
        return error.retryAfter || undefined;
      });
      this.watch(next);
    }, wait);
  }

  async identify(fields) {
    const visitor = await this.service.identify(this.session.begin(), fields);
    this.view.ask(false);
    return visitor;
  }
}
