// An agent made with the protocol's own SDK, as a program. What it does in a turn is the word in FAKE_TURN; what it heard
// goes to the file FAKE_HEARD, where that is set.
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";
import type { AgentContext, SessionUpdate } from "@agentclientprotocol/sdk";

/** install: asks for a command and does its work only if it may; words: repeats the prompt; wait: until it is cancelled; limited, wrong-key: errors; dies: in the middle. */
export type Turn =
  | "edit"
  | "edit-outside"
  | "destroy"
  | "install"
  | "words"
  | "wait"
  | "limited"
  | "wrong-key"
  | "dies"
  | "junk";

const turn = process.env["FAKE_TURN"] as Turn;
let cwd = "";
let mode = "default";
let model = "small";
let cancel = (): void => undefined;

const noise = (text: string): void => void process.stdout.write(`${text}\n`);

interface TurnContext {
  readonly client: AgentContext;
  readonly sessionId: string;
  readonly words: string;
}

const tell = ({ client, sessionId }: TurnContext, update: SessionUpdate): Promise<void> =>
  client.notify(methods.client.session.update, { sessionId, update });
const say = (at: TurnContext, text: string): Promise<void> =>
  tell(at, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

async function ask(at: TurnContext, id: string): Promise<string> {
  const { outcome } = await at.client.request(methods.client.session.requestPermission, {
    sessionId: at.sessionId,
    toolCall: { toolCallId: id },
    options: [
      { optionId: "always", name: "Always", kind: "allow_always" },
      { optionId: "go", name: "Allow", kind: "allow_once" },
      { optionId: "stop", name: "Reject", kind: "reject_once" },
    ],
  });
  return outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
}

async function edit(at: TurnContext, path: string): Promise<void> {
  const call = { toolCallId: "call-1", title: "Write hello.txt", kind: "edit" as const };
  const rawInput = { path, content: "hello\n" };
  await tell(at, { sessionUpdate: "tool_call", ...call, status: "pending", rawInput });
  const allowed = (await ask(at, "call-1")) === "go";
  if (allowed) writeFileSync(path, "hello\n");
  const status = allowed ? "completed" : "failed";
  await tell(at, { sessionUpdate: "tool_call_update", toolCallId: "call-1", status });
  await say(at, allowed ? "Done: wrote hello.txt." : "I was not allowed to.");
}

const TURNS: Readonly<Record<Turn, (at: TurnContext) => Promise<"end_turn" | "cancelled">>> = {
  async edit(at) {
    await edit(at, join(cwd, "hello.txt"));
    return "end_turn";
  },
  async "edit-outside"(at) {
    await edit(at, join(cwd, "..", "outside.txt"));
    return "end_turn";
  },
  async destroy(at) {
    const call = { toolCallId: "call-2", title: "Clean up", kind: "execute" as const };
    const rawInput = { command: "rm -rf /" };
    await tell(at, { sessionUpdate: "tool_call", ...call, status: "pending", rawInput });
    const refused = (await ask(at, "call-2")) === "stop";
    await say(at, refused ? "I was not allowed to clean up." : "I was allowed to.");
    return "end_turn";
  },
  async install(at) {
    const call = { toolCallId: "call-3", title: "Install", kind: "execute" as const };
    const rawInput = { command: "npm install left-pad" };
    await tell(at, { sessionUpdate: "tool_call", ...call, status: "pending", rawInput });
    const heard = await ask(at, "call-3");
    const file = process.env["FAKE_HEARD"];
    if (file !== undefined)
      appendFileSync(file, `${JSON.stringify({ ...at, client: 0, heard })}\n`);
    if (heard === "go") writeFileSync(join(cwd, "value.txt"), "2\n");
    const status = heard === "go" ? "completed" : "failed";
    await tell(at, { sessionUpdate: "tool_call_update", toolCallId: "call-3", status });
    await say(at, heard === "go" ? "Installed it, and the value is 2." : "I was not allowed to.");
    return "end_turn";
  },
  async words(at) {
    await say(at, `${at.words} in ${at.sessionId} with ${mode} and ${model}`);
    return "end_turn";
  },
  async wait(at) {
    if (at.words !== "do it") return TURNS.words(at);
    await say(at, "I begin.");
    await new Promise<void>((done) => (cancel = done));
    return "cancelled";
  },
  limited: () => Promise.reject(RequestError.internalError({ errorKind: "rate_limit" })),
  "wrong-key": () => Promise.reject(RequestError.authRequired()),
  async dies(at) {
    await say(at, "I begin.");
    process.exit(3);
  },
  async junk(at) {
    noise("Loading the model...");
    noise(
      '{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"new"}}}',
    );
    noise('{"jsonrpc":"2.0","id":2,"result":{"stopReason":');
    noise('[{"jsonrpc":"2.0","id":2}]');
    noise('{"jsonrpc":"2.0","id":777,"result":{}}');
    noise('{"jsonrpc":"2.0","id":{},"method":"session/request_permission","params":7}');
    noise('{"jsonrpc":"2.0","id":"j","method":"session/request_permission","params":7}');
    return TURNS.edit(at);
  },
};

agent({ name: "made with the SDK" })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 1,
    agentCapabilities: { sessionCapabilities: { resume: {} } },
  }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    cwd = params.cwd;
    return { sessionId: "new-session", ...SETTINGS };
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    if (params.sessionId !== "old-session") throw RequestError.sessionNotFound(params.sessionId);
    cwd = params.cwd;
    return SETTINGS;
  })
  .onRequest(methods.agent.session.setMode, ({ params }) => {
    mode = params.modeId;
    return {};
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    model = String(params.value);
    return { configOptions: [] };
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const words = prompt.map((block) => (block.type === "text" ? block.text : "")).join("");
    return { stopReason: await TURNS[turn]({ client, sessionId, words }) };
  })
  .onNotification(methods.agent.session.cancel, () => cancel())
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );

const SETTINGS = {
  modes: {
    currentModeId: "default",
    availableModes: [
      { id: "default", name: "Default" },
      { id: "acceptEdits", name: "Accept edits" },
      { id: "bypassPermissions", name: "Bypass" },
    ],
  },
  configOptions: [
    {
      id: "llm",
      name: "Model",
      category: "model",
      type: "select" as const,
      currentValue: "small",
      options: [
        { value: "small", name: "Small" },
        { value: "large", name: "Large" },
      ],
    },
  ],
};
