/**
 * Commands to copy, one a line, each with what it does. Invariants: a command is never cut where it fits on a line; where
 * both do not fit, what it does goes before the command, not the command before it.
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
