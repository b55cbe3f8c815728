// proves: P2
import assert from "node:assert/strict";
import { test } from "node:test";
import { Argument, Command, Option } from "commander";
import { completeWords, FILES } from "../../../src/cli/commands/completion.ts";

const TABLE = {
  logs: [
    "show what an agent did",
    async () =>
      new Command("logs")
        .argument("[run]")
        .argument("[subtask]")
        .option("-f, --follow", "keep printing")
        .option("--tail <n>", "the last"),
  ],
  run: [
    "run a plan",
    async () =>
      new Command("run")
        .argument("[plan]")
        .option("--history <run>", "of an earlier one")
        .option("--check <command...>", "verifies")
        .option("--retry <subtask>", "again")
        .option("--attempt <subtask/n>", "one")
        .addOption(new Option("--format <name>", "what").choices(["claude", "codex"])),
  ],
  hook: [
    "help an agent",
    async () => {
      const hook = new Command("hook");
      hook.command("install").addArgument(new Argument("<agent>").choices(["claude", "pi"]));
      hook.command("uninstall").description("remove it");
      return hook;
    },
  ],
  __complete: ["", async () => new Command("__complete")],
} as const;

/** Says what it was asked for. */
const namesOf = async ({
  of,
  run = "-",
}: {
  readonly of: string;
  readonly run?: string | undefined;
}) => [{ name: `${of}:${run}`, about: "" }];

for (const [words, expected] of [
  ["", ["logs", "run", "hook"]],
  ["l", ["logs"]],
  ["x", []],
  ["--v", ["--version"]],
  ["__complete ", FILES],
  ["nothing ", FILES],
  ["toString ", FILES],
  ["logs ", ["runs:-"]],
  ["logs r1 ", ["places:r1"]],
  ["logs -f ", ["runs:-"]],
  ["logs --tail ", FILES],
  ["logs --tail 3 ", ["runs:-"]],
  ["logs --tail=3 r1 ", ["places:r1"]],
  ["logs r1 a ", []],
  ["logs --", ["--follow", "--tail", "--help"]],
  ["logs -f --", ["--tail", "--help"]],
  ["logs --follow --f", []],
  ["logs -- ", ["runs:-"]],
  ["run ", FILES],
  ["run --history ", ["runs:-"]],
  ["run --retry ", ["subtasks:-"]],
  ["run --attempt ", ["attempts:-"]],
  ["run --format c", ["claude", "codex"]],
  ["run --format cl", ["claude"]],
  ["run --check a b --c", ["--check"]],
  ["run --check a ", FILES],
  ["hook ", ["install", "uninstall"]],
  ["hook u", ["uninstall"]],
  ["hook install ", ["claude", "pi"]],
  ["hook --", ["--help"]],
] as const)
  test(`Tab after \`unstuck ${words}\``, async () => {
    const found = await completeWords(TABLE, words.split(" "), namesOf);
    assert.deepEqual(found === FILES ? FILES : found.map(({ name }) => name), expected);
  });
