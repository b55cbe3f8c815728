/** How long `unstuck classify` takes from a shell, as a ratio to `node -e 0` in the same run. Needs `npm run build`. */
import { spawnSync } from "node:child_process";

const ROUNDS = 40;
const INPUT = "Error: 429 Too Many Requests\n";

function bestMs(args: readonly string[]): number {
  const started = process.hrtime.bigint();
  const { status } = spawnSync(process.execPath, args, { input: INPUT });
  if (status !== 0) throw new Error(`${args.join(" ")} exited with ${status}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

const times: Record<"bare" | "classify", number[]> = { bare: [], classify: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  times.bare.push(bestMs(["-e", "0"]));
  times.classify.push(bestMs(["bin/unstuck.js", "classify", "--json"]));
}
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const ratio = median(times.classify) / median(times.bare);
console.log(
  `start: node -e 0 ${median(times.bare).toFixed(1)} ms, unstuck classify ${median(times.classify).toFixed(1)} ms, ratio ${ratio.toFixed(2)} (at most 1.6)`,
);
process.exitCode = ratio <= 1.6 ? 0 : 1;
