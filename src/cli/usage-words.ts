/**
 * A command line that cannot be understood, in our words: what is wrong, the name that was meant, and where to look.
 * Invariant: nothing of the parser's own text reaches a person.
 */
import type { Command, CommanderError } from "commander";
import { cleanLine, nearestName } from "../operations/text.ts";
import { UsageError } from "./read-input.ts";

/** Errors are thrown and not printed: whoever catches them says what is wrong. */
export function quietly(command: Command): Command {
  command.exitOverride().configureOutput({ outputError: () => undefined });
  for (const below of command.commands) quietly(below);
  return command;
}

/** `args`: as they were typed, without `unstuck` itself. */
export function usageError(
  { code, message }: CommanderError,
  program: Command,
  args: readonly string[],
): UsageError {
  const command = commandOf(program, args);
  const name = pathOf(command).join(" ");
  const quoted = cleanLine(/'([^']{0,300})'/.exec(message)?.[1] ?? "", 80);
  const help = `see ${["unstuck", ...pathOf(command), "--help"].join(" ")}`;
  switch (code) {
    case "commander.unknownOption": {
      const flag = quoted.split("=")[0] ?? "";
      const flags = command.options.map(({ long, short }) => long ?? short ?? "");
      return new UsageError(`unknown option '${flag}'${meant(flag, flags, help)}`);
    }
    case "commander.unknownCommand": {
      const names = command.commands.map((below) => below.name());
      return new UsageError(`unknown command '${quoted}'${meant(quoted, names, help)}`);
    }
    case "commander.optionMissingArgument": {
      const [flag = quoted] = quoted.split(" ");
      return new UsageError(`${flag} needs a value: ${quoted}`);
    }
    case "commander.missingArgument":
      return new UsageError(`${name} needs <${quoted}>: ${help}`);
    case "commander.excessArguments": {
      const most = command.registeredArguments.length;
      const extra = cleanLine(command.args.slice(most, most + 5).join(" "), 80);
      return new UsageError(
        `unexpected argument '${extra}' for ${name}: text that has spaces needs quotes`,
      );
    }
    default:
      return new UsageError(`this cannot be understood: ${help}`);
  }
}

/** A word that is no command, and may be meant as a goal. */
export function unknownCommand(
  [name = "", ...more]: readonly string[],
  commands: readonly string[],
): UsageError {
  const near = nearestName(name, commands);
  const isPhrase = more.length > 0 && more.every((word) => !word.startsWith("-"));
  const asGoal = isPhrase
    ? `For a goal, put it in quotes: unstuck "${cleanLine([name, ...more].join(" "), 200)}"`
    : `For a goal of one word: unstuck -p ${cleanLine(name, 100)}`;
  const hint = near === undefined ? "" : `. Did you mean ${near}?`;
  return new UsageError(`unknown command '${cleanLine(name, 100)}'${hint}\n${asGoal}`);
}

const meant = (asked: string, names: readonly string[], help: string): string => {
  const near = nearestName(asked, names);
  return near === undefined ? `: ${help}` : `: did you mean ${near}?`;
};

/** The deepest command that the words name. */
function commandOf(program: Command, args: readonly string[]): Command {
  const [first, ...rest] = args;
  const below = program.commands.find((one) => one.name() === first);
  return below === undefined ? program : commandOf(below, rest);
}

/** Names of a command and those above it, without the program's own. */
const pathOf = (command: Command): readonly string[] =>
  command.parent === null ? [] : [...pathOf(command.parent), command.name()];
