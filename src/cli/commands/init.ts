/** `unstuck init`: writes a commented plan file from what is found here. */
import { Command } from "commander";
import { writePlan } from "../../operations/setup/init.ts";
import { perform, write, writeJson } from "../io.ts";

interface Flags {
  readonly print?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function command(): Command {
  return new Command("init")
    .summary("write a plan file to begin with")
    .description("Writes a commented unstuck.yaml from what it finds: agents, tiers, checks.")
    .option("--print", "only print it")
    .option("--force", "overwrite the file that is there")
    .option("--json", "what was found and written, as JSON")
    .action(async ({ print: dryRun, force, json }: Flags) => {
      const plan = await perform(writePlan, { dryRun, force });
      if (json === true) writeJson(plan);
      else if (plan.written) write(`wrote ${plan.file}. Look it over, then: unstuck run`);
      else write(plan.text.trimEnd());
    });
}
