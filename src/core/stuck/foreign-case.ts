/**
 * One case of a set for stuck detectors, `{id, steps, config?}`: the verdict after its last step. Sets written for other
 * detectors run with the thresholds they were written for: what others call the numbers we have too is known here.
 * Invariant: never throws; what cannot be read is refused with the field it stands in, but a setting without a
 * counterpart here changes nothing.
 */
import { DEFAULT_STUCK_CONFIG, readStuckConfig } from "./config.ts";
import type { RuleName, StuckConfig, Threshold, ToolConfig } from "./config.ts";
import { createStuckDetector } from "./detector.ts";
import { readStep } from "./step.ts";
import { NO_VERDICT } from "./verdict.ts";
import type { Level, Pattern } from "./verdict.ts";

export interface CaseVerdict {
  readonly id: unknown;
  readonly stuck: boolean;
  readonly level: Level;
  readonly pattern: Pattern | null;
  readonly loopStart: number | null;
  readonly reason: string | null;
}

type CaseReading =
  | { readonly ok: true; readonly verdict: CaseVerdict }
  | { readonly ok: false; readonly field: string; readonly problem: string };

export function judgeCase(value: unknown): CaseReading {
  if (typeof value !== "object" || value === null)
    return refuse("", "expected {id, steps, config?}");
  const { id, steps, config } = value as Readonly<Record<string, unknown>>;
  if (!Array.isArray(steps)) return refuse("steps", "expected a list");
  const settings = configOf(config);
  if (!("enabled" in settings)) return settings;
  const detector = createStuckDetector(settings);
  let verdict = NO_VERDICT;
  for (const [index, given] of steps.entries()) {
    const reading = readStep(given);
    if (!reading.ok) return refuse(`steps[${index}].${reading.field}`, reading.problem);
    verdict = detector.step(reading.step);
  }
  const { level, pattern = null, loopStart = null, reason = null } = verdict;
  const stuck = level === "stuck";
  return { ok: true, verdict: { id: id ?? null, stuck, level, pattern, loopStart, reason } };
}

const OWN_NAMES = ["thresholds", "person_resets", "call_cap", "tools"];

/** Our own settings, or the names other detectors use for them. */
function configOf(config: unknown): StuckConfig | ReturnType<typeof refuse> {
  const own =
    typeof config === "object" && config !== null && OWN_NAMES.some((name) => name in config);
  if (!own) return stuckConfigOf(config);
  const reading = readStuckConfig(config);
  if (reading.ok) return reading.config;
  const [first] = reading.problems;
  return refuse(`config.${first?.path ?? ""}`, first?.problem ?? "");
}

const refuse = (field: string, problem: string) => ({ ok: false, field, problem }) as const;

/** Rules that count equal calls in a row, whatever is known of the results. */
const IN_A_ROW = ["same_call", "same_call_unseen", "same_call_failing", "same_output"] as const;

const NEVER: Threshold = { nudge: Infinity, stuck: Infinity };

type Change = (value: number) => Partial<Record<RuleName, Threshold>>;

const same = (rules: readonly RuleName[], threshold: Threshold) =>
  Object.fromEntries(rules.map((rule) => [rule, threshold]));

const upTo = (stuck: number): Threshold => ({ nudge: Math.min(3, stuck), stuck });

const CHANGES: Readonly<Record<string, Change>> = {
  // the call after `limit` equal ones is refused; zero or less means no limit
  limit: (value) => same(IN_A_ROW, value <= 0 ? NEVER : upTo(value + 1)),
  max_repetitions: (value) => same(IN_A_ROW, upTo(value + 1)),
  threshold: (value) => same([...IN_A_ROW, "cycle"], upTo(value)),
  hard: (value) => same(IN_A_ROW, upTo(value)),
  block: (value) => same(IN_A_ROW, upTo(value)),
  action_observation: (value) => same(["same_call"], upTo(value)),
  action_error: (value) =>
    same(["same_call_failing", "same_failure"], { nudge: value, stuck: value + 1 }),
  monologue: (value) => same(["repeated_message"], upTo(value)),
  alternating_pattern: (value) => same(["cycle"], upTo(Math.ceil(value / 2))),
  maxConsecutiveMistakes: (value) => same(["failures_in_a_row"], upTo(value)),
  criticalThreshold: (value) => same([...IN_A_ROW, "poll"], upTo(value)),
  unknownToolThreshold: (value) => same(["unknown_tool"], upTo(value)),
};

export function stuckConfigOf(foreign: unknown): StuckConfig {
  if (typeof foreign !== "object" || foreign === null) return DEFAULT_STUCK_CONFIG;
  const given = foreign as Readonly<Record<string, unknown>>;
  const thresholds: Record<RuleName, Threshold> = { ...DEFAULT_STUCK_CONFIG.thresholds };
  for (const [name, change] of Object.entries(CHANGES)) {
    const value = given[name];
    if (typeof value === "number" && Number.isFinite(value))
      Object.assign(thresholds, change(Math.floor(value)));
  }
  const headless = given["headless"] === true || given["userMessageResets"] === false;
  return {
    enabled: given["disabled"] !== true && given["enabled"] !== false,
    person_resets: !headless,
    call_cap: capOf(given),
    thresholds,
    tools: toolsOf(given["loopKey"]),
  };
}

/**
 * An explicit cap is hard; otherwise it only asks for a closer look and the hard one is tenfold.
 */
function capOf(given: Readonly<Record<string, unknown>>): number {
  const cap = given["maxToolCallsPerTurn"];
  if (typeof cap !== "number" || !(cap >= 1)) return Infinity;
  return given["explicit"] === true ? cap : cap * 10;
}

/** `{search: ["query"], wait: false}`: the arguments that count, or no counting at all. */
function toolsOf(loopKey: unknown): Record<string, ToolConfig> {
  const tools: Record<string, ToolConfig> = {};
  if (typeof loopKey !== "object" || loopKey === null) return tools;
  for (const [tool, key] of Object.entries(loopKey)) {
    if (key === false) tools[tool] = { exempt: true };
    else if (Array.isArray(key))
      tools[tool] = { identity: key.filter((name) => typeof name === "string") };
  }
  return tools;
}
