/**
 * A commented plan file from what is found here: agents, tiers, set-up, and the checks named by the project's
 * manifests. Invariants: an existing file is never overwritten without consent; the written file passes the plan
 * reader; checks run only if the user asks to try them, and then in a separate tree.
 */
import { lstatSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { PLAN_AGENTS } from "../../agents/registry.ts";
import { assert } from "../../core/assert.ts";
import { readPlan } from "../../core/plan/read-plan.ts";
import { inspect } from "../../workspace/repository/inspect.ts";
import { defined, operation, ProblemError, type Context } from "../operation.ts";
import { PLAN_FILE } from "../runs/given-plan.ts";
import { findAgents } from "./doctor.ts";
import { lookForChecks } from "./checks/find-checks.ts";
import { foundInBase } from "./repository-setup.ts";
import { findSetup } from "./found-setup.ts";
import { planText } from "./plan-text.ts";
import type { Found, TriedCheck } from "./schemas.ts";
import { tryChecks, type TryHappening } from "./try-on-base.ts";

export const writePlan = operation({
  name: "init",
  schemas: async () => (await import("./schemas.ts")).writePlan,
  async run({ cwd, signal }, input, on: (happening: TryHappening) => void) {
    const { dryRun = false, force = false } = input;
    const file = join(cwd, PLAN_FILE);
    if (!dryRun && !force && lstatSync(file, { throwIfNoEntry: false }) !== undefined)
      throw new ProblemError(
        "bad-input",
        `${PLAN_FILE} already exists; to overwrite it: unstuck init --force`,
      );
    const found = await foundIn(cwd);
    const { checks } = found;
    const tried =
      input.tryChecks === true
        ? await triedIn({ cwd, ...defined({ signal }) }, checks, on)
        : undefined;
    const text = planText(found, tried);
    assert(readPlan(text, {}, PLAN_AGENTS).ok, "the plan that init writes can be read");
    if (!dryRun) writeFileSync(file, text);
    return { file: PLAN_FILE, text, written: !dryRun, ...found, ...defined({ tried }) };
  },
});

async function triedIn(
  context: Pick<Context, "cwd" | "signal">,
  checks: Found["checks"],
  on: (happening: TryHappening) => void,
): Promise<readonly TriedCheck[]> {
  const result = await tryChecks.run(context, { checks }, on);
  if (result.ok) return result.value.checks;
  const { code, message, ...more } = result.problem;
  throw new ProblemError(code, message, more);
}

async function foundIn(folder: string): Promise<Found> {
  const { env } = process;
  const agents = await findAgents({ env, home: homedir() });
  const inspected = await inspect(folder);
  const root = inspected.ok ? inspected.value.root : folder;
  const setup = inspected.ok
    ? await foundInBase({ repository: inspected.value, folder, withChanges: true, env })
    : findSetup(root, folder, env);
  const { commands = [], from = "", missing } = setup ?? {};
  return {
    agents: agents
      .filter(({ path }) => path !== undefined)
      .map(({ name, title, version }) => ({ name, title, ...defined({ version }) })),
    ...lookForChecks(root, folder, env),
    ...(setup === undefined ? {} : { setup: { commands, from, ...defined({ missing }) } }),
  };
}
