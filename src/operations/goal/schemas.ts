/** Input and output schemas of the operations behind the one-line start. */
import * as z from "zod";
import { budget } from "../../core/plan/subtask-schema.ts";
import { flag, list, text, texts } from "../schema-fields.ts";

const goalAgent = z.strictObject({
  agent: text.describe("As a plan names it: an agent's name, or a command with {prompt}"),
  title: text,
  version: text.exactOptional(),
  loginMark: text
    .exactOptional()
    .describe("What says that somebody logged in; absent: nothing seen"),
  namesCost: z.boolean().describe("A budget in dollars can hold it"),
});

export type GoalAgent = z.infer<typeof goalAgent>;

export const findAgent = {
  input: z.strictObject({ agent: text.optional().describe("As a person named it") }),
  output: z.strictObject({
    agent: goalAgent.exactOptional().describe("Absent: a person has to choose one of several"),
    others: list(goalAgent).describe("Installed and logged in beside it"),
  }),
};

export const foundHere = {
  input: z.strictObject({ namesCost: flag.describe("Of the agent: it tells what it costs") }),
  output: z.strictObject({
    repository: text,
    checks: list(z.strictObject({ run: text, from: text })).describe("The repository's own"),
    budget: budget.describe("Where nobody says; minutes are of agents' work"),
  }),
};

export const prepareGoal = {
  input: z.strictObject({
    goal: text,
    agent: goalAgent,
    checks: texts.optional().describe("Instead of the repository's own; each must pass"),
    noChecks: flag.describe("Start although nothing can be verified"),
    setup: texts.optional().describe("Instead of what the lock file asks for"),
    withChanges: flag,
    inPlace: flag,
    usd: z.number().positive().max(1e6).optional().describe("The budget in dollars"),
    yes: flag.describe("A person agreed to the start beforehand"),
    canAsk: flag.describe("A person is there who can be shown the card and asked"),
  }),
  output: z.strictObject({
    goal: text,
    repository: text,
    from: z.strictObject({ branch: text.nullable(), commit: text.nullable() }),
    changesLeftOut: z.number().describe("Files with uncommitted changes that are no part of it"),
    agent: goalAgent,
    setup: z.strictObject({ commands: texts, from: text }).exactOptional(),
    checks: list(
      z.strictObject({
        run: text,
        from: text.exactOptional().describe("The file that names it; absent: a person did"),
        state: z.enum(["green", "red"]).exactOptional().describe("Absent: not tried"),
        expect: z.enum(["pass", "no-worse"]),
        headline: text.exactOptional(),
        items: z.number().exactOptional().describe("How many tests or messages failed"),
      }),
    ),
    leftOut: list(z.strictObject({ run: text, from: text, why: text })),
    budget: budget.describe("Minutes are of agents' work"),
    agreed: z.boolean().describe("Nobody has to be asked any more"),
    mark: text.describe("What a remembered yes stands for: repository, agent, checks, set-up"),
    measured: text
      .exactOptional()
      .describe("What the checks said, kept for a run that starts within minutes"),
    plan: text.describe("The plan that starts it, as JSON"),
  }),
};

export type PreparedGoal = z.infer<typeof prepareGoal.output>;

export const agreeToStart = {
  input: z.strictObject({ mark: text }),
  output: z.strictObject({ kept: z.boolean() }),
};

export const chooseAgent = {
  input: z.strictObject({ agent: text }),
  output: z.strictObject({ agent: text, file: text.describe("Where it is kept") }),
};
