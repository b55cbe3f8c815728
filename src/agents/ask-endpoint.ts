/**
 * Asks a model behind any OpenAI-compatible endpoint one question. Invariants: bounded answer and time; the key
 * comes from a variable of the user's environment and is never written anywhere; any failure is no answer.
 */
import type { AskModel } from "../runtime/rewrite.ts";

export interface EndpointPlan {
  /** Base address, such as `http://localhost:11434/v1`. */
  readonly endpoint: string;
  readonly model: string;
  readonly keyVariable?: string;
}

const LIMIT_MS = 60_000;
const ANSWER_MAX_BYTES = 256 * 1024;

export function askEndpoint(
  { endpoint, model, keyVariable }: EndpointPlan,
  env: Readonly<Record<string, string>>,
): AskModel {
  const key = keyVariable === undefined ? undefined : env[keyVariable];
  return async ({ prompt, stop }) => {
    const response = await fetch(`${endpoint.replace(/\/+$/, "")}/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, messages: [{ role: "user", content: prompt }] }),
      signal: AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)]),
      redirect: "error",
    });
    if (!response.ok || response.body === null) return undefined;
    return answerOf(await boundedText(response.body));
  };
}

async function boundedText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > ANSWER_MAX_BYTES) throw new Error("the answer is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function answerOf(text: string): string | undefined {
  const { choices } = JSON.parse(text) as {
    choices?: readonly { readonly message?: { readonly content?: unknown } }[];
  };
  const content = choices?.[0]?.message?.content;
  return typeof content === "string" ? content : undefined;
}
