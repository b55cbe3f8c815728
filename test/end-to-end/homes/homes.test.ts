/** A home written by an earlier version lists, reads, reports, explains, resumes, answers, applies and cleans. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { FULL } from "../../large-form.ts";
import { keptHome, keptVersions, type KeptHome } from "./kept-home.ts";

/** How a run of each kind is called today; a run that 0.1.0 stopped had ended there. */
const STATES: Readonly<Record<string, string>> = {
  applied: "verified",
  verified: "verified",
  asking: "needs you",
  failed: "failed",
  stopped: "cancelled",
  cancelled: "cancelled",
  paused: "paused by you",
  pausedBySystem: "paused by the system",
  cutOff: "interrupted",
};

function said(kept: KeptHome, ...args: string[]): string {
  const ran = kept.unstuck(...args);
  assert.equal(ran.code, 0, `${args.join(" ")}: ${ran.out}${ran.err}`);
  return ran.out;
}

interface Row {
  readonly seq: number;
  readonly event: { readonly kind: string; readonly outcome?: string };
}

const eventsOf = (kept: KeptHome, run: string): Row[] =>
  said(kept, "events", run, "--json")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);

function assertVerified(kept: KeptHome, run: string): void {
  const resumed = kept.unstuck("resume", run);
  assert.equal(resumed.code, 0, resumed.out + resumed.err);
  assert.equal(eventsOf(kept, run).at(-1)?.event.outcome, "verified");
  assert.equal(kept.git("show", `unstuck/${run}:value.txt`), "2\n");
}

assert.ok(keptVersions().length >= 2, "there are homes to read");
for (const version of keptVersions())
  describe(`a home of ${version}`, () => {
    const kept = keptHome(version);
    const { runs } = kept;
    const states = Object.entries(runs);
    after(() => kept.remove());

    test("is listed, each run in the state it was left in", () => {
      const lines = said(kept, "status").split("\n");
      for (const [state, id] of states)
        assert.ok(
          lines.some((line) => line.startsWith(id) && line.includes(STATES[state] ?? "?")),
          `${state} ${id}: ${lines.join("\n")}`,
        );
      const { runs: listed } = JSON.parse(said(kept, "status", "--json")) as {
        readonly runs: readonly { readonly id: string }[];
      };
      assert.deepEqual(listed.map(({ id }) => id).sort(), states.map(([, id]) => id).sort());
    });

    test("is read, reported and explained", () => {
      for (const [state, id] of FULL ? states : states.slice(0, 4)) {
        const rows = eventsOf(kept, id);
        assert.deepEqual(
          rows.map(({ seq }) => seq),
          rows.map((_, at) => at + 1),
          state,
        );
        assert.match(said(kept, "report", id), /^# /, state);
      }
      const failed = runs["failed"] ?? "";
      assert.ok(said(kept, "status", failed).includes(failed));
      assert.ok(JSON.parse(said(kept, "export", failed)));
      assert.match(
        said(kept, "explain", "--verbose", failed),
        /verification_failed[^]*circular fix[^]*mutate/,
      );
      assert.match(said(kept, "explain", "--verbose", runs["applied"] ?? ""), /feedback/);
      assert.match(said(kept, "diff", runs["verified"] ?? ""), /second\.txt/);
      assert.match(said(kept, "metrics"), /recover/i);
    });

    test("a run that was paused or cut off goes on to a verified end", () => {
      for (const state of ["paused", "pausedBySystem", "cutOff"])
        if (runs[state] !== undefined) assertVerified(kept, runs[state]);
    });

    test("an open question is answered, and its run goes on", () => {
      const asking = runs["asking"] ?? "";
      assert.ok(said(kept, "inbox").includes(asking));
      writeFileSync(join(kept.folder, "key"), "");
      said(kept, "resolve", "goal/c1", "--run", asking, "--retry", "the key is there now");
      assertVerified(kept, asking);
    });

    test("what was applied is taken back, and a result is applied", () => {
      const value = (): string => readFileSync(join(kept.repository, "value.txt"), "utf8");
      assert.equal(value(), "2\n");
      // What 0.1.0 recorded of an apply is not enough to take it back.
      if (version === "0.1.0") kept.git("reset", "-q", "--hard", "HEAD^");
      else said(kept, "undo", runs["applied"] ?? "");
      assert.equal(value(), "1\n");
      said(kept, "apply", runs["verified"] ?? "");
      assert.equal(value(), "2\n");
    });

    test("it is cleaned, and nothing of a removed run stays", () => {
      said(kept, "clean", "--older-than", "0", "--force");
      const { runs: listed } = JSON.parse(said(kept, "status", "--json")) as {
        readonly runs: readonly { readonly id: string }[];
      };
      assert.deepEqual(listed, []);
      for (const [state, id] of states)
        assert.equal(existsSync(join(kept.home, "runs", id)), false, state);
    });
  });
