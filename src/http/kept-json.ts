/**
 * JSON that is sent again and again. What is the very object of before is not written out anew. A long list of which
 * little changes is put together of blocks, and a block is made anew only when another object stands in it. Invariants:
 * it is the answer that `json` gives; a text is kept as long as its object, of lists the latest alone; what is large is
 * not copied to be sent.
 */
import { redact, redactedJson } from "../operations/redaction.ts";
import { json, JSON_TYPE } from "./problems.ts";

interface Block {
  readonly parts: readonly object[];
  readonly bytes: Buffer;
}

const BLOCK = 128;
/** Shorter lists are written out as they are. */
const LONG = 500;
/** Fewer bytes are sent faster in one piece. */
const COPIED = 1024 * 1024;

/** For an output that is never changed after it was told. */
export const sameJson = (output: unknown): Response =>
  new Response(redactedJson(output as object), { headers: JSON_TYPE });

/** For an output with a list of this name. */
export function keptJson(name: string): (output: unknown) => Response {
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

/** Counted from the end, because what is new comes first. */
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
