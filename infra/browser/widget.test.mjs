// Uses the chat widget as a visitor does: in a browser, on a page of another site. `make test-widget` runs it; it names
// the browser by CHROMIUM, the service's program by FRONTDESK and the folder of node_modules by TOOLS.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

const { chromium } = createRequire(join(process.env.TOOLS, "node_modules", "_"))("playwright-core");

let service; // what runs, where it is, and its folder
let browser;
let site; // the website that the widget is put on: it serves what html says

before(async () => {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-widget-"));
  const running = spawn(process.env.FRONTDESK, {
    env: { ...process.env, PORT: "0", DATA_DIR: folder },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let line;
  for await (line of createInterface({ input: running.stdout })) {
    if (line.includes("API: ")) break; // the last line of its start
  }
  const [, base] = /API: (\S+)api\/v1\//.exec(line);
  const [, demo] = /Chat widget: (\S+)/.exec(line);
  service = { running, folder, base, demo };

  site = { html: "" };
  site.server = createServer((request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    // A strict policy, as careful sites have it: the widget gets by with what its snippet needs.
    const { origin } = new URL(base);
    response.setHeader("Content-Security-Policy", `default-src 'none'; script-src ${origin}; connect-src ${origin}; style-src 'self'`);
    for (const [name, value] of Object.entries(site.headers ?? {})) response.setHeader(name, value);
    if (request.url === "/style.css") response.setHeader("Content-Type", "text/css");
    response.end(request.url === "/style.css" ? "* { color: red !important; font-size: 40px !important; }" : site.html);
  }).listen(0, "localhost");
  await once(site.server, "listening");
  site.address = `http://localhost:${site.server.address().port}/`;

  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  site?.server.close();
  if (service) {
    service.running.kill();
    await once(service.running, "exit");
    await rm(service.folder, { recursive: true });
  }
});

// api calls the service as the business does.
async function api(method, path, body) {
  const response = await fetch(`${service.base}api/v1${path}`, {
    method,
    headers: { Authorization: "Bearer local-dev-key" },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

// agent makes an agent and returns it with its widget.
async function agent(fields) {
  return api("POST", "/agents/", {
    name: "Ada",
    business_name: "Bean There",
    faqs: [{ question: "Can I bring my dog?", answer: "Dogs are welcome in the garden. <b>Really</b> & truly." }],
    ...fields,
  });
}

// visit opens a page with that HTML on it, in a browser of its own. requests are the addresses of all that it loads.
// With `clock` the page's clock is the test's to move.
async function visit(t, html, { clock } = {}) {
  site.html = `<!doctype html><title>A shop</title><link rel="stylesheet" href="/style.css"><link rel="icon" href="data:,"><h1>A shop</h1>${html}`;
  const context = await browser.newContext({ viewport: { width: 900, height: 700 } });
  t.after(() => context.close());
  const page = await context.newPage();
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  const errors = [];
  page.on("pageerror", (error) => errors.push(error));
  t.after(() => assert.deepEqual(errors, []));
  if (clock) await page.clock.install();
  await page.goto(site.address);
  return { page, requests };
}

const bubbles = (page) => page.locator(".message .text").evaluateAll((all) => all.map((one) => one.textContent));

async function ask(page, words) {
  await page.getByRole("textbox").fill(words);
  await page.keyboard.press("Enter");
}

test("a visitor asks and gets the answer", async (t) => {
  const { id, widget } = await agent();
  const { page, requests } = await visit(t, widget.embed_snippet);
  const button = page.locator(".launcher");
  await button.waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0, "the panel is closed at first");

  // By the keyboard alone.
  await button.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Bean There" }).waitFor();
  assert.equal(await button.getAttribute("aria-expanded"), "true");
  await page.keyboard.type("Can I bring my dog?");
  await page.keyboard.press("Enter");
  await page.getByText("Dogs are welcome in the garden.").waitFor();
  const answer = "Dogs are welcome in the garden. <b>Really</b> & truly.";
  assert.deepEqual(await bubbles(page), [widget.welcome_message, "Can I bring my dog?", answer]);
  if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });

  // The page's styles and the widget's do not meet, and the colour is the snippet's.
  const look = await page.locator(".visitor .text").evaluate((one) => {
    const { color, backgroundColor, fontSize } = getComputedStyle(one);
    return { color, backgroundColor, fontSize };
  });
  assert.deepEqual(look, { color: "rgb(255, 255, 255)", backgroundColor: "rgb(37, 99, 235)", fontSize: "16px" });

  // What is said is text, whatever it looks like.
  const attack = `<img src=x onerror="window.attacked = true">`;
  await ask(page, attack);
  await page.locator(".message").nth(4).waitFor();
  assert.equal((await bubbles(page))[3], attack);
  assert.equal(await page.locator(".text img, .text b").count(), 0);
  assert.equal(await page.evaluate(() => window.attacked), undefined);

  // An answer can be rated, and rated otherwise.
  for (const name of ["Helpful", "Not helpful"]) {
    const rate = page.getByRole("button", { name, exact: true }).first();
    await rate.click();
    await page.waitForFunction((one) => one.ariaPressed === "true", await rate.elementHandle());
  }
  assert.equal(await page.getByRole("button", { pressed: true }).count(), 1);

  // What others say in the session appears by itself.
  const session = await page.evaluate((id) => localStorage.getItem(`frontdesk:${id}`), id);
  await api("POST", `/agents/${id}/chat/`, { message: "From elsewhere", session_id: session });
  await page.keyboard.press("Escape"); // opening the box looks at once
  await button.click();
  await page.getByText("From elsewhere").waitFor();
  const all = await bubbles(page);
  assert.equal(all.length, 7, all.join("\n"));

  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.ok(await button.evaluate((one) => one.getRootNode().activeElement === one), "the focus is back on the button");

  // The session outlives the page.
  await page.reload();
  await button.click();
  await page.getByText("From elsewhere").waitFor();
  assert.deepEqual(await bubbles(page), all);

  const hosts = new Set(requests.filter((address) => !address.startsWith("data:")).map((address) => new URL(address).origin));
  assert.deepEqual([...hosts].sort(), [new URL(service.base).origin, new URL(site.address).origin].sort());
});

test("the loader finds the widget by the agent's id", async (t) => {
  const { id, widget } = await agent();
  await api("POST", `/agents/${id}/widget/rotate-key/`);
  const { page } = await visit(t, `<script src="${widget.loader_url}"></script><script src="${widget.loader_url}"></script>`);
  await page.getByRole("button", { name: widget.button_text }).click();
  await ask(page, "Can I bring my dog?");
  await page.getByText("Dogs are welcome in the garden.").waitFor();
  assert.equal(await page.locator(".frontdesk-chat").count(), 1, "two loaders make one widget");
});

test("a message that nobody answers at once has arrived all the same", async (t) => {
  const { id, widget } = await agent();
  await api("POST", `/agents/${id}/pause/`);
  const { page } = await visit(t, widget.embed_snippet);
  await page.getByRole("button", { name: widget.button_text }).click();
  await ask(page, "Hello?");
  await page.getByText("Your message has arrived.").waitFor();
  await api("PATCH", `/agents/${id}/widget/`, { enabled: false });
  await ask(page, "And now?");
  await page.getByText("This chat is closed").waitFor();
  assert.equal(await page.getByRole("textbox").inputValue(), "And now?", "the message is there to send again");
  assert.equal((await bubbles(page)).length, 2);
});

test("a message whose answer is lost on the way is sent again, and said once", async (t) => {
  const { id, widget } = await agent();
  const { page } = await visit(t, widget.embed_snippet);
  let lost = 0;
  await page.route("**/send/", async (route) => {
    if (lost++ > 3) return route.continue();
    await route.fetch(); // it arrives
    return route.abort();
  });
  await page.getByRole("button", { name: widget.button_text }).click();
  await ask(page, "Can I bring my dog?");
  await page.getByText("could not be sent").waitFor({ timeout: 15000 });
  assert.equal(lost, 3, "it was tried thrice");
  await page.keyboard.press("Enter"); // the same words
  await page.getByText("Dogs are welcome in the garden.").waitFor({ timeout: 15000 });
  assert.equal((await bubbles(page)).length, 3);
  const { results } = await api("GET", `/agents/${id}/conversations/`);
  assert.equal(results.length, 1);
  assert.equal((await api("GET", `/messages/?conversation_id=${results[0].id}`)).count, 2);
});

test("what is written offline is kept, and what was missed comes when the network is back", async (t) => {
  const { id, page } = await open(t, "SNIPPET");
  await ask(page, "Can I bring my dog?");
  await page.getByText("Dogs are welcome").waitFor();
  const { results } = await api("GET", `/agents/${id}/conversations/`);
  await api("POST", `/conversations/${results[0].id}/handoff/`);
  await ask(page, "And my cat?");
  await page.getByText("Your message has arrived.").waitFor();
  await page.context().setOffline(true);
  await ask(page, "She is small.");
  await page.getByText("could not be sent").waitFor({ timeout: 15_000 });
  assert.equal(await page.getByRole("textbox").inputValue(), "She is small.");
  await api("POST", `/conversations/${results[0].id}/reply/`, { message: "Cats are fine." });
  await page.context().setOffline(false);
  await page.getByText("Cats are fine.").waitFor({ timeout: 15_000 });
  await page.getByRole("textbox").press("Enter");
  await page.getByText("Your message has arrived.").waitFor();
  const { results: stored } = await api("GET", `/conversations/${results[0].id}/messages/`);
  assert.equal(stored.filter((m) => m.content === "She is small.").length, 1);
});

test("a widget that is switched off shows nothing", async (t) => {
  const { id, widget } = await agent();
  await api("PATCH", `/agents/${id}/widget/`, { enabled: false });
  const { page } = await visit(t, widget.embed_snippet);
  await page.waitForLoadState("networkidle");
  assert.equal(await page.locator(".frontdesk-chat").count(), 0);
});

test("the demo page has the newest agent's widget", async (t) => {
  const { widget } = await agent({ business_name: "The newest" });
  const { page } = await visit(t, "");
  await page.goto(service.demo);
  await page.getByRole("button", { name: widget.button_text }).click();
  await ask(page, "Can I bring my dog?");
  await page.getByText("Dogs are welcome in the garden.").waitFor();
  assert.equal(await page.getByRole("heading").first().textContent(), "A page of The newest");
});

test("a box from a cache before the service looks as the cache says, and speaks with the service", async (t) => {
  const { widget } = await agent();
  const asked = [];
  let broken = false;
  const edge = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url.replace(widget.embed_key, "key")}`);
    const from = broken && request.url.includes("config") ? { status: 503 } : await fetch(new URL(request.url, service.base));
    response.writeHead(from.status, {
      "Content-Type": from.headers?.get("Content-Type") ?? "text/plain", "Access-Control-Allow-Origin": "*",
    });
    response.end(from.headers ? await from.text() : "");
  }).listen(0, "localhost");
  await once(edge, "listening");
  t.after(() => edge.close());
  const address = `http://localhost:${edge.address().port}`;
  const { origin } = new URL(service.base);
  site.headers = { "Content-Security-Policy": `default-src 'none'; script-src ${address}; connect-src ${address} ${origin}` };
  t.after(() => delete site.headers);
  const snippet = widget.embed_snippet.replace(widget.script_url, `${address}/widget/widget.js`)
    .replace(" defer", ` data-api="${service.base}api/v1/" defer`);
  for (broken of [false, true]) {
    asked.length = 0;
    const { page } = await visit(t, snippet);
    await page.getByRole("button", { name: widget.button_text }).click();
    await ask(page, "Can I bring my dog?");
    await page.getByText("Dogs are welcome in the garden.").waitFor();
    assert.deepEqual(asked, ["GET /widget/widget.js", "GET /api/v1/widget/key/config/"]);
  }
});

test("a reply takes as long as the business wants", async (t) => {
  const { widget } = await agent({ response_delay_seconds: 2 });
  const { page } = await visit(t, widget.embed_snippet);
  await page.getByRole("button", { name: widget.button_text }).click();
  const asked = Date.now();
  await ask(page, "Can I bring my dog?");
  await page.getByText("Writing").waitFor();
  await page.getByText("Dogs are welcome in the garden.").waitFor();
  assert.ok(Date.now() - asked >= 2000, `it came after ${Date.now() - asked} ms`);
  assert.equal(await page.getByText("Writing").count(), 0);
  assert.equal((await bubbles(page)).length, 3, "it is shown once");
});

test("the box looks as the business wants", async (t) => {
  const { id } = await agent();
  const widget = await api("PATCH", `/agents/${id}/widget/`, {
    brand_name: "Wheels", tagline: "We reply at once", button_text: "Ask us", welcome_message: "Ahoy!",
    avatar_url: "https://acme.example/ada.png", logo_url: "https://acme.example/logo.png",
    primary_color: "#123456", secondary_color: "#abcdef",
  });
  const { page } = await visit(t, widget.embed_snippet);
  const button = page.locator(".launcher", { hasText: "Ask us" });
  await button.click();
  await page.getByRole("dialog", { name: "Wheels" }).waitFor();
  await page.getByText("We reply at once").waitFor();
  assert.deepEqual(await bubbles(page), ["Ahoy!"]);
  assert.equal(await page.locator("header img").getAttribute("src"), "https://acme.example/ada.png");
  const colors = await button.evaluate((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]);
  assert.deepEqual(colors, ["rgb(18, 52, 86)", "rgb(171, 205, 239)"]);
  await api("PATCH", `/agents/${id}/widget/`, { avatar_url: "" });
  const { page: later } = await visit(t, widget.embed_snippet);
  await later.locator(".launcher").click();
  assert.equal(await later.locator("header img").getAttribute("src"), "https://acme.example/logo.png");
});

test("the pages that a visitor goes through ask once how the box looks", async (t) => {
  const { id, widget } = await agent();
  const { page } = await visit(t, widget.embed_snippet);
  await page.getByRole("button", { name: widget.button_text }).waitFor();
  await api("PATCH", `/agents/${id}/widget/`, { button_text: "Ask us" });
  await page.goto(`${site.address}next`);
  await page.getByRole("button", { name: widget.button_text }).waitFor();
  const { page: other } = await visit(t, widget.embed_snippet);
  await other.getByRole("button", { name: "Ask us" }).waitFor();
});

test("the box stands in the corner that the business wants, on its websites alone", async (t) => {
  const { id, widget } = await agent();
  await api("PATCH", `/agents/${id}/widget/`, { position: "left", allowed_domains: ["localhost"] });
  const { page } = await visit(t, widget.embed_snippet);
  await page.locator(".launcher").click();
  const place = await page.getByRole("dialog").boundingBox();
  assert.ok(place.x < 40, JSON.stringify(place));
  await ask(page, "Can I bring my dog?");
  await page.getByText("Dogs are welcome").waitFor();
  await api("PATCH", `/agents/${id}/widget/`, { allowed_domains: ["acme.example"] });
  const { page: other } = await visit(t, "");
  const warning = other.waitForEvent("console", (message) => message.text().includes("may not run on localhost"));
  site.html += widget.embed_snippet;
  await other.reload();
  await warning;
  assert.equal(await other.locator(".frontdesk-chat").count(), 0);
});

// open visits a page with the widget of a new agent, and opens the box.
async function open(t, html, fields, options) {
  const made = await agent(fields);
  const { page, requests } = await visit(t, html.replace("SNIPPET", made.widget.embed_snippet), options);
  const button = page.locator(".launcher");
  await button.click();
  await page.getByRole("dialog").waitFor();
  return { ...made, page, requests, button };
}

test("a page's style sheet neither hides nor moves the box", async (t) => {
  const rules = "div:empty { display: none } body > div { display: flex; position: static; opacity: 0 } * { all: unset }";
  const cover = `<div style="position: fixed; inset: 0; z-index: 2147483647; background: white">later</div>`;
  const made = await agent();
  const { page } = await visit(t, made.widget.embed_snippet);
  await page.evaluate(([css, html]) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
    document.body.insertAdjacentHTML("beforeend", html);
  }, [rules, cover]);
  const button = page.locator(".launcher");
  await button.click({ timeout: 5000 }); // which fails where something lies over it
  const place = await page.getByRole("dialog").boundingBox();
  assert.ok(place.x > 400 && place.x + place.width <= 900 && place.y + place.height <= 700, JSON.stringify(place));
});

