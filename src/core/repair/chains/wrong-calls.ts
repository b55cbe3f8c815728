/** The recovery chains of invalid_arguments and syntax_error. */
import { defined } from "../../defined.ts";
import {
  again,
  commandOf,
  guidance,
  lookAround,
  named,
  namedOr,
  shellStep,
  wordsScript,
} from "../chain.ts";
import type { Chain, RepairFacts, StepDraft } from "../chain.ts";
import { sh } from "../shell-script.ts";
import type { RepairValues } from "../values.ts";
import { commandParts } from "../../shell/plain.ts";

/** The command with its wrong word replaced or, without a replacement, removed. */
function corrected(facts: RepairFacts, replacement: readonly string[]): string | undefined {
  const [program = "", ...others] = facts.values.words ?? [];
  const at = others.findIndex((word) => word === facts.values.wrongWord);
  return facts.originalIsShell && at >= 0
    ? wordsScript([program, ...others.toSpliced(at, 1, ...replacement)])
    : undefined;
}

function fixTypes(facts: RepairFacts): readonly StepDraft[] {
  const { suggestedWord, wrongWord, parameter = wrongWord, expectedType: type } = facts.values;
  const script = suggestedWord === undefined ? undefined : corrected(facts, [suggestedWord]);
  const expectedOutcome = "The arguments are accepted";
  const action = `Call ${commandOf(facts.values)} again with ${change(facts.values)}`;
  if (script !== undefined) return [again(facts, action, expectedOutcome, { script })];
  return [guidance(action, expectedOutcome, defined({ parameter, type }))];
}

/** What to change, as far as the error shows it. */
function change({ suggestedWord, wrongWord, parameter, expectedType }: RepairValues): string {
  if (suggestedWord !== undefined)
    return `${named(suggestedWord)} instead of ${namedOr(wrongWord, "what was refused")}`;
  if (parameter !== undefined)
    return expectedType === undefined
      ? `a value for ${named(parameter)} that it accepts`
      : `${named(parameter)} given as type ${expectedType}`;
  return wrongWord === undefined
    ? "arguments of the types it asks for"
    : `something else than ${named(wrongWord)}`;
}

function readSchema({ values, originalIsShell }: RepairFacts): readonly StepDraft[] {
  const { program, words = [], toolName } = values;
  const expectedOutcome = "The arguments that are required and their types";
  if (originalIsShell && program !== undefined && words[0] === program)
    return [
      shellStep(
        `Read how ${named(program)} is called`,
        sh`${program} --help 2>&1 | head -n 80`,
        expectedOutcome,
      ),
    ];
  const what = namedOr(toolName, commandOf(values));
  const action = `Read the parameter schema of ${what} and give every required field`;
  return [guidance(action, expectedOutcome)];
}

function simplify(facts: RepairFacts): readonly StepDraft[] {
  const { wrongWord = "" } = facts.values;
  const script = wrongWord.startsWith("-") ? corrected(facts, []) : undefined;
  const expectedOutcome = "The call works with the arguments that are left";
  if (script !== undefined)
    return [again(facts, `Run it again without ${named(wrongWord)}`, expectedOutcome, { script })];
  const action = `Call ${commandOf(facts.values)} again with the required arguments only`;
  return [guidance(action, expectedOutcome)];
}

export const invalidArguments: Chain = {
  rows: [
    { name: "fix_parameter_types", confidence: 1, tools: ["original"], steps: fixTypes },
    { name: "check_schema", confidence: 0.9, tools: ["original"], steps: readSchema },
    { name: "simplify_arguments", confidence: 0.7, tools: ["original"], steps: simplify },
  ],
  questions: (values) => {
    const which = values.parameter ?? values.wrongWord;
    return [
      which === undefined
        ? `Which arguments should ${commandOf(values)} be called with?`
        : `What should ${named(which)} be in ${commandOf(values)}?`,
    ];
  },
};

const MAX_PARTS = 6;

function fixSyntax({ values, originalIsShell }: RepairFacts): readonly StepDraft[] {
  const { command, syntaxPlace } = values;
  const correct = guidance(
    `Correct the syntax of ${namedOr(syntaxPlace?.file, commandOf(values))}: close quotes and brackets, escape special characters, fix pipes, then run it again`,
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
  return [lookAround(syntaxPlace), correct];
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
    again(facts, `Run ${commandOf(facts.values)} as POSIX shell`, "The command is accepted", {
      script: sh`sh -c ${command}`,
    }),
  ];
}

export const syntaxError: Chain = {
  rows: [
    { name: "fix_syntax", confidence: 0.8, tools: ["original"], steps: fixSyntax },
    { name: "use_simpler_command", confidence: 0.9, tools: ["run_bash"], steps: simplerCommands },
    {
      name: "try_alternative_syntax",
      confidence: 0.6,
      tools: ["run_bash"],
      needs: "the shell command with the mistake",
      steps: posixSyntax,
    },
  ],
  questions: (values) => [
    values.syntaxPlace === undefined
      ? `What is ${commandOf(values)} meant to do? Can you give a form of it that works?`
      : `What is line ${values.syntaxPlace.line} of ${named(values.syntaxPlace.file)} meant to say?`,
  ],
};
