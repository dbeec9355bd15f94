// Puts an agent's chat box on the page that loads it:
//
//   <script src="https://…/widget/widget.js" data-agent="<embed key>" data-color="#2563eb" defer></script>
//
// It talks to the service that it came from and to nobody else. Everything that is shown lives in a shadow root, so that
// the page's styles and the box's do not meet, and is set as text, never as HTML.
(() => {
  "use strict";

  const tag = document.currentScript;
  const key = tag && tag.dataset.agent;
  const boxes = (window[Symbol.for("frontdesk")] ||= new Set()); // on this page, by their keys
  if (!key || boxes.has(key)) return;
  boxes.add(key);

  const service = new URL(`../api/v1/widget/${encodeURIComponent(key)}/`, tag.src);
  const isColor = (text) => /^#[0-9a-f]{6}$/i.test(text || "");
  const quick = 4000; // between two looks for new messages, in milliseconds
  const slow = 15000; // the same once the visitor has been silent for a while
  const silence = 120000;
  const attempts = 3; // to send a message
  const firstPause = 1000; // between them, and then three times as long

  const text = {
    input: "Type your message",
    send: "Send",
    close: "Close the chat",
    typing: "Writing…",
    arrived: "Your message has arrived. The answer will appear here.",
    failed: "The message could not be sent. Please try again.",
    hurried: "That was a lot at once. Please wait a moment and try again.",
    positive: "Helpful",
    negative: "Not helpful",
  };

  // call makes a request and returns the answer's body. Its errors carry status, field and retryAfter (milliseconds).
  async function call(method, path, body, headers) {
    const response = await fetch(new URL(path, service), {
      method,
      credentials: "omit",
      headers: body ? { "Content-Type": "application/json", ...headers } : {},
      body: body && JSON.stringify(body),
    });
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    const retryAfter = 1000 * Number(response.headers.get("Retry-After"));
    throw Object.assign(new Error(answer.detail), { status: response.status, field: answer.field, retryAfter });
  }

  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  // A letter is a message with a key of its own, by which the service knows it when it is sent again.
  function letter(words) {
    const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const page_url = location.origin + location.pathname; // the rest may be the visitor's own
    return { words, key, body: { message: words, session_id: session, page_url } };
  }

  // post sends a letter, and sends it again where the network or the service fails, or is still at work on it.
  async function post({ key, body }) {
    for (let tries = 1; ; tries++) {
      try {
        return await call("POST", "send/", body, { "Idempotency-Key": key });
      } catch (error) {
        const passes = !error.status || error.status >= 500 || (error.status === 429 && tries > 1);
        if (!passes || tries === attempts) throw error;
        await pause(error.retryAfter || firstPause * 3 ** (tries - 1));
      }
    }
  }

  // The session outlives the page where the browser lets it.
  const place = `frontdesk:${key}`;
  let session = null;
  try {
    session = localStorage.getItem(place);
  } catch {}
  function remember(id) {
    session = id;
    try {
      if (id) localStorage.setItem(place, id);
      else localStorage.removeItem(place);
    } catch {}
  }

  // inTurn runs one thing after the other, so that a message is not shown both as sent and as found in the history.
  let last = Promise.resolve();
  const inTurn = (work) => (last = last.then(work, work));

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function build(config) {
    const shown = new Set(); // ids of messages
    let newest = 0; // of those that the history gave
    let spoke = 0; // when somebody last said something
    let timer = 0;
    let unsent = null; // the letter that could not be sent, which the visitor may send again

    const log = element("div", { className: "log", role: "log", tabIndex: 0, ariaLabel: config.brand_name });
    const status = element("p", { className: "status", role: "status" });
    const input = element("textarea", { rows: 1, maxLength: 4000, placeholder: text.input, ariaLabel: text.input });
    const submit = element("button", { className: "send", type: "submit", textContent: text.send });
    const form = element("form", {}, input, submit);
    const close = element("button", { className: "close", type: "button", textContent: "×", ariaLabel: text.close });
    const title = element("strong", { textContent: config.brand_name });
    const heading = element("header", {}, element("div", {}, title, element("span", { textContent: config.tagline })), close);
    const picture = config.avatar_url || config.logo_url;
    if (picture) heading.prepend(element("img", { src: picture, alt: "", referrerPolicy: "no-referrer" }));
    const panel = element("section", { id: "panel", role: "dialog", ariaLabel: config.brand_name, hidden: true }, heading, log, status, form);
    const button = element("button", { className: "open", type: "button", textContent: config.button_text || "Chat", ariaExpanded: "false" });
    button.setAttribute("aria-controls", panel.id);
    button.setAttribute("aria-haspopup", "dialog");

    // bubble shows what somebody said. What the agent said can be rated once it has an id.
    function bubble(who, words, id, rated) {
      const said = element("p", { className: who, dir: "auto", textContent: words });
      if (id) shown.add(id);
      if (rated) said.append(ratings(id));
      log.append(said);
      log.scrollTop = log.scrollHeight;
      return said;
    }

    function ratings(id) {
      const buttons = ["positive", "negative"].map((rating) => {
        const made = element("button", {
          type: "button", textContent: rating === "positive" ? "👍" : "👎", title: text[rating], ariaLabel: text[rating], ariaPressed: "false",
        });
        made.onclick = async () => {
          try {
            await call("POST", "feedback/", { session_id: session, message_id: id, rating });
            for (const other of buttons) other.ariaPressed = String(other === made);
          } catch {
            status.textContent = text.failed;
          }
        };
        return made;
      });
      return element("span", { className: "ratings" }, ...buttons);
    }

    // refresh shows what is new in the history: after a while away all of it, later what a person answered.
    async function refresh() {
      const query = new URLSearchParams({ session_id: session });
      if (newest) query.set("after", newest);
      const { messages } = await call("GET", `history/?${query}`);
      for (const message of messages) {
        newest = message.id;
        if (shown.has(message.id)) continue;
        const inbound = message.direction === "inbound";
        bubble(inbound ? "visitor" : "agent", message.content, message.id, !inbound && message.sent_by_ai);
        status.textContent = "";
        spoke = Date.now();
      }
    }

    // watch looks for new messages from time to time while the box is open and the page is in view.
    function watch(wait) {
      clearTimeout(timer);
      if (panel.hidden || document.hidden || !session) return;
      timer = setTimeout(async () => {
        let next = 0;
        await inTurn(refresh).catch((error) => {
          next = error.retryAfter;
          if (error.status === 404) remember(null);
        });
        watch(next || (Date.now() - spoke < silence ? quick : slow));
      }, wait);
    }

    async function send(words) {
      const mine = bubble("visitor", words);
      submit.disabled = true;
      status.textContent = text.typing;
      const mail = unsent?.words === words ? unsent : letter(words);
      unsent = null;
      try {
        const answer = await post(mail);
        remember(answer.session_id);
        shown.add(answer.inbound_message_id);
        await pause(1000 * answer.delay_seconds);
        if (answer.reply !== null) bubble("agent", answer.reply, answer.message_id, true);
        status.textContent = answer.reply === null ? text.arrived : "";
      } catch (error) {
        if (error.field === "Idempotency-Key") {
          status.textContent = text.arrived; // but what was answered is lost
        } else {
          unsent = mail;
          mine.remove();
          input.value ||= words;
          status.textContent = error.status === 429 ? text.hurried : text.failed;
        }
      }
      submit.disabled = false;
      spoke = Date.now();
      watch(quick);
    }

    function toggle(open) {
      panel.hidden = !open;
      button.ariaExpanded = String(open);
      (open ? input : button).focus();
      watch(0);
    }

    form.onsubmit = (event) => {
      event.preventDefault();
      const words = input.value.trim();
      if (!words || submit.disabled) return;
      input.value = "";
      inTurn(() => send(words));
    };
    input.onkeydown = (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    };
    panel.onkeydown = (event) => {
      if (event.key === "Escape") toggle(false);
    };
    button.onclick = () => toggle(panel.hidden);
    close.onclick = () => toggle(false);
    document.addEventListener("visibilitychange", () => watch(0));

    if (config.welcome_message) bubble("agent", config.welcome_message);

    const host = element("div", { className: "frontdesk-chat", lang: config.language });
    const root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet(); // which a page's Content-Security-Policy does not hold against it
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    root.append(panel, button);
    host.style.setProperty("--primary", isColor(tag.dataset.color) ? tag.dataset.color : config.primary_color);
    host.style.setProperty("--secondary", config.secondary_color);
    document.body.append(host);
  }

  const style = `
    :host { position: fixed; right: 20px; bottom: 20px; z-index: 2147483647; display: block; direction: ltr; }
    * { box-sizing: border-box; font: 15px/1.45 system-ui, sans-serif; }
    [hidden] { display: none !important; }
    button { border: 0; cursor: pointer; background: none; color: inherit; padding: 0; }
    button:focus-visible, textarea:focus-visible, .log:focus-visible { outline: 3px solid #60a5fa; outline-offset: 2px; }
    .open, .send, header, .visitor { background: var(--primary); color: var(--secondary); }
    .open { float: right; padding: 12px 20px; border-radius: 24px; font-weight: 600; box-shadow: 0 4px 16px #0004; }
    section { width: 370px; height: 540px; max-width: calc(100vw - 40px); max-height: calc(100vh - 110px); margin-bottom: 12px;
      display: flex; flex-direction: column; background: #fff; color: #1f2937; border-radius: 14px; overflow: hidden; box-shadow: 0 8px 32px #0005; }
    header { display: flex; align-items: center; gap: 12px; padding: 14px 16px; }
    header div { flex: 1; min-width: 0; }
    header strong, header span { display: block; overflow: hidden; text-overflow: ellipsis; }
    header strong { font-weight: 600; }
    header span { font-size: 13px; opacity: .9; }
    header img { width: 40px; height: 40px; border-radius: 50%; object-fit: cover; background: #fff; }
    .close { font-size: 24px; line-height: 1; padding: 4px 8px; border-radius: 6px; }
    .log { flex: 1; overflow-y: auto; padding: 16px; display: flex; flex-direction: column; gap: 10px; overscroll-behavior: contain; }
    .log p { margin: 0; padding: 9px 13px; border-radius: 14px; max-width: 85%; white-space: pre-wrap; overflow-wrap: anywhere; }
    .agent { align-self: flex-start; background: #f1f5f9; border-bottom-left-radius: 4px; }
    .visitor { align-self: flex-end; border-bottom-right-radius: 4px; }
    .ratings { display: flex; gap: 4px; margin-top: 4px; }
    .ratings button { font-size: 13px; padding: 2px 6px; border-radius: 6px; opacity: .55; }
    .ratings button:hover, .ratings button[aria-pressed="true"] { opacity: 1; background: #cbd5e1; }
    .status { margin: 0; padding: 0 16px 6px; font-size: 13px; color: #475569; min-height: 24px; }
    form { display: flex; gap: 8px; padding: 10px 12px 12px; border-top: 1px solid #e2e8f0; }
    textarea { flex: 1; resize: none; border: 1px solid #94a3b8; border-radius: 10px; padding: 8px 10px; height: 60px; color: inherit; background: #fff; }
    .send { padding: 0 16px; border-radius: 10px; font-weight: 600; }
    .send:disabled { opacity: .6; cursor: default; }
    @media (max-width: 480px) {
      :host { right: 12px; bottom: 12px; }
      section { width: calc(100vw - 24px); max-width: none; height: calc(100vh - 90px); max-height: none; }
    }
  `;

  async function start() {
    try {
      build(await call("GET", "config/"));
    } catch (error) {
      console.warn("The chat box is not shown:", error.message || error);
    }
  }

  if (document.body) start();
  else document.addEventListener("DOMContentLoaded", start);
})();