test("a page's shortcuts do not fire while somebody types in the box", async (t) => {
  const { page } = await open(t, "SNIPPET");
  await page.evaluate(() => {
    window.heard = "";
    addEventListener("keydown", (event) => (window.heard += event.key));
  });
  await page.keyboard.type("sail");
  assert.equal(await page.getByRole("textbox").inputValue(), "sail");
  assert.equal(await page.evaluate(() => window.heard), "");
});

test("links, lists and bold words are shown as such, and nothing else", async (t) => {
  const answer = [
    "See **the list** or [our prices](https://acme.example/prices?a=1).", "- one", "- two", "Call +49 221 123456, write to hi@acme.example",
    "or look at https://acme.example/a_b, [here](javascript:alert(1)).",
  ].join("\n");
  const { page } = await open(t, "SNIPPET", { faqs: [{ question: "Where is the price list?", answer }] });
  await ask(page, "Where is the price list?");
  await page.locator(".text li").nth(1).waitFor();
  const links = await page.locator(".text a").evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute("href"), one.rel]));
  const rel = "noopener noreferrer";
  assert.deepEqual(links, [
    ["our prices", "https://acme.example/prices?a=1", rel], ["+49 221 123456", "tel:+49221123456", rel],
    ["hi@acme.example", "mailto:hi@acme.example", rel], ["https://acme.example/a_b", "https://acme.example/a_b", rel],
  ]);
  assert.equal(await page.locator(".text strong").textContent(), "the list");
});

