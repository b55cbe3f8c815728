/** `unstuck policy show|check|schema`: a preset or a file as it will be used, checking a file, and the JSON Schema. */
import { Command } from "commander";
import { stringify } from "yaml";
import {
  checkPolicy,
  describeProblems,
  policySchema,
  PRESET_NAMES,
  showPolicy,
} from "../../operations/advice/policy.ts";
import { EXIT } from "../exit-codes.ts";
import { perform, readTextFile, styled, tell, write, writeJson } from "../io.ts";

interface Flags {
  readonly json?: boolean;
}

export function policy(): Command {
  const command = new Command("policy").description("Shows and checks recovery policies.");
  command
    .command("show")
    .description("print a preset or a policy file, complete, as it will be used")
    .argument("[name-or-file]", `a preset (${PRESET_NAMES.join(", ")}) or a file`, "standard")
    .option("--json", "as JSON")
    .action(async (name: string, { json }: Flags) => {
      const preset = PRESET_NAMES.find((one) => one === name);
      const input = preset === undefined ? { text: readTextFile(name), called: name } : { preset };
      const data = await perform(showPolicy, input);
      if (json === true) writeJson(data);
      else write(stringify(data).trimEnd());
    });
  command
    .command("check")
    .description("check a policy file; every problem names its line")
    .argument("<file>")
    .option("--json", "as JSON")
    .action(async (file: string, { json }: Flags) => {
      const check = await perform(checkPolicy, { text: readTextFile(file) });
      if (json === true) writeJson(check.ok ? { ok: true } : check);
      else if (check.ok) write(`${styled("green", "ok")}  ${check.name}: ${check.rungs} rungs`);
      else tell(describeProblems(file, check.problems));
      if (!check.ok) process.exitCode = EXIT.badInput;
    });
  command
    .command("schema")
    .description("print the JSON Schema of a policy file, for editors")
    .action(async () => write(JSON.stringify(await perform(policySchema, {}), null, 2)));
  return command;
}
