/** Safe access to agents' foreign JSON: nothing throws, and a value of an unexpected type counts as absent. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** One line of JSON that is an object; undefined for any other line. */
export function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const countOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;

/** A result's text: a string, or blocks of text as most agents send them. */
export function outputOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(blockText).join("\n");
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

function blockText(block: unknown): string {
  const { type, text } = fieldsOf(block);
  if (typeof text === "string") return text;
  return typeof type === "string" ? `[${type}]` : outputOf(fieldsOf(block)["content"]);
}

/** Tokens and money for a step, omitted if zero. */
export const spent = (tokens: number, usd = 0): { tokens?: number; usd?: number } => ({
  ...(tokens > 0 ? { tokens } : {}),
  ...(usd > 0 ? { usd } : {}),
});
