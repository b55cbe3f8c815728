/**
 * The cost of a verdict: a run with a wrong attempt and a right one, compared with set-up and the same checks by hand.
 * Set-up and check take as long as small real ones do; the agent takes no time. `node bench/verdict.ts [seconds]`, 3 by
 * default; needs a build. Exits 1 if the goal is missed.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { repository } from "../test/end-to-end/run/repository.ts";

const seconds = Number(process.argv[2] ?? 3);
const GOAL = 1.5;
const FILES = {
  "package.json": '{ "type": "module" }\n',
  ".gitignore": "made/\n",
  "value.js": "export const value = 1;\n",
  "value.test.js":
    'import { test } from "node:test";\nimport assert from "node:assert/strict";\n' +
    'import { value } from "./value.js";\ntest("two", () => assert.equal(value, 2));\n',
};
const SETUP = `sleep ${seconds} && mkdir -p made && echo ready > made/ready`;
const CHECK = `test -f made/ready && sleep ${seconds} && node --test`;

const timed = (work: () => void): number => {
  const began = performance.now();
  work();
  return performance.now() - began;
};
const shell = (cwd: string, command: string): void => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  try {
    execFileSync("sh", ["-c", command], { cwd, stdio: "ignore", env });
  } catch {
    // the base and the wrong attempt are red
  }
};

const here = repository(FILES);
try {
  const clone = join(here.home, "..", "by-hand");
  here.git("clone", "-q", here.path, clone);
  const byHand = timed(() => {
    shell(clone, SETUP);
    for (let round = 0; round < 3; round += 1) shell(clone, CHECK);
  });
  const value = (of: number) => ({
    write: { "value.js": `export const value = ${of};\n` },
    print: "done",
  });
  const agent = here.agent({ goal: [value(3), value(2)] });
  const words = ["run", "--goal", "make it two", "--agent", agent];
  const run = timed(() => {
    const ended = here.unstuck(...words, "--check", CHECK, "--setup", SETUP);
    if (ended.code !== 0) throw new Error(ended.out + ended.err);
  });
  const ratio = run / byHand;
  console.log(`set-up and three checks by hand  ${(byHand / 1000).toFixed(1)} s`);
  console.log(`a run: wrong try, right fix      ${(run / 1000).toFixed(1)} s`);
  console.log(`ratio ${ratio.toFixed(2)}, goal ${GOAL}`);
  process.exitCode = ratio > GOAL ? 1 : 0;
} finally {
  here.remove();
}
