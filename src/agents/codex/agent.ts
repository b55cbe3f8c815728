/**
 * Codex: `codex app-server`, which accepts messages while it works; for older versions `codex exec --json`, which does
 * not.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isShellRefusal } from "../../core/agent-words/refusal.ts";
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { AgentDescriptor, CommandLine, Conversation, Reply } from "../agent.ts";
import { codexAnswer, toolResult } from "../hooks/dialects.ts";
import { eventReader, type EventNames } from "../hooks/event-reader.ts";
import { eventHooks, jsonTarget, settingsFolder, type HookTarget } from "../hooks/hook-target.ts";
import { hasHookTables, hasHookValues } from "../hooks/toml-block.ts";
import { fieldsOf, textOf, type Fields } from "../output/json.ts";
import { plainCommand } from "./items.ts";
import { codexOutput } from "./output.ts";
import { CODEX_OPTIONAL } from "./server-output.ts";

const NO_UPDATE = ["-c", "check_for_update_on_startup=false"];

/** Claude Code's events, except the one for a failed tool. */
const EVENTS: EventNames = {
  PreToolUse: "before-tool",
  PostToolUse: "after-tool",
  UserPromptSubmit: "prompt",
  PreCompact: "compaction",
  Stop: "stop",
};

export const codex: AgentDescriptor = {
  name: "codex",
  profile: {
    title: "Codex",
    binary: "codex",
    versionArgs: ["--version"],
    tested: { from: "0.160.0", below: "0.180.0" },
    install: "npm install -g @openai/codex",
    login: "codex login",
    account:
      "https://platform.openai.com/settings/organization/billing, for a subscription https://chatgpt.com/codex/settings/usage",
    keyVariables: ["CODEX_API_KEY", "OPENAI_API_KEY"],
    loginFiles: [".codex/auth.json"],
    otherLogins: {
      variables: ["CODEX_HOME", "OPENAI_BASE_URL"],
      files: [".codex/config.toml"],
    },
    features: [
      "typed-output",
      "reports-tokens",
      "resume",
      "steer",
      "thinking",
      "least-permissions",
      "hooks",
      "mcp",
    ],
  },
  output: codexOutput,
  driver: {
    turns: "counted",
    commandLine: () => ({ args: ["app-server", ...NO_UPDATE] }),
    converse,
  },
  older: { below: "0.160.0", driver: { countsSession: true, commandLine: execCommandLine } },
  hooks: {
    dialect: {
      // Output mostly comes without an exit code.
      read: eventReader(EVENTS, ({ tool_response: response }) => {
        const result = toolResult(response);
        const { exitCode } = result;
        const outcome = exitCode === undefined ? "unsure" : exitCode === 0 ? "ok" : "failed";
        return { ...result, outcome };
      }),
      write: codexAnswer,
    },
    tools: ["shell", "apply_patch"],
    calls: { Bash: ["command"], apply_patch: [] },
    target: (place) => targetIn(settingsFolder(place, "CODEX_HOME", ".codex")),
    afterInstall: "Codex runs new hooks only once you trust them: open codex, type /hooks",
  },
};

function execCommandLine({ model, thinking, session, permissions }: AgentRequest): CommandLine {
  const gate =
    permissions === "full"
      ? ["--dangerously-bypass-approvals-and-sandbox"]
      : [...setting("sandbox_mode", "workspace-write"), ...setting("approval_policy", "never")];
  return {
    args: [
      "exec",
      ...(session === undefined ? [] : ["resume"]),
      "--json",
      "--skip-git-repo-check",
      ...gate,
      ...NO_UPDATE,
      ...(model === undefined ? [] : ["-m", model]),
      ...(thinking === true ? setting("model_reasoning_effort", "high") : []),
      ...(session === undefined ? [] : [session]),
      "-",
    ],
  };
}

const setting = (name: string, value: string): readonly string[] => ["-c", `${name}="${value}"`];

/** Codex warns if a folder defines hooks in two files, so they go into the file that already has some. */
function targetIn(folder: string): HookTarget {
  const json = join(folder, "hooks.json");
  const toml = join(folder, "config.toml");
  const config = existsSync(json) || !existsSync(toml) ? "" : readFileSync(toml, "utf8");
  const hooks = eventHooks("codex", EVENTS);
  return hasHookTables(config) && !hasHookValues(config)
    ? { form: "toml", file: toml, hooks }
    : jsonTarget(json, hooks);
}

/** These keep repeating in full what other messages report. */
const UNWANTED = ["turn/diff/updated", "item/fileChange/patchUpdated", "thread/started"];
const UNKNOWN_METHOD = -32_601;

/** The id of a request is its method, because each request is made once. */
const ask = (method: string, params: unknown, id = method): unknown => ({ id, method, params });

/** Resolves links. Synchronous, because the async version needs a module that every hook would have to load. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/**
 * One thread and one turn, with messages during it. The thread is opened without a folder, because naming one makes
 * Codex record it as trusted in the user's settings; the turn names it, because a resumed thread remembers its old
 * folder. Whatever Codex asks a person is declined, because no one is there.
 */
async function converse(asked: AgentRequest): Promise<Conversation> {
  // In a folder named through a link, its sandbox blocks every command.
  const request = { ...asked, cwd: realFolder(asked.cwd) };
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
      if (id !== undefined)
        return { send: [isAllowed(line, request) ? accepted(id) : declined(id, method)] };
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

const textInput = (text: string): unknown => ({ type: "text", text });

function openThread({ model, session, permissions, allowed = [] }: AgentRequest): unknown {
  const common = {
    // Asking only makes sense if a person has allowed something.
    approvalPolicy: allowed.length > 0 ? "on-request" : "never",
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

/** A command that a person allowed, requested in exactly those words. */
function isAllowed({ method, params }: Fields, { allowed = [] }: AgentRequest): boolean {
  if (method !== "item/commandExecution/requestApproval") return false;
  const command = plainCommand(textOf(fieldsOf(params)["command"]));
  return allowed.some((one) => isShellRefusal(one) && one.command === command);
}

const accepted = (id: unknown): unknown => ({ id, result: { decision: "accept" } });

function declined(id: unknown, method: string): unknown {
  if (method.endsWith("/requestApproval") && !method.includes("permissions"))
    return { id, result: { decision: "decline" } };
  if (method === "mcpServer/elicitation/request")
    return { id, result: { action: "decline", content: null, _meta: null } };
  return { id, error: { code: UNKNOWN_METHOD, message: "nobody is there to answer" } };
}
