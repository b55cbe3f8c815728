/**
 * An operation told as it goes on, for who asks for server-sent events: what happens as `happening`, what a person should
 * know beside it as `note`, at the end its output as `result`, or why there is none as `problem`. Invariants: what waits
 * to be taken is bounded, by the operation where it can wait and else by ending the stream; once the client is gone,
 * nothing waits for it any more.
 */
import type { Context } from "../operations/operation.ts";
import { eventStream, type Message } from "./event-stream.ts";
import { BROKEN } from "./problems.ts";
import type { AnyOperation } from "./routes.ts";

/** From here on an operation that can wait does. */
const MANY = 200;
const TOO_MANY = 20_000;

export function toldAsItHappens(
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
        tell("problem", { problem: BROKEN });
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

/** Some happenings have a place from which to go on, for whoever comes back. */
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
    /** How many wait now. */
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