test("answers that the agent offers are buttons, until one is given", async (t) => {
  const { page } = await open(t, "SNIPPET", {
    booking_enabled: true, business_hours: "Mon-Sun 9-18", available_services: ["Hair cut", "Beard trim"],
  });
  await ask(page, "I'd like to book an appointment");
  const offered = page.locator(".choices button");
  await offered.filter({ hasText: "Beard trim" }).waitFor();
  const [height] = await offered.evaluateAll((all) => all.map((one) => one.offsetHeight));
  assert.ok(height >= 44, `a button is ${height} px high`);
  await page.reload();
  await page.locator(".launcher").click();
  await offered.filter({ hasText: "Beard trim" }).click(); // they are there after a reload too
  await page.locator(".message.visitor").filter({ hasText: "Beard trim" }).waitFor();
  await page.getByText(/day/i).last().waitFor();
  await offered.filter({ hasText: "Beard trim" }).waitFor({ state: "detached" });
});

// looks moves a page's clock by so many seconds, and returns how often the box asked for news in them. The clock stands
// still until the box has taken in each answer.
async function looks(page, seconds) {
  let asked = 0;
  let answered = 0;
  const isLook = (request) => request.url().includes("/history/");
  const count = (request) => (asked += isLook(request));
  const end = (request) => (answered += isLook(request));
  page.on("request", count).on("requestfinished", end).on("requestfailed", end);
  for (let passed = 0; passed < seconds; passed += 3) {
    const known = asked;
    await page.clock.runFor(3000);
    while (answered < asked) await new Promise((done) => setTimeout(done, 5));
    if (asked > known) await page.evaluate(() => fetch("data:,").catch(() => {}));
  }
  page.off("request", count).off("requestfinished", end).off("requestfailed", end);
  return asked;
}

