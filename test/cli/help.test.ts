// proves: P1, P6, P8
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Command } from "commander";
import { commandsOf } from "../../scripts/package/readme-commands.ts";
import { completeHelp, HELP, expandHelpCommand } from "../../src/cli/help.ts";
import { ROOT, unstuck } from "./command.ts";
import { onTerminal, WITHOUT_TERMINAL } from "./terminal/pseudo-terminal.ts";

// The table is in the file that runs the command: it is asked for the version, and does nothing else.
process.argv.splice(2, Infinity, "--version");
const { COMMANDS } = await import("../../src/cli/main.ts");
process.exitCode = 0;

const GROUPS = [
  "Start",
  "Watch",
  "Decide",
  "Results",
  "Set up",
  "More than one machine",
  "For agents and scripts",
];
const shown = Object.keys(COMMANDS).filter((name) => !name.startsWith("_"));

/** The words of a line after `unstuck`, as a shell takes them. */
function wordsOf(line: string): readonly string[] {
  const [, typed = ""] = /^(?:.*(?:\||--) )?unstuck(?: (.*?))?(?: [|>].*)?$/.exec(line) ?? [];
  return [...typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
}

/** Parses the words as the command would, and does nothing; throws where it would refuse them. */
async function parse(words: readonly string[]): Promise<void> {
  const [name = "", ...rest] = words;
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  assert.ok(entry !== undefined, `there is no command ${name}`);
  await inert(await entry[1]()).parseAsync([...rest], { from: "user" });
}

function inert(command: Command): Command {
  command.commands.forEach(inert);
  return command
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .action(() => undefined);
}

const named = (command: Command, name: string): readonly (readonly [string, Command])[] => [
  [name, command],
  ...command.commands.flatMap((inner) => named(inner, `${name} ${inner.name()}`)),
];

describe("help", () => {
  test("every command, and every command within one, has a group and one example that parses", async () => {
    const examples = new Map(Object.values(HELP).flatMap((group) => Object.entries(group)));
    assert.deepEqual(Object.keys(HELP), GROUPS);
    for (const top of shown) {
      const made = await COMMANDS[top]?.[1]();
      assert.ok(made !== undefined);
      for (const [name, command] of named(completeHelp(made, COMMANDS[top]?.[0] ?? ""), top)) {
        const example = examples.get(name);
        assert.ok(example !== undefined, `no example of ${name}: add it to src/cli/help.ts`);
        assert.ok(example.length <= 76, `the example of ${name} is wider than 80 columns`);
        assert.deepEqual(wordsOf(example).slice(0, 1), [top], example);
        await assert.doesNotReject(parse(wordsOf(example)), example);
        assert.notEqual(command.description(), "", `${name} says nothing of itself`);
        for (const line of command.helpInformation().split("\n"))
          assert.ok(line.length <= 80, `${name}: ${line}`);
      }
    }
  });

  test("every command that prints something has --json", async () => {
    const without: string[] = [];
    for (const top of shown) {
      const made = await COMMANDS[top]?.[1]();
      for (const [name, command] of made === undefined ? [] : named(made, top))
        if (command.commands.length === 0 && !command.options.some(({ long }) => long === "--json"))
          without.push(name);
    }
    // A script for a shell, which has a form of its own.
    assert.deepEqual(
      without.filter((name) => name !== "completion"),
      [],
    );
  });

  test("an example with a flag or a word too many would be refused", async () => {
    for (const line of ["unstuck diff --no-such", "unstuck cancel", "unstuck hook install vim"])
      await assert.rejects(parse(wordsOf(line)), line);
  });

  test("every command that the README names is there, with its flags", async () => {
    const commands = commandsOf(readFileSync(join(ROOT, "README.md"), "utf8"));
    assert.ok(commands.length >= 8, `saw ${commands.length}`);
    for (const { line, isWhole } of commands) {
      const words = wordsOf(line.replace(/^npx /, ""));
      const isGoal = (words[0] ?? "").includes(" ");
      if (isGoal || ["help", "--help"].includes(words[0] ?? "")) continue;
      if (isWhole) await assert.doesNotReject(parse(words), line);
      else assert.ok(Object.hasOwn(COMMANDS, words[0] ?? ""), line);
    }
  });

  test("`help X` is `X --help`; of what does not exist it is refused", () => {
    const names = ["run", "policy"];
    for (const [typed, meant] of [
      ["help", "--help"],
      ["help run", "run --help"],
      ["help policy check", "policy check --help"],
      ["help no-such", "no-such"],
      ["run help", "run help"],
      ["", ""],
    ] as const) {
      const argv = ["node", "unstuck", ...typed.split(" ").filter((word) => word !== "")];
      assert.equal(expandHelpCommand(argv, names).slice(2).join(" "), meant);
    }
    const { out, code } = unstuck(["help", "policy", "check"]);
    assert.equal(code, 0);
    assert.match(out, /^Usage: unstuck policy check[^]*\nExample:\n {2}\$ unstuck policy check /);
    const refused = unstuck(["help", "no-such"]);
    assert.deepEqual([refused.code, refused.out], [2, ""]);
    assert.match(refused.err, /unknown command.*no-such/);
  });

  test("on a terminal of 80 and of 40 columns", { skip: WITHOUT_TERMINAL }, async () => {
    for (const columns of [80, 40]) {
      const env = { NO_COLOR: "1" };
      const terminal = onTerminal(["--help"], { cwd: ROOT, env, columns, rows: 70 });
      assert.equal(await terminal.ended(), 0);
      const text = terminal.text();
      const titles = [...text.matchAll(/^([A-Z][\w ]+):$/gm)].map(([, title]) => title);
      assert.deepEqual(titles, ["Options", ...GROUPS, "Examples"]);
      for (const name of shown) assert.match(text, new RegExp(`^  ${name} `, "m"));
      assert.ok(!text.includes("__"), "what only shells call is not shown");
      const tooWide = terminal.wrapped().filter((line) => !/^ {2}\$ |^unstuck /.test(line));
      assert.deepEqual(tooWide, [], `${columns} columns`);
    }
  });
});
