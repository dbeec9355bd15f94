// What a message has beside its words: products, sources and files.
import { element, render } from "./markup.js";

const secure = (address) => /^https:\/\//i.test(address || "");

const link = (properties) => element("a", { target: "_blank", rel: "noopener noreferrer", ...properties });

// rendered are the words of a message, without the addresses that its cards show and the note of what came with it.
export function rendered({ who, text, cards, files }) {
  if (who === "visitor") {
    const words = files?.length ? text.replace(/^\[\w+\]\s*/, "") : text;
    return words ? [element("p", { textContent: words })] : [];
  }
  for (const card of cards || []) {
    for (const address of [card.url, card.image_url]) if (address) text = text.replaceAll(address, "").trimEnd();
  }
  return render(text);
}

// cards are the products that a message offers.
export function cards(all, words) {
  if (!all?.length) return [];
  const shown = all.map(({ name, price, image_url, url }) => {
    const card = element("li", { dir: "auto" });
    if (secure(image_url)) {
      const image = element("img", { src: image_url, alt: "", loading: "lazy", referrerPolicy: "no-referrer" });
      image.onerror = () => image.remove(); // also where the page's policy forbids it
      card.append(image);
    }
    card.append(element("b", { textContent: name }));
    if (price) card.append(element("span", { textContent: price }));
    if (secure(url)) card.append(link({ href: url, textContent: words.view, ariaLabel: `${words.view}: ${name}` }));
    return card;
  });
  return [element("ul", { className: "cards" }, ...shown)];
}

// sources are the documents that an answer draws on, behind a button.
export function sources(all, words) {
  if (!all?.length) return [];
  const lines = all.map(({ title, url }) => element("li", {}, secure(url) ? link({ href: url, textContent: title }) : title));
  return [element("details", { className: "sources" }, element("summary", { textContent: words.sources }), element("ul", {}, ...lines))];
}

// files are the names of those that came with a message.
export const files = (all) => (all || []).map(({ name, type }) => element("p", { className: "file", textContent: `📎 ${name || type}` }));
