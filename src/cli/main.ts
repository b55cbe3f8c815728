/**
 * The command `unstuck`: finds the subcommand and loads only that.
 * Imports commander and the commands (lazily). Only this file sets the exit code.
 */
import { Command, CommanderError } from "commander";
import { EXIT } from "./exit-codes.ts";
import { reportError } from "./io.ts";
import { VERSION } from "./version.ts";

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: () => Command }>;
}

const COMMANDS: Readonly<Record<string, Entry>> = {
  classify: {
    summary: "what kind of failure is this?",
    load: () => import("./commands/classify.ts"),
  },
  suggest: {
    summary: "the repair plan for a failure",
    load: () => import("./commands/suggest.ts"),
  },
  validate: {
    summary: "check a model's answer or tool call",
    load: () => import("./commands/validate.ts"),
  },
  policy: {
    summary: "show or check a recovery policy",
    load: () => import("./commands/policy.ts"),
  },
};

process.stdout.on("error", (error) => process.exit(reportError(error)));

process.exitCode = await main(process.argv);

async function main(argv: readonly string[]): Promise<number> {
  const name = argv[2] ?? "";
  const program = new Command("unstuck")
    .description("Keeps autonomous coding agents moving.")
    .version(VERSION)
    .exitOverride()
    .showSuggestionAfterError();
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (entry !== undefined) program.addCommand((await entry.load()).command().exitOverride());
    else
      for (const [other, { summary }] of Object.entries(COMMANDS))
        program.command(other).summary(summary);
    if (name === "") program.help();
    await program.parseAsync(argv);
    return Number(process.exitCode ?? EXIT.ok);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
    return reportError(error);
  }
}
