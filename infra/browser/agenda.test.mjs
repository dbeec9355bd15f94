// Works with the agenda of the dashboard, across a change of clocks.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, close, desk, enter, healthy, open, problems, until } from "./desk.mjs";

let page, agent, contact, repair;
before(async () => {
  await open();
  agent = await enter({ timezone: "Europe/Berlin", business_hours: "Monday to Saturday 9:00-18:00" });
  page = desk.page;
  contact = await ask("POST", "contacts/", { agent_id: agent.id, phone: "+4930901820", name: "Ada" });
  const arrange = (title, start_time, end_time) => ask("POST", "appointments/", { agent_id: agent.id, contact_id: contact.id, title, start_time, end_time, status: "confirmed" });
  repair = await arrange("Repair", "2027-03-27T15:00:00+01:00", "2027-03-27T16:00:00+01:00"); // clocks are set forward in the night
  await arrange("Fitting", "2027-03-28T17:00:00+02:00", "2027-03-28T18:00:00+02:00");
});
after(close);

const starts = async () => Date.parse((await ask("GET", `appointments/${repair.id}/`)).start_time);
const block = (title = "Repair") => page.getByRole("button", { name: new RegExp(`^${title}, Ada`) });

// drag takes a block by its middle to a column and a row of the grid.
async function drag(title, day, minute) {
  await block(title).scrollIntoViewIfNeeded();
  const from = await block(title).boundingBox();
  const column = await page.locator(`[data-day="${day}"]`).boundingBox();
  const y = column.y + minute / 60 * 48 + from.height / 2;
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(column.x + column.width / 2, y - 5, { steps: 4 });
  await page.mouse.move(column.x + column.width / 2, y);
  await page.mouse.up();
}

test("an appointment is dragged across the change of clocks, and back", async () => {
  await page.goto(new URL("#/agenda/week/2027-03-27", page.url()).href);
  await page.getByText("Times of Europe/Berlin").waitFor();
  await block().waitFor();
  await drag("Repair", "2027-03-28", 15 * 60);
  await until(async () => await starts() === Date.parse("2027-03-28T15:00:00+02:00")); // the same wall clock
  await page.getByRole("button", { name: /^Repair, Ada, Sunday.*15:00 – 16:00/ }).waitFor();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await until(async () => await starts() === Date.parse("2027-03-27T15:00:00+01:00"));
  const { end_time } = await ask("GET", `appointments/${repair.id}/`);
  assert.equal(Date.parse(end_time), Date.parse("2027-03-27T16:00:00+01:00"));
  await page.getByRole("button", { name: /^Repair, Ada, Saturday/ }).waitFor();
});

test("by keyboard it moves over the change and not onto a time that is taken", async () => {
  await block().focus();
  await page.keyboard.press("Alt+ArrowRight");
  await until(async () => await starts() === Date.parse("2027-03-28T15:00:00+02:00"));
  await page.getByRole("button", { name: /^Repair, Ada, Sunday.*15:00/ }).waitFor();
  for (let minute = 15; minute <= 60; minute += 15) {
    await block().focus();
    await page.keyboard.press("Alt+ArrowDown");
    await until(async () => await starts() === Date.parse("2027-03-28T15:00:00+02:00") + minute * 60_000);
    await page.getByRole("button", { name: new RegExp(`^Repair, Ada, Sunday.*${minute === 60 ? "16:00" : "15:" + minute}`) }).waitFor();
  }
  await block().focus();
  await page.keyboard.press("Alt+ArrowDown"); // 16:15 to 17:15, when there is a fitting
  await page.getByText("the time is taken").waitFor();
  await drag("Repair", "2027-03-28", 17 * 60 + 30);
  await page.getByText("the time is taken").nth(1).waitFor();
  assert.equal(await starts(), Date.parse("2027-03-28T16:00:00+02:00"));
});

test("a dialog names what is at the same time, and the time that does not exist", async () => {
  await block().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Start").fill("2027-03-28T02:30");
  await dialog.getByText("Clocks are set forward").first().waitFor();
  await dialog.getByLabel("Start").fill("2027-03-28T17:30");
  await dialog.getByText("At the same time: Fitting").waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("the time is taken").waitFor();
  assert.equal(await starts(), Date.parse("2027-03-28T16:00:00+02:00"));
  await dialog.getByLabel("Start").fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10) + "T12:00");
  await dialog.getByLabel("Arrange it all the same").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Close" }).click();
});

test("free times are offered", async () => {
  await page.getByRole("button", { name: "New appointment" }).click();
  const dialog = page.getByRole("dialog");
  let day = new Date(Date.now() + 5 * 86_400_000);
  if (day.getUTCDay() === 0) day = new Date(day.getTime() + 86_400_000);
  const date = day.toISOString().slice(0, 10);
  await dialog.getByLabel("Start").fill(date + "T12:00");
  await dialog.getByRole("group", { name: "Free times of the day" }).getByRole("button", { name: "09:30" }).click();
  assert.equal(await dialog.getByLabel("Start").inputValue(), date + "T09:30");
  await dialog.getByRole("combobox", { name: "Contact" }).selectOption(String(contact.id));
  await dialog.getByLabel("What").fill("Test ride");
  await dialog.getByRole("button", { name: "Arrange" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.goto(new URL(`#/agenda/day/${date}`, page.url()).href);
  await block("Test ride").waitFor();
  await healthy(page, "agenda-day");
  await page.goto(new URL("#/agenda/week/2027-03-27", page.url()).href);
  await block("Fitting").waitFor();
  await healthy(page, "agenda-week");
});

test("nothing was refused by the page's policy", () => assert.deepEqual(problems, []));
