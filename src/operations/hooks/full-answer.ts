/**
 * The hook's answer when looking at the session is not enough: calls are compared with the tools' schemas (E8), and
 * checks run before an agent may stop. Invariants: only commands are run that the user gave or that are in a plan the
 * user trusted by its hash; a check that could not run is not held against the agent.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runCheck } from "../../agents/checks/runner.ts";
import { diagnosisBy } from "../../agents/hooks/diagnosis.ts";
import type { BeforeTool } from "../../agents/hooks/hook-event.ts";
import { DEFAULT_SEND_BACKS, stopGateOf, toolsFileIn } from "../../agents/hooks/hook-settings.ts";
import type { StopGate } from "../../agents/hooks/hook-settings.ts";
import { SENT_BACK, rejectedStops } from "../../agents/hooks/respond.ts";
import { PLAN_AGENTS } from "../../agents/registry.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { planFileSchema } from "../../core/plan/schema.ts";
import { escapeInline, quoted } from "../../core/prompt/quoted.ts";
import { standardRules } from "../../core/rules/standard.ts";
import { validateToolCall } from "../../core/validate/tool-call.ts";
import { readToolSpecs } from "../../core/validate/tool-specs.ts";
import { checkYaml, parseYaml } from "../../core/read-yaml.ts";
import type { CheckRun } from "../../runtime/ports-workspace.ts";
import { openHome } from "../home.ts";
import { sha256 } from "../text.ts";
import { isTrusted } from "../user-config.ts";
import { answer, type Diagnosis, type HookCall } from "./answer.ts";

export { DEFAULT_SEND_BACKS };

/** For callers without prebuilt rules. */
export const standardDiagnosis = (): Diagnosis => diagnosisBy(standardRules);

/** For all checks together; the agent waits this long for its hook. */
const LIMIT_MS = 9 * 60_000;
const OUTPUT_CHARS = 3000;
const MAX_ITEMS = 20;

export async function answerFully(call: HookCall): Promise<void> {
  if (call.event.kind === "before-tool") {
    const problemOf = toolProblem(toolsFileIn(call.folder, call.agent));
    return answer(call, { problemOf });
  }
  const gate = stopGateOf(call.folder, call.event.cwd) ?? trustedGate(call.event.cwd);
  const words = gate === undefined ? undefined : await complaintOf(call, gate);
  answer(call, { complaint: () => words });
}

function toolProblem(file: string): (event: BeforeTool) => string | undefined {
  const reading = readToolSpecs(JSON.parse(readFileSync(file, "utf8")));
  if (!reading.ok) throw new Error(`${file}${reading.place}: ${reading.problem}`);
  return ({ tool, args }) => {
    const verdict = validateToolCall({ name: tool, arguments: args ?? {} }, reading.tools);
    if (verdict.valid || verdict.schemaError !== undefined) return undefined;
    const { error = "", suggestion = "" } = verdict;
    return `This call was not run. ${cleanLine(error, 600)} ${cleanLine(suggestion, 600)}`.trim();
  };
}

/** The checks of the checkout's plan, if the user trusted exactly this text. */
function trustedGate(cwd: string): StopGate | undefined {
  const text = readFileSync(join(cwd, "unstuck.yaml"), "utf8");
  if (!isTrusted(openHome().trust, sha256(text))) return undefined;
  const source = parseYaml(text);
  const plan = source.ok ? checkYaml(source.value, planFileSchema(PLAN_AGENTS)) : source;
  if (!plan.ok) return undefined;
  const checks = (plan.value.checks ?? []).map((one) => (typeof one === "string" ? one : one.run));
  return checks.length === 0 ? undefined : { checks, sendBacks: DEFAULT_SEND_BACKS };
}

async function complaintOf({ event, log }: HookCall, gate: StopGate): Promise<string | undefined> {
  const before = rejectedStops(log);
  if (before >= gate.sendBacks) return undefined;
  const until = Date.now() + LIMIT_MS;
  const blocks: string[] = [];
  for (const command of gate.checks) {
    const limitMs = until - Date.now();
    if (limitMs <= 0) break;
    const run = await runCheck({
      place: { run: "hook", subtask: "stop", attemptId: `hook/${process.pid}`, slot: 0 },
      command,
      cwd: event.cwd,
      env: process.env as Record<string, string>,
      limitMs,
    });
    if (run.outcome.kind === "failed") blocks.push(failed(command, run));
  }
  if (blocks.length === 0) return undefined;
  return [
    `${SENT_BACK}, so the work is not done (told ${before + 1} of ${gate.sendBacks} times).`,
    ...blocks,
    "Find the cause and fix it. Do not weaken or skip the checks.",
    "If it cannot be done, say plainly what is missing.",
  ].join("\n\n");
}

function failed(command: string, { exitCode, stdout, stderr, outcome }: CheckRun): string {
  const items = outcome.kind === "failed" ? outcome.items.slice(0, MAX_ITEMS) : [];
  const code = exitCode === undefined ? "" : ` with exit code ${exitCode}`;
  return [
    `${escapeInline(command)} failed${code}.`,
    ...(items.length === 0 ? [] : [`Failing: ${items.map((item) => cleanLine(item)).join(", ")}`]),
    quoted(`${stdout}\n${stderr}`.trim(), OUTPUT_CHARS),
  ].join("\n");
}
