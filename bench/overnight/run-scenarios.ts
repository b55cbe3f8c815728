/** Nights in which checks, budgets, or several subtasks cause the trouble. */
import { say, shell } from "../../src/testing/model-server/scenario.ts";
import type { Turn } from "../../src/testing/model-server/scenario.ts";
import { atFirst, doing, RIGHT, WRONG, work } from "./moves.ts";
import { CHECK, type NightScenario } from "./scenario.ts";

/** Counts in the user's home, so that every run of the check sees the next number. */
const FLAKY = `grep -q "^2$" value.txt || exit 1
n=$(cat "$HOME/runs" 2>/dev/null || echo 0)
echo $((n + 1)) > "$HOME/runs"
[ $((n % 2)) -eq 1 ] || { echo "FAIL: connection to the database timed out"; exit 1; }
`;
/** The failure is at the beginning; thousands of lines follow. */
const BIG = `grep -q "^2$" value.txt && exit 0
echo "FAIL value.test: AssertionError: expected the value to be 2 but got $(cat value.txt)"
i=0; while [ $i -lt 4000 ]; do echo "ok $i - passes as ever in the suite"; i=$((i + 1)); done
echo "1 failed, 4000 passed"
exit 1
`;
/** Every subtask adds its own line, and keeps those of others. */
const addLine = (name: string): Turn =>
  shell(
    `(grep -v '^[<=>|]' list.txt; echo ${name}) | sort -u > new.txt && mv new.txt list.txt && git add list.txt`,
  );
const line = (name: string) => ({
  id: name,
  prompt: `Add the line ${name} to list.txt.`,
  check: `grep -qx ${name} list.txt`,
});

export const RUN_SCENARIOS: readonly NightScenario[] = [
  {
    name: "flaky check",
    what: "the check fails every second time",
    files: { "check.sh": FLAKY },
    script: () => work,
  },
  {
    name: "check hangs",
    what: "the check never ends with the first work",
    files: {
      "check.sh":
        'grep -q "^3$" value.txt && sleep 300\ngrep -q "^2$" value.txt && exit 0\necho "FAIL: the value should be 2"\nexit 1\n',
    },
    script: atFirst(1, (asked) => doing(asked, WRONG)),
  },
  {
    name: "big output",
    what: "what failed stands before thousands of lines",
    files: { "check.sh": BIG },
    script: () => (asked) =>
      doing(asked, asked.told.includes("expected the value to be 2") ? RIGHT : WRONG),
  },
  {
    name: "missing dependency",
    what: "the first work imports a package that is not there",
    files: {
      "value.mjs": "export const value = 1;\n",
      "check.sh":
        "node -e 'import(\"./value.mjs\").then((m) => process.exit(m.value === 2 ? 0 : 1))'\n",
    },
    script: () => (asked) =>
      doing(
        asked,
        asked.told.includes("left-pad-two")
          ? shell("echo 'export const value = 2;' > value.mjs")
          : shell(`printf 'import "left-pad-two";\\nexport const value = 2;\\n' > value.mjs`),
      ),
  },
  {
    name: "two subtasks conflict",
    what: "two subtasks change the same place",
    bar: "conflict",
    plan: () => ({ concurrency: 2 }),
    files: { "list.txt": "nothing\n" },
    subtasks: [line("apple"), line("banana")],
    script: () => (asked) => doing(asked, addLine(asked.subtask)),
  },
  {
    name: "one is impossible",
    what: "of two subtasks one can never pass: the other is done, and a person is asked",
    ends: [3],
    subtasks: [
      { id: "value", prompt: "Make value.txt hold 2.", check: CHECK },
      {
        id: "never",
        prompt: "Make the moon blue.",
        check: "sh -c 'echo the moon is grey; exit 1'",
      },
    ],
    script: () => (asked) => {
      if (asked.subtask === "value") return work(asked);
      return asked.step === 0 ? shell(`echo ${asked.start} > moon.txt`) : say("The moon is blue.");
    },
  },
  {
    name: "cost cap",
    what: "work without end meets a budget of tokens",
    ends: [3, 4],
    plan: () => ({ budget: { tokens: 12_000 } }),
    script: () => (asked) => shell(`echo ${asked.request.number} >> log.txt; cat log.txt`),
  },
  {
    name: "long command",
    what: "a command is silent for a while, and is let be",
    bar: "short",
    script: ({ patience }) => {
      const silent = shell(`sleep ${Math.round(patience / 3)}`);
      return (asked) => doing(asked, silent, RIGHT);
    },
  },
];
