/**
 * `unstuck completion`: prints the script with which a shell completes commands, flags, runs, subtasks and attempts;
 * and the hidden command that the script calls, which answers from the commands' own definitions. Invariants: the
 * script gets names only, never an error; nothing is offered that the command would refuse; file names are left to the
 * shell.
 */
import { Argument, Command, type Option } from "commander";
import { knownNames, type KnownName } from "../../operations/completion/known-names.ts";
import { SCRIPTS, SHELLS, type Shell } from "../completion/scripts.ts";
import { perform } from "../io.ts";
import type { InputOf } from "../../operations/operation.ts";

const INSTALL = `
Install:
  bash   echo 'eval "$(unstuck completion bash)"' >> ~/.bashrc
  zsh    echo 'eval "$(unstuck completion zsh)"' >> ~/.zshrc
  fish   unstuck completion fish > ~/.config/fish/completions/unstuck.fish`;

export function completion(): Command {
  return new Command("completion")
    .description(
      "Prints the script that lets your shell complete unstuck's commands, flags and runs.",
    )
    .addArgument(new Argument("<shell>").choices([...SHELLS]))
    .addHelpText("after", INSTALL)
    .action((shell: Shell) => void process.stdout.write(SCRIPTS[shell]));
}

/** Called by the scripts: `__complete -- WORD...`, where the last word is the one to complete. */
export function complete(table: Table): Command {
  return new Command("__complete")
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: readonly string[]) => {
      const namesOf = async (asked: Parameters<typeof knownNames.run>[1]) =>
        (await perform(knownNames, asked)).names;
      const found = await completeWords(table, words, namesOf).catch(() => []);
      if (found === FILES) process.stdout.write(":files\n");
      else for (const { name, about } of found) process.stdout.write(`${name}\t${about}\n`);
    });
}

type Table = Readonly<Record<string, readonly [summary: string, make: () => Promise<Command>]>>;

/** Tells the shell to complete a file name here. */
export const FILES = "files";

type Completed = readonly KnownName[] | typeof FILES;

type Asked = InputOf<typeof knownNames>;
type NamesOf = (asked: Asked) => Promise<readonly KnownName[]>;

/** `words`: the words after `unstuck`; the last one is to be completed and may be empty. */
export async function completeWords(
  table: Table,
  words: readonly string[],
  namesOf: NamesOf,
): Promise<Completed> {
  const [name = "", ...rest] = words;
  if (rest.length === 0) return fitting(commandNames(table, name), name);
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entry === undefined || name.startsWith("_")) return FILES;
  let command = await entry[1]();
  let at = 0;
  for (;;) {
    const inner = at < rest.length - 1 ? innerOf(command, rest[at] ?? "") : undefined;
    if (inner === undefined) break;
    command = inner;
    at += 1;
  }
  const word = rest.at(-1) ?? "";
  const before = rest.slice(at, -1);
  if (command.commands.length > 0 && before.length === 0 && !word.startsWith("-"))
    return fitting(
      command.commands.map((inner) => ({ name: inner.name(), about: inner.description() })),
      word,
    );
  return inCommand(command, before, word, namesOf);
}

const innerOf = (command: Command, name: string): Command | undefined =>
  command.commands.find((inner) => inner.name() === name);

function commandNames(table: Table, word: string): readonly KnownName[] {
  const commands = Object.entries(table)
    .filter(([name]) => !name.startsWith("_"))
    .map(([name, [about]]) => ({ name, about }));
  const flags = [
    { name: "--help", about: "show help" },
    { name: "--version", about: "show the version" },
  ];
  return word.startsWith("-") ? flags : commands;
}

const fitting = (names: readonly KnownName[], word: string): readonly KnownName[] =>
  names.filter(({ name }) => name.startsWith(word));

async function inCommand(
  command: Command,
  before: readonly string[],
  word: string,
  namesOf: NamesOf,
): Promise<Completed> {
  const { open, values, flags } = readBefore(command, before);
  const named = command.registeredArguments.findIndex((argument) => argument.name() === "run");
  const given = named < 0 ? undefined : values[named];
  const known = async (takes: Takes): Promise<Completed> => {
    if (takes === undefined) return FILES;
    if (typeof takes !== "string")
      return fitting(
        takes.map((name) => ({ name, about: "" })),
        word,
      );
    const run = given === undefined || takes === "runs" ? {} : { run: given };
    return fitting(await namesOf({ of: takes, ...run }), word);
  };
  const mayBeFlag = open?.variadic === true && word.startsWith("-");
  if (open !== undefined && !mayBeFlag) return known(takenByOption(open));
  if (word.startsWith("-") && !before.includes("--"))
    return fitting(flagNames(command, flags), word);
  const last = command.registeredArguments.at(-1);
  const argument =
    command.registeredArguments[values.length] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined ? [] : known(takenByArgument(argument));
}

interface Before {
  /** The flag whose value comes next. */
  readonly open?: Option;
  readonly values: readonly string[];
  readonly flags: ReadonlySet<Option>;
}

function readBefore(command: Command, words: readonly string[]): Before {
  const values: string[] = [];
  const flags = new Set<Option>();
  let open: Option | undefined;
  let isOver = false;
  for (const word of words) {
    const option = isOver ? undefined : optionOf(command, word);
    if (option !== undefined) {
      flags.add(option);
      open = option.required && !word.includes("=") ? option : undefined;
    } else if (word === "--" && open === undefined) isOver = true;
    else if (open === undefined) values.push(word);
    else if (!open.variadic) open = undefined;
  }
  return { values, flags, ...(open === undefined ? {} : { open }) };
}

function optionOf(command: Command, word: string): Option | undefined {
  const [flag] = word.split("=", 1);
  return command.options.find(({ long, short }) => flag === long || flag === short);
}

function flagNames(command: Command, used: ReadonlySet<Option>): readonly KnownName[] {
  const free = command.options.filter(
    (option) => !option.hidden && (option.variadic || !used.has(option)),
  );
  return [
    ...free.map((option) => ({
      name: option.long ?? option.short ?? "",
      about: option.description,
    })),
    { name: "--help", about: "show help" },
  ];
}

/** Names of one kind, one of these words, or anything, which may be a file. */
type Takes = Asked["of"] | readonly string[] | undefined;

/** By the placeholder that help shows for the value. */
const BY_WORD: Readonly<Record<string, Asked["of"]>> = {
  run: "runs",
  subtask: "subtasks",
  "subtask/n": "attempts",
};

function takenByOption(option: Option): Takes {
  if (option.argChoices !== undefined) return option.argChoices;
  if (option.long === "--subtask") return "subtasks";
  return BY_WORD[/[<[]([^\]>.]+)/.exec(option.flags)?.[1] ?? ""];
}

/** A subtask given as an argument may be followed by an attempt. */
const takenByArgument = (argument: Argument): Takes =>
  argument.argChoices ?? (argument.name() === "subtask" ? "places" : BY_WORD[argument.name()]);
