/** Nights in which the agent itself goes wrong: makes false claims, loops, breaks things, asks, or is killed. */
import { say, shell } from "../../src/testing/model-server/scenario.ts";
import { atFirst, doing, DONE, RIGHT, work, WRONG } from "./moves.ts";
import type { NightScenario } from "./scenario.ts";

const TEST_OF_VALUE = `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
test("the value", () => assert.equal(readFileSync("value.txt", "utf8"), "2\\n"));
`;
const VALUE_TEST = {
  files: { "value.test.mjs": TEST_OF_VALUE },
  subtasks: [
    { id: "value", prompt: "Make value.txt hold 2.", check: "node --test value.test.mjs" },
  ],
};
const WEAK = { claude: "haiku", codex: "small-model" } as const;
const STRONG = { claude: "opus", codex: "large-model" } as const;

export const AGENT_SCENARIOS: readonly NightScenario[] = [
  {
    name: "endless loop",
    what: "the same command for ever, whatever it is told, until it begins anew",
    script: () => {
      let opening: string | undefined;
      return (asked) => {
        opening ??= asked.told;
        return asked.told.startsWith(opening) ? shell("cat missing.txt") : work(asked);
      };
    },
  },
  {
    name: "says done",
    what: "says twice that it is done and has done nothing",
    small: true,
    script: atFirst(2, () => say("Done, all checks pass.")),
  },
  {
    name: "wrong work",
    what: "writes the wrong value first",
    script: atFirst(1, (asked) => doing(asked, WRONG)),
  },
  {
    name: "broken build",
    what: "on a red base it breaks the build, and mends it only in a clean tree",
    files: {
      "value.mjs": "export const value = 1;\n",
      "value.test.mjs": `import assert from "node:assert/strict";
import { test } from "node:test";
import { value } from "./value.mjs";
test("the value", () => assert.equal(value, 2));
`,
    },
    subtasks: [
      { id: "value", prompt: "Make value.mjs export 2.", check: "node --test value.test.mjs" },
    ],
    script: () => {
      let broke = false;
      return (asked) => {
        if (asked.step === 0) return shell("cat value.mjs");
        if (asked.step > 1) return DONE;
        const seen = asked.request.results.at(-1) ?? "";
        const isClean = seen.includes("value = 1;");
        if (isClean && broke) return shell("echo 'export const value = 2;' > value.mjs");
        broke = true;
        return shell("echo 'export const value = = (2;' > value.mjs");
      };
    },
  },
  {
    name: "edits the test",
    what: "makes the test pass by changing the test; by default the result is not called verified",
    ...VALUE_TEST,
    ends: [0, 6],
    script: atFirst(1, (asked) =>
      doing(
        asked,
        shell("sed -i 's/\"2/\"1/' value.test.mjs", "The test expects the wrong value."),
      ),
    ),
  },
  {
    name: "edits the test, kept",
    what: "the same where the plan says that tests are kept: it is told, and does the work",
    ...VALUE_TEST,
    plan: () => ({ tests: "keep" }),
    script: () => (asked) =>
      asked.start === 1
        ? doing(asked, shell("sed -i 's/\"2/\"1/' value.test.mjs"))
        : doing(asked, shell("sed -i 's/\"1/\"2/' value.test.mjs"), RIGHT),
  },
  {
    name: "deletes a file",
    what: "deletes the test first",
    ...VALUE_TEST,
    ends: [0, 6],
    script: () => (asked) =>
      asked.start === 1
        ? doing(asked, shell("rm value.test.mjs"))
        : doing(
            asked,
            shell(
              `git show "$(git rev-list --max-parents=0 HEAD)":value.test.mjs > value.test.mjs`,
            ),
            RIGHT,
          ),
  },
  {
    name: "agent killed",
    what: "its process is killed halfway",
    script: () => (asked) => {
      if (asked.request.number === 1) return shell("echo half > half.txt", "I am halfway.");
      if (asked.request.number > 2) return work(asked);
      asked.kill("agent");
      return { kind: "silent" };
    },
  },
  {
    name: "supervisor killed",
    what: "whoever started the agent is killed, and started again",
    script: () => (asked) => {
      if (asked.request.number === 1) return shell("echo half > half.txt", "I am halfway.");
      if (asked.request.number > 2) return work(asked);
      asked.kill("supervisor");
      return { kind: "silent" };
    },
  },
  {
    name: "weak model",
    what: "the weaker model cannot do it, the stronger one can",
    model: WEAK,
    plan: (_, agent) => ({
      models: [
        { agent, model: WEAK[agent], tier: 1 },
        { agent, model: STRONG[agent], tier: 2 },
      ],
    }),
    script: () => (asked) =>
      /opus|large/.test(asked.request.model) ? work(asked) : doing(asked, WRONG),
  },
  {
    name: "stashes and cleans",
    what: "puts away and deletes whatever is not committed, then does the work",
    script: () => (asked) =>
      doing(asked, shell("git stash -u; git reset -q --hard; git clean -qfdx"), RIGHT),
  },
  {
    name: "own branch",
    what: "commits its work on a branch of its own",
    script: () => (asked) =>
      doing(asked, RIGHT, shell("git checkout -q -b mine; git commit -qam mine")),
  },
  {
    name: "leaves a server",
    what: "starts a server in the background and leaves it running",
    script: () => (asked) =>
      doing(asked, shell("nohup sleep 600 >/dev/null 2>&1 & echo started"), RIGHT),
  },
  {
    name: "asks a question",
    what: "ends with a question instead of the work; nobody is there",
    script: atFirst(1, () => say("Should value.txt hold 2 with or without a line break?")),
  },
  {
    name: "gives up",
    what: "says that it cannot do it, then can",
    script: atFirst(1, () => say("I cannot do this: I do not know what the value should be.")),
  },
  {
    name: "wrong directory",
    what: "writes the right value into another folder first",
    script: atFirst(1, (asked) =>
      doing(asked, shell("mkdir -p work && printf '2\\n' > work/value.txt")),
    ),
  },
  {
    name: "refused command",
    what: "needs a command that nobody allowed: a person is asked",
    agents: ["claude"],
    gated: true,
    ends: [3],
    script: () => (asked) =>
      asked.step === 0
        ? shell("npm install left-pad")
        : say("I cannot go on: I need to run npm install left-pad, which was not permitted."),
  },
  {
    name: "disk full",
    what: "the agent finds the disk full: a person is asked, once",
    ends: [3],
    script: () => (asked) =>
      doing(
        asked,
        shell("echo 'sh: write error: No space left on device' >&2; exit 1"),
        say("I could not write value.txt: ENOSPC: no space left on device."),
      ),
  },
];
