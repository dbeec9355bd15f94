// Uses the dashboard in languages other than English.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { ask, close, desk, enter, healthy, open, problems, watched } from "./desk.mjs";

let agent, state;
before(async () => {
  await open();
  agent = await enter();
  await ask("POST", `agents/${agent.id}/knowledge/`, { title: "Parken", content: "Parken ist gratis.", doc_type: "text" });
  const visitor = await ask("POST", `widget/${agent.widget.embed_key}/send/`, { message: "Parken?" });
  await ask("POST", "appointments/", { agent_id: agent.id, contact_id: visitor.contact_id ?? (await ask("POST", "contacts/", { agent_id: agent.id, phone: "+4930901820", name: "Ada" })).id,
    title: "Inspektion", start_time: new Date(Date.now() + 3_600_000).toISOString(), end_time: new Date(Date.now() + 7_200_000).toISOString(), status: "confirmed" });
  state = await desk.context.storageState();
});
after(close);

const strings = async (code) => JSON.parse(await readFile(new URL(`../../functions/console/app/strings/${code}.json`, import.meta.url), "utf8"));
const pages = ["inbox", "agenda/week", "agenda/list", "contacts", "knowledge", "unanswered", "playbook/products", "playbook/actions/new", "playbook/roles", "analytics", "widget", "channels", "webhooks", "settings/agent", "settings/team", "settings/signins", "start"];

/** The texts, names and placeholders that a page shows, each by itself. */
const shown = (page) => page.evaluate(() => {
  const texts = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) texts.push(walk.currentNode.data.trim());
  for (const e of document.querySelectorAll("[aria-label], [placeholder], [title]")) texts.push(...["aria-label", "placeholder", "title"].map((a) => e.getAttribute(a) ?? ""));
  return texts;
});

for (const [locale, code, words] of [
  ["de-AT", "de", { inbox: "Posteingang", take: "Übernehmen", back: "Zurückgeben" }],
  ["fr-FR", "fr", { inbox: "Boîte de réception", take: "Prendre en charge", back: "Rendre à l’IA" }],
  ["es-MX", "es", { inbox: "Bandeja de entrada", take: "Tomar", back: "Devolver" }],
]) {
  test(`the dashboard speaks ${code}, as the browser does`, async () => {
    const context = await desk.browser.newContext({ viewport: { width: 1280, height: 800 }, locale, storageState: state });
    context.setDefaultTimeout(12_000);
    const page = await watched(context), translations = await strings(code);
    await page.goto(desk.service.link.split("#")[0]);
    await page.getByRole("heading", { name: words.inbox }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), code);
    await page.locator(".rows a").first().click();
    await page.getByRole("button", { name: words.take }).click();
    await page.getByRole("button", { name: words.back }).click();
    await page.getByRole("button", { name: words.take }).waitFor();
    await healthy(page, "inbox-" + code);
    // What has another form in this language must not be read in English on any page.
    const english = new Set(Object.entries(translations).filter(([key, text]) => key !== text && /[A-Za-z]{2}/.test(key)).map(([key]) => key));
    const own = new Set(Object.values(translations));
    for (const name of pages) {
      await page.goto(desk.service.link.split("#")[0] + "#/" + name);
      await page.locator(".main h1, .main h2").first().waitFor();
      await page.waitForTimeout(700);
      const texts = await shown(page);
      assert.deepEqual(texts.filter((t) => english.has(t) && !own.has(t)), [], `English on ${name} in ${code}`);
      assert.ok(texts.filter((t) => own.has(t)).length > 10, `${name} says little in ${code}`);
    }
    await context.close();
  });
}

test("a language is chosen in the settings, and stays", async () => {
  const { page } = desk;
  await page.goto(desk.service.link.split("#")[0] + "#/settings");
  await page.getByLabel("Language of the dashboard").selectOption("de");
  await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
  await healthy(page, "settings-de");
  await page.reload();
  await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
  await page.getByLabel("Was antwortet", { exact: true }).fill("gpt-9"); // a refusal is told in the reader's language too
  await page.getByRole("button", { name: "Speichern" }).click();
  assert.match(await page.getByRole("alert").textContent(), /^Das kann nicht gespeichert werden\. \(.*ai_model.*\)$/s);
  await page.getByLabel("Sprache der Oberfläche").selectOption("");
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
});

test("without its translations the dashboard is in English", async () => {
  const context = await desk.browser.newContext({ locale: "es-ES", storageState: state });
  const page = await watched(context);
  await page.route(/\/es-\w+\.js$/, (route) => route.abort());
  await page.goto(desk.service.link.split("#")[0]);
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
  await context.close();
});

test("nothing was refused by the page's policy", () => assert.deepEqual(problems, []));
