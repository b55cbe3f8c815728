/**
 * `unstuck init`, `doctor`, `service`, `policy`, used before a run: a plan file, what this machine lacks (exit code 0
 * exactly if a run could start), continuing after a reboot, and the recovery policy. Each loads only its own operation.
 */
import { count, describeProblems } from "../../operations/text.ts";
import { Command } from "commander";
import type { Examination, Finding } from "../../operations/setup/doctor.ts";
import type { ServiceChange } from "../../operations/setup/service.ts";
import {
  EXIT,
  perform,
  readTextFile,
  styled,
  tell,
  textColumns,
  write,
  writeJson,
  type Flags,
} from "../io.ts";
import { textWidth, wrapped } from "../screen/line.ts";

export function init(): Command {
  return new Command("init")
    .description("Writes a commented unstuck.yaml from what it finds: agents, tiers, checks.")
    .option("--print", "only print it")
    .option("--force", "overwrite an existing file")
    .option("--try", "run the checks once on your last commit, and leave out those that cannot run")
    .option("--json", "what was found and written, as JSON")
    .action(async ({ print: dryRun, force, try: tryChecks, json }: Flags<InitFlags>) => {
      const { writePlan } = await import("../../operations/setup/init.ts");
      const { foundText, tryingText } = await import("../screen/found-checks.ts");
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
    .description(
      "Checks your setup: agents, git, Node, disk and more, each with the command that fixes it.\n" +
        "Exit code 0: a run can start.",
    )
    .option("--json", "as JSON")
    .action(async ({ json }: Flags) => {
      const { examine } = await import("../../operations/setup/doctor.ts");
      const { isTTY, columns } = process.stdout;
      const colours = styled("bold", "x") !== "x";
      const terminal = isTTY ? { columns: columns || 80, colours } : {};
      const examination = await perform(examine, { terminal });
      const { canRun } = examination;
      if (json === true) writeJson(examination);
      else write(described(examination, textColumns()).join("\n"));
      process.exitCode = canRun ? EXIT.ok : EXIT.failed;
    });
}

/** Each installed agent has its own line, the others share one. */
function described({ canRun, findings, agents }: Examination, columns: number): readonly string[] {
  const there = agents.filter(({ installed }) => installed);
  const absent = agents.filter(({ installed }) => !installed).map(({ name }) => name);
  const words = `not installed: ${absent.join(", ")}`;
  const others = absent.length === 0 ? [] : [{ what: "others", state: "ok", words } as const];
  const shown =
    there.length === 0
      ? findings
      : [
          ...findings.filter(({ what }) => what !== "agents"),
          ...there.map(({ finding }) => finding),
          ...others,
        ];
  return [
    ...shown.flatMap((finding) => findingLines(finding, columns)),
    "",
    ...wrapped(endWords(canRun, findings), columns),
  ];
}

function endWords(canRun: boolean, findings: readonly Finding[]): string {
  if (canRun)
    return findings.some(({ what, state }) => what === "agents" && state !== "ok")
      ? 'A run can start with a command of your own as its agent: unstuck run --agent "my-agent {prompt}" --goal "make the tests pass"'
      : 'A run can start: unstuck "make the tests pass"';
  const inTheWay = findings.filter(({ state }) => state === "problem").map(({ what }) => what);
  return `A run cannot start yet. Fix first: ${inTheWay.join(", ")}`;
}

const MARKS = { ok: "ok", warning: "!", problem: "x" } as const;
const STYLES = { ok: "green", warning: "yellow", problem: "red" } as const;
/** Columns of the mark and the subject; if too little space is left, the text starts on a new line. */
const NAMED_COLUMNS = 16;
const WORDS_LEAST = 40;

/** Commands are never cut, so that they can be copied. */
function findingLines({ what, state, words, fix }: Finding, columns: number): readonly string[] {
  const mark = styled(STYLES[state], MARKS[state].padEnd(4));
  const isNarrow = columns - NAMED_COLUMNS < WORDS_LEAST;
  const indent = " ".repeat(isNarrow ? 4 : NAMED_COLUMNS);
  const lines = wrapped(indent + words, columns);
  const [first = ""] = lines;
  const head = `${mark}${isNarrow ? what : what.padEnd(NAMED_COLUMNS - 4)}`;
  const inOne = `${head}  ${words}`;
  const isShort = isNarrow && textWidth(`${what}  ${words}`) <= columns - 4;
  return [
    ...(isShort ? [inOne] : isNarrow ? [head, first] : [`${head}${first.slice(NAMED_COLUMNS)}`]),
    ...lines.slice(1),
    ...(fix === undefined ? [] : [`${indent}fix: ${fix}`]),
  ];
}

export function service(): Command {
  const command = new Command("service").description(
    "Resumes your runs after a reboot, as a user service.",
  );
  command
    .command("install")
    .description("install the user service")
    .option("--print", "only print what would be written")
    .option("--json", "as JSON")
    .action(async ({ print: dryRun, json }: Flags<{ print?: boolean }>) => {
      const { installService } = await import("../../operations/setup/service.ts");
      const change = await perform(installService, { dryRun });
      if (json === true) return writeJson(change);
      if (!change.changed) return write(`# ${change.file}\n${change.text.trimEnd()}`);
      write(`wrote ${change.file}`);
      writeRefused(change);
    });
  command
    .command("uninstall")
    .description("remove it again")
    .option("--json", "as JSON")
    .action(async ({ json }: Flags) => {
      const { uninstallService } = await import("../../operations/setup/service.ts");
      const change = await perform(uninstallService, {});
      if (json === true) return writeJson(change);
      if (!change.changed) return write("the service is not installed");
      writeRefused(change);
      write(`removed ${change.file}`);
    });
  return command;
}

function writeRefused({ refused }: ServiceChange): void {
  for (const command of refused) write(`could not run ${command}: run it yourself`);
}

export async function policy(): Promise<Command> {
  const { checkPolicy, policySchema, POLICY_NAMES, showPolicy } =
    await import("../../operations/advice/advice.ts");
  const command = new Command("policy").description("Shows and checks recovery policies.");
  command
    .command("show")
    .description("print a policy in full, as it will be used")
    .argument("[name-or-file]", `a policy (${POLICY_NAMES.join(", ")}) or a file`, "adaptive")
    .option("--json", "as JSON")
    .action(async (name: string, { json }: Flags) => {
      const preset = POLICY_NAMES.find((one) => one === name);
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
      if (json === true) writeJson(check);
      else if (check.ok)
        write(
          `${styled("green", "ok")}  ${check.name}${check.rungs === undefined ? "" : `: ${count(check.rungs, "rung")}`}`,
        );
      else tell(describeProblems(file, check.problems));
      if (!check.ok) process.exitCode = EXIT.badInput;
    });
  command
    .command("schema")
    .description("print the JSON Schema of a policy file, for editors")
    .option("--json", "in one line")
    .action(async ({ json }: Flags) => {
      const schema = await perform(policySchema, {});
      if (json === true) writeJson(schema);
      else write(JSON.stringify(schema, null, 2));
    });
  return command;
}
