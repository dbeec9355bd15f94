// Two people at their desks in one conversation, and a service that is killed meanwhile.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { api, ask, close, desk, enter, healthy, kill, open, pictured, problems, watched } from "./desk.mjs";

let owner, tom, agent, talk;
const visit = async (body) => (await api("POST", `widget/${agent.widget.embed_key}/send/`, body, {})).json();
const thread = (page) => page.getByRole("log", { name: "Messages" });
const send = async (page, text) => {
  await page.getByLabel("Reply").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
};

before(async () => {
  await open();
  agent = await enter();
  const made = await ask("POST", "members/", { name: "Tom", role: "agent" });
  const { url } = await ask("POST", `members/${made.id}/invite/`);
  const theirs = await desk.browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en-GB" });
  theirs.setDefaultTimeout(12_000);
  [owner, tom] = [desk.page, await watched(theirs)];
  await tom.goto(url);
  await tom.getByRole("link", { name: "Inbox" }).waitFor();
  talk = await visit({ message: "I want to talk to a person" });
  for (const page of [owner, tom]) {
    await page.goto(desk.service.link.split("#")[0] + "#/inbox/" + talk.conversation_id);
    await thread(page).getByText("I want to talk to a person").waitFor();
  }
});
after(close);

test("two people who answer at once see each other, and nothing is lost", async () => {
  await Promise.all([send(owner, "Ada's owner is here."), send(tom, "Tom is here too.")]);
  for (const page of [owner, tom]) {
    for (const text of ["Ada's owner is here.", "Tom is here too."]) await thread(page).getByText(text, { exact: true }).waitFor();
    await thread(page).getByText("Tom", { exact: true }).waitFor(); // whose words they are
  }
  const { messages } = await (await api("GET", `widget/${agent.widget.embed_key}/history/?session_id=${talk.session_id}`, undefined, {})).json();
  const said = messages.filter((m) => m.direction === "outbound" && !m.sent_by_ai).map((m) => m.content).sort();
  assert.deepEqual(said, ["Ada's owner is here.", "Tom is here too."]);
});

/** Types a letter every two seconds while something else is done. */
async function typing(page, box, meanwhile) {
  let done = false;
  const letters = (async () => {
    while (!done) {
      await box.pressSequentially("a");
      await page.waitForTimeout(2000);
    }
  })();
  try {
    return await meanwhile();
  } finally {
    done = true;
    await letters;
  }
}

test("two people with one conversation open see each other there, and who of them writes", async () => {
  const seen = (page, text) => page.locator(".others").getByText(text, { exact: true });
  await seen(owner, "Tom is viewing this too").waitFor();
  await seen(tom, "Owner is viewing this too").waitFor();
  const row = owner.locator('a.item[aria-current="true"]');
  await row.getByText("Tom", { exact: true }).waitFor();
  const reports = [];
  tom.on("request", (r) => { if (r.url().endsWith("/presence/")) reports.push(r.postDataJSON().activity); });
  await typing(tom, tom.getByLabel("Reply"), async () => {
    await seen(owner, "Tom is writing…").waitFor({ timeout: 8000 });
    await owner.locator("a.item .writing", { hasText: "Tom is writing…" }).waitFor();
    await healthy(owner, "inbox-together");
  });
  assert.match(await owner.getByRole("status").allTextContents().then((all) => all.join("|")), /Tom is writing…/);
  const often = reports.filter((a) => a === "writing").length;
  assert.ok(often >= 1 && often <= 4, `${often} reports of typing`);
  await tom.getByLabel("Reply").fill("");
  await seen(owner, "Tom is viewing this too").waitFor({ timeout: 8000 });
  await tom.getByLabel("Note for colleagues").check();
  await tom.getByLabel("Note", { exact: true }).pressSequentially("for us");
  assert.ok(!reports.slice(reports.lastIndexOf("viewing")).includes("writing"), "a note is no reply");
  await tom.getByLabel("Note", { exact: true }).fill("");
  await tom.getByLabel("Note for colleagues").uncheck();
  await tom.getByRole("link", { name: "Back to the list" }).click(); // who leaves is gone at once
  await seen(owner, "Tom is viewing this too").waitFor({ state: "detached", timeout: 8000 });
  await tom.goBack();
  await seen(owner, "Tom is viewing this too").waitFor({ timeout: 10_000 });
});

test("who loses the network while typing is gone after some seconds", async () => {
  await tom.getByLabel("Reply").pressSequentially("Half a sen");
  const writes = owner.locator(".others").getByText("Tom is writing…");
  await writes.waitFor({ timeout: 8000 });
  await tom.context().setOffline(true);
  await writes.waitFor({ state: "detached", timeout: 14_000 });
  await tom.context().setOffline(false);
  await tom.getByLabel("Reply").fill("");
});

test("at one conversation together, two people ask little", async () => {
  let asked = 0;
  const count = () => { asked++; };
  owner.on("request", count);
  await owner.waitForTimeout(30_000);
  owner.off("request", count);
  console.log(`${asked * 2} requests a minute with a colleague in the same conversation`);
  assert.ok(asked <= 10, `${asked} requests in 30 s`);
});

