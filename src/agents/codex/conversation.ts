/**
 * What is said to `codex app-server`: one thread, one turn, words in the middle of it.
 * Invariants: the thread is opened without naming a folder, because naming one makes Codex note it as trusted in
 * the user's own settings; the turn names it, because a resumed thread remembers where it was; whatever Codex asks
 * a person is declined, because nobody is there.
 */
import { realpath } from "node:fs/promises";
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import { CODEX_OPTIONAL } from "./server-output.ts";
import { fieldsOf, textOf } from "../output/json.ts";
import type { Fields } from "../output/json.ts";
import type { Conversation, Reply } from "../agent.ts";

/** They repeat in whole, again and again, what other messages tell. */
const UNWANTED = ["turn/diff/updated", "item/fileChange/patchUpdated", "thread/started"];
const UNKNOWN_METHOD = -32_601;

/** The id of a request is its method: each is made once. */
const ask = (method: string, params: unknown, id = method): unknown => ({ id, method, params });

export async function converse(asked: AgentRequest): Promise<Conversation> {
  const request = { ...asked, cwd: await realPath(asked.cwd) };
  let thread = "";
  let turn = "";
  let steered = 0;

  const answered = (id: string, line: Fields): Reply => {
    if (id.startsWith(CODEX_OPTIONAL)) return {};
    if (line["error"] !== undefined) return { hangUp: true };
    const result = fieldsOf(line["result"]);
    if (id === "initialize") return { send: [{ method: "initialized" }, openThread(request)] };
    if (id === "turn/start") {
      turn = textOf(fieldsOf(result["turn"])["id"]);
      return {};
    }
    thread = textOf(fieldsOf(result["thread"])["id"]);
    return { send: [startTurn(request, thread)] };
  };

  return {
    opening: [
      ask("initialize", {
        clientInfo: { name: "unstuck", title: "Unstuck", version: "1" },
        capabilities: {
          experimentalApi: false,
          requestAttestation: false,
          optOutNotificationMethods: UNWANTED,
        },
      }),
    ],
    onLine(line) {
      const { id, method } = line;
      if (typeof method !== "string") return answered(textOf(id), line);
      if (id !== undefined) return { send: [declined(id, method)] };
      const { threadId } = fieldsOf(line["params"]);
      const ended = method === "turn/completed" && threadId === thread;
      if (ended) turn = "";
      return { hangUp: ended };
    },
    steer(text) {
      if (turn === "") return [];
      steered += 1;
      const params = { threadId: thread, expectedTurnId: turn, input: [textInput(text)] };
      return [ask("turn/steer", params, `${CODEX_OPTIONAL}${steered}`)];
    },
  };
}

/** In a folder that is named through a link, no command gets through its sandbox. */
const realPath = (path: string): Promise<string> => realpath(path).catch(() => path);

const textInput = (text: string): unknown => ({ type: "text", text });

function openThread({ model, session, permissions }: AgentRequest): unknown {
  const common = {
    approvalPolicy: "never",
    sandbox: permissions === "full" ? "danger-full-access" : "workspace-write",
    ...(model === undefined ? {} : { model }),
  };
  return session === undefined
    ? ask("thread/start", common)
    : ask("thread/resume", { ...common, threadId: session, excludeTurns: true });
}

const startTurn = ({ prompt, cwd, thinking }: AgentRequest, threadId: string): unknown =>
  ask("turn/start", {
    threadId,
    cwd,
    input: [textInput(prompt)],
    ...(thinking === true ? { effort: "high" } : {}),
  });

function declined(id: unknown, method: string): unknown {
  if (method.endsWith("/requestApproval") && !method.includes("permissions"))
    return { id, result: { decision: "decline" } };
  if (method === "mcpServer/elicitation/request")
    return { id, result: { action: "decline", content: null, _meta: null } };
  return { id, error: { code: UNKNOWN_METHOD, message: "nobody is there to answer" } };
}
