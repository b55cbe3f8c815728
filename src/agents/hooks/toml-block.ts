/**
 * Hooks in a TOML file: one block of whole tables at its end, between two comments. This is valid unless the file lists
 * the same hooks in another form. Removing the block restores the file.
 */
import type { EventHook } from "./hook-target.ts";

const BEGIN = "# >>> unstuck hook (remove with: unstuck hook uninstall codex)";
const END = "# <<< unstuck hook";

/** The file lists hooks as tables, so more tables may follow. */
export const hasHookTables = (text: string): boolean => /^[ \t]{0,20}\[\[?hooks[.\]]/m.test(text);

/** The file lists hooks in a form that tables must not follow. */
export const hasHookValues = (text: string): boolean =>
  /^[ \t]{0,20}(?:hooks(?:\.\w{1,40})?|PreToolUse|PostToolUse|UserPromptSubmit|Stop|PreCompact)[ \t]{0,20}=/m.test(
    text,
  );

export function tomlBlock(text: string, hooks: readonly EventHook[]): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const tables = hooks.map(({ event, command, timeout }) =>
    [
      `[[hooks.${event}]]`,
      `[[hooks.${event}.hooks]]`,
      'type = "command"',
      `command = ${JSON.stringify(command)}`,
      `timeout = ${timeout}`,
    ].join(newline),
  );
  const lead = text === "" || text.endsWith("\n") ? "" : newline;
  return `${lead}${[BEGIN, ...tables, END].join(newline)}${newline}`;
}

/** The text without the block; undefined if there is none. */
export function withoutTomlBlock(text: string): string | undefined {
  const start = text.indexOf(BEGIN);
  const end = text.indexOf(END, start);
  if (start < 0 || end < 0) return undefined;
  const behind = text.slice(end + END.length).replace(/^\r?\n/, "");
  return text.slice(0, start) + behind;
}
