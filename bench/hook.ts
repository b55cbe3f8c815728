/**
 * How long `unstuck hook` takes from a shell, as a ratio to `node -e 0` in the same run: before a tool call, after it,
 * and after a failed one, in a session of some length. Needs `npm run build`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROUNDS = 40;
/** The first calls after an installation write V8's code cache; they are not counted. */
const WARM_UP = 10;
const GOAL = 1.6;
const home = mkdtempSync(join(tmpdir(), "unstuck-bench-"));

function timeMs(args: readonly string[], input: object): number {
  const env = { ...process.env, UNSTUCK_HOME: home, UNSTUCK_RUN: "" };
  const started = process.hrtime.bigint();
  const { status } = spawnSync(process.execPath, args, { input: JSON.stringify(input), env });
  if (status !== 0) throw new Error(`${args.join(" ")} exited with ${status}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

function payload(name: string, round: number, more: object = {}): object {
  const call = { tool_name: "Bash", tool_input: { command: `make part-${round}` } };
  return { session_id: "s", cwd: home, hook_event_name: name, ...call, ...more };
}

const HOOK = ["bin/unstuck.js", "hook", "claude"];
const none = (): number[] => [];
const times = { bare: none(), before: none(), after: none(), failed: none(), again: none() };
for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
  if (round === WARM_UP) for (const kind of Object.values(times)) kind.length = 0;
  times.bare.push(timeMs(["-e", "0"], {}));
  times.before.push(timeMs(HOOK, payload("PreToolUse", round)));
  const tool_response = { stdout: `made part ${round}`, stderr: "" };
  times.after.push(timeMs(HOOK, payload("PostToolUse", round, { tool_response })));
  const error = `Exit code 127\nsh: 1: tool-${round}: not found`;
  times.failed.push(timeMs(HOOK, payload("PostToolUseFailure", round, { error })));
  const failsAgain = payload("PostToolUseFailure", -round, { error: `${error} again` });
  timeMs(HOOK, failsAgain);
  times.again.push(timeMs(HOOK, failsAgain));
}
rmSync(home, { recursive: true, force: true });

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const ratio = (values: readonly number[]): number => median(values) / median(times.bare);
const ratios = [times.before, times.after, times.failed].map(ratio);
const [before, after, failed] = ratios.map((one) => one.toFixed(2));
console.log(
  `hook: node -e 0 ${median(times.bare).toFixed(1)} ms, before a tool ${before}, after it ${after}, ` +
    `after a failed one ${failed} (at most ${GOAL}); after the third failure in a row, where the loop guard ` +
    `looks at the session, ${ratio(times.again).toFixed(2)}`,
);
process.exitCode = Math.max(...ratios) <= GOAL ? 0 : 1;
