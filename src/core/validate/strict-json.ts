/** Strict JSON parsing: no `__proto__` keys, no unbounded depth. */

const MAX_DEPTH = 200;

type Parsed =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

export function parseStrict(text: string): Parsed {
  if (isTooDeep(text)) return { ok: false, error: `nested deeper than ${MAX_DEPTH} levels` };
  try {
    return { ok: true, value: JSON.parse(text, withoutProto) as unknown };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : "not JSON" };
  }
}

const withoutProto = (key: string, value: unknown): unknown =>
  key === "__proto__" ? undefined : value;

/** Counts brackets without regard to strings: deep text inside a string is rejected too, which is safe. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 0x5b || unit === 0x7b) depth += 1;
    else if (unit === 0x5d || unit === 0x7d) depth = Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
