/** What the parts of the redactor tell each other. */

/** A secret in a text. */
export interface Found {
  readonly start: number;
  readonly end: number;
  /** What it is known by: equal secrets are equal here, however they are written. */
  readonly secret: string;
  /** The mark has to stand in these quotes: it takes the place of a bare number in JSON. */
  readonly quote?: string;
}

/** No value is read further than this; what goes on after it goes with it. */
export const VALUE_MAX = 4096;

/** The last answer of `stopAt`: a text that asks again and again from inside one row gets it without another look. */
const last = { text: "", stops: new Uint8Array(0), limit: 0, at: 0, end: 0 };

/** The first of `stops` at or after `at`, or `limit`. */
export function stopAt(text: string, at: number, limit: number, stops: Uint8Array): number {
  if (last.stops === stops && last.limit === limit && at >= last.at && at <= last.end)
    if (last.text === text) return last.end;
  let end = at;
  while (end < limit) {
    const code = text.charCodeAt(end);
    if (code < 128 && stops[code] === 1) break;
    end += 1;
  }
  if (end - at > 64) Object.assign(last, { text, stops, limit, at, end });
  return end;
}

export function codesOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

export const SPACES = " \t\r\n\0";
