/**
 * The common form of everything a person can do with Unstuck, so that the terminal, MCP and HTTP are thin faces over
 * the same operations. Invariants: an operation knows no terminal and no exit code and never prompts; anything that can
 * go wrong is returned as a `Problem`, and only a bug throws; schemas are loaded on demand, because zod costs a command
 * 20 ms.
 */
import type { z } from "zod";
import { cleanLine } from "../core/foreign-text.ts";
import { systemFault } from "../core/system-faults.ts";

export { defined } from "../core/defined.ts";

type ProblemCode =
  /** The input cannot be used. */
  | "bad-input"
  /** There is no such run, subtask, question or file. */
  | "not-found"
  /** Several match: name one. */
  | "ambiguous"
  /** The state of the run or repository does not allow it, or another answer came first. */
  | "not-now"
  /** An agent may not decide for its user. */
  | "not-allowed"
  /** A person has to agree first; `next` says how. */
  | "needs-consent"
  /** It was tried, and an agent or another program failed. */
  | "failed"
  /** Disk, file system, mount or permissions. */
  | "machine"
  /** The journal cannot be read or written. */
  | "journal";

interface Problem {
  readonly code: ProblemCode;
  /** What happened, in one line that can be shown as it is. */
  readonly message: string;
  readonly run?: string;
  /** What to do about it, if the message does not say so. */
  readonly next?: string;
}

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

/** The caller and its location. The environment is the process's own. */
export interface Context {
  readonly cwd: string;
  /** Recorded as the person who decided; default: the user of this process. */
  readonly who?: string;
  /** Ends long work: following a run, or working on one, which then pauses. */
  readonly signal?: AbortSignal;
  /** Awaited before more is reported, if the listener may be slower than the source. */
  readonly drained?: () => Promise<void>;
  /** The client reconnects: it has everything up to this place, which it received with an event. */
  readonly after?: string;
  /** A person is there to answer: a run that only waits for answers keeps working until this is aborted. */
  readonly attended?: AbortSignal;
  /** A person watches the run, and may answer from elsewhere. */
  readonly watched?: boolean;
  /** Reports what a person should know besides the result. */
  readonly tell?: (words: string) => void;
}

interface Schemas<Input, Output> {
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
}

export interface Operation<Input, Output, Happening = never> {
  readonly name: string;
  /** For faces that take input from outside or describe the operation to others. */
  readonly schemas: () => Promise<Schemas<Input, Output>>;
  readonly run: (
    context: Context,
    input: Input,
    on?: (happening: Happening) => void,
  ) => Promise<Result<Output>>;
}

type AnyRun = (context: Context, input: never) => Promise<Result<unknown>>;
export type InputOf<T extends { readonly run: AnyRun }> = Parameters<T["run"]>[1];
export type OutputOf<T extends { readonly run: AnyRun }> = Extract<
  Awaited<ReturnType<T["run"]>>,
  { readonly ok: true }
>["value"];

/** Thrown within an operation; `operation` turns it into the result. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(code: ProblemCode, message: string, more: Pick<Problem, "run" | "next"> = {}) {
    super(message);
    this.problem = { code, message, ...more };
  }
}

export const notNow = (run: string, message: string): ProblemError =>
  new ProblemError("not-now", message, { run });

export const operation = <Input, Output, Happening = never>(
  parts: Pick<Operation<Input, Output>, "name" | "schemas"> & {
    readonly run: (
      context: Context,
      input: Input,
      on: (happening: Happening) => void,
    ) => Output | Promise<Output>;
  },
): Operation<Input, Output, Happening> => {
  let schemas: ReturnType<typeof parts.schemas> | undefined;
  return {
    name: parts.name,
    schemas: () => (schemas ??= parts.schemas()),
    async run(context, input, on = () => undefined) {
      try {
        return { ok: true, value: await parts.run(context, input, on) };
      } catch (error) {
        const problem = problemOf(error);
        if (problem === undefined) throw error;
        return { ok: false, problem };
      }
    },
  };
};

/** The problem an error represents; undefined if the error is a bug of ours. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof ProblemError) return error.problem;
  if (!(error instanceof Error)) return undefined;
  const { code = "", syscall, path = "" } = error as NodeJS.ErrnoException;
  if (error.name === "JournalError")
    return { code: "journal", message: cleanLine(error.message, 600) };
  if (code === "not-published") return { code: "machine", message: cleanLine(error.message, 600) };
  if (code === "engine-unreachable")
    return {
      code: "not-now",
      message:
        `the engine of the fleet does not answer (${cleanLine(error.message, 300)})\n` +
        "  See that it runs, and that UNSTUCK_FLEET or --url is its address",
    };
  const fault = systemFault(code);
  if (fault === undefined || syscall === undefined) return undefined;
  const at = cleanLine(syscall.includes(path) ? syscall : `${syscall} ${path}`, 300);
  return { code: "machine", message: `${fault.words} (${code} at ${at}); ${fault.next}` };
}
