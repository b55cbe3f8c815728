// proves: P10
/** Whatever a simulated run goes through, at any moment: its card can be made, fits its schema and every screen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cardLines } from "../../src/cli/screen/card.ts";
import { lineWidth, plain } from "../../src/cli/screen/line.ts";
import { runSummary } from "../../src/core/run/run-summary.ts";
import { embeddedEngine } from "../../src/engines/embedded.ts";
import { runFold } from "../../src/operations/follow/run-fold.ts";
import { makeCard } from "../../src/operations/status/card.ts";
import { card as schema } from "../../src/operations/status/card-schema.ts";
import { standingOf } from "../../src/operations/status/run-state.ts";
import { FULL } from "../large-form.ts";
import { judgeSeed } from "./simulator.ts";

const SEEDS = FULL ? 300 : 10;
/** Looking at every moment of a run would take most of the time. */
const EVERY = 11;

test(`cards of ${SEEDS} seeds, all along`, async () => {
  const states = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { history } = await judgeSeed(seed, { makeEngine: embeddedEngine });
    const events = history.happened.flatMap((one) => (one.kind === "committed" ? [one.event] : []));
    const folded = runFold();
    events.forEach((event, at) => {
      folded.add(event);
      if (at % EVERY !== 0 && at !== events.length - 1) return;
      const [state, past] = [folded.state(), folded.history()];
      if (state.phase === "new") return;
      const standing = standingOf({
        ...{ repository: "/r", seq: at + 1, phase: state.phase, alive: at % 2 === 0 },
        ...{ outcome: state.outcome?.kind, summary: runSummary(state) },
      });
      states.add(standing.state);
      const card = makeCard({
        ...{ run: "r", state, history: past, standing, applied: false, now: past.at + 1000 },
        plan: history.plan,
        files: [{ path: "a/b", added: 1, removed: 0, isNew: false }],
      });
      assert.deepEqual(schema.parse(card), card);
      for (const columns of [20, 40, 80, 200])
        for (const line of cardLines(card, columns, past.at))
          assert.ok(lineWidth(line) <= columns, `seed ${seed}, ${columns}: ${plain(line)}`);
    });
  }
  for (const state of ["running", "waiting", "needs you", "interrupted", "verified", "failed"])
    assert.ok(states.has(state), `${state} was never met`);
});
