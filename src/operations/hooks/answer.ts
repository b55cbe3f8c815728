/**
 * One call of a hook: payload in, answer out, within milliseconds. Invariants: never throws; a fault of its own goes to
 * its log and not to the agent; inside a run it does nothing; the payload is always read, so no agent's pipe breaks.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Diagnosis } from "../../agents/hooks/diagnosis.ts";
import { appendBounded, openSessionLog, type SessionLog } from "../../agents/hooks/session-log.ts";
import { withoutSecrets } from "../../agents/hooks/hook-step.ts";
import type { BeforeTool, HookEvent, ModelFailure } from "../../agents/hooks/hook-event.ts";
import { stopGateOf, toolsFileIn } from "../../agents/hooks/hook-settings.ts";
import { knownToolProblem } from "../../agents/hooks/known-tools.ts";
import { respond, rejectedStops, type HookContext } from "../../agents/hooks/respond.ts";
import { hooksOf } from "../../agents/registry.ts";
import { parseFields } from "../../agents/output/json.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { redactDeep } from "../../core/redact/redaction.ts";
import { openHome } from "../home.ts";

export { HOOK_AGENTS, hooksOf } from "../../agents/registry.ts";
export type { Diagnosis };

export const PAYLOAD_MAX = 32 * 1024 * 1024;
const LOG_MAX = 256 * 1024;

/** Input and output of the hook, and what is loaded on demand. */
interface HookCaller {
  /** The payload; longer than PAYLOAD_MAX if it is too large. */
  readonly read: () => Buffer;
  readonly say: (answer: string) => void;
  readonly diagnosis: () => Diagnosis;
}

export interface HookCall extends Omit<HookCaller, "read"> {
  readonly agent: string;
  readonly event: HookEvent;
  /** Where the hooks store their data. */
  readonly folder: string;
  readonly log: SessionLog;
}

/** Answers the call, or returns one that needs checks or the tools' schemas, for `answerFully`. */
export function answerHook(agent: string, { read, ...caller }: HookCaller): HookCall | undefined {
  try {
    const bytes = read();
    const hooks = hooksOf(agent);
    if (hooks === undefined || (process.env["UNSTUCK_RUN"] ?? "") !== "") return undefined;
    const folder = hooksFolder();
    if (bytes.length > PAYLOAD_MAX) return note(folder, agent, "the payload is too large");
    const payload = parseFields(bytes.toString("utf8"));
    // Not the parser's message, which quotes what it could not read.
    if (payload === undefined) return note(folder, agent, "the payload is no JSON object");
    const event = hooks.dialect.read(payload);
    if (event === undefined) return undefined;
    if (event.kind === "model-failure")
      return recordFailure(folder, agent, event, caller.diagnosis());
    const log = openSessionLog(join(folder, "sessions"), agent, event.session || event.cwd);
    const call: HookCall = { agent, event, folder, log, ...caller };
    if (needsMore(call)) return call;
    answer(call, {});
    return undefined;
  } catch (error) {
    return noteFault(agent, error);
  }
}

export const hooksFolder = (): string => join(openHome().root, "hooks");

export function answer(
  { agent, event, log, say, diagnosis }: HookCall,
  more: Pick<HookContext, "problemOf" | "complaint">,
): void {
  const hooks = hooksOf(agent);
  const problemOf = (call: BeforeTool): string | undefined =>
    knownToolProblem(hooks?.calls ?? {}, call);
  const said = hooks && respond(event, { tools: hooks.tools, log, diagnosis, problemOf, ...more });
  if (said === undefined) return;
  const reply = redactDeep(hooks?.dialect.write(event, said), (text) => withoutSecrets(text));
  say(`${JSON.stringify(reply)}\n`);
}

/** There are checks that might complain, or schemas to compare calls with. */
function needsMore({ agent, event, folder, log }: HookCall): boolean {
  if (event.kind === "before-tool") return existsSync(toolsFileIn(folder, agent));
  if (event.kind !== "stop") return false;
  const gate = stopGateOf(folder, event.cwd);
  if (gate !== undefined) return rejectedStops(log) < gate.sendBacks;
  return (
    existsSync(join(event.cwd, "unstuck.yaml")) && existsSync(join(folder, "..", "trust.json"))
  );
}

/** Our own faults are logged; the agent never learns of them. */
export function noteFault(agent: string, error: unknown): undefined {
  try {
    note(hooksFolder(), agent, String(error));
  } catch {
    // If even the log cannot be written, the fault is dropped.
  }
}

function note(folder: string, agent: string, problem: string): undefined {
  const at = new Date().toISOString();
  const line = { at, agent, problem: cleanLine(withoutSecrets(problem), 400) };
  appendBounded(join(folder, "hook.log"), line, LOG_MAX);
}

/** Records a failure of the model service, for people and for incident detection. */
function recordFailure(
  folder: string,
  agent: string,
  event: ModelFailure,
  { modelFailure }: Diagnosis,
): undefined {
  const { kind, category, origin, because, signature, retryAfterMs, resetAt } = modelFailure(event);
  const failure = { kind, category, origin, because, signature, retryAfterMs, resetAt };
  const where = { agent, session: cleanLine(event.session, 100), cwd: cleanLine(event.cwd, 300) };
  const type = cleanLine(event.type, 60);
  const line = { at: new Date().toISOString(), ...where, type, ...failure };
  const clean = redactDeep(line, (text) => withoutSecrets(text));
  appendBounded(join(folder, "failures.jsonl"), clean, LOG_MAX);
}
