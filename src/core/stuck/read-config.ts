/**
 * Reads the settings of stuck detection, as a user writes them in YAML. Also reads other detectors' names for them, so
 * that cases written for those run with their thresholds. Invariants: never throws, and names the path of everything it
 * refuses; a missing field keeps its default; a foreign name without a counterpart is ignored. Evidence: docs/stuck.md.
 */
import { isRecord } from "../defined.ts";
import type { Fields } from "./read-step.ts";
import { TOOL_KINDS, DEFAULT_THRESHOLDS, DEFAULT_STUCK_CONFIG } from "./config.ts";
import type { ToolKind, Threshold, RuleName, ToolConfig, StuckConfig } from "./config.ts";

interface ConfigProblem {
  readonly path: string;
  readonly problem: string;
}

type StuckConfigReading =
  | { readonly ok: true; readonly config: StuckConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

type Report = (path: string, problem: string) => undefined;

/** Undefined if the value is refused or means the default. */
type Reader<T> = (value: unknown, path: string, report: Report) => T | undefined;

export function readStuckConfig(value: unknown): StuckConfigReading {
  if (value === undefined || value === null) return { ok: true, config: DEFAULT_STUCK_CONFIG };
  if (!isRecord(value)) return { ok: false, problems: [{ path: "", problem: "expected a map" }] };
  const problems: ConfigProblem[] = [];
  const report: Report = (path, problem) => void problems.push({ path, problem });
  const given = readFields(value, "", CONFIG, report);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, config: { ...DEFAULT_STUCK_CONFIG, ...given } };
}

type Readers<T> = { readonly [name in keyof T]-?: Reader<NonNullable<T[name]>> };

/** The fields that are present and valid. */
function readFields<T>(
  value: Fields,
  path: string,
  readers: Readers<T>,
  report: Report,
): Partial<T> {
  const pathOf = (name: string): string => (path === "" ? name : `${path}.${name}`);
  for (const name of Object.keys(value))
    if (!Object.hasOwn(readers, name)) report(pathOf(name), "no such setting");
  const read = Object.entries<Reader<unknown>>(readers)
    .filter(([name]) => value[name] !== undefined)
    .map(([name, reader]) => [name, reader(value[name], pathOf(name), report)] as const)
    .filter(([, field]) => field !== undefined);
  return Object.fromEntries(read) as Partial<T>;
}

const flag: Reader<boolean> = (value, path, report) =>
  typeof value === "boolean" ? value : report(path, "expected true or false");

const count: Reader<number> = (value, path, report) =>
  typeof value === "number" && Number.isInteger(value) && value >= 1
    ? value
    : report(path, "expected a whole number of at least 1");

const names: Reader<readonly string[]> = (value, path, report) =>
  Array.isArray(value) && value.every((name) => typeof name === "string")
    ? value
    : report(path, "expected a list of argument names");

const toolKind: Reader<ToolKind> = (value, path, report) =>
  TOOL_KINDS.find((kind) => kind === value) ?? report(path, `one of ${TOOL_KINDS.join(", ")}`);

const NEVER: Threshold = { nudge: Infinity, stuck: Infinity };

/** `5`, `{nudge: 3, stuck: 5}` or `false` for never. */
const thresholdOver =
  (base: Threshold): Reader<Threshold> =>
  (value, path, report) => {
    if (value === null) return base;
    if (value === false) return NEVER;
    const given: { readonly [name in keyof Threshold]?: number | undefined } = isRecord(value)
      ? readFields<Threshold>(value, path, { stuck: count, nudge: count }, report)
      : { stuck: count(value, path, report) };
    const { stuck = base.stuck, nudge = Math.min(base.nudge, stuck) } = given;
    if (nudge > stuck) report(`${path}.nudge`, "expected at most the count of stuck");
    return { nudge, stuck };
  };

const thresholds: Reader<StuckConfig["thresholds"]> = (value, path, report) => {
  if (value === null) return undefined;
  if (!isRecord(value)) return report(path, "expected a map of rule names");
  const read: Record<RuleName, Threshold> = { ...DEFAULT_THRESHOLDS };
  for (const [name, given] of Object.entries(value)) {
    const base = Object.hasOwn(read, name) ? read[name as RuleName] : undefined;
    if (base === undefined) report(`${path}.${name}`, "no such rule");
    else if (given !== undefined)
      read[name as RuleName] = thresholdOver(base)(given, `${path}.${name}`, report) ?? base;
  }
  return read;
};

const TOOL: Readers<ToolConfig> = {
  kind: toolKind,
  poll: flag,
  exempt: flag,
  identity: names,
  ignore: names,
  same_call: thresholdOver(DEFAULT_THRESHOLDS.same_call),
};

const tools: Reader<StuckConfig["tools"]> = (value, path, report) => {
  if (value === null) return undefined;
  if (!isRecord(value)) return report(path, "expected a map of tool names");
  const read = Object.entries(value).map(([name, given]) => [
    name,
    isRecord(given)
      ? readFields(given, `${path}.${name}`, TOOL, report)
      : report(`${path}.${name}`, "expected a map"),
  ]);
  return Object.fromEntries(read) as StuckConfig["tools"];
};

const CONFIG: Readers<StuckConfig> = {
  enabled: flag,
  person_resets: flag,
  call_cap: count,
  thresholds,
  tools,
};

/** Rules that count equal calls in a row, with or without visible results. */
const IN_A_ROW = ["same_call", "same_call_unseen", "same_call_failing", "same_output"] as const;

const same = (rules: readonly RuleName[], threshold: Threshold) =>
  Object.fromEntries(rules.map((rule) => [rule, threshold]));

const upTo = (stuck: number): Threshold => ({ nudge: Math.min(3, stuck), stuck });

const CHANGES: Readonly<Record<string, (value: number) => Partial<StuckConfig["thresholds"]>>> = {
  // The call after `limit` equal ones is refused; zero or less means no limit.
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
  const given = foreign as Fields;
  const thresholds: Record<RuleName, Threshold> = { ...DEFAULT_STUCK_CONFIG.thresholds };
  for (const [name, change] of Object.entries(CHANGES)) {
    const value = given[name];
    if (typeof value === "number" && Number.isFinite(value))
      Object.assign(thresholds, change(Math.floor(value)));
  }
  return {
    enabled: given["disabled"] !== true && given["enabled"] !== false,
    person_resets: given["headless"] !== true && given["userMessageResets"] !== false,
    call_cap: capOf(given),
    thresholds,
    tools: toolsOf(given["loopKey"]),
  };
}

/** An explicit cap is hard. Any other cap is only a soft warning, so the hard one is ten times higher. */
function capOf(given: Fields): number {
  const cap = given["maxToolCallsPerTurn"];
  if (typeof cap !== "number" || !(cap >= 1)) return Infinity;
  return given["explicit"] === true ? cap : cap * 10;
}

/** `{search: ["query"], wait: false}`: the arguments that identify a call, or false to exempt the tool. */
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
