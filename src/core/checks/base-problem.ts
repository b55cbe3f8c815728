/**
 * Which checks cannot judge anybody, going by what they do on a tree nobody has worked on, and what would mend
 * that (U11). A check that finds nothing to run yet is fine: the work may bring it.
 */
import { duration } from "../amounts.ts";
import type { CannotRunWhy } from "./cannot-run-messages.ts";
import type { CheckOutcome } from "./outcome.ts";

export interface CannotJudge {
  readonly check: string;
  readonly why: string;
  readonly mend: string;
  /** It is no check but what every check needs. */
  readonly needed?: boolean;
}

interface Ran {
  readonly outcome: CheckOutcome;
  readonly stdout: string;
  readonly stderr: string;
}

const INSTALL =
  "install what it needs as set-up (workspace.setup, or --setup 'npm ci'), carry it over (workspace.carry, or --carry node_modules), or name another check";
const OTHER = "name a command that exists here, with checks in the plan or --check";

const MEND: { readonly [why in CannotRunWhy]?: string } = {
  "command-not-found": INSTALL,
  "missing-tool": INSTALL,
  "not-executable": "make it executable, or name another command",
  "no-such-script": OTHER,
  "disk-full": "free some room on the disk",
  "no-network": "give it the network, or name a check that needs none",
  "port-in-use":
    "end what holds the port, or let the check choose a free one (UNSTUCK_SLOT is a number of its own)",
};

export function cannotJudge(check: string, { outcome }: Ran): CannotJudge | undefined {
  if (outcome.kind === "timed-out")
    return {
      check,
      why: `it did not end within ${duration(outcome.limitMs)}`,
      mend: "give it a longer limit ({ run: ..., minutes: 40 }), or a command that ends: watch mode never does",
    };
  if (outcome.kind !== "could-not-run" || outcome.why === "nothing-to-run") return undefined;
  const { why, detail } = outcome;
  return {
    check,
    why: detail || why,
    mend: MEND[why] ?? "run it by hand here and see what it says",
  };
}

/** Set-up that fails on the base leaves every check without what it needs. */
export function setupCannot(command: string, { stdout, stderr, outcome }: Ran): CannotJudge {
  const said = (stderr.trim() || stdout.trim()).split("\n").findLast((line) => line.trim() !== "");
  const why = outcome.kind === "could-not-run" ? outcome.detail : (said ?? outcome.kind);
  return {
    check: command,
    why: `set-up failed: ${why.slice(0, 300)}`,
    mend: "name the set-up that works here (workspace.setup, or --setup), or turn it off with --no-setup",
    needed: true,
  };
}
