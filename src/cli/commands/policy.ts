/**
 * `unstuck policy show|check|schema`: prints a preset or a file as it will be used, checks a file, prints the JSON
 * Schema.
 */
import { Command } from "commander";
import { stringify } from "yaml";
import { PRESETS } from "../../core/policy/presets.ts";
import { policyJsonSchema, readPolicy } from "../../core/policy/read.ts";
import type { LadderPolicy } from "../../core/policy/ladder-policy.ts";
import type { Problem } from "../../core/read-yaml.ts";
import { tameLine } from "../../core/foreign-text.ts";
import { EXIT } from "../exit-codes.ts";
import { readTextFile, styled, tell, UsageError, write, writeJson } from "../io.ts";

interface Flags {
  readonly json?: boolean;
}

export function command(): Command {
  const policy = new Command("policy").description("Shows and checks recovery policies.");
  policy
    .command("show")
    .description("print a preset or a policy file, complete, as it will be used")
    .argument(
      "[name-or-file]",
      `a preset (${Object.keys(PRESETS).join(", ")}) or a file`,
      "standard",
    )
    .option("--json", "as JSON")
    .action((name: string, flags: Flags) => {
      const data = load(name);
      if (flags.json === true) writeJson(data);
      else write(stringify(data).trimEnd());
    });
  policy
    .command("check")
    .description("check a policy file; every problem names its line")
    .argument("<file>")
    .option("--json", "as JSON")
    .action((file: string, flags: Flags) => {
      const reading = readPolicy(readTextFile(file));
      if (flags.json === true)
        writeJson(reading.ok ? { ok: true } : { ok: false, problems: reading.problems });
      else if (reading.ok)
        write(
          `${styled("green", "ok")}  ${reading.value.name}: ${reading.value.rungs.length} rungs`,
        );
      else tell(listed(file, reading.problems));
      if (!reading.ok) process.exitCode = EXIT.badInput;
    });
  policy
    .command("schema")
    .description("print the JSON Schema of a policy file, for editors")
    .action(() => write(JSON.stringify(policyJsonSchema(), null, 2)));
  return policy;
}

function load(name: string): LadderPolicy {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name as keyof typeof PRESETS];
  const reading = readPolicy(readTextFile(name));
  if (!reading.ok) throw new UsageError(listed(name, reading.problems));
  return reading.value;
}

const listed = (file: string, problems: readonly Problem[]): string =>
  problems
    .map(({ line, column, path, message }) => {
      const at = path === "" ? "" : `${path}: `;
      return `${tameLine(file)}:${line}:${column}: ${at}${tameLine(message, 300)}`;
    })
    .join("\n");
