/** What goes over the wire for one reply, in two parts, so that a broken stream is the first part alone. */
export interface Wire {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly opening: readonly string[];
  readonly closing: readonly string[];
}

/** One server-sent event; OpenAI chat and Gemini leave the name out. */
export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

export const streamed = (opening: readonly string[], closing: readonly string[]): Wire => ({
  status: 200,
  headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
  opening,
  closing,
});

export function whole(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Wire {
  const text = JSON.stringify(value);
  const half = Math.ceil(text.length / 2);
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    opening: [text.slice(0, half)],
    closing: [text.slice(half)],
  };
}
