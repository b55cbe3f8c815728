/** What scripted agents answer when they are asked for a plan, and a stand-in for `gh` that keeps its arguments. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Repository } from "../run/repository.ts";

/** Two subtasks; the check of the first is red on the base, that of the second green. */
export const GOOD = [
  "I looked around.",
  "```yaml",
  "goal: Two, and told",
  "subtasks:",
  "  - id: value",
  "    prompt: Make value.txt say two",
  "    checks: [sh check.sh]",
  "  - id: manual",
  "    prompt: Tell of it in MANUAL.md",
  "    dependsOn: [value]",
  "    checks: [test -f check.sh]",
  "```",
].join("\n");

export const WITHOUT_CHECK =
  "```yaml\nsubtasks:\n  - { id: value, prompt: Make value.txt say two }\n```";

/** Keeps its prompt beside the tree of the test, spoils its own tree, and answers. */
export const planner = (here: Repository, ...answers: readonly string[]): string =>
  here.agent({ plan: answers.map((print) => ({ write: { "spoiled.txt": "x" }, print })) });

export interface StandIn {
  /** For the search path, before all else. */
  readonly path: string;
  /** Every call, one line each. */
  calls(): readonly string[];
}

/** A program on the search path that does what this shell script says; `$LOG` is a file of its own folder. */
export function standIn(here: Repository, name: string, script: string): StandIn {
  const folder = join(dirname(here.path), `stand-in-${name}`);
  const log = join(folder, "log");
  mkdirSync(folder, { recursive: true });
  writeFileSync(log, "");
  const program = join(folder, name);
  writeFileSync(
    program,
    `#!/bin/sh\nFOLDER='${folder}'\nprintf '%s\\n' "$*" >> '${log}'\n${script}\n`,
  );
  chmodSync(program, 0o755);
  return {
    path: `${folder}${delimiter}${process.env["PATH"] ?? ""}`,
    calls: () => readFileSync(log, "utf8").split("\n").slice(0, -1),
  };
}
