/**
 * Submits a plan to a fleet: the repository is inspected as a worker will see it, the plan is checked and trusted as
 * for a local run, and the run begins at exactly the inspected commit. Invariant: what workers cannot have is refused:
 * a plan that contains a secret or needs files of this checkout.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { knownAgent } from "../../agents/registry.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { withNever } from "../../core/learning/preferences.ts";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import { redactDeep } from "../../core/redact/redaction.ts";
import { fleetJournal } from "../../engines/restate/fleet-journal.ts";
import { ingress } from "../../engines/restate/ingress.ts";
import { RUN_OBJECT, type RunSource } from "../../engines/restate/messages.ts";
import { deliverTo } from "../../engines/restate/run-states.ts";
import type { SharedRules } from "../../workspace/replica/open-replica.ts";
import type { Inspection } from "../../workspace/repository/inspect.ts";
import { remoteCheckout } from "../../workspace/replica/remote.ts";
import { openHome } from "../home.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { learnedAtStart, neverHere } from "../learning/known-here.ts";
import { operation, ProblemError } from "../operation.ts";
import { redact } from "../redaction.ts";
import { problemsBeforeStart, refuseProblems } from "../runs/before-start.ts";
import { givenPlan } from "../runs/given-plan.ts";
import { accepted } from "../runs/accepted.ts";
import { repositoryAt } from "../runs/open-run.ts";
import { newRunId, refuseUntrusted } from "../runs/start.ts";
import { userName } from "../user-config.ts";
import { remoteKey } from "./own-remotes.ts";
import { engineAddresses } from "./reach.ts";
import { remotesFolder } from "./local-replica.ts";

export const submitRun = operation({
  name: "submit",
  schemas: async () => (await import("./schemas.ts")).submitRun,
  async run(context, input) {
    refuseInsideAttempt("submit");
    const { url, repo, ref, labels = [], ...asked } = input;
    const engine = ingress({ urls: engineAddresses(url), patienceMs: 5000 });
    const home = openHome();
    const run = newRunId();
    const folder = mkdtempSync(join(tmpdir(), "unstuck-submit-"));
    const tree = join(folder, "tree");
    try {
      const checkout = accepted(
        run,
        await remoteCheckout({
          ...{ url: repo, cacheFolder: remotesFolder(home), folder: tree },
          ...(ref === undefined ? {} : { ref }),
        }),
      );
      const repository = await repositoryAt(tree);
      const cwd = asked.plan === undefined ? tree : context.cwd;
      const given = await givenPlan({ ...context, cwd }, asked, repository);
      const { plan, places } = given;
      refuseProblems(problemsBeforeStart({ plan, places, repository, fromCheckout: false }));
      refuseUntrusted(given, asked, home);
      refuseUnsuited(plan);
      const providers = providersOf(plan);
      const source: RunSource = { url: repo, commit: checkout.commit, labels, providers };
      const at = Date.now();
      const title = cleanLine(redact(plan.plan.goal), 80);
      await engine.call(RUN_OBJECT, run, "describe", { repo, title, created: at, source });
      const journal = fleetJournal(engine);
      const never = await neverHere(journal, remoteKey(repo));
      await deliverTo(engine, run, {
        ...{ kind: "run-started", run, at, chance: Math.random() },
        plan: withNever(plan.plan, never),
        pinned: { plan, workspace: "", startedBy: userName(), rules: rulesOf(repository) },
        ...(await learnedAtStart(journal, remoteKey(repo), {
          now: at,
          clean: redact,
        })),
      });
      return { run, commit: checkout.commit };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

/** On every machine, commits carry the submitter's identity and the same files are ignored. */
const rulesOf = ({ identity, ignoreLines, attributeLines }: Inspection): SharedRules => ({
  ...{ ignoreLines, attributeLines },
  ...(identity === null ? {} : { identity }),
});

/** A known agent stands for its provider, whatever the plan calls it. */
const providersOf = ({ agents }: RunPlan): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(agents).flatMap(([name, { adapter }]) =>
      knownAgent(adapter) === undefined ? [] : [[name, adapter]],
    ),
  );

/** Refuses what exists only on this machine. */
function refuseUnsuited(plan: RunPlan): void {
  if (JSON.stringify(redactDeep(plan, redact)) !== JSON.stringify(plan))
    throw new ProblemError(
      "bad-input",
      "the plan holds a secret, and every worker would be sent it\n  Put it into the environment of the workers instead",
    );
  if (plan.carry.length > 0)
    throw new ProblemError(
      "bad-input",
      `the plan carries ${plan.carry[0]} from this checkout, which workers do not have\n  Leave carry out, or put the file on the workers`,
    );
}
