/**
 * Answers a request with an operation. The operation's own schema checks the input; the answer is its output, or a
 * stream of its events for clients that accept server-sent events. Invariants: a body is read up to its limit and no
 * further; the send queue is bounded; a bug is one line for the client and the full error in the server's terminal; a
 * client that disconnects cancels the work done only for it.
 */
import { ProblemError, problemOf, type Context } from "../operations/operation.ts";
import { cleanLine } from "../operations/text.ts";
import { lastIdOf, eventStream, type Message } from "./event-stream.ts";
import { INTERNAL_PROBLEM, json, refusal } from "./answers.ts";
import type { AnyOperation } from "./routes.ts";

export const BODY_BYTES_MAX = 1024 * 1024;

export interface OperationCall {
  readonly request: Request;
  readonly context: Context;
  /** Receives errors that only the server's operator should see. */
  readonly report: (error: unknown) => void;
  /** Builds the response from the operation's output; default: JSON. */
  readonly answer?: ((value: unknown) => Response) | undefined;
}

export async function callOperation(
  operation: AnyOperation,
  asked: OperationCall,
): Promise<Response> {
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
      return streamOperation(operation, heard, checked.data as never, report);
    }
    const result = await operation.run(context, checked.data as never);
    return result.ok ? answer(result.value) : refusal(result.problem);
  } catch (error) {
    return failure(error, report);
  }
}

export function failure(error: unknown, report: OperationCall["report"]): Response {
  if (error instanceof TooLarge)
    return refusal({ code: "bad-input", message: error.message }, 413, { connection: "close" });
  const problem = problemOf(error);
  if (problem === undefined) report(error);
  return refusal(problem ?? INTERNAL_PROBLEM);
}

/** The body exceeds its limit. */
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
    // A client that hangs up halfway through its body is not a bug of the server.
    throw new ProblemError("bad-input", "the body broke off");
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Above `MANY` queued messages an operation that can wait is made to; above `TOO_MANY` the stream is ended. */
const MANY = 200;
const TOO_MANY = 20_000;

export function streamOperation(
  operation: AnyOperation,
  context: Context,
  input: never,
  report: (error: unknown) => void,
): Response {
  return eventStream(async function* (gone) {
    const letGo = new AbortController();
    const signal = AbortSignal.any([gone, letGo.signal]);
    const waiting = queue(signal);
    const tell = (event: string, data: unknown): void => {
      if (waiting.add({ event, data, ...idOf(data) }) > TOO_MANY) letGo.abort();
    };
    const heard: Context = {
      ...context,
      signal,
      drained: () => waiting.isShort(),
      tell: (words) => tell("note", { words }),
    };
    const done = operation
      .run(heard, input, (happening) => tell("happening", happening))
      .then((result) => {
        if (result.ok) tell("result", result.value);
        else tell("problem", { problem: result.problem });
      })
      .catch((error: unknown) => {
        report(error);
        tell("problem", { problem: INTERNAL_PROBLEM });
      })
      .finally(() => waiting.end());
    try {
      yield* waiting.messages();
    } finally {
      letGo.abort();
      await done;
    }
  });
}

/** Some events carry a position from which a reconnecting client can continue. */
function idOf(happening: unknown): { readonly id?: string } {
  const { place } = (happening ?? {}) as { readonly place?: unknown };
  return typeof place === "string" ? { id: place } : {};
}

function queue(signal: AbortSignal) {
  let messages: Message[] = [];
  let isEnded = false;
  let changed = Promise.withResolvers<void>();
  const change = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  signal.addEventListener("abort", change, { once: true });
  return {
    /** Returns the length of the queue. */
    add(message: Message): number {
      messages.push(message);
      change();
      return messages.length;
    },
    end(): void {
      isEnded = true;
      change();
    },
    async isShort(): Promise<void> {
      while (messages.length > MANY && !signal.aborted) await changed.promise;
    },
    async *messages(): AsyncGenerator<Message> {
      while (!signal.aborted) {
        const taken = messages;
        messages = [];
        for (const message of taken) {
          if (signal.aborted) return;
          yield message;
        }
        change();
        if (messages.length > 0) continue;
        if (isEnded) return;
        await changed.promise;
      }
    },
  };
}
