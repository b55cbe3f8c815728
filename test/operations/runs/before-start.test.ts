// proves: P3
// What would stop a run, told from what only might: every rule with its near misses.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { PLAN_AGENTS } from "../../../src/agents/registry.ts";
import { readPlan, type PlanFlags } from "../../../src/core/plan/read-plan.ts";
import {
  problemsBeforeStart,
  type BeforeStart,
} from "../../../src/operations/runs/before-start.ts";
import { planPlaces } from "../../../src/operations/runs/plan-places.ts";

const folder = mkdtempSync(join(tmpdir(), "unstuck-before-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const [root, home, bin] = ["root", "home", "bin"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
function put(file: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "#!/bin/sh\n", { mode });
}
for (const name of ["claude", "codex", "gemini", "opencode", "npm", "pytest"])
  put(join(bin, name), 0o755);
put(join(root, "test.sh"), 0o755);
put(join(root, "plain.sh"));
put(join(root, "sub", "inner.sh"), 0o755);
mkdirSync(home);

const ROOM = 50 * 1024 * 1024;

interface Given {
  readonly flags?: PlanFlags;
  readonly text?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly platform?: NodeJS.Platform;
  readonly free?: number;
  readonly start?: Partial<BeforeStart>;
}

function problems(given: Given = {}): readonly string[] {
  const { flags = {}, text = "", env = {}, platform = "linux", free = ROOM, start = {} } = given;
  const all = { ...(text === "" ? { goal: "g", agent: "npm" } : {}), ...flags };
  const reading = readPlan(text, all, PLAN_AGENTS);
  assert.ok(reading.ok, JSON.stringify(reading));
  return problemsBeforeStart({
    plan: reading.value,
    places: planPlaces(text === "" ? undefined : "unstuck.yaml", text, all),
    repository: { root, head: { commit: "c" }, dirty: { untracked: ["left.sh"] } },
    fromCheckout: false,
    machine: { env: { PATH: bin, ...env }, home, platform, free: () => free },
    ...start,
  }).map(({ place = "", message, next }) => `${place}: ${message}: ${next}`);
}

test("nothing wrong is no problem", () => assert.deepEqual(problems(), []));

/** A check, what else is given, and whether its program is known to be missing. */
const CHECKS: readonly (readonly [check: string, PlanFlags, missing: boolean])[] = [
  ["npm test", {}, false],
  ["nmp test", {}, true],
  ["cd sub && nmp test", {}, true],
  ["CI=1 nmp test", {}, true],
  ["PATH=tools nmp test", {}, false],
  ["export PATH=tools; nmp test", {}, false],
  ["$RUNNER test", {}, false],
  ["if true; then nmp; fi", {}, false],
  ["! nmp", {}, false],
  ["command -v nmp || true", {}, false],
  ["test -f x && nmp", {}, false],
  ["npm test || nmp", {}, false],
  [". ./env.sh && nmp test", {}, false],
  ["nmp test", { setup: ["npm ci"] }, true],
  ["nmp test", { setup: ["npm install -g nmp"] }, false],
  ["nmp test", { setup: ["pip install -r requirements.txt"] }, false],
  ["nmp test", { goal: "write a program nmp" }, false],
  ["./test.sh", {}, false],
  ["./tset.sh", {}, true],
  ["./plain.sh", {}, true],
  ["./sub", {}, true],
  ["cd sub && ./inner.sh", {}, false],
  ["./inner.sh", {}, true],
  ["./made.sh", { setup: ["make"] }, false],
  ["./made.sh", { carry: ["made.sh"] }, false],
  ["./made.sh", { goal: "write made.sh" }, false],
];
for (const [check, flags, isMissing] of CHECKS)
  test(`the check ${check} with ${JSON.stringify(flags)}: ${isMissing ? "missing" : "may run"}`, () => {
    const found = problems({ flags: { ...flags, checks: [check] } });
    assert.equal(found.length, isMissing ? 1 : 0, found.join());
    if (isMissing) assert.match(found[0] ?? "", /^--check: the check ".*" cannot run: /);
  });

test("what an earlier check may make is not missing; a check of all subtasks is told once", () => {
  assert.deepEqual(problems({ flags: { checks: ["npm run build", "./build/test"] } }), []);
  const text =
    "agent: npm\nchecks:\n  - npm test\n  - nmp test\nsubtasks:\n  - {id: a, prompt: p}\n  - {id: b, prompt: p}\n";
  const found = problems({ text });
  assert.equal(found.length, 1);
  assert.match(found[0] ?? "", /^unstuck\.yaml:4:5: .*did you mean npm\?/);
  const own = problems({ text: `${text}  - {id: c, prompt: p, checks: [{run: nope}]}\n` });
  assert.match(own[1] ?? "", /^unstuck\.yaml:8:39: the check "nope"/);
});

/** Who is surely not logged in. */
const LOGINS: readonly (readonly [agent: string, Given, file: string, out: boolean])[] = [
  ["claude", {}, "", true],
  ["claude", {}, ".claude/.credentials.json", false],
  ["claude", {}, ".claude/settings.json", false],
  ["claude", {}, ".claude.json", true],
  ["claude", { env: { ANTHROPIC_API_KEY: "k" } }, "", false],
  ["claude", { env: { ANTHROPIC_API_KEY: "" } }, "", true],
  ["claude", { env: { CLAUDE_CONFIG_DIR: "/x" } }, "", false],
  ["claude", { env: { OPENAI_API_KEY: "k" } }, "", true],
  ["claude", { platform: "darwin" }, "", false],
  ["codex", { platform: "darwin" }, "", true],
  ["codex", {}, ".codex/config.toml", false],
  ["gemini", {}, "", true],
  ["gemini", {}, ".gemini/settings.json", false],
  ["opencode", {}, "", false],
];
for (const [agent, given, file, isOut] of LOGINS)
  test(`${agent} with ${JSON.stringify(given)} ${file}: ${isOut ? "not logged in" : "may be"}`, () => {
    if (file !== "") put(join(home, file));
    const found = problems({ ...given, flags: { agent } });
    rmSync(home, { recursive: true });
    mkdirSync(home);
    assert.equal(found.length, isOut ? 1 : 0, found.join());
    if (isOut) assert.match(found[0] ?? "", /^--agent: .* is not logged in: Log in: /);
  });

test("only agents that would be used are looked at, each where the plan names it", () => {
  const plan = (more: string): string =>
    `goal: g\nagents:\n  mine: {command: npm}\n  other: {command: nope}\nmodels:\n  - {agent: mine}\n${more}`;
  assert.deepEqual(problems({ text: plan("") }), [], "it stands on no ladder");
  assert.deepEqual(problems({ text: plan("  - {agent: other, disabled: true}\n") }), []);
  const [used = ""] = problems({ text: plan("  - {agent: other}\n") });
  assert.match(
    used,
    /^unstuck\.yaml:4:20: the agent program nope is not on your PATH: Installed here: /,
  );
  const [rewrites = ""] = problems({ text: `${plan("")}rewrite: {agent: other}\n` });
  assert.match(rewrites, /nope is not on your PATH/);
  const [model = ""] = problems({ text: "goal: g\nmodels:\n  - {agent: pi}\n" });
  assert.match(model, /^unstuck\.yaml:3:13: the agent program pi is not on your PATH: Install /);
});

test("an agent of the repository has to be in what the run starts from", () => {
  put(join(root, "left.sh"), 0o755);
  const flags = { agent: "./left.sh {prompt}" };
  assert.match(problems({ flags })[0] ?? "", /not committed.*--carry left\.sh/);
  assert.deepEqual(problems({ flags: { ...flags, carry: ["left.sh"] } }), []);
  assert.deepEqual(problems({ flags, start: { fromCheckout: true } }), []);
  assert.deepEqual(problems({ flags: { agent: "./test.sh {prompt}" } }), []);
  assert.deepEqual(problems({ flags: { agent: "{model} {prompt}" } }), [], "nobody knows yet");
});

test("room on the disk, a commit to start from, a goal of one's own", () => {
  assert.match(
    problems({ free: ROOM - 1 })[0] ?? "",
    /^: the disk is full: 49 MB are free at .*, a run needs 50 MB: .*unstuck clean/,
  );
  const unborn = { root, head: { commit: null }, dirty: { untracked: [] } };
  assert.match(problems({ start: { repository: unborn } })[0] ?? "", /no commit yet.*git commit/);
  assert.deepEqual(problems({ start: { repository: unborn, fromCheckout: true } }), []);
  const placeholder = "Describe here what should be done";
  assert.match(problems({ flags: { goal: placeholder } })[0] ?? "", /^--goal: .*placeholder/);
  assert.deepEqual(problems({ flags: { goal: `${placeholder} and how` } }), []);
});

test("whatever the commands are, problems have a place and one line each", () =>
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (agent, check) => {
      fc.pre(agent.trim() !== "" && check.trim() !== "");
      for (const words of problems({ flags: { agent, checks: [check] } })) {
        assert.match(words, /^--(?:agent|check): /);
        assert.doesNotMatch(words, /[\n\r]/);
      }
    }),
    { numRuns: 200 },
  ));
