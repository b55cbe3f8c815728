/**
 * Any agent that speaks the Agent Client Protocol on its standard streams. Imports the glue, its
 * report and the permission rules. Translates, never decides. Its client half of the protocol is
 * this file: no files and no terminals are offered, so every change is made by the agent itself,
 * in the worktree. Steering cancels the turn and goes on in the same session with the new words.
 */
import type { AgentRequest } from "../runtime/ports-agent.ts";
import { permissionAnswer } from "./acp-permission.ts";
import { ACP_OPTIONAL } from "./reports/acp.ts";
import { REPORT_FORMATS } from "./reports/formats.ts";
import { fieldsOf, listOf, textOf } from "./transcripts/json.ts";
import type { Fields } from "./transcripts/json.ts";
import type { Reply, Talk, TypedAdapter } from "./typed-agent.ts";

export const acpAdapter: TypedAdapter = {
  binary: "",
  report: REPORT_FORMATS.acp,
  commandLine: () => ({ args: [] }),
  talk,
};

const PROTOCOL = 1;
const UNKNOWN_METHOD = -32_601;
/** Modes in which an agent edits without asking, or does everything so; by their usual names. */
const MODES = {
  edit: ["acceptEdits", "autoEdit", "auto_edit", "auto"],
  full: ["bypassPermissions", "yolo", "full-access", "fullAccess", "danger-full-access"],
} as const;

interface Call {
  readonly method: string;
  readonly params: unknown;
  /** What to ask for next, once this is answered. */
  readonly then: (result: Fields) => readonly Call[];
  /** A refusal does not matter. */
  readonly optional?: boolean;
}

type Opening = Pick<Call, "method" | "params">;

function talk(request: AgentRequest): Talk {
  const waiting = new Map<unknown, Call>();
  let number = 0;
  let session = "";
  let nextWords: string | undefined;
  let prompting = false;

  const ask = (call: Call): unknown => {
    number += 1;
    const { method, params, optional } = call;
    const id = optional === true ? `${ACP_OPTIONAL}${number}` : number;
    waiting.set(id, call);
    return { jsonrpc: "2.0", id, method, params };
  };
  const prompt = (text: string): Call => ({
    method: "session/prompt",
    params: { sessionId: session, prompt: [{ type: "text", text }] },
    then: () => {
      const words = nextWords;
      nextWords = undefined;
      prompting = words !== undefined;
      return words === undefined ? [] : [prompt(words)];
    },
  });
  const opened = (result: Fields): readonly Call[] => {
    session = textOf(result["sessionId"]) || (request.session ?? "");
    prompting = true;
    return inOrder([...settings(request, session, result), prompt(request.prompt)]);
  };
  const answered = (id: unknown, line: Fields): Reply => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (call === undefined) return {};
    if (line["error"] !== undefined && call.optional !== true) return { over: true };
    const next = call.then(fieldsOf(line["result"])).map(ask);
    return next.length === 0 && waiting.size === 0 ? { over: true } : { say: next };
  };

  return {
    opening: [
      ask({
        method: "initialize",
        params: {
          protocolVersion: PROTOCOL,
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false } },
          clientInfo: { name: "unstuck", title: "Unstuck", version: "1" },
        },
        then: (result) => [
          { ...openSession(request, fieldsOf(result["agentCapabilities"])), then: opened },
        ],
      }),
    ],
    hear(line) {
      const { id, method } = line;
      if (typeof method === "string")
        return id === undefined ? {} : { say: [serve(id, method, line, request)] };
      return answered(id, line);
    },
    steer(words) {
      if (!prompting) return [];
      nextWords = nextWords === undefined ? words : `${nextWords}\n\n${words}`;
      return [{ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: session } }];
    },
  };
}

/** A session that can only be loaded would be told again from its start, as if it happened now. */
function openSession({ cwd, session }: AgentRequest, capabilities: Fields): Opening {
  const common = { cwd, mcpServers: [] };
  const resumes = fieldsOf(capabilities["sessionCapabilities"])["resume"] !== undefined;
  return session !== undefined && resumes
    ? { method: "session/resume", params: { ...common, sessionId: session } }
    : { method: "session/new", params: common };
}

/** Mode and model, where the agent says that it has them. */
function settings(
  { permissions = "edit", model }: AgentRequest,
  sessionId: string,
  result: Fields,
): readonly Call[] {
  const modes = fieldsOf(result["modes"]);
  const modeIds = listOf(modes["availableModes"]).map((mode) => textOf(fieldsOf(mode)["id"]));
  const modeId = MODES[permissions].find((id) => modeIds.includes(id));
  const models = listOf(fieldsOf(result["models"])["availableModels"]).map(fieldsOf);
  const known = models.some(({ modelId }) => modelId === model);
  const change = (method: string, params: unknown): Call => ({
    method,
    params,
    then: () => [],
    optional: true,
  });
  return [
    ...(modeId === undefined ? [] : [change("session/set_mode", { sessionId, modeId })]),
    ...(model !== undefined && known
      ? [change("session/set_model", { sessionId, modelId: model })]
      : []),
  ];
}

/** Each is asked for once the one before it is answered. */
function inOrder([first, ...rest]: readonly Call[]): readonly Call[] {
  if (first === undefined) return [];
  if (rest.length === 0) return [first];
  return [{ ...first, then: () => inOrder(rest) }];
}

function serve(id: unknown, method: string, line: Fields, request: AgentRequest): unknown {
  if (method === "session/request_permission")
    return { jsonrpc: "2.0", id, result: permissionAnswer(fieldsOf(line["params"]), request) };
  return { jsonrpc: "2.0", id, error: { code: UNKNOWN_METHOD, message: "not offered" } };
}
