/**
 * Commands to copy, one per line, each with a description. Invariants: a command that fits on a line is never cut; if
 * both do not fit, the description is dropped before the command is cut.
 */
import type { Line } from "../../operations/text.ts";
import { fitted, padToWidth, textWidth } from "./line.ts";

const INDENT = "  ";

export function commandLines(
  commands: readonly (readonly [command: string, about: string])[],
  columns: number,
): readonly Line[] {
  const widest = commands.reduce((max, [command]) => Math.max(max, textWidth(command)), 0);
  const hasRoom = commands.every(([, about]) => 4 + widest + textWidth(about) <= columns);
  return commands.map(([command, about]) =>
    fitted(
      hasRoom
        ? [[INDENT], [padToWidth(command, widest), "bold"], [`  ${about}`, "dim"]]
        : [[INDENT], [command, "bold"]],
      columns,
    ),
  );
}
