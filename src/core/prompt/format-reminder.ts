/** The reminder that goes with a re-ask after a malformed answer (E9). */
import { quoted } from "./quoted.ts";

export interface FormatReminder {
  /** JSON Schema of the answer. */
  readonly schema?: unknown;
  readonly error?: string;
  readonly suggestion?: string;
}

const DEFAULT_MAX_CHARS = 6000;

export function formatReminder(
  { schema, error, suggestion }: FormatReminder,
  { maxChars = DEFAULT_MAX_CHARS }: { readonly maxChars?: number } = {},
): string {
  const room = maxChars - 220;
  const reason = [error, suggestion].filter((line) => line !== undefined).join("\n");
  return [
    "FORMAT: answer with ONLY one valid JSON value: no Markdown, no code fence, no explanation before or after it.",
    ...(reason === ""
      ? []
      : [`The last answer was refused:\n${quoted(reason, Math.floor(room / 4))}`]),
    ...(schema === undefined
      ? []
      : [
          `It must match this JSON Schema:\n${quoted(JSON.stringify(schema, null, 1), Math.floor((room * 3) / 4))}`,
        ]),
  ].join("\n\n");
}
