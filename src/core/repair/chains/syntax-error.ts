/** Recovery chain of syntax_error (seeds/2, 7). */
import { again, commandOf, guidance, named, shellStep } from "../chain.ts";
import type { Chain, RepairFacts, StepDraft } from "../chain.ts";
import { commandParts } from "../../shell/plain.ts";
import { operand, sh } from "../shell-script.ts";

const MAX_PARTS = 6;
const LINES_AROUND = 3;

function fixSyntax({ values, originalIsShell }: RepairFacts): readonly StepDraft[] {
  const { command, syntaxPlace } = values;
  const correct = guidance(
    `Correct the syntax of ${syntaxPlace === undefined ? commandOf(values) : named(syntaxPlace.file)}: close quotes and brackets, escape special characters, fix pipes, then run it again`,
    "The syntax is accepted",
  );
  if (!originalIsShell || command === undefined) return [correct];
  if (syntaxPlace === undefined)
    return [
      shellStep(
        "Find the place of the mistake without running anything",
        sh`bash -n -c ${command} 2>&1; true`,
        "The shell names the place, or nothing if the mistake is elsewhere",
      ),
      correct,
    ];
  const { file, line } = syntaxPlace;
  const range = `${Math.max(1, line - LINES_AROUND)},${line + LINES_AROUND}p`;
  return [
    shellStep(
      `Look at ${named(file)} around line ${line}`,
      sh`sed -n ${range} -- ${operand(file)}`,
      "The lines with the mistake",
    ),
    correct,
  ];
}

function simplerCommands({ values }: RepairFacts): readonly StepDraft[] {
  const { command } = values;
  const parts = command === undefined ? undefined : commandParts(command);
  if (parts === undefined || parts.length < 2 || parts.length > MAX_PARTS)
    return [
      guidance(
        `Say ${commandOf(values)} in several simple commands, one after the other`,
        "Each simple command is accepted",
      ),
    ];
  return parts.map((part, index) =>
    shellStep(
      `Run part ${index + 1} of ${parts.length} on its own: ${named(part)}`,
      sh`bash -c ${part}`,
      "This part is accepted, or is the one with the mistake",
    ),
  );
}

function posixSyntax(facts: RepairFacts): readonly StepDraft[] {
  const { command } = facts.values;
  if (!facts.originalIsShell || command === undefined) return [];
  return [
    shellStep(
      "Check it as POSIX shell, without running it",
      sh`sh -n -c ${command}`,
      "Exit code 0",
    ),
    again(facts, {
      action: `Run ${commandOf(facts.values)} as POSIX shell`,
      expectedOutcome: "The command is accepted",
      script: sh`sh -c ${command}`,
    }),
  ];
}

export const syntaxError: Chain = {
  rows: [
    { name: "fix_syntax", priority: 1, confidence: 0.8, tools: ["original"], steps: fixSyntax },
    {
      name: "use_simpler_command",
      priority: 2,
      confidence: 0.9,
      tools: ["run_bash"],
      steps: simplerCommands,
    },
    {
      name: "try_alternative_syntax",
      priority: 3,
      confidence: 0.6,
      tools: ["run_bash"],
      steps: posixSyntax,
    },
  ],
  questions: (values) => [
    values.syntaxPlace === undefined
      ? `What is ${commandOf(values)} meant to do? Can you give a form of it that works?`
      : `What is line ${values.syntaxPlace.line} of ${named(values.syntaxPlace.file)} meant to say?`,
  ],
};