// hide makes a page believe that it is hidden, or shown again.
const hide = (page, hidden) => page.evaluate((hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}, hidden);

const tenMinutes = 600;

// The default of `looks` in infra/bill is this count over the four messages of a conversation.
test("after the last answer the box looks four times for news, and begins anew when the visitor comes back", async (t) => {
  const { page, requests } = await open(t, "SNIPPET", {}, { clock: true });
  assert.equal(requests.filter((address) => address.includes("/history/")).length, 0, "before a word is said");
  await ask(page, "Can I bring my dog?");
  await page.getByText("Dogs are welcome").waitFor();
  await page.clock.pauseAt(Date.now() + 2000);
  assert.equal(await looks(page, tenMinutes), 4);
  assert.equal(await looks(page, tenMinutes), 0, "it has ended");
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  assert.equal(await looks(page, tenMinutes), 5, "at once, and anew");
  await hide(page, true);
  assert.equal(await looks(page, tenMinutes), 0, "hidden");
  await hide(page, false);
  assert.equal(await looks(page, 3), 1, "shown again");
  await page.getByRole("button", { name: "Close the chat" }).click();
  assert.equal(await looks(page, tenMinutes), 4, "closed");
});

test("while a person has the conversation the box looks for news quickly at first, and never stops", async (t) => {
  const { id, page } = await open(t, "SNIPPET", {}, { clock: true });
  await api("POST", `/agents/${id}/pause/`);
  await ask(page, "Can I bring my dog?");
  await page.getByText("Your message has arrived.").waitFor();
  await page.clock.pauseAt(Date.now() + 2000);
  const counts = [await looks(page, 60), await looks(page, tenMinutes - 60), await looks(page, tenMinutes)];
  assert.ok(counts[0] >= 15 && counts[0] <= 20, `${counts[0]} in the first minute`);
  assert.ok(counts[1] >= 40 && counts[1] <= 60, `${counts[1]} in the next nine`);
  assert.ok(counts[2] >= 9 && counts[2] <= 11, `${counts[2]} in the ten minutes after them`);
  await page.getByRole("button", { name: "Close the chat" }).click();
  const closed = await looks(page, tenMinutes);
  assert.ok(closed >= 9 && closed <= 11, `${closed} while it is closed`);
});

