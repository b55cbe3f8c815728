/** A hook's event as a step, small and without secrets. */
import { cutMiddle } from "../../core/foreign-text.ts";
import { hashText } from "../../core/hash.ts";
import { secretsOf } from "../../core/redact/known-values.ts";
import { redactionOf, type Redaction } from "../../core/redact/redaction.ts";
import type { Step } from "../../core/stuck/step.ts";
import type { BeforeTool, HookEvent } from "./hook-event.ts";

const MAX_OUTPUT = 1500;

const MAX_ARGS = 1500;

const MAX_VALUE = 200;

/** An event as a step small enough to keep; undefined for events that are not steps. */
export function stepOf(event: HookEvent, automated: boolean): Step | undefined {
  const run = event.runId === undefined ? {} : { runId: event.runId };
  switch (event.kind) {
    case "before-tool":
      return { kind: "tool_call", ...callOf(event), args: smallArgs(event.args), ...run };
    case "after-tool": {
      const failed = event.outcome === "failed" ? { isError: true } : {};
      const output = small(event.output, MAX_OUTPUT);
      return { kind: "tool_result", ...callOf(event), output, ...failed, ...run };
    }
    case "prompt":
      return { kind: "user_message", ...(automated ? { automated: true } : {}) };
    case "compaction":
      return { kind: "compaction", ...run };
    case "stop":
      return { kind: "turn_end" };
    case "model-failure":
      return undefined;
  }
}

const callOf = ({ tool, id }: Pick<BeforeTool, "tool" | "id">): { tool: string; id?: string } => ({
  tool: small(tool, MAX_VALUE),
  ...(id === undefined ? {} : { id }),
});

function small(text: string, max: number, name = ""): string {
  const clean = withoutSecrets(text, name);
  return text.length <= max ? clean : `${cutMiddle(clean, max)} ${wordOf(text)}`;
}

/** Letters only: comparison of results ignores hexadecimal digits as noise. */
const wordOf = (text: string): string =>
  hashText(text).replace(/[0-9]/g, (digit) => "ghijklmnop".charAt(Number(digit)));

function smallArgs(args: unknown): unknown {
  const text = JSON.stringify(args) ?? "";
  if (text === "") return args;
  const max = text.length <= MAX_ARGS ? MAX_ARGS : MAX_VALUE;
  const kept: unknown = JSON.parse(text, (name, value: unknown) =>
    typeof value === "string" ? small(value, max, name) : value,
  );
  const isSmall = max === MAX_ARGS || (JSON.stringify(kept) ?? "").length <= MAX_ARGS;
  return isSmall ? kept : { all: wordOf(text) };
}

/** Longer than any secret, so that none is cut in two where part of it is kept. */
const WINDOW = 26_000;

let redaction: Redaction | undefined;

/**
 * Removes secrets from what a session remembers, in bounded work however long the text is. The same secret always gives
 * the same replacement, so equal calls and results stay equal; different secrets almost always give different ones. The
 * replacement reveals fifteen bits of the secret. `name`: the name of the value in the text, if known.
 */
export function withoutSecrets(text: string, name = ""): string {
  if (text.length > 2 * WINDOW)
    return `${withoutSecrets(text.slice(0, WINDOW), name)}\n${withoutSecrets(text.slice(-WINDOW))}`;
  redaction ??= redactionOf(secretsOf(process.env), wordFor);
  const start = `${name}=`;
  const assigned = name === "" ? "" : redaction.text(start + text);
  return assigned.startsWith(start) ? assigned.slice(start.length) : redaction.text(text);
}

/** Alternating letters and digits: comparison of results ignores it as noise, as it does most secrets. */
function wordFor(secret: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = Array.from(hashText(secret), (digit) => parseInt(digit, 16));
  const letter = (place: number): string => "ghijklmnopqrstuv".charAt(place);
  return `[secret ${`${letter(a)}${b % 10}${letter(c)}${d % 10}`.repeat(3)}]`;
}
