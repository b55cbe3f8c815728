/**
 * Calls to the objects from outside, over the engine's HTTP ingress. Invariants: a repeatable call is retried, on all
 * addresses in turn, until its limit; every call has a time limit; a handler's refusal is an error with the handler's
 * message.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

export interface Ingress {
  /** `once`: executed once, however often the request is repeated; repeats get the first answer. */
  call<T>(
    object: string,
    key: string,
    handler: string,
    message?: unknown,
    how?: { readonly once: true },
  ): Promise<T>;
}

export interface IngressOptions {
  /** One or more; any of them is enough. */
  readonly urls: readonly string[];
  readonly limitMs?: number;
  /** How long to keep retrying. */
  readonly patienceMs?: number;
  readonly stop?: AbortSignal;
}

const PAUSE_MS = 200;

export class IngressError extends Error {
  readonly code = "engine-unreachable";
}

export function ingress(options: IngressOptions): Ingress {
  const { urls, limitMs = 10_000, patienceMs = 30_000, stop } = options;
  let first = 0;
  return {
    async call<T>(
      object: string,
      key: string,
      handler: string,
      message: unknown = {},
      how?: { readonly once: true },
    ) {
      const until = Date.now() + patienceMs;
      const headers = {
        "content-type": "application/json",
        ...(how?.once === true ? { "idempotency-key": randomUUID() } : {}),
      };
      const path = [object, key, handler].map(encodeURIComponent).join("/");
      for (;;) {
        const url = urls[first % urls.length] ?? "";
        const answer = await post(`${url}/${path}`, headers, message, { limitMs, stop });
        if ("value" in answer) return answer.value as T;
        // The next call starts with another address too.
        if (!answer.final) first += 1;
        if (answer.final || Date.now() > until || stop?.aborted === true)
          throw new IngressError(`${url}: ${answer.problem}`);
        await sleep(PAUSE_MS);
      }
    },
  };
}

type Answer = { readonly value: unknown } | { readonly problem: string; readonly final: boolean };

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  message: unknown,
  { limitMs, stop }: { readonly limitMs: number; readonly stop: AbortSignal | undefined },
): Promise<Answer> {
  const late = AbortSignal.timeout(limitMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body: JSON.stringify(message),
      signal: stop === undefined ? late : AbortSignal.any([late, stop]),
    });
    const text = await response.text();
    if (response.ok) return { value: text === "" ? undefined : JSON.parse(text) };
    // Unknown objects are a passing state: the process that serves them is about to register.
    const final = response.status >= 400 && response.status < 500 && response.status !== 404;
    return { problem: `${response.status} ${text.slice(0, 300)}`, final };
  } catch (error) {
    const { message: words, cause } = error as Error & { cause?: { message?: string } };
    return { problem: cause?.message ?? words, final: false };
  }
}