test("a person's reply is noticed while the box is closed", async (t) => {
  const { id, page, button } = await open(t, "SNIPPET");
  await ask(page, "Can I bring my dog?");
  await page.getByText("Dogs are welcome").waitFor();
  const { results } = await api("GET", `/agents/${id}/conversations/`);
  await api("POST", `/conversations/${results[0].id}/handoff/`);
  await ask(page, "And my cat?");
  await page.getByText("Your message has arrived.").waitFor();
  // The first look at the history is slow: the reply is already in it, and is news all the same.
  let replied;
  const reply = new Promise((done) => (replied = done));
  await page.route("**/history/**", async (route) => {
    await reply;
    await route.continue();
  });
  await page.getByRole("button", { name: "Close the chat" }).click();
  await api("POST", `/conversations/${results[0].id}/reply/`, { message: "Cats are fine." });
  replied();
  await page.locator(".badge").waitFor({ timeout: 40_000 });
  assert.equal(await page.title(), "(1) A shop");
  assert.equal(await page.locator(".preview").textContent(), "Cats are fine.");
  await button.click();
  assert.equal(await page.title(), "A shop");
  assert.equal(await page.locator(".person .text").textContent(), "Cats are fine.");
  assert.equal(await page.locator(".person .who b").textContent(), "Our team");
  await api("POST", `/conversations/${results[0].id}/resume-ai/`);
  await ask(page, "Can I bring my dog?");
  const again = page.locator(".agent .who:not(.visually-hidden) b"); // the agent speaks again, under its name
  await again.waitFor();
  assert.deepEqual(await again.allTextContents(), ["Bean There"]);
});

