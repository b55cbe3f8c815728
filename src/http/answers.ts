/**
 * JSON responses: a value, or a status and `{ problem }`, whose message can be shown as it is. Responses that repeat
 * are cached as text: an unchanged object whole, a long list in blocks, of which only those with a changed object are
 * written again. Invariants: nothing is sent with a secret in it; a cached response equals what `json` gives; a text is
 * cached as long as its object, for lists only the latest one; large responses are sent without copying them.
 */
import type { Result } from "../operations/operation.ts";
import { redact, redactedJson } from "../operations/redaction.ts";

type Problem = Extract<Result<never>, { readonly ok: false }>["problem"];

const STATUS = {
  "bad-input": 400,
  "not-found": 404,
  ambiguous: 409,
  "not-now": 409,
  "needs-consent": 409,
  "not-allowed": 403,
  failed: 500,
  machine: 500,
  journal: 500,
} as const satisfies Readonly<Record<Problem["code"], number>>;

/** A bug: the full error is reported only to the server's operator. */
export const INTERNAL_PROBLEM: Problem = {
  code: "failed",
  message: "Unstuck failed to answer this; the terminal of unstuck serve says more",
};

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

/** Secrets are redacted from everything that is sent. */
export const json = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(redact(JSON.stringify(value)), {
    status,
    headers: { ...JSON_TYPE, ...headers },
  });

export const refusal = (
  problem: Problem,
  status: number = STATUS[problem.code],
  headers: Readonly<Record<string, string>> = {},
): Response => json({ problem }, status, headers);

interface Block {
  readonly parts: readonly object[];
  readonly bytes: Buffer;
}

const BLOCK = 128;
/** Shorter lists are not cached. */
const LONG = 500;
/** Below this size one buffer is faster to send. */
const COPIED = 1024 * 1024;

/** For an output that never changes once it has been returned. */
export const cachedJson = (output: unknown): Response =>
  new Response(redactedJson(output as object), { headers: JSON_TYPE });

/** For an output with a list of this name. */
export function cachedListJson(name: string): (output: unknown) => Response {
  let blocks: readonly Block[] = [];
  return (output) => {
    const { [name]: list, ...more } = output as Readonly<Record<string, unknown>>;
    const many = list as readonly object[];
    if (many.length < LONG) return json(output);
    blocks = blocksOf(many, blocks);
    const rest = redact(JSON.stringify(more)).slice(1);
    return inPieces([
      Buffer.from(`{${JSON.stringify(name)}:[`),
      ...blocks.map(({ bytes }) => bytes),
      Buffer.from(`]${rest === "}" ? "" : ","}${rest}`),
    ]);
  };
}

/** Blocks are counted from the end, because new entries come first. */
function blocksOf(many: readonly object[], known: readonly Block[]): readonly Block[] {
  const blocks: Block[] = [];
  for (let end = many.length; end > 0; end -= BLOCK) {
    const from = Math.max(0, end - BLOCK);
    const before = known[known.length - 1 - blocks.length];
    const isSame =
      before?.parts.length === end - from &&
      before.parts.every((part, index) => part === many[from + index]);
    blocks.push(isSame ? before : blockOf(many.slice(from, end), end === many.length));
  }
  return blocks.reverse();
}

function blockOf(parts: readonly object[], isLast: boolean): Block {
  const text = parts.map(redactedJson).join(",");
  return { parts, bytes: Buffer.from(isLast ? text : `${text},`) };
}

function inPieces(pieces: readonly Buffer[]): Response {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length < COPIED) return new Response(Buffer.concat(pieces), { headers: JSON_TYPE });
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[(next += 1) - 1];
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
  return new Response(body, { headers: { ...JSON_TYPE, "content-length": String(length) } });
}
