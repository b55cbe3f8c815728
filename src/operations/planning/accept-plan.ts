/**
 * What follows when a person accepts a plan: it is written, its commands are trusted, and its checks run once on the
 * base, to show which of them fail before any work. Invariants: no file is overwritten without consent; an agent may
 * not accept for its user; stopping the checks leaves the accepted plan as it is.
 */
import { lstatSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { cleanLine } from "../../core/foreign-text.ts";
import { openHome } from "../home.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { defined, operation, ProblemError, type Context } from "../operation.ts";
import { givenPlan, PLAN_FILE } from "../runs/given-plan.ts";
import { repositoryAt } from "../runs/open-run.ts";
import type { TriedCheck } from "../setup/schemas.ts";
import { tryOnBase } from "../setup/try-on-base.ts";
import { trust } from "../user-config.ts";

export type { TriedCheck };

export type AcceptHappening =
  | { readonly kind: "written"; readonly file: string }
  | { readonly kind: "tried"; readonly check: TriedCheck };

/** Where a plan would be written, for callers that ask before the plan is made. */
export const planPlace = operation({
  name: "plan-place",
  schemas: async () => (await import("./schemas.ts")).planPlace,
  run: async (context, { output }) => {
    const file = fileOf(context, output, (await repositoryAt(context.cwd)).root);
    return { file: shownPath(context, file), exists: isThere(file) };
  },
});

export const acceptPlan = operation({
  name: "plan-accept",
  schemas: async () => (await import("./schemas.ts")).acceptPlan,
  async run(context, { text, output, force }, on: (happening: AcceptHappening) => void) {
    refuseInsideAttempt("plan");
    const repository = await repositoryAt(context.cwd);
    const file = fileOf(context, output, repository.root);
    const shown = shownPath(context, file);
    if (force !== true && isThere(file))
      throw new ProblemError("bad-input", `${cleanLine(shown, 200)} already exists: add --force`);
    writeFileSync(file, text);
    const { plan, mark } = await givenPlan(context, { plan: file }, repository);
    if (mark !== undefined) trust(openHome().trust, mark);
    on({ kind: "written", file: shown });
    const runs = Object.values(plan.subtasks).flatMap(({ checks }) => checks.map(({ run }) => run));
    const checks = [...new Set(runs)].map((run) => ({ run, from: PLAN_FILE }));
    const setup = plan.setupDerived === undefined ? { setup: plan.setup } : {};
    const request = { repository, folder: repository.root, checks, withChanges: false };
    const tried = await tryOnBase(
      { ...request, ...setup, ...defined({ stop: context.signal }) },
      (happening) => {
        if (happening.kind === "check-ended") on({ kind: "tried", check: happening.check });
      },
    ).then(
      ({ checks: all }) => all,
      (error: unknown) => {
        if (context.signal?.aborted === true) return [];
        throw error;
      },
    );
    return { file: shown, tried };
  },
});

const fileOf = ({ cwd }: Context, output: string | undefined, root: string): string =>
  output === undefined ? join(root, PLAN_FILE) : resolve(cwd, output);

const isThere = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

/** The path as a user would type it here. */
const shownPath = ({ cwd }: Context, file: string): string => relative(cwd, file) || file;
