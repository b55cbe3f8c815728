/** Reading of foreign JSON, a step at a time; a wrong type reads as nothing. */
export type Fields = Readonly<Record<string, unknown>>;

export const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const words = (value: unknown): string => (typeof value === "string" ? value : "");

/** The text in a message's content: a string, or parts of which some have text. */
export const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : list(content)
        .map((part) => words(fields(part)["text"]))
        .filter((text) => text !== "")
        .join("\n");
