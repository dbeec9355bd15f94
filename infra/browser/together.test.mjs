// Two people at their desks in one conversation, and a service that is killed meanwhile.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { api, ask, close, desk, enter, kill, open, problems, watched } from "./desk.mjs";

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
