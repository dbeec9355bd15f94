// The same handler as ../bare, in Node: the clients of DynamoDB and SQS, and an answer. The loop is that of the Lambda
// Runtime API.
import { request } from "node:http";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";

const table = new DynamoDBClient({});
const queue = new SQSClient({});

const handler = async () => {
  if (!table || !queue) throw new Error("no clients");
  return { statusCode: 200, body: "{}" };
};

const [host, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(":");
const call = (method, path, body) =>
  new Promise((resolve, reject) => {
    const req = request({ host, port, method, path: `/2018-06-01/runtime/invocation/${path}` }, (res) => {
      let text = "";
      res.on("data", (part) => (text += part));
      res.on("end", () => resolve({ id: res.headers["lambda-runtime-aws-request-id"], text }));
    });
    req.on("error", reject);
    req.end(body);
  });

for (;;) {
  const { id, text } = await call("GET", "next");
  await call("POST", `${id}/response`, JSON.stringify(await handler(JSON.parse(text))));
}
