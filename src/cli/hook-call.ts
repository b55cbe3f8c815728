/**
 * One call of `unstuck hook <agent>`, the short way: payload in, answer out, in milliseconds. Invariants: exit
 * code 0 whatever happens; a fault of its own prints nothing and goes to its log; standard input is always read to
 * its end, so that the agent's pipe never breaks; below a run it says nothing.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { tameLine } from "../core/foreign-text.ts";
import { redactDeep } from "../core/redact/redaction.ts";
import type { CloserLook } from "../agents/hooks/closer-look.ts";
import { withoutSecrets } from "../agents/hooks/hidden-secrets.ts";
import type { HookEvent, ModelFailure } from "../agents/hooks/hook-event.ts";
import { stopGateOf, toolsFileIn } from "../agents/hooks/hook-settings.ts";
import { respond, sentBack } from "../agents/hooks/respond.ts";
import type { Surroundings } from "../agents/hooks/respond.ts";
import { appendBounded, openSessionLog } from "../agents/hooks/session-log.ts";
import type { SessionLog } from "../agents/hooks/session-log.ts";
import { hooksOf } from "../agents/registry.ts";
import { parseFields } from "../agents/output/json.ts";
import { openHome } from "./home.ts";
import { readAll, writeAll } from "./plain-io.ts";

export const PAYLOAD_MAX = 32 * 1024 * 1024;
const LOG_MAX = 256 * 1024;

export interface HookCall {
  readonly agent: string;
  readonly event: HookEvent;
  /** Where the hooks keep their things. */
  readonly folder: string;
  readonly log: SessionLog;
  readonly look: () => CloserLook;
}

/** Answers; or gives back a call that needs more than the short way has. */
export function callHook(agent: string, look: () => CloserLook): HookCall | undefined {
  return carefully(agent, () => {
    const bytes = readAll(PAYLOAD_MAX);
    if (bytes.length > PAYLOAD_MAX) while (readAll(PAYLOAD_MAX).length > 0);
    const hooks = hooksOf(agent);
    if (hooks === undefined || (process.env["UNSTUCK_RUN"] ?? "") !== "") return undefined;
    const folder = hooksFolder();
    if (bytes.length > PAYLOAD_MAX) return note(folder, agent, "the payload is too large");
    const payload = parseFields(bytes.toString("utf8"));
    // Not the parser's own words: they quote what it could not read.
    if (payload === undefined) return note(folder, agent, "the payload is no JSON object");
    const event = hooks.dialect.read(payload);
    if (event === undefined) return undefined;
    if (event.kind === "model-failure") return recordFailure(folder, agent, event, look());
    const log = openSessionLog(join(folder, "sessions"), agent, event.session || event.cwd);
    const call: HookCall = { agent, event, folder, log, look };
    if (needsMore(call)) return call;
    answer(call, {});
    return undefined;
  });
}

export const hooksFolder = (): string => join(openHome().root, "hooks");

/** Works out and prints the answer. */
export function answer(
  { agent, event, log, look }: HookCall,
  more: Pick<Surroundings, "problemOf" | "complaint">,
): void {
  const hooks = hooksOf(agent);
  const said = hooks && respond(event, { tools: hooks.tools, log, look, ...more });
  if (said === undefined) return;
  const words = redactDeep(hooks?.dialect.write(event, said), (text) => withoutSecrets(text));
  writeAll(`${JSON.stringify(words)}\n`);
}

/** Checks that might complain, or schemas that calls are held against. */
function needsMore({ agent, event, folder, log }: HookCall): boolean {
  if (event.kind === "before-tool") return existsSync(toolsFileIn(folder, agent));
  if (event.kind !== "stop") return false;
  const gate = stopGateOf(folder, event.cwd);
  if (gate !== undefined) return sentBack(log) < gate.sendBacks;
  return existsSync(join(event.cwd, "unstuck.yaml")) && hasTrust(folder);
}

const hasTrust = (folder: string): boolean => existsSync(join(folder, "..", "trust.json"));

/** A fault of ours is ours: noted, and the agent never hears of it. */
function carefully<T>(agent: string, body: () => T): T | undefined {
  try {
    return body();
  } catch (error) {
    noteFault(agent, error);
    return undefined;
  }
}

export function noteFault(agent: string, error: unknown): void {
  try {
    note(hooksFolder(), agent, String(error));
  } catch {
    // Not even a log can be written: then nobody is told.
  }
}

function note(folder: string, agent: string, problem: string): undefined {
  const at = new Date().toISOString();
  const line = { at, agent, problem: tameLine(withoutSecrets(problem), 400) };
  appendBounded(join(folder, "hook.log"), line, LOG_MAX);
}

/** What the model service did, for a person and for whoever looks for incidents. */
function recordFailure(
  folder: string,
  agent: string,
  event: ModelFailure,
  { modelFailure }: CloserLook,
): undefined {
  const { kind, category, origin, because, signature, retryAfterMs, resetAt } = modelFailure(event);
  const failure = { kind, category, origin, because, signature, retryAfterMs, resetAt };
  const place = { agent, session: tameLine(event.session, 100), cwd: tameLine(event.cwd, 300) };
  const type = tameLine(event.type, 60);
  const line = { at: new Date().toISOString(), ...place, type, ...failure };
  const clean = redactDeep(line, (text) => withoutSecrets(text));
  appendBounded(join(folder, "failures.jsonl"), clean, LOG_MAX);
}
