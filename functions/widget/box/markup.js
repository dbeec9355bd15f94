// Turns what an agent says into elements: paragraphs, lists, **bold**, links, addresses and phone numbers. Text stays
// text: nodes are made one by one, nothing is parsed as HTML, and links lead to https:, http:, mailto: and tel: alone.

export function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const inline = new RegExp(
  [
    /\*\*(?<bold>[^*\n]+)\*\*/,
    /\[(?<label>[^\]\n]+)\]\((?<target>[^)\s]+)\)/,
    /(?<url>https?:\/\/[^\s<>"]+)/,
    /(?<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/,
    /(?<phone>\+\d[\d ()/.-]{6,}\d)/,
  ].map((part) => part.source).join("|"),
  "gu",
);

// link returns a link, or its text alone where the target is none that is safe to follow.
function link(text, target) {
  let url;
  try {
    url = new URL(target);
  } catch {
    return text;
  }
  if (!["https:", "http:", "mailto:", "tel:"].includes(url.protocol)) return text;
  return element("a", { href: url.href, target: "_blank", rel: "noopener noreferrer", textContent: text });
}

function spans(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(inline)) {
    const { bold, label, target, url, mail, phone } = match.groups;
    nodes.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    if (bold) nodes.push(element("strong", {}, ...spans(bold)));
    else if (label) nodes.push(link(label, target));
    else if (mail) nodes.push(link(mail, `mailto:${mail}`));
    else if (phone) nodes.push(link(phone, `tel:${phone.replace(/[^+\d]/g, "")}`));
    else {
      const clean = url.replace(/[.,;:!?)\]]+$/, ""); // what ends the sentence is no part of the address
      nodes.push(link(clean, clean), url.slice(clean.length));
    }
  }
  nodes.push(text.slice(end));
  return nodes.filter((node) => node !== "");
}

const item = /^\s*(?:(?<bullet>[-*•])|(?<number>\d{1,2})[.)])\s+(?<text>.*)$/u;

// render returns the elements of a text.
export function render(text) {
  const blocks = [];
  let list = null;
  let lines = [];
  const flush = () => {
    if (lines.length) blocks.push(element("p", {}, ...spans(lines.join("\n"))));
    lines = [];
  };
  for (const line of text.split("\n")) {
    const match = item.exec(line);
    if (match) {
      flush();
      const name = match.groups.bullet ? "UL" : "OL";
      if (list?.tagName !== name) {
        list = element(name.toLowerCase(), {});
        if (name === "OL") list.start = Number(match.groups.number);
        blocks.push(list);
      }
      list.append(element("li", {}, ...spans(match.groups.text)));
      continue;
    }
    list = null;
    if (line.trim()) lines.push(line);
    else flush();
  }
  flush();
  return blocks;
}
