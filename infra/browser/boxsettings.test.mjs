// Sets in the dashboard how the chat box behaves.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { api, close, desk, enter, open, problems } from "./desk.mjs";

let page, agent;
before(async () => {
  await open();
  agent = await enter();
  page = desk.page;
});
after(close);

test("how the chat box behaves is set, and the box shown beside it does so", async () => {
  const settings = async () => (await api("GET", `agents/${agent.id}/widget/`)).json();
  const initial = await settings();
  await page.getByRole("link", { name: "Widget" }).click();
  await page.getByLabel("Size").selectOption("large");
  await page.getByLabel("Pixels from the side").fill("40");
  await page.getByLabel("Pixels from the bottom").fill("64");
  await page.getByLabel("Corner of the page").selectOption("left");
  await page.locator("select[name=form_name]").selectOption("required");
  await page.locator("select[name=form_email]").selectOption("optional");
  await page.getByLabel("Sources of an answer").selectOption("all");
  await page.getByLabel(/Say who of the team is online/).uncheck();
  await page.getByLabel(/Ask for a rating/).uncheck();
  await page.getByLabel(/Take pictures and PDF/).check();
  await page.getByLabel(/Play a sound/).check();
  await page.getByLabel(/Say that the box is Frontdesk/).uncheck();
  await page.getByLabel("Websites it may run on").fill("https://ada.example/shop\nbikes.example");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").first().waitFor();
  assert.deepEqual((await settings()).allowed_domains, ["ada.example", "bikes.example"]);
  const expected = { size: "large", offset_side: 40, offset_bottom: 64, position: "left", form_name: "required", form_email: "optional", form_phone: "off",
    show_sources: "all", show_team: false, ask_rating: false, accept_files: true, sound: true, powered_by: false };
  const stored = await settings();
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, stored[name]])), expected);
  const box = page.frameLocator("iframe.preview");
  await box.getByLabel(/Name/).fill("Ada");
  await page.locator("iframe.preview").scrollIntoViewIfNeeded();
  await box.getByRole("button", { name: "Start the chat" }).click();
  await box.locator(".attach").waitFor();
  assert.equal(await box.locator(".powered").count(), 0);
  await page.getByLabel("Pixels from the side").fill("201"); // the browser refuses it, and nothing is stored
  await page.getByRole("button", { name: "Save" }).click();
  assert.equal((await settings()).offset_side, 40);
  assert.equal((await api("PATCH", `agents/${agent.id}/widget/`, { allowed_domains: [] })).status, 200);
  assert.equal((await api("PATCH", `agents/${agent.id}/widget/`, Object.fromEntries(Object.keys(expected).map((name) => [name, initial[name]])))).status, 200);
  await page.reload();
  await page.getByRole("button", { name: "Save" }).waitFor();
  assert.equal(await page.getByLabel("Size").inputValue(), initial.size);
});

test("nothing was refused by the page's policy", () => assert.deepEqual(problems, []));
