// Uses the API through a client of the types that openapi-typescript made from its description: creates, trains and
// lists an agent, talks to it, and asks for one that does not exist. BASE_URL and API_KEY name the service.
import assert from "node:assert/strict";
import { test } from "node:test";

import createClient from "openapi-fetch";

import type { operations, paths } from "./api.js";

const { BASE_URL, API_KEY } = process.env;
const client = createClient<paths>({ baseUrl: BASE_URL!, headers: { Authorization: `Bearer ${API_KEY}` } });

// Operations have the names of a client's methods; one that is gone does not compile.
type Operation = "listAgents" | "createAgent" | "getAgent" | "updateAgent" | "deleteAgent" | "trainAgent"
  | "sendChatMessage" | "getChatHistory";
type Known = Operation extends keyof operations ? true : never;
const known: Known = true;

test("an agent is created, trained, listed, and answers", async () => {
  assert.ok(known);
  const faqs = [{ question: "Do you have parking?", answer: "Yes, behind the house." }];
  const created = await client.POST("/agents/", { body: { name: "Mia", faqs } });
  assert.ok(created.data, JSON.stringify(created.error));
  const path = { agent_id: created.data.id };

  const trained = await client.POST("/agents/{agent_id}/train/", { params: { path } });
  assert.equal(trained.data?.training_status, "ready");
  const activated = await client.POST("/agents/{agent_id}/activate/", { params: { path } });
  assert.ok(activated.data, JSON.stringify(activated.error));

  const reply = await client.POST("/agents/{agent_id}/chat/", { params: { path }, body: { message: "Do you have parking?" } });
  assert.ok(reply.data, JSON.stringify(reply.error));
  assert.equal(reply.data.reply, "Yes, behind the house.");
  const history = await client.GET("/agents/{agent_id}/chat/history/", {
    params: { path, query: { session_id: reply.data.session_id } },
  });
  assert.equal(history.data?.messages.length, 2);

  const agents = await client.GET("/agents/");
  assert.equal(agents.data?.results[0].id, created.data.id);
});

test("an error has the API's form", async () => {
  const { error, response } = await client.GET("/agents/{agent_id}/", { params: { path: { agent_id: 5 } } });
  assert.equal(response.status, 404);
  assert.equal(error?.error, "not_found");
});
