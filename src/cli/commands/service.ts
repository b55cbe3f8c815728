/** `unstuck service install|uninstall`: runs go on after a reboot. Says which file it writes or removes. */
import { Command } from "commander";
import { installService, uninstallService } from "../../operations/setup/service.ts";
import type { ServiceChange } from "../../operations/setup/service.ts";
import { perform, write } from "../io.ts";

export function command(): Command {
  const service = new Command("service").description(
    "Resumes runs after a reboot, as a service of the user.",
  );
  service
    .command("install")
    .description("install the service of this user")
    .option("--print", "only print what would be written")
    .action(async ({ print: dryRun }: { print?: boolean }) => {
      const change = await perform(installService, { dryRun });
      if (!change.changed) return write(`# ${change.file}\n${change.text.trimEnd()}`);
      write(`wrote ${change.file}`);
      writeRefused(change);
    });
  service
    .command("uninstall")
    .description("remove it again")
    .action(async () => {
      const change = await perform(uninstallService, {});
      if (!change.changed) return write("the service is not installed");
      writeRefused(change);
      write(`removed ${change.file}`);
    });
  return service;
}

function writeRefused({ refused }: ServiceChange): void {
  for (const command of refused)
    write(`could not run ${command}: do it yourself when the system allows`);
}
