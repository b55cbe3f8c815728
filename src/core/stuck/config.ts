/**
 * The detector's thresholds and what it knows of tools, as data: defaults, the reader for what a person wrote in
 * YAML, and what other detectors call the same numbers, so that cases written for them run with their thresholds.
 * Invariants: reading never throws and names the path of everything it refuses; a missing field keeps its default; a
 * foreign name without a counterpart changes nothing. Evidence: docs/stuck.md.
 */
import { isRecord } from "./step.ts";
import type { Fields } from "./step.ts";

/** Counts at which a rule nudges and at which it says stuck; Infinity means never. */
export interface Threshold {
  readonly nudge: number;
  readonly stuck: number;
}

const at = (nudge: number, stuck: number): Threshold => ({ nudge, stuck });

export const DEFAULT_THRESHOLDS = {
  /** Same call, same result, in a row. */
  same_call: at(3, 4),
  /** Same call in a row where results are not to be seen. */
  same_call_unseen: at(3, 5),
  /** Same call in a row, failing each time, each time otherwise. */
  same_call_failing: at(3, 4),
  /** Same call, same result, a few other calls between, nothing changed in the world. */
  same_call_spread: at(4, 5),
  /** The same where results are not to be seen. */
  same_call_spread_unseen: at(5, 6),
  /** Same task handed to another agent, same result: each time costs a whole run of it. */
  same_delegation: at(2, 3),
  /** Equal outputs in a row that belong to no call. */
  same_output: at(4, 5),
  /** Two to eight calls in turn with the same results: times round. */
  cycle: at(3, 3),
  /** Asking something that runs, without new output. */
  poll: at(10, 20),
  /** Same error, other arguments, of a tool that acts. */
  same_failure: at(3, 4),
  /** Same kind of error: names and numbers apart. */
  same_failure_kind: at(4, 5),
  /** The same of a tool that only looks. */
  same_failure_looking: at(4, 5),
  failures_in_a_row: at(6, 8),
  unknown_tool: at(2, 4),
  /** Same failing checks after edits to one file. */
  same_failing_tests: at(3, 4),
  /** The same after edits to several files. */
  same_failing_tests_spread: at(4, 5),
  edit_revert: at(2, 3),
  repeated_message: at(2, 3),
  paraphrased_message: at(4, 5),
  chanting: at(6, 10),
  /** Reads and searches in a row that bring nothing new, on few targets. */
  nothing_new: at(6, 8),
  compaction: at(2, 3),
} as const satisfies Record<string, Threshold>;

export type RuleName = keyof typeof DEFAULT_THRESHOLDS;

const TOOL_KINDS = [
  "read",
  "search",
  "write",
  "shell",
  "poll",
  "plan",
  "delegate",
  "other",
] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

export interface ToolConfig {
  readonly kind?: ToolKind;
  /** Asked again and again on purpose. */
  readonly poll?: boolean;
  /** The arguments that make two calls the same; all but `ignore` where not given. */
  readonly identity?: readonly string[];
  /** Arguments that say nothing, such as a display name. */
  readonly ignore?: readonly string[];
  /** Never counted. */
  readonly exempt?: boolean;
  /** For this tool instead of the general one. */
  readonly same_call?: Threshold;
}

export interface StuckConfig {
  readonly enabled: boolean;
  /** A person's message starts the count anew. */
  readonly person_resets: boolean;
  /** Most tool calls for one task; Infinity means no limit. */
  readonly call_cap: number;
  readonly thresholds: Readonly<Record<RuleName, Threshold>>;
  readonly tools: Readonly<Record<string, ToolConfig>>;
}

export const DEFAULT_STUCK_CONFIG: StuckConfig = {
  enabled: true,
  person_resets: true,
  call_cap: Infinity,
  thresholds: DEFAULT_THRESHOLDS,
  tools: {},
};

interface ConfigProblem {
  readonly path: string;
  readonly problem: string;
}

type StuckConfigReading =
  | { readonly ok: true; readonly config: StuckConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

type Report = (path: string, problem: string) => undefined;
/** Undefined where the value is refused, or stands for the default. */
type Reader<T> = (value: unknown, path: string, report: Report) => T | undefined;

export function readStuckConfig(value: unknown): StuckConfigReading {
  if (value === undefined || value === null) return { ok: true, config: DEFAULT_STUCK_CONFIG };
  if (!isRecord(value)) return { ok: false, problems: [{ path: "", problem: "expected a map" }] };
  const problems: ConfigProblem[] = [];
  const given = readFields(
    value,
    "",
    CONFIG,
    (path, problem) => void problems.push({ path, problem }),
  );
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, config: { ...DEFAULT_STUCK_CONFIG, ...given } };
}

type Readers<T> = { readonly [name in keyof T]-?: Reader<NonNullable<T[name]>> };

/** The fields that are given and right. */
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

/** Rules that count equal calls in a row, whatever is known of the results. */
const IN_A_ROW = ["same_call", "same_call_unseen", "same_call_failing", "same_output"] as const;

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

/** An explicit cap is hard; otherwise it only asks for a closer look and the hard one is tenfold. */
function capOf(given: Fields): number {
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
