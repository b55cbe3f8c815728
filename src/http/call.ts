/**
 * Answers a request with an operation: its input is checked by the operation's own schema, its output is the answer.
 * Invariants: a body is read up to its limit and no further; a bug is one line for who asked and a whole one for the
 * server's terminal; whoever goes away ends what was done for them alone.
 */
import { ProblemError, problemOf, type Context } from "../operations/operation.ts";
import { cleanLine } from "../operations/text.ts";
import { lastIdOf } from "./event-stream.ts";
import { toldAsItHappens } from "./happenings.ts";
import { BROKEN, json, refusal } from "./problems.ts";
import type { AnyOperation } from "./routes.ts";

export const BODY_BYTES_MAX = 1024 * 1024;

export interface Asked {
  readonly request: Request;
  readonly context: Context;
  /** Told what only whoever runs the server should see. */
  readonly report: (error: unknown) => void;
  /** What is made of the operation's output; default: JSON. */
  readonly answer?: ((value: unknown) => Response) | undefined;
}

export async function callOperation(operation: AnyOperation, asked: Asked): Promise<Response> {
  const { request, context, report, answer = json } = asked;
  try {
    const schemas = await operation.schemas();
    const checked = schemas.input.safeParse(await givenInput(request));
    if (!checked.success) {
      const [issue] = checked.error.issues;
      const place = cleanLine(issue?.path.map(String).join(".") ?? "", 80) || "input";
      const message = `${place}: ${cleanLine(issue?.message ?? "", 300)}`;
      return refusal({ code: "bad-input", message });
    }
    const accepts = request.headers.get("accept") ?? "";
    if (accepts.includes("text/event-stream")) {
      const after = lastIdOf(request);
      const heard = { ...context, ...(after === undefined ? {} : { after }) };
      return toldAsItHappens(operation, heard, checked.data as never, report);
    }
    const result = await operation.run(context, checked.data as never);
    return result.ok ? answer(result.value) : refusal(result.problem);
  } catch (error) {
    return failure(error, report);
  }
}

export function failure(error: unknown, report: Asked["report"]): Response {
  if (error instanceof TooLarge)
    return refusal({ code: "bad-input", message: error.message }, 413, { connection: "close" });
  const problem = problemOf(error);
  if (problem === undefined) report(error);
  return refusal(problem ?? BROKEN);
}

/** A body that goes on after its limit. */
class TooLarge extends Error {}

async function givenInput(request: Request): Promise<unknown> {
  const isGet = request.method === "GET";
  const text = isGet
    ? (new URL(request.url).searchParams.get("input") ?? "")
    : await bodyOf(request);
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ProblemError("bad-input", `${isGet ? "input" : "the body"} is not JSON`);
  }
}

export async function bodyOf(request: Request): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of request.body ?? []) {
      bytes += (piece as Uint8Array).length;
      if (bytes > BODY_BYTES_MAX)
        throw new TooLarge(`the body is larger than ${BODY_BYTES_MAX} bytes`);
      pieces.push(piece as Uint8Array);
    }
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    // Whoever sends half of it and hangs up makes no bug of ours.
    throw new ProblemError("bad-input", "the body broke off");
  }
  return Buffer.concat(pieces).toString("utf8");
}
