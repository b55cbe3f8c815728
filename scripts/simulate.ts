/**
 * Runs the simulator over many seeds: `npm run simulate -- --seeds 2000 [--from N] [--policy name] [--bug name]`.
 * Prints each failing seed with what it violates and how to replay it; a single seed is printed with its whole history.
 * Exits 1 if any seed fails, 2 on bad input.
 */
import { parseArgs } from "node:util";
import { ADAPTIVE } from "../src/core/adaptive/policy-data.ts";
import { PRESETS } from "../src/core/policy/presets.ts";
import { embeddedEngine } from "../src/engines/embedded.ts";
import { PLANTED_BUGS } from "../test/simulation/bugs/all.ts";
import { findingText, judgeSeed, type SeedOptions } from "../test/simulation/simulator.ts";
import { lineOf } from "../test/simulation/world/history.ts";

const FINDINGS_SHOWN = 5;

const POLICIES = { ...PRESETS, adaptive: ADAPTIVE };

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "2000" },
    from: { type: "string", default: "1" },
    policy: { type: "string" },
    bug: { type: "string" },
  },
});
const from = wholeNumber("--from", values.from);
const seeds = wholeNumber("--seeds", values.seeds);
const options: SeedOptions = {
  makeEngine: embeddedEngine,
  ...(values.policy === undefined
    ? {}
    : { policy: nameOf("--policy", values.policy, POLICIES) as keyof typeof POLICIES }),
  ...(values.bug === undefined ? {} : { bug: nameOf("--bug", values.bug, PLANTED_BUGS) }),
};

const started = performance.now();
let failing = 0;
let happenings = 0;
for (let seed = from; seed < from + seeds; seed += 1) {
  const verdict = await judgeSeed(seed, options);
  happenings += verdict.history.happened.length;
  if (seeds === 1) console.log(verdict.history.happened.map(lineOf).join("\n"));
  if (verdict.violations.length === 0) continue;
  failing += 1;
  if (failing <= FINDINGS_SHOWN) console.log(findingText(verdict, options));
}
const seconds = (performance.now() - started) / 1000;
console.log(
  `simulated ${seeds} seeds from ${from} in ${seconds.toFixed(1)} s (${(seeds / seconds).toFixed(0)} per second, ` +
    `${Math.round(happenings / seeds)} happenings each): ${failing} failing`,
);
process.exitCode = failing > 0 ? 1 : 0;

function wholeNumber(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  return refuse(`${option} needs a whole number above 0, not ${JSON.stringify(text)}`);
}

function nameOf(option: string, name: string, known: Readonly<Record<string, unknown>>): string {
  if (Object.hasOwn(known, name)) return name;
  return refuse(`${option} is one of: ${Object.keys(known).join(", ")}`);
}

function refuse(words: string): never {
  console.error(words);
  process.exit(2);
}