test("the box speaks the agent's language, from right to left where that is written so", async (t) => {
  const { page } = await open(t, "SNIPPET", { language: "ar" });
  const box = page.locator(".frontdesk-chat");
  assert.equal(await box.evaluate((one) => getComputedStyle(one.shadowRoot.querySelector("form")).direction), "rtl");
  assert.equal(await page.locator(".send").textContent(), "إرسال");
});

test("a box whose configuration did not come at first is shown all the same", async (t) => {
  const { widget } = await agent();
  site.html = "";
  const { page } = await visit(t, "");
  let failed = 0;
  await page.route("**/config/", (route) => (failed++ < 2 ? route.abort() : route.continue()));
  await page.evaluate((src) => {
    const tag = document.createElement("script");
    tag.src = src.script_url;
    tag.dataset.agent = src.embed_key;
    document.head.append(tag);
  }, widget);
  await page.locator(".launcher").waitFor({ timeout: 15_000 });
  assert.equal(failed, 3);
});

test("one box is on a page, and stays when the page's content is replaced", async (t) => {
  const first = await agent({ business_name: "First" });
  const second = await agent({ business_name: "Second" });
  const { page } = await visit(t, first.widget.embed_snippet + second.widget.embed_snippet);
  await page.locator(".launcher").waitFor();
  assert.equal(await page.locator(".frontdesk-chat").count(), 1);
  await page.evaluate(() => {
    const body = document.createElement("body");
    body.append("another page");
    document.documentElement.replaceChild(body, document.body);
  });
  await page.locator(".launcher").click();
  await page.getByRole("dialog", { name: "First" }).waitFor();
});

test("text can be read on every colour", async (t) => {
  const { id, widget } = await agent();
  const { page } = await visit(t, widget.embed_snippet.replace(/data-color="[^"]*"/, `data-color="#ffff00"`));
  const [background, color] = await page.locator(".launcher").evaluate((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]);
  assert.deepEqual([background, color], ["rgb(255, 255, 0)", "rgb(0, 0, 0)"], `agent ${id}`);
});

test("two tabs share a session", async (t) => {
  const { page } = await open(t, "SNIPPET");
  const other = await page.context().newPage();
  await other.goto(site.address);
  await other.locator(".launcher").click();
  await Promise.all([ask(page, "Can I bring my dog?"), ask(other, "Can I bring my dog?")]);
  await Promise.all([page, other].map((tab) => tab.getByText("Dogs are welcome").first().waitFor()));
  const sessions = await Promise.all([page, other].map((tab) => tab.evaluate(() => Object.values(localStorage))));
  assert.equal(sessions[0].length, 1);
  assert.deepEqual(sessions[0], sessions[1]);
});

test("on a phone the box has the screen, and earlier messages are there", async (t) => {
  const { id, page } = await open(t, "SNIPPET");
  await ask(page, "Can I bring my dog?");
  await page.getByText("Dogs are welcome").waitFor();
  const session = await page.evaluate((id) => localStorage.getItem(`frontdesk:${id}`), id);
  for (let i = 0; i < 30; i++) await api("POST", `/agents/${id}/chat/`, { message: `Number ${i}`, session_id: session });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.locator(".launcher").click();
  const place = await page.getByRole("dialog").boundingBox();
  assert.deepEqual([place.x, place.y, place.width, place.height], [0, 0, 390, 844]);
  await page.getByText("Number 29").waitFor();
  assert.equal(await page.getByText("Dogs are welcome").count(), 0);
  await page.getByRole("button", { name: "Earlier messages" }).click();
  await page.getByText("Dogs are welcome").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "Earlier messages" }).count(), 0);
});

test("the box asks before the chat, names the sources of an answer, and asks for a rating at the end", async (t) => {
  const { id, widget } = await agent({ faqs: [] });
  await api("POST", `/agents/${id}/knowledge/`, { title: "House rules", doc_type: "text", content: "Dogs are welcome in the garden." });
  await api("PATCH", `/agents/${id}/widget/`, { form_email: "required", form_name: "optional", show_sources: "all", size: "large", offset_bottom: 60 });
  const { page } = await visit(t, widget.embed_snippet);
  await page.locator(".launcher").click();
  assert.equal(await page.locator("textarea").isVisible(), false, "the form comes first");
  await page.getByRole("button", { name: "Start the chat" }).click();
  assert.ok(await page.locator("textarea").isHidden(), "an address is required");
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("button", { name: "Start the chat" }).click();
  await page.locator("textarea").fill("Are dogs welcome?");
  await page.keyboard.press("Enter");
  await page.getByText("Dogs are welcome in the garden.").waitFor();
  await page.getByText("Sources").click();
  await page.getByText("House rules").waitFor();
  const { results: [talk] } = await api("GET", `/agents/${id}/conversations/`);
  await api("POST", `/conversations/${talk.id}/resolve/`);
  await page.getByRole("button", { name: "Close the chat" }).click();
  await page.locator(".launcher").click();
  await page.locator(".judge").getByRole("button", { name: "Helpful", exact: true }).click();
  await page.getByText("Thank you for your rating.").waitFor();
  const { results } = await api("GET", `/conversations/${talk.id}/messages/`);
  assert.equal(results.at(-1).rating, "positive");
});

