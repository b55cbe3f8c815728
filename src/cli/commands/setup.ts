/**
 * `unstuck init`, `doctor`, `service`, `policy` before a run: a plan file, what this machine lacks (exit code 0 exactly
 * when a run could start), going on after a reboot, and the recovery policy. Each loads its own operation only.
 */
import { describeProblems } from "../../operations/text.ts";
import { Command } from "commander";
import type { Examination, Finding } from "../../operations/setup/doctor.ts";
import type { ServiceChange } from "../../operations/setup/service.ts";
import { EXIT, perform, readTextFile, styled, tell, write, writeJson, type Flags } from "../io.ts";

export function init(): Command {
  return new Command("init")
    .description("Writes a commented unstuck.yaml from what it finds: agents, tiers, checks.")
    .option("--print", "only print it")
    .option("--force", "overwrite the file that is there")
    .option("--try", "run the checks once on your last commit, and leave out those that cannot run")
    .option("--json", "what was found and written, as JSON")
    .action(async ({ print: dryRun, force, try: tryChecks, json }: Flags<InitFlags>) => {
      const { writePlan } = await import("../../operations/setup/init.ts");
      const { foundText, tryingText } = await import("../found-text.ts");
      const on = (happening: Parameters<typeof tryingText>[0]): void => {
        const words = tryingText(happening);
        if (words !== undefined) tell(words);
      };
      const stop = new AbortController();
      if (tryChecks === true) process.once("SIGINT", () => stop.abort());
      const how = { on, signal: stop.signal };
      const plan = await perform(writePlan, { dryRun, force, tryChecks }, how);
      if (json === true) writeJson(plan);
      else write(plan.written ? foundText(plan) : plan.text.trimEnd());
    });
}

interface InitFlags {
  readonly print?: boolean;
  readonly force?: boolean;
  readonly try?: boolean;
}

export function doctor(): Command {
  return new Command("doctor")
    .description("Looks for agents, git, Node and the journal. Exit code 0: a run could start.")
    .option("--json", "as JSON")
    .action(async ({ json }: Flags) => {
      const { examine } = await import("../../operations/setup/doctor.ts");
      const { canRun, findings, agents } = await perform(examine, {});
      const facts = agents.map(({ finding: _shown, ...agent }) => agent);
      if (json === true) writeJson({ canRun, findings, agents: facts });
      else write(described({ canRun, findings, agents }));
      process.exitCode = canRun ? EXIT.ok : EXIT.failed;
    });
}

/** Each agent instead of all in one line, unless none can be used. */
function described({ canRun, findings, agents }: Examination): string {
  const last = findings.at(-1);
  const rows = [
    ...findings.slice(0, -1),
    ...agents.map(({ finding }) => finding),
    ...(last?.state === "broken" ? [last] : []),
  ];
  const end = canRun
    ? "A run could start: unstuck run --help"
    : "A run could not start yet; fix what is marked x.";
  return [...rows.map(row), "", end].join("\n");
}

const MARKS = { ok: "ok", warning: "!", broken: "x" } as const;
const STYLES = { ok: "green", warning: "yellow", broken: "red" } as const;

function row({ what, state, words, fix }: Finding): string {
  const mark = styled(STYLES[state], MARKS[state].padEnd(3));
  const hint = fix === undefined ? "" : `\n             fix: ${fix}`;
  return `${mark}${what.padEnd(10)}${words}${hint}`;
}

export function service(): Command {
  const command = new Command("service").description(
    "Resumes runs after a reboot, as a service of the user.",
  );
  command
    .command("install")
    .description("install the service of this user")
    .option("--print", "only print what would be written")
    .action(async ({ print: dryRun }: { print?: boolean }) => {
      const { installService } = await import("../../operations/setup/service.ts");
      const change = await perform(installService, { dryRun });
      if (!change.changed) return write(`# ${change.file}\n${change.text.trimEnd()}`);
      write(`wrote ${change.file}`);
      writeRefused(change);
    });
  command
    .command("uninstall")
    .description("remove it again")
    .action(async () => {
      const { uninstallService } = await import("../../operations/setup/service.ts");
      const change = await perform(uninstallService, {});
      if (!change.changed) return write("the service is not installed");
      writeRefused(change);
      write(`removed ${change.file}`);
    });
  return command;
}

function writeRefused({ refused }: ServiceChange): void {
  for (const command of refused)
    write(`could not run ${command}: do it yourself when the system allows`);
}

export async function policy(): Promise<Command> {
  const { checkPolicy, policySchema, PRESET_NAMES, showPolicy } =
    await import("../../operations/advice/advice.ts");
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
      else {
        const { default: yaml } = await import("yaml");
        write(yaml.stringify(data).trimEnd());
      }
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
