/**
 * What the hook says when something failed or repeated: hints, refusals, nudges, the kind of a model service failure.
 * Loaded only then, because the classifier, repair plans and stuck detector are most of Unstuck's code. Invariants:
 * bounded; foreign values are cleaned and quoted; only steps that need no permission are suggested.
 */
import { defined } from "../../core/defined.ts";
import { commandOfCall } from "../../core/shell/command-of-call.ts";
import { classify } from "../../core/classify/classify.ts";
import type { RuleBook } from "../../core/classify/rule-book.ts";
import type { Evidence } from "../../core/evidence.ts";
import type { Failure } from "../../core/failure.ts";
import { cutMiddle, cleanLine } from "../../core/foreign-text.ts";
import { escapeInline } from "../../core/prompt/quoted.ts";
import { repairPlan } from "../../core/repair/repair-plan.ts";
import { ASK_USER, type Repair, type RepairStep } from "../../core/repair/repair.ts";
import { basicToolOf } from "../../core/repair/tool-names.ts";
import { verdictsAround } from "../../core/stuck/detector.ts";
import type { Step } from "../../core/stuck/step.ts";
import type { Level, Pattern } from "../../core/stuck/verdict.ts";
import type { AfterTool, ModelFailure } from "./hook-event.ts";
import { withLocalTime } from "../local-evidence.ts";
import { mayBeRefused, mayLoop } from "./repeats.ts";

export type Diagnosis = ReturnType<typeof diagnosisBy>;

/** `rules` is called only when a failure has to be classified. */
export const diagnosisBy = (rules: () => RuleBook) => ({
  nudge,
  refusal,
  modelFailure: (event: ModelFailure): Failure => modelFailure(event, rules()),
  /** `tools`: the agent's tools. */
  recoveryHint: (tools: readonly string[], event: AfterTool) => recoveryHint(tools, event, rules()),
});

const MAX_CHARS = 1600;
const MAX_STRATEGIES = 2;
const MAX_STEPS = 4;
const SURE = 0.8;
const END_LINES = 4;

/** The repair plan's first strategies. For a result that is not marked as failed, only if its end shows a failure. */
function recoveryHint(tools: readonly string[], event: AfterTool, rules: RuleBook) {
  const evidence = evidenceOf(event);
  const failure = classify(evidence, rules);
  if (event.outcome === "unsure" && !isDecidedAtEnd(event.output, failure)) return undefined;
  const { alternatives, ...first } = repairPlan({
    failure,
    evidence,
    tools,
    sandboxRoot: event.cwd === "" ? "." : event.cwd,
    mode: "run",
    platform: process.platform,
  });
  const strategies = [first, ...alternatives].filter(({ strategy }) => strategy !== ASK_USER);
  if (strategies.length === 0) return undefined;
  const blocks = strategies.slice(0, MAX_STRATEGIES).map(block);
  const opening = `Unstuck: this failure looks like ${failure.kind}. What to try, in this order:`;
  const closing = "Do not simply repeat the call that failed.";
  const words = cutMiddle([opening, ...blocks, closing].join("\n"), MAX_CHARS);
  return { signature: failure.signature, words };
}

function evidenceOf({ tool, args, output, exitCode }: AfterTool): Evidence {
  const command = commandOfCall(args);
  const shell = basicToolOf(tool) === "run_bash" || tool === "Bash";
  return withLocalTime({
    tool,
    ...defined({ command, exitCode }),
    ...(shell ? { stdout: output } : { message: output }),
  });
}

/** The deciding line is among the last ones: earlier output may contain anyone's errors. */
function isDecidedAtEnd(output: string, { confidence, because }: Failure): boolean {
  const lines = output
    .slice(-4000)
    .split("\n")
    .map((line) => cleanLine(line))
    .filter((line) => line !== "");
  const end = lines.slice(-END_LINES);
  return confidence >= SURE && end.some((line) => because[0]?.endsWith(line) === true);
}

function block({ strategy, steps }: Omit<Repair, "fallbackChain">, index: number): string {
  const lines = steps.slice(0, MAX_STEPS).map(stepLine);
  return [`${index + 1}. ${strategy.replaceAll("_", " ")}`, ...lines].join("\n");
}

/** A command that would have to be cut or changed for display is not shown. */
function stepLine({ action, tool, args }: RepairStep): string {
  const value = args["command"] ?? args["cmd"] ?? args["file_path"] ?? args["path"];
  const shown = typeof value === "string" && tool !== null && cleanLine(value, 200) === value;
  const call = shown && !value.includes("`") ? `: ${tool} ${escapeInline(value)}` : "";
  return `   - ${cleanLine(action, 200)}${call}`;
}

/** Loops that the call itself would continue; checks that fail again after an edit, for example, are not. */
const BY_THE_CALL: ReadonlySet<Pattern> = new Set([
  "same_call",
  "cycle",
  "poll",
  "nothing_new",
  "edit_revert",
]);

const RANK: Readonly<Record<Level, number>> = { none: 0, nudge: 1, stuck: 2 };

/** Why the next call must not run; undefined if it may. A call not made before may always run. */
export function refusal(past: readonly Step[], call: Step): string | undefined {
  if (!mayBeRefused(past, call)) return undefined;
  const { now } = verdictsAround(past, call);
  if (now.level !== "stuck" || now.pattern === undefined || !BY_THE_CALL.has(now.pattern))
    return undefined;
  return `This call was not run. ${now.nudge ?? ""}`;
}

/** What to tell the agent with a result, once, when the verdict gets worse; otherwise undefined. */
function nudge(past: readonly Step[], result: Step): string | undefined {
  if (!mayLoop(past, result)) return undefined;
  const { before, now } = verdictsAround(past, result);
  return RANK[now.level] > RANK[before.level] ? now.nudge : undefined;
}

/** Classifies a failure of the model service, from the agent's report. */
function modelFailure({ type, text }: ModelFailure, rules: RuleBook): Failure {
  const evidence: Evidence = {
    tool: "llm",
    origin: "provider",
    message: text,
    ...(type === "" ? {} : { providerError: { type, message: text } }),
  };
  return classify(withLocalTime(evidence), rules);
}