test("a visitor sees that a person writes, and is seen writing", async () => {
  const context = await desk.browser.newContext({ viewport: { width: 900, height: 700 }, locale: "en-GB" });
  context.setDefaultTimeout(12_000);
  const visitor = await watched(context);
  const reports = [];
  visitor.on("request", (r) => { if (r.url().endsWith("/typing/")) reports.push(r.url()); });
  await visitor.goto(new URL("/widget/demo", desk.service.base).href);
  await visitor.locator(".launcher").click();
  const input = visitor.getByRole("textbox");
  await input.pressSequentially("I want to talk to a person");
  assert.equal(reports.length, 0, "nobody has the conversation");
  await input.press("Enter");
  await visitor.locator(".agent .text").nth(1).waitFor();
  const { results } = await ask("GET", "conversations/");
  await owner.goto(desk.service.link.split("#")[0] + "#/inbox/" + results[0].id);
  await thread(owner).getByText("I want to talk to a person").waitFor();

  await typing(visitor, input, async () => {
    await owner.locator(".others").getByText("Visitor is writing…").waitFor({ timeout: 8000 });
    await owner.locator("a.item .writing", { hasText: "Visitor is writing…" }).waitFor();
  });
  assert.ok(reports.length >= 1 && reports.length <= 2, `${reports.length} reports of typing`);
  await input.press("Enter");
  await owner.locator(".others").getByText("Visitor is writing…").waitFor({ state: "detached", timeout: 8000 });

  await tom.goto(desk.service.link.split("#")[0] + "#/inbox/" + results[0].id);
  await thread(tom).getByText("I want to talk to a person").waitFor();
  const dots = visitor.getByRole("img", { name: "Writing" });
  for (const colorScheme of ["light", "dark"]) {
    await visitor.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await tom.getByLabel("Reply").pressSequentially("One moment");
    await dots.waitFor({ timeout: 8000 });
    assert.equal(await visitor.locator(".writer b").textContent(), "Tom");
    assert.equal(await visitor.locator(".dots i").first().evaluate((e) => getComputedStyle(e).animationName), "none");
    await pictured(visitor, `box-writing-${colorScheme}`);
    await tom.getByRole("button", { name: "Send" }).click();
    const said = visitor.locator(".person").nth(colorScheme === "light" ? 0 : 1);
    await said.waitFor({ timeout: 4000 });
    assert.equal(await said.locator(".who b").textContent(), "Tom");
    await dots.waitFor({ state: "hidden" });
    await visitor.waitForTimeout(3500); // the next look does not bring them back
    assert.ok(!(await dots.isVisible()));
  }
  await tom.getByRole("button", { name: "Hand back" }).click();
  await tom.getByRole("button", { name: "Take over" }).waitFor();
  await input.fill("Are you open on Sundays?");
  await input.press("Enter");
  await visitor.locator(".agent .who:not(.visually-hidden)").waitFor(); // the mark that the agent answers again
  await tom.getByLabel("Reply").pressSequentially("Not yet");
  await visitor.waitForTimeout(4000);
  assert.ok(!(await dots.isVisible()), "the agent answers");
  await tom.getByLabel("Reply").fill("");
  await context.close();
  for (const page of [owner, tom]) {
    await page.goto(desk.service.link.split("#")[0] + "#/inbox/" + talk.conversation_id);
    await thread(page).getByText("Tom is here too.").waitFor();
  }
});

test("two tabs ask as little as one, and both hear the news", async () => {
  const tab = await watched(desk.context);
  await tab.goto(owner.url());
  await tab.getByRole("region", { name: "Conversations" }).waitFor();
  await tab.waitForTimeout(5000);
  let asked = 0;
  for (const one of [owner, tab]) one.on("request", (r) => { if (r.url().includes("/changes/")) asked++; });
  await tab.waitForTimeout(14_000);
  assert.ok(asked >= 3 && asked <= 5, `${asked} looks of two tabs in 14 s`);
  const { conversation_id: id } = await visit({ message: "Do both tabs hear me?" });
  for (const one of [owner, tab]) await one.locator(`a[href="#/inbox/${id}"]`).waitFor({ timeout: 6000 });
  await tab.close();
});

test("one takes it over and hands it back under the other's eyes", async () => {
  await tom.getByRole("button", { name: "Hand back" }).click();
  await owner.getByRole("button", { name: "Take over" }).waitFor();
  await thread(owner).getByText("The AI answers again").waitFor();
  await owner.getByRole("button", { name: "Take over" }).click();
  await tom.getByRole("button", { name: "Hand back" }).waitFor();
});

test("a service that is killed is missed, and caught up with when it runs again", async () => {
  const again = await kill();
  await owner.getByText("The service cannot be reached").waitFor();
  const lost = send(owner, "Sent while it was down.");
  await again();
  await lost;
  await thread(owner).getByText("Sent while it was down.").waitFor();
  await owner.getByText("The service cannot be reached").waitFor({ state: "detached" });
  await visit({ message: "Are you still there?", session_id: talk.session_id });
  for (const page of [owner, tom]) await thread(page).getByText("Are you still there?").waitFor();
  const { results } = await ask("GET", `conversations/${talk.conversation_id}/messages/`);
  assert.equal(results.filter((m) => m.content === "Sent while it was down.").length, 1);
});

test("nothing was refused by the page's policy", () => assert.deepEqual(problems, []));
