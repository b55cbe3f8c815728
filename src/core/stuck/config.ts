/**
 * The detector's thresholds and what it knows of tools, as data: defaults, and the reader for what a person wrote
 * in YAML. Invariants: `readStuckConfig` never throws and names the path of everything it refuses; a missing field
 * keeps its default. Evidence: docs/stuck.md.
 */

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

export function readStuckConfig(value: unknown): StuckConfigReading {
  if (value === undefined || value === null) return { ok: true, config: DEFAULT_STUCK_CONFIG };
  const problems: ConfigProblem[] = [];
  const report: Report = (path, problem) => void problems.push({ path, problem });
  if (!isRecord(value)) return { ok: false, problems: [{ path: "", problem: "expected a map" }] };
  const known = ["enabled", "person_resets", "call_cap", "thresholds", "tools"];
  refuseOthers(value, known, "", report);
  const config: StuckConfig = {
    enabled: readFlag(value["enabled"], "enabled", report) ?? true,
    person_resets: readFlag(value["person_resets"], "person_resets", report) ?? true,
    call_cap: readCount(value["call_cap"], "call_cap", report) ?? Infinity,
    thresholds: readThresholds(value["thresholds"], report),
    tools: readTools(value["tools"], report),
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config };
}

function readThresholds(value: unknown, report: Report): StuckConfig["thresholds"] {
  const thresholds: Record<RuleName, Threshold> = { ...DEFAULT_THRESHOLDS };
  if (value === undefined || value === null) return thresholds;
  if (!isRecord(value)) {
    report("thresholds", "expected a map of rule names");
    return thresholds;
  }
  for (const [name, given] of Object.entries(value)) {
    const path = `thresholds.${name}`;
    if (!Object.hasOwn(DEFAULT_THRESHOLDS, name)) report(path, "no such rule");
    else {
      const rule = name as RuleName;
      thresholds[rule] = readThreshold(given, path, thresholds[rule], report);
    }
  }
  return thresholds;
}

/** `5`, `{nudge: 3, stuck: 5}` or `false` for never. */
function readThreshold(value: unknown, path: string, base: Threshold, report: Report): Threshold {
  if (value === undefined || value === null) return base;
  if (value === false) return { nudge: Infinity, stuck: Infinity };
  if (!isRecord(value)) {
    const stuck = readCount(value, path, report);
    return stuck === undefined ? base : { nudge: Math.min(base.nudge, stuck), stuck };
  }
  refuseOthers(value, ["nudge", "stuck"], path, report);
  const stuck = readCount(value["stuck"], `${path}.stuck`, report) ?? base.stuck;
  const nudge = readCount(value["nudge"], `${path}.nudge`, report) ?? Math.min(base.nudge, stuck);
  if (nudge > stuck) report(`${path}.nudge`, "expected at most the count of stuck");
  return { nudge, stuck };
}

function readTools(value: unknown, report: Report): StuckConfig["tools"] {
  const tools: Record<string, ToolConfig> = {};
  if (value === undefined || value === null) return tools;
  if (!isRecord(value)) {
    report("tools", "expected a map of tool names");
    return tools;
  }
  for (const [name, given] of Object.entries(value)) {
    const path = `tools.${name}`;
    if (!isRecord(given)) report(path, "expected a map");
    else tools[name] = readTool(given, path, report);
  }
  return tools;
}

function readTool(value: Fields, path: string, report: Report): ToolConfig {
  refuseOthers(value, ["kind", "poll", "identity", "ignore", "exempt", "same_call"], path, report);
  const kind = value["kind"];
  const isKind = TOOL_KINDS.includes(kind as ToolKind);
  if (kind !== undefined && !isKind) report(`${path}.kind`, `one of ${TOOL_KINDS.join(", ")}`);
  const poll = readFlag(value["poll"], `${path}.poll`, report);
  const exempt = readFlag(value["exempt"], `${path}.exempt`, report);
  const identity = readNames(value["identity"], `${path}.identity`, report);
  const ignore = readNames(value["ignore"], `${path}.ignore`, report);
  const base = DEFAULT_THRESHOLDS.same_call;
  const given = value["same_call"];
  return {
    ...(isKind ? { kind: kind as ToolKind } : {}),
    ...(poll === undefined ? {} : { poll }),
    ...(exempt === undefined ? {} : { exempt }),
    ...(identity === undefined ? {} : { identity }),
    ...(ignore === undefined ? {} : { ignore }),
    ...(given === undefined
      ? {}
      : { same_call: readThreshold(given, `${path}.same_call`, base, report) }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function readFlag(value: unknown, path: string, report: Report): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  return report(path, "expected true or false");
}

function readCount(value: unknown, path: string, report: Report): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1) return value;
  return report(path, "expected a whole number of at least 1");
}

function readNames(value: unknown, path: string, report: Report): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  return report(path, "expected a list of argument names");
}

function refuseOthers(value: Fields, known: readonly string[], path: string, report: Report): void {
  for (const name of Object.keys(value))
    if (!known.includes(name)) report(path === "" ? name : `${path}.${name}`, "no such setting");
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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
