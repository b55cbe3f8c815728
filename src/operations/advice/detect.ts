/**
 * Checks whether an agent is going in circles: every change of verdict in a transcript, or one verdict for a whole
 * case.
 */
import { parse } from "yaml";
import { judgeCase } from "../../core/stuck/judge-case.ts";
import { createStepReader } from "../../agents/output/transcript.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { readStuckConfig } from "../../core/stuck/read-config.ts";
import { DEFAULT_STUCK_CONFIG, type StuckConfig } from "../../core/stuck/config.ts";
import { createStuckDetector } from "../../core/stuck/detector.ts";
import type { StuckVerdict } from "../../core/stuck/verdict.ts";
import { defined, operation, ProblemError, type InputOf } from "../operation.ts";

export { OUTPUT_FORMATS } from "../../agents/registry.ts";
export type { StuckVerdict };

/** The verdict changed at this step. */
export interface VerdictChanged {
  readonly step: number;
  readonly line: number;
  readonly verdict: StuckVerdict;
}

export const detectLoops = operation({
  name: "detect",
  schemas: async () => (await import("./schemas.ts")).detectLoops,
  async run(
    _context,
    { chunks, format, config, untilStuck },
    on: (changed: VerdictChanged) => void,
  ) {
    const reader = createStepReader(format);
    const detector = createStuckDetector(
      config === undefined ? DEFAULT_STUCK_CONFIG : configFrom(config),
    );
    let steps = 0;
    let last: StuckVerdict = { level: "none" };
    let stuck: StuckVerdict | undefined;
    let problems = 0;
    let firstProblem: string | undefined;
    const take = (piece: ReturnType<typeof reader.push>): void => {
      for (const { line, problem } of piece.problems) {
        problems += 1;
        firstProblem ??= `line ${line}: ${problem}`;
        if (format === "steps") throw new ProblemError("bad-input", firstProblem);
      }
      for (const { line, step } of piece.steps) {
        const verdict = detector.step(step);
        if (verdict.level !== last.level || verdict.pattern !== last.pattern) {
          if (verdict.level === "stuck") stuck ??= verdict;
          on({ step: steps, line, verdict });
          last = verdict;
        }
        steps += 1;
      }
    };
    for await (const chunk of chunks) {
      take(reader.push(chunk));
      if (untilStuck === true && stuck !== undefined) break;
    }
    take(reader.end());
    if (steps === 0 && firstProblem !== undefined)
      throw new ProblemError(
        "bad-input",
        `${firstProblem}; nothing in the input looks like ${format}`,
      );
    return { steps, problems, ...defined({ stuck }) };
  },
});

export type DetectInput = InputOf<typeof detectLoops>;

function configFrom({ text, called }: NonNullable<DetectInput["config"]>): StuckConfig {
  const fail = (problem: string): never => {
    throw new ProblemError("bad-input", `${cleanLine(called)}${problem}`);
  };
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    fail(` is not YAML: ${cleanLine(String(error))}`);
  }
  const section =
    typeof value === "object" && value !== null && "stuck" in value ? value.stuck : value;
  const reading = readStuckConfig(section);
  if (reading.ok) return reading.config;
  const [first] = reading.problems;
  return fail(`: ${first?.path ?? ""}: ${first?.problem ?? ""}`);
}

/** Takes one `{id, steps, config?}`; returns the verdict after its last step. */
export const detectCase = operation({
  name: "detect-case",
  schemas: async () => (await import("./schemas.ts")).detectCase,
  run(_context, { given, called }) {
    const reading = judgeCase(given);
    if (reading.ok) return reading.verdict;
    throw new ProblemError("bad-input", `${called}, field ${reading.field}: ${reading.problem}`);
  },
});