test("products are cards that lead to their page by https alone, and the language can be changed", async (t) => {
  const { id, widget } = await agent({ ecommerce_enabled: true, capability_share_links: true, capability_quote_prices: true, capability_recommend_products: true });
  await api("POST", `/agents/${id}/products/`, { name: "City bicycle", price: 499.9, currency: "EUR", url: "https://acme.example/city", image_url: "http://acme.example/city.jpg" });
  await api("PATCH", `/agents/${id}/widget/`, { accept_files: true });
  const { page } = await visit(t, widget.embed_snippet);
  await page.locator(".launcher").click();
  await ask(page, "Do you have the city bicycle?");
  await page.locator(".cards a").waitFor();
  assert.equal(await page.locator(".cards a").getAttribute("href"), "https://acme.example/city");
  assert.equal(await page.locator(".cards img").count(), 0, "the picture is not of https");
  await page.evaluate(() => window.frontdesk.setLanguage("ar"));
  await page.locator(".send", { hasText: "إرسال" }).waitFor();
  assert.equal(await page.locator(".frontdesk-chat").getAttribute("dir"), "rtl");
  await page.locator(".cards a").waitFor(); // what was said is there again
  const data = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=", "base64");
  await page.locator("input[type=file]").setInputFiles({ name: "dog.gif", mimeType: "image/gif", buffer: data });
  await page.locator(".message.visitor", { hasText: "dog.gif" }).waitFor();
});

test("a reader is not moved by a new message, and sees a long answer from its beginning", async (t) => {
  const answer = Array.from({ length: 60 }, (_, i) => `Line ${i} of the rules.`).join("\n\n");
  const { id, page } = await open(t, "SNIPPET", { faqs: [{ question: "What are the rules?", answer }], max_response_length: 4000 });
  await ask(page, "What are the rules?");
  await page.getByText("Line 0 of the rules.").waitFor();
  const top = await page.locator(".message.agent").last().evaluate((one) => one.getBoundingClientRect().top - one.parentElement.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 100, `the answer begins ${top} px below the top of the log`);
  await page.locator(".log").evaluate((log) => (log.scrollTop = 0));
  const { results: [talk] } = await api("GET", `/agents/${id}/conversations/`);
  await api("POST", `/conversations/${talk.id}/reply/`, { message: "By the way, we have cake." });
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await page.evaluate(() => window.frontdesk.open());
  await page.getByRole("button", { name: "New message" }).waitFor();
  assert.equal(await page.locator(".log").evaluate((log) => log.scrollTop), 0);
  await page.getByRole("button", { name: "New message" }).click();
  await page.getByText("we have cake").waitFor();
});

test("a person's reply is heard while the box is closed, where the business wants that", async (t) => {
  for (const sound of [false, true]) {
    const { id, widget } = await agent();
    await api("PATCH", `/agents/${id}/widget/`, { sound });
    const { page } = await visit(t, widget.embed_snippet);
    await page.evaluate(() => {
      window.tones = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...when) {
        window.tones++;
        return start.apply(this, when);
      };
    });
    await page.locator(".launcher").click();
    await ask(page, "Can I bring my dog?");
    await page.getByText("Dogs are welcome").waitFor();
    assert.equal(await page.evaluate(() => window.tones), 0, "what the visitor sees makes no sound");
    const { results } = await api("GET", `/agents/${id}/conversations/`);
    await api("POST", `/conversations/${results[0].id}/handoff/`);
    await ask(page, "And my cat?");
    await page.getByText("Your message has arrived.").waitFor();
    await page.getByRole("button", { name: "Close the chat" }).click();
    await api("POST", `/conversations/${results[0].id}/reply/`, { message: "Cats are fine." });
    await page.locator(".badge").waitFor({ timeout: 40_000 });
    assert.equal(await page.evaluate(() => window.tones), sound ? 1 : 0);
  }
});

