// Uses the dashboard by keyboard, on a phone, and with very many conversations.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { api, ask, close, desk, enter, healthy, open, problems, until } from "./desk.mjs";

let page, agent;
before(async () => {
  await open();
  agent = await enter();
  page = desk.page;
});
after(close);
const visit = async (body) => (await api("POST", `widget/${agent.widget.embed_key}/send/`, body, {})).json();

test("the palette finds pages and people", async () => {
  await ask("POST", "contacts/", { agent_id: agent.id, phone: "+4930901820", name: "Ada Lovelace" });
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await palette.getByRole("combobox").fill("play");
  await palette.getByRole("option", { name: /Playbook/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Playbook" }).waitFor();
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill("lovelace");
  await palette.getByRole("option", { name: /Ada Lovelace/ }).waitFor();
  await healthy(page, "palette");
  await palette.getByRole("combobox").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
});

test("g and a letter lead to a page, ? helps, and letters in fields are letters", async () => {
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await page.getByRole("heading", { name: "Contacts", level: 1 }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("e"); // which resolves in the inbox
  await page.getByRole("heading", { name: "Webhooks" }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await healthy(page, "help");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" }); // it has the letters while it is open
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await page.getByLabel("Find contacts").pressSequentially("gi?");
  assert.equal(await page.getByLabel("Find contacts").inputValue(), "gi?");
  await page.getByRole("heading", { name: "Contacts", level: 1 }).waitFor();
  await page.getByRole("heading", { name: "Contacts", level: 1 }).click();
  await page.keyboard.press("?");
  await page.getByLabel("Single letters do something").uncheck();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await page.waitForTimeout(300);
  assert.match(page.url(), /contacts$/);
  await page.evaluate(() => localStorage.removeItem("frontdesk.letters"));
});

test("a conversation is dealt with by keyboard alone", async () => {
  await ask("POST", `agents/${agent.id}/quick-answers/`, { shortcut: "/hours", title: "Hours", content: "From nine to six." });
  const older = await visit({ message: "First" }), newer = await visit({ message: "Second" });
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await page.locator(`a[href="#/inbox/${newer.conversation_id}"]`).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await until(() => page.url().endsWith(`/inbox/${older.conversation_id}`));
  await page.keyboard.press("k");
  await until(() => page.url().endsWith(`/inbox/${newer.conversation_id}`));
  await page.getByRole("button", { name: "Take over" }).waitFor();
  await page.keyboard.press("t");
  await page.getByRole("button", { name: "Hand back" }).waitFor();
  await page.keyboard.press("r");
  await page.keyboard.type("/ho");
  await page.getByRole("list", { name: "Quick answers" }).getByText("/hours").waitFor();
  await healthy(page, "quick-answer");
  await page.getByLabel("Reply").focus();
  await page.keyboard.press("Tab");
  assert.equal(await page.getByLabel("Reply").inputValue(), "From nine to six.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("log").getByText("From nine to six.").waitFor();
  await page.getByRole("log").focus();
  await page.keyboard.press("b");
  await page.getByRole("button", { name: "Take over" }).waitFor();
  await page.keyboard.press("e");
  await until(async () => (await ask("GET", `conversations/${newer.conversation_id}/`)).status === "resolved");
});

test("a phone has the other pages behind More", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "More" }).click();
  const sheet = page.getByRole("dialog", { name: "More" });
  await sheet.getByRole("link", { name: "Settings" }).waitFor();
  await healthy(page, "more");
  await page.setViewportSize({ width: 390, height: 844 });
  await sheet.getByRole("link", { name: "Analytics" }).click();
  await page.getByRole("heading", { name: "Analytics" }).waitFor();
  assert.equal(await page.getByRole("navigation", { name: "Pages" }).getByRole("link").filter({ visible: true }).count(), 4);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test("10,000 conversations scroll with at most 200 rows in the page", async () => {
  const { account } = await ask("GET", "me/");
  execFileSync(process.env.SEED, [desk.service.folder, account.id, agent.id, 10_000].map(String));
  await page.goto(new URL("#/inbox", page.url()).href);
  await page.reload();
  const list = page.locator("ul.rows");
  await page.locator(".rows .item").nth(20).waitFor();
  const begin = Date.now();
  let most = 0, height = 0;
  for (const end = begin + 120_000; Date.now() < end;) {
    const now = await list.evaluate((e) => { e.scrollTop = e.scrollHeight; dispatchEvent(new WheelEvent("wheel")); return [e.querySelectorAll(".item").length, e.scrollHeight, e.textContent.includes("Question 9999")]; });
    most = Math.max(most, now[0]); height = now[1];
    if (now[2]) break;
    await page.waitForTimeout(15);
  }
  assert.ok(height >= 10_000 * 88, `the list ends at ${height} px`);
  assert.ok(most <= 200, `${most} rows are in the page`);
  const slowest = await list.evaluate(async (e) => { // the longest frame of a scroll through all of it
    let last = performance.now(), worst = 0;
    for (let at = 0; at < e.scrollHeight; at += e.scrollHeight / 60) {
      e.scrollTop = at;
      await new Promise(requestAnimationFrame);
      worst = Math.max(worst, performance.now() - last); last = performance.now();
    }
    return worst;
  });
  console.log(`10,000 rows loaded in ${Date.now() - begin} ms, ${most} in the page, slowest frame ${Math.round(slowest)} ms`);
  await list.evaluate((e) => { e.scrollTop = 5000 * 88; });
  await page.locator(".rows .item", { hasText: /Question (499\d|500\d)/ }).first().waitFor();
});

test("nothing was refused by the page's policy", () => assert.deepEqual(problems, []));
