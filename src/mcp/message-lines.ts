/**
 * The lines of a stream of messages, as they come. A line longer than the bound is told as `undefined` once, as soon as
 * that is known; what is left of it is skipped, so that it costs no memory and the next line is read as any other.
 */
export async function* messageLines(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<string | undefined> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const taken = (): string => {
    const line = Buffer.concat(parts).toString("utf8");
    parts = [];
    return line;
  };
  for await (const chunk of chunks)
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(NEWLINE, start);
      const part = chunk.subarray(start, end < 0 ? chunk.length : end);
      const wasTooLong = bytes > bytesMax;
      bytes += part.length;
      if (bytes <= bytesMax) parts.push(part);
      else if (!wasTooLong) {
        parts = [];
        yield undefined;
      }
      if (end < 0) break;
      if (bytes <= bytesMax) yield taken();
      bytes = 0;
      start = end + 1;
    }
  if (parts.length > 0) yield taken();
}

const NEWLINE = 0x0a;
