// Puts an agent's chat box on the page that loads it:
//
//   <script src="https://…/widget/widget.js" data-agent="<embed key>" data-color="#2563eb" defer></script>
//
// It talks to the service that it came from and to nobody else. What it shows lives in a shadow root, so that the page's
// styles and the box's do not meet. A page talks to it by window.frontdesk:
//
//   frontdesk.open(), frontdesk.close()
//   frontdesk.identify({ external_id, email, phone, name, signature })   resolves when the service has it
//   frontdesk.setLanguage("de")                                          resolves when the box speaks it
//   frontdesk.on("open" | "close" | "message" | "ready", handler)        returns a function that takes it off
import { Chat } from "./chat.js";
import { Service, pause } from "./service.js";

const tag = document.currentScript;
const registry = (window[Symbol.for("frontdesk")] ||= {});

function listeners() {
  const all = {};
  return {
    on(name, handler) {
      (all[name] ||= new Set()).add(handler);
      return () => all[name].delete(handler);
    },
    emit(name, detail) {
      for (const handler of all[name] || []) {
        try {
          handler(detail);
        } catch (error) {
          console.error(error);
        }
      }
    },
  };
}

// configuration reads how the box looks, with what the tag says otherwise.
async function configuration(service, language) {
  const config = await service.config(language).catch(async (error) => {
    if (error.status) throw error;
    await new Promise((online) => (navigator.onLine ? pause(10000).then(online) : addEventListener("online", online, { once: true })));
    return service.config(language);
  });
  const { color, position } = tag.dataset;
  if (color) config.primary_color = color;
  if (position) config.position = position;
  return config;
}

async function start(key) {
  const path = `widget/${encodeURIComponent(key)}/`;
  const beside = new URL(`../api/v1/${path}`, tag.src);
  const { api, cache } = tag.dataset; // api: where the service is, if the script comes from a cache before it
  const service = api ? new Service(new URL(path, api), cache, beside) : new Service(beside, cache);
  const { on, emit } = listeners();
  const ready = configuration(service, tag.dataset.language).then((config) => {
    const chat = new Chat(service, config, emit);
    registry.attach = () => {
      chat.view.attach();
      chat.watch(0);
    };
    registry.attach();
    // Pages that replace their content without being loaded anew take the box along.
    new MutationObserver(() => chat.view.host.isConnected || !document.body || registry.attach()).observe(document.documentElement, { childList: true });
    for (const name of ["turbo:load", "astro:after-swap", "pageshow"]) document.addEventListener(name, registry.attach);
    return chat;
  });
  window.frontdesk ||= {
    open: () => ready.then((chat) => chat.view.open()),
    close: () => ready.then((chat) => chat.view.close()),
    identify: (fields) => ready.then((chat) => chat.identify(fields)),
    setLanguage: (language) => ready.then(async (chat) => chat.speak(await configuration(service, language))),
    on,
  };
  try {
    await ready;
    emit("ready");
  } catch (error) {
    delete registry.key; // a tag that is added later may try again
    console.warn("The chat box is not shown:", error.message || error);
  }
}

const key = tag?.dataset.agent;
if (registry.key) {
  if (key && key !== registry.key) console.warn("There is a chat box on this page already; a second one is not shown.");
  registry.attach?.();
} else if (key) {
  registry.key = key;
  if (document.body) start(key);
  else document.addEventListener("DOMContentLoaded", () => start(key));
}
