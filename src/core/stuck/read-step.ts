/** Reads a step from data. Invariant: never throws, and names the field it refuses. */
import { isRecord } from "../defined.ts";
import type { Step, SignalStep, Common } from "./step.ts";

type StepReading =
  | { readonly ok: true; readonly step: Step }
  | { readonly ok: false; readonly field: string; readonly problem: string };

/** Other detectors write signals as errors with a code. */
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

/** How nudges from supervisors and guards begin. */
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
    case "user_message": {
      const automated =
        value["automated"] === true || AUTOMATED.test(textOf(value["text"]).slice(0, 40));
      return accept({ kind, ...(automated ? { automated } : {}), ...common });
    }
    case "error": {
      const code = CODES.get(textOf(value["code"]));
      if (code !== undefined) return accept({ kind: code, ...common });
      return accept({ kind, text: textOf(value["text"]), ...common });
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
  const running = value["running"] === true || status === "running" || status === "pending";
  return accept({
    kind: "tool_result",
    output: textOf(value["output"]),
    ...(typeof tool === "string" ? { tool } : {}),
    ...(typeof id === "string" ? { id } : {}),
    ...(typeof isError === "boolean" ? { isError } : {}),
    ...(value["veto"] === true || details["deniedReason"] === "tool-loop" ? { veto: true } : {}),
    ...(running ? { running } : {}),
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

const accept = (step: Step): StepReading => ({ ok: true, step });

const refuse = (field: string, problem: string): StepReading => ({ ok: false, field, problem });
