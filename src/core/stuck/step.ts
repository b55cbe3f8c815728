/**
 * Step: one thing inside an attempt, as a transcript reader or a live agent adapter gives it. Invariant:
 * `readStep` never throws and names the field it refuses.
 */

interface Common {
  /** Steps of different runs (a subagent, a resumed session) never count together. */
  readonly runId?: string;
  /** What this step used, where the agent says it. */
  readonly tokens?: number;
  readonly usd?: number;
}

export interface ToolCallStep extends Common {
  readonly kind: "tool_call";
  readonly tool: string;
  readonly args?: unknown;
  /** Joins a call and its result; without it they are joined by tool, in order. */
  readonly id?: string;
  /** Calls of one model answer share a round; equal ones in it count once. */
  readonly round?: number | string;
}

export interface ToolResultStep extends Common {
  readonly kind: "tool_result";
  readonly tool?: string;
  readonly output: string;
  readonly isError?: boolean;
  readonly id?: string;
  /** The call did not run: our own loop guard refused it. */
  readonly veto?: boolean;
  /** The tool itself says that what it watches is not finished. */
  readonly running?: boolean;
}

export interface MessageStep extends Common {
  readonly kind: "message";
  readonly text: string;
  /** A piece of a streamed message; it belongs to the pieces beside it. */
  readonly partial?: boolean;
  /** `output`: what a plain command prints. */
  readonly channel?: "answer" | "thought" | "output";
}

/** A person wrote, or a program in a person's place: such words do not start a count anew. */
export interface PersonStep extends Common {
  readonly kind: "user_message";
  readonly automated?: boolean;
}

/** The agent or its model service failed, outside of any tool. */
export interface ErrorStep extends Common {
  readonly kind: "error";
  readonly text: string;
}

/** The tree and the failing checks as they are now. */
export interface WorldStep extends Common {
  readonly kind: "world";
  readonly tree?: string;
  readonly failing?: readonly string[];
}

export interface LoopReportStep extends Common {
  readonly kind: "loop_report";
  readonly text: string;
}

export interface SignalStep extends Common {
  /**
   * `compaction`: the context was cut. `stream_retry`: the answer so far is void and is asked
   * again. `turn_end`: the answer is complete. `new_task`: nothing before counts. `wait`: the agent
   * or we wait for a time that is known; ends with the next thing the agent does.
   */
  readonly kind: "compaction" | "stream_retry" | "turn_end" | "new_task" | "wait";
}

export type Step =
  | ToolCallStep
  | ToolResultStep
  | MessageStep
  | PersonStep
  | ErrorStep
  | WorldStep
  /** The agent's own guard says that it loops. */
  | LoopReportStep
  | SignalStep;

export type StepReading =
  | { readonly ok: true; readonly step: Step }
  | { readonly ok: false; readonly field: string; readonly problem: string };

/** How other detectors write the signals: as an error with a code. */
const CODES: ReadonlyMap<string, SignalStep["kind"]> = new Map(
  Object.entries({
    context_condensation: "compaction",
    compaction: "compaction",
    stream_retry: "stream_retry",
    finished: "turn_end",
    new_task: "new_task",
    wait: "wait",
  } as const),
);

/** How nudges of supervisors and guards begin. */
const AUTOMATED =
  /^\s{0,4}(?:[[<(](?:system|automated|loop[ -]?guard|nudge)\b|(?:system|automated|loop[ -]?guard|nudge)(?: message| note)?:)/i;

const SIGNALS: ReadonlySet<unknown> = new Set(CODES.values());

/** Reads a step from parsed JSON. Unknown fields are ignored, null means absent. */
export function readStep(value: unknown): StepReading {
  if (!isRecord(value)) return refuse("", "expected a JSON object");
  const kind = value["kind"];
  const common = readCommon(value);
  switch (kind) {
    case "tool_call":
      return readCall(value, common);
    case "tool_result":
      return readResult(value, common);
    case "message":
      return readMessage(value, common);
    case "user_message":
      return accept({
        kind,
        ...(value["automated"] === true || AUTOMATED.test(textOf(value["text"]).slice(0, 40))
          ? { automated: true }
          : {}),
        ...common,
      });
    case "error": {
      const code = CODES.get(textOf(value["code"]));
      return accept(
        code === undefined
          ? { kind, text: textOf(value["text"]), ...common }
          : { kind: code, ...common },
      );
    }
    case "loop_report":
      return accept({ kind, text: textOf(value["text"]), ...common });
    case "world":
      return readWorld(value, common);
    default:
      return typeof kind === "string" && SIGNALS.has(kind)
        ? accept({ kind: kind as SignalStep["kind"], ...common })
        : refuse("kind", "expected the name of a step kind");
  }
}

export type Fields = Readonly<Record<string, unknown>>;

function readCall(value: Fields, common: Common): StepReading {
  const { tool, args, id, round } = value;
  if (typeof tool !== "string" || tool === "") return refuse("tool", "expected a tool name");
  return accept({
    kind: "tool_call",
    tool,
    ...(args === undefined || args === null ? {} : { args }),
    ...(typeof id === "string" ? { id } : {}),
    ...(typeof round === "number" || typeof round === "string" ? { round } : {}),
    ...common,
  });
}

function readResult(value: Fields, common: Common): StepReading {
  const { tool, id, isError } = value;
  const details = isRecord(value["details"]) ? value["details"] : {};
  const status = textOf(details["status"]);
  return accept({
    kind: "tool_result",
    output: textOf(value["output"]),
    ...(typeof tool === "string" ? { tool } : {}),
    ...(typeof id === "string" ? { id } : {}),
    ...(typeof isError === "boolean" ? { isError } : {}),
    ...(value["veto"] === true || details["deniedReason"] === "tool-loop" ? { veto: true } : {}),
    ...(value["running"] === true || status === "running" || status === "pending"
      ? { running: true }
      : {}),
    ...common,
  });
}

function readMessage(value: Fields, common: Common): StepReading {
  const { text, channel } = value;
  if (text !== undefined && text !== null && typeof text !== "string")
    return refuse("text", "expected a string");
  return accept({
    kind: "message",
    text: text ?? "",
    ...(value["partial"] === true ? { partial: true } : {}),
    ...(channel === "thought" ? { channel } : {}),
    ...common,
  });
}

function readWorld(value: Fields, common: Common): StepReading {
  const { tree, failing } = value;
  const names = Array.isArray(failing) ? failing.filter((name) => typeof name === "string") : [];
  return accept({
    kind: "world",
    ...(typeof tree === "string" ? { tree } : {}),
    ...(Array.isArray(failing) ? { failing: names } : {}),
    ...common,
  });
}

function readCommon({ runId, tokens, usd }: Fields): Common {
  return {
    ...(typeof runId === "string" ? { runId } : {}),
    ...(typeof tokens === "number" && Number.isFinite(tokens) ? { tokens } : {}),
    ...(typeof usd === "number" && Number.isFinite(usd) ? { usd } : {}),
  };
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const accept = (step: Step): StepReading => ({ ok: true, step });

const refuse = (field: string, problem: string): StepReading => ({ ok: false, field, problem });
