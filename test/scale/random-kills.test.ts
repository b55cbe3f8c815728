// proves: U24
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../large-form.ts";
import { newFleet } from "./fleet.ts";
import { underKills } from "./random-kills.ts";
import { WITHOUT_RESTATE } from "./server.ts";

test(
  "U24: sixty subtasks while workers are killed at random for forty seconds: all end, none is lost",
  inLargeForm("scale", WITHOUT_RESTATE),
  async () => {
    const fleet = await newFleet();
    const seed = process.env["UNSTUCK_SEED"] ?? "1";
    const asked = { count: 60, forMs: 40_000, slots: 4, agentSeconds: 2, seed };
    const { seconds, kills, lost, slowestFailover } = await underKills(fleet, asked);
    console.log(
      `60 subtasks in ${seconds.toFixed(0)} s, ${kills} workers killed, ${lost} attempts lost, slowest failover ${slowestFailover.toFixed(1)} s`,
    );
    assert.ok(kills > 0, "somebody was killed");
  },
);
