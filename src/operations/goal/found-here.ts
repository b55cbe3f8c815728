/** What a goal would find in this repository: its own checks and the default budget. Runs nothing. */
import { operation } from "../operation.ts";
import { repositoryAt } from "../runs/open-run.ts";
import { findProjectChecks } from "../setup/checks/find-checks.ts";
import { goalBudget } from "./goal-budget.ts";

export const foundHere = operation({
  name: "found-here",
  schemas: async () => (await import("./schemas.ts")).foundHere,
  async run({ cwd }, { namesCost }) {
    const { root } = await repositoryAt(cwd);
    const checks = findProjectChecks(root, root).map(({ run, from }) => ({ run, from }));
    return { repository: root, checks, budget: goalBudget(undefined, namesCost === true) };
  },
});
