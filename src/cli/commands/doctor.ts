/** `unstuck doctor`: what is on this machine, and what to fix. Exit code 0 exactly when a run could start. */
import { Command } from "commander";
import { examine } from "../../operations/setup/doctor.ts";
import type { Examination, Finding } from "../../operations/setup/doctor.ts";
import { EXIT } from "../exit-codes.ts";
import { perform, styled, write, writeJson } from "../io.ts";

export function command(): Command {
  return new Command("doctor")
    .summary("what is there, and what to fix")
    .description("Looks for agents, git, Node and the journal. Exit code 0: a run could start.")
    .option("--json", "as JSON")
    .action(async ({ json }: { json?: boolean }) => {
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
