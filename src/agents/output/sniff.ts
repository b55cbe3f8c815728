/**
 * Reads a plain command's output in the format it turns out to be in, told by its first line. Words have no format:
 * they are taken as one long message. A command that prints words, or steps of our own, has no report: its output
 * and exit code are all there is. Invariants: what is read does not depend on chunks; at most a bounded beginning
 * is held back.
 */
import type { Step } from "../../core/stuck/step.ts";
import type { AgentReport, AgentRequest, ProcessEnd } from "../../runtime/ports-agent.ts";
import { REGISTRY } from "../registry.ts";
import type { Registry } from "../registry.ts";
import { parseFields } from "./json.ts";
import { createOutputReader } from "./report.ts";
import { stepsOutput } from "./steps.ts";

export interface SniffedReader {
  push(stream: "stdout" | "stderr", text: string): readonly Step[];
  final(): string | undefined;
  report(end: ProcessEnd): AgentReport | undefined;
}

const MAX_HELD = 256 * 1024;
const MAX_NOTES = 64 * 1024;

export function createSniffedReader(
  format?: string,
  limits?: Pick<AgentRequest, "model" | "cap">,
  registry: Registry = REGISTRY,
): SniffedReader {
  let source = format === undefined ? undefined : registry.outputNamed(format);
  let reader = source && createOutputReader(source, limits);
  let isPlain = false;
  let held = "";
  let notes = "";
  const isOwnSteps = (): boolean => source?.output === stepsOutput;
  const read = (stream: "stdout" | "stderr", text: string): readonly Step[] => {
    if (reader !== undefined) return reader.push(stream, text).steps;
    return stream === "stdout" && text !== "" ? [{ ...PRINTED, text }] : [];
  };
  const begin = (text: string): readonly Step[] => {
    const line = parseFields(text.trimStart().split("\n", 1)[0] ?? "");
    source = line && registry.outputBeginning(line);
    isPlain = source === undefined;
    reader = source && createOutputReader(source, limits);
    reader?.push("stderr", notes);
    return read("stdout", text);
  };
  return {
    push(stream, text) {
      if (reader !== undefined || isPlain) return read(stream, text);
      if (stream === "stdout") held += text;
      else notes = (notes + text).slice(0, MAX_NOTES);
      return stream === "stdout" && isTelling(held) ? begin(held) : [];
    },
    final: () => (isOwnSteps() ? undefined : reader?.final()),
    report(end) {
      if (reader === undefined && !isPlain) begin(`${held}\n`);
      return isOwnSteps() ? undefined : reader?.report(end);
    },
  };
}

const PRINTED = { kind: "message", partial: true, channel: "output" } as const;

/** Whether its first line is there, or cannot be one of a known format. */
function isTelling(held: string): boolean {
  const start = held.length - held.trimStart().length;
  return held.includes("\n", start) || held.length >= MAX_HELD || held[start] !== "{";
}
