// A server that behaves like `opencode serve`: one turn, which waits for more words where the prompt asks for it.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const ID = "ses_fake";
const password = process.env["OPENCODE_SERVER_PASSWORD"] ?? "";
const auth = `Basic ${Buffer.from(`opencode:${password}`).toString("base64")}`;
let events: ServerResponse | undefined;
let prompt: ServerResponse | undefined;

const emit = (type: string, properties: object): void =>
  void events?.write(`data: ${JSON.stringify({ type, properties })}\n\n`);
const part = (fields: object): void =>
  emit("message.part.updated", { sessionID: ID, part: { sessionID: ID, ...fields } });

function finish(text: string): void {
  part({ type: "text", text, time: { end: 1 } });
  part({ type: "step-finish", reason: "stop", tokens: { total: 40 }, cost: 0.25 });
  prompt?.end("{}");
  emit("session.status", { sessionID: ID, status: { type: "idle" } });
}

function begin(text: string): void {
  part({ type: "step-start" });
  const state = { status: "completed", input: { command: "ls" }, output: "x" };
  part({ type: "tool", tool: "bash", callID: "c-1", state });
  if (!text.includes("wait")) finish(`I was told: ${text}`);
}

function route(path: string, body: string, response: ServerResponse): void {
  const said = (): string => (JSON.parse(body) as { parts: { text: string }[] }).parts[0]!.text;
  if (path === "/event") {
    events = response;
    response.write("data: {}\n\n");
  } else if (path.endsWith("/message")) {
    prompt = response;
    begin(said());
  } else {
    response.end(JSON.stringify({ id: ID }));
    if (path.endsWith("/prompt_async")) finish(`I was told: ${said()}`);
    if (path.endsWith("/abort")) console.error("told to stop");
  }
}

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    if (request.headers.authorization === auth && password.length >= 32)
      route(request.url ?? "", body, response);
    else response.writeHead(401).end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.error(`started as: ${process.argv.slice(2).join(" ")}`);
  console.log(`opencode server listening on http://127.0.0.1:${port}`);
});