test("the box can be used in landscape and at 400 %, and keeps the keyboard on a phone", async (t) => {
  const { page } = await open(t, "SNIPPET");
  await ask(page, "Can I bring my dog?");
  await page.getByText("Dogs are welcome").waitFor();
  await page.getByRole("button", { name: "Close the chat" }).click();
  for (const viewport of [{ width: 740, height: 360 }, { width: 320, height: 256 }, { width: 390, height: 844 }]) {
    const size = `${viewport.width} x ${viewport.height}`; // 320 x 256 is 1280 x 1024 at 400 %
    await page.setViewportSize(viewport);
    await page.locator(".launcher").click();
    const dialog = page.getByRole("dialog");
    assert.ok(await dialog.evaluate((one) => one.matches(":modal")), size);
    for (const part of [page.getByRole("textbox"), page.locator(".send"), page.getByRole("button", { name: "Close the chat" })]) {
      const place = await part.boundingBox();
      assert.ok(place.x >= 0 && place.x + place.width <= viewport.width, `${size}: ${JSON.stringify(place)}`);
      assert.ok(place.y >= 0 && place.y + place.height <= viewport.height, `${size}: ${JSON.stringify(place)}`);
    }
    assert.ok((await page.getByRole("log").boundingBox()).height >= 60, `${size}: the messages have no room`);
    const sideways = await page.locator(".log").evaluate((one) => one.scrollWidth - one.clientWidth);
    assert.equal(sideways, 0, size);
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(() => document.activeElement.className + document.activeElement.tagName);
      assert.match(focused, /^frontdesk-chat|BODY$/, `${size}: the keyboard is on the page behind the box`);
    }
    await page.getByRole("textbox").press("Escape");
    await dialog.waitFor({ state: "hidden" });
    assert.ok(await page.locator(".launcher").evaluate((one) => one.matches(":focus")), size);
  }
});

test("who spoke is there to be heard, words are large enough for a phone, and the input grows", async (t) => {
  const { page } = await open(t, "SNIPPET");
  await ask(page, "Can I bring my dog?");
  await page.getByText("Dogs are welcome").waitFor();
  const speakers = await page.locator(".message .who b").evaluateAll((all) => all.map((one) => one.textContent));
  assert.deepEqual(speakers, ["Bean There", "You", "Bean There"]);
  const input = page.locator("textarea");
  assert.equal(await input.evaluate((one) => getComputedStyle(one).fontSize), "16px");
  const before = await input.evaluate((one) => one.offsetHeight);
  await input.fill("one\ntwo\nthree\nfour");
  assert.ok(await input.evaluate((one) => one.offsetHeight) > before);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.equal(await page.getByRole("dialog").evaluate((one) => getComputedStyle(one).backgroundColor), "rgb(22, 28, 37)");
  await page.emulateMedia({ forcedColors: "active" });
  assert.notEqual(await page.locator(".launcher").evaluate((one) => getComputedStyle(one).borderTopWidth), "0px");
});

test("the box is without findings of axe, light and dark, on a desk and on a phone", async (t) => {
  const { id, widget } = await agent();
  await api("PATCH", `/agents/${id}/widget/`, { form_name: "optional", accept_files: true, show_sources: "all" });
  const { page } = await visit(t, widget.embed_snippet);
  await page.locator(".launcher").click();
  const check = async (state) => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(".frontdesk-chat"));
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes[0].html]), [], state);
  };
  const axe = await readFile(join(process.env.TOOLS, "node_modules", "axe-core", "axe.min.js"), "utf8");
  await check("the form");
  await page.getByRole("button", { name: "Start the chat" }).click();
  await ask(page, "Can I bring my dog?");
  await page.getByText("Dogs are welcome").waitFor();
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await check(`${colorScheme}, ${viewport.width}`);
    }
  }
});

test("the loader gives its nonce on, and the script may be loaded by an isolated page", async (t) => {
  const { widget } = await agent();
  const { page } = await visit(t, "");
  site.html = `<!doctype html><title>A shop</title><body><script nonce="abc" src="${widget.loader_url}"></script>`;
  site.headers = {
    "Content-Security-Policy": `default-src 'none'; script-src 'nonce-abc'; connect-src ${new URL(service.base).origin}`,
    "Cross-Origin-Embedder-Policy": "require-corp",
  };
  t.after(() => (site.headers = null));
  await page.goto(`${site.address}isolated`);
  await page.locator(".launcher").waitFor();
});

// The reference is a sum of square roots, so that the bound is the same on slow and fast machines.
test("showing the box takes little of a processor that is four times slower", async (t) => {
  const { widget } = await agent();
  const { page } = await visit(t, "");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const spent = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "ScriptDuration").value * 1000;
  };
  const ratios = [];
  for (let i = 0; i < 5; i++) {
    site.html = `<!doctype html><title>A shop</title><body>${widget.embed_snippet}`;
    await page.reload();
    await page.locator(".launcher").waitFor();
    const box = await spent();
    const reference = await page.evaluate(() => {
      const begun = performance.now();
      let sum = 0;
      for (let n = 0; n < 4e6; n++) sum += Math.sqrt(n);
      return sum && performance.now() - begun;
    });
    ratios.push(box / reference);
    t.diagnostic(`${box.toFixed(1)} ms of script, ${reference.toFixed(1)} ms of the reference`);
  }
  assert.ok(Math.min(...ratios) < 0.25, `${ratios.map((r) => r.toFixed(2))} of the reference`);
});
