// Uses the chat widget as a visitor does: in a browser, on a page of another site. `make test-widget` runs it; it names
// the browser by CHROMIUM, the service's program by FRONTDESK and the folder of node_modules by TOOLS.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
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
  const [line] = await once(createInterface({ input: running.stdout }), "line");
  const [, base] = /API: (\S+)api\/v1\//.exec(line);
  const [, demo] = /Chat widget: (\S+)/.exec(line);
  service = { running, folder, base, demo };

  site = { html: "" };
  site.server = createServer((request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    // A strict policy, as careful sites have it: the widget gets by with what its snippet needs.
    const { origin } = new URL(base);
    response.setHeader("Content-Security-Policy", `default-src 'none'; script-src ${origin}; connect-src ${origin}; style-src 'self'`);
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
async function visit(t, html) {
  site.html = `<!doctype html><title>A shop</title><link rel="stylesheet" href="/style.css"><link rel="icon" href="data:,"><h1>A shop</h1>${html}`;
  const context = await browser.newContext({ viewport: { width: 900, height: 700 } });
  t.after(() => context.close());
  const page = await context.newPage();
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  const errors = [];
  page.on("pageerror", (error) => errors.push(error));
  t.after(() => assert.deepEqual(errors, []));
  await page.goto(site.address);
  return { page, requests };
}

const bubbles = (page) => page.locator(".log > p").evaluateAll((all) => all.map((one) => one.firstChild.textContent));

async function ask(page, words) {
  await page.getByRole("textbox").fill(words);
  await page.keyboard.press("Enter");
}

test("a visitor asks and gets the answer", async (t) => {
  const { id, widget } = await agent();
  const { page, requests } = await visit(t, widget.embed_snippet);
  const button = page.getByRole("button", { name: widget.button_text });
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
  const look = await page.locator(".visitor").evaluate((one) => {
    const { color, backgroundColor, fontSize } = getComputedStyle(one);
    return { color, backgroundColor, fontSize };
  });
  assert.deepEqual(look, { color: "rgb(255, 255, 255)", backgroundColor: "rgb(37, 99, 235)", fontSize: "15px" });

  // What is said is text, whatever it looks like.
  const attack = `<img src=x onerror="window.attacked = true">`;
  await ask(page, attack);
  await page.locator(".log > p").nth(4).waitFor();
  assert.equal((await bubbles(page))[3], attack);
  assert.equal(await page.locator(".log img, .log b").count(), 0);
  assert.equal(await page.evaluate(() => window.attacked), undefined);

  // An answer can be rated, and rated otherwise.
  for (const name of ["Helpful", "Not helpful"]) {
    const rate = page.getByRole("button", { name, exact: true }).first();
    await rate.click();
    await page.waitForFunction((one) => one.ariaPressed === "true", await rate.elementHandle());
  }
  assert.equal(await page.getByRole("button", { pressed: true }).count(), 1);

  // What others say in the session appears by itself.
  const session = await page.evaluate((key) => localStorage.getItem(`frontdesk:${key}`), widget.embed_key);
  await api("POST", `/agents/${id}/chat/`, { message: "From elsewhere", session_id: session });
  await page.getByText("From elsewhere").waitFor({ timeout: 20_000 });
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
  await page.getByText("could not be sent").waitFor();
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

test("a reply takes as long as the business wants", async (t) => {
  const { widget } = await agent({ response_delay_seconds: 2 });
  const { page } = await visit(t, widget.embed_snippet);
  await page.getByRole("button", { name: widget.button_text }).click();
  const asked = Date.now();
  await ask(page, "Can I bring my dog?");
  await page.getByText("Writing…").waitFor();
  await page.getByText("Dogs are welcome in the garden.").waitFor();
  assert.ok(Date.now() - asked >= 2000, `it came after ${Date.now() - asked} ms`);
  assert.equal(await page.getByText("Writing…").count(), 0);
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
  const button = page.getByRole("button", { name: "Ask us" });
  await button.click();
  await page.getByRole("dialog", { name: "Wheels" }).waitFor();
  await page.getByText("We reply at once").waitFor();
  assert.deepEqual(await bubbles(page), ["Ahoy!"]);
  assert.equal(await page.locator("header img").getAttribute("src"), "https://acme.example/ada.png");
  const colors = await button.evaluate((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]);
  assert.deepEqual(colors, ["rgb(18, 52, 86)", "rgb(171, 205, 239)"]);
  await api("PATCH", `/agents/${id}/widget/`, { avatar_url: "" });
  await page.reload();
  await button.click();
  assert.equal(await page.locator("header img").getAttribute("src"), "https://acme.example/logo.png");
});
