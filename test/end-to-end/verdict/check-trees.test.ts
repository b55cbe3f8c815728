// proves: U5
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { Repository } from "../run/repository.ts";
import { assertVerified, inProject, judged, logged, seenByAgents, startsOf } from "./judged.ts";

const IS_TWO = "grep -q '^2$' value.txt\n";
const CHECK = 'checks: ["sh check.sh"]';
const value = (text: string) => ({ write: { "value.txt": `${text}\n` }, print: "done" });

test("U5: where checks run is in no agent's environment or prompt, even where a check prints it", () =>
  inProject(
    {
      "value.txt": "1\n",
      "check.sh": `pwd >> "$HOME/log"\necho "$(pwd)/value.txt:1: is not 2"\n${IS_TWO}`,
    },
    (here) => {
      const ended = judged(here, { script: { a: [value("3"), value("2")] }, plan: [CHECK] });
      assertVerified(ended);
      const trees = [...new Set(logged(here))];
      assert.ok(trees.length > 0 && startsOf(here) === 2);
      const seen = seenByAgents(here);
      assert.match(
        seen["a.2.prompt"] ?? "",
        /value\.txt:1: is not 2/,
        "the agent is told the rest",
      );
      for (const [file, text] of Object.entries(seen))
        for (const tree of trees) assert.ok(!text.includes(tree), `${tree} stands in ${file}`);
    },
  ));

test(
  "U5: checks get CI=1 and a slot number that no agent has at that time",
  inLargeForm("verdict"),
  () =>
    inProject(
      {
        "value.txt": "1\n",
        "check.sh": `echo "$UNSTUCK_SLOT $CI" >> "$HOME/log"\ntest -f a.txt\n`,
      },
      (here) => {
        const ended = judged(here, {
          script: {
            a: [{ write: { "a.txt": "a\n" }, print: "done" }],
            b: [{ write: { "b.txt": "b\n" }, sleepMs: 2000, print: "done" }],
          },
          subtasks: ["id: a, prompt: a", 'id: b, prompt: b, checks: ["test -f b.txt"]'],
          plan: [CHECK, "concurrency: 2"],
        });
        assertVerified(ended, ["a", "b"]);
        const slotOf = (id: string): string =>
          /^UNSTUCK_SLOT=(\d+)$/m.exec(seenByAgents(here)[`${id}.1.env`] ?? "")?.[1] ?? "";
        const busy = ["a", "b"].map(slotOf);
        assert.ok(logged(here).length >= 2, "on the base and on the work");
        for (const line of logged(here)) {
          assert.match(line, /^\d+ 1$/);
          assert.ok(
            !busy.includes(line.split(" ")[0] ?? ""),
            `${line}, agents have ${busy.join()}`,
          );
        }
      },
    ),
);

const COUNTS_IN_CACHE =
  "mkdir -p .cache\nn=$(cat .cache/n 2>/dev/null || echo 0)\necho $((n + 1)) > .cache/n\n" +
  `echo "$n $(pwd)" >> "$HOME/log"\n${IS_TWO}`;
const LOGS_FOLDER = {
  "value.txt": "1\n",
  "check.sh": 'pwd >> "$HOME/log"\ngrep -q ^2$ value.txt\n',
};
const CACHED = { ".gitignore": ".cache/\n", "value.txt": "1\n", "check.sh": COUNTS_IN_CACHE };
/** An agent cannot put anything into the cache of the checks, and does not see it. */
const looksForIt = [
  "sh",
  "-c",
  'cat .cache/n >> "$HOME/found"; mkdir -p .cache; echo 100 > .cache/n',
];
const cachedScript = {
  a: [
    { ...value("3"), run: [looksForIt] },
    { ...value("2"), run: [looksForIt] },
  ],
};

/** What the checks found in their cache, run by run; one in an agent's own tree only names a reason. */
function countsOf(here: Repository): readonly number[] {
  const slots = slotsOf(here);
  return logged(here)
    .map((line) => /^(\d+) (.*)$/.exec(line)?.slice(1) ?? [])
    .filter(([, folder = ""]) => !slots.includes(folder))
    .map(([count]) => Number(count));
}

const slotsOf = (here: Repository): readonly string[] =>
  Object.entries(seenByAgents(here))
    .filter(([name]) => name.endsWith(".cwd"))
    .map(([, text]) => text.trim());

/** What the checks of a run with this cache found in it. */
function cachedRun(finalCheck: "cold" | "warm"): readonly number[] {
  let counts: readonly number[] = [];
  inProject(CACHED, (here) => {
    const plan = [CHECK, `workspace: { cache: [.cache], finalCheck: ${finalCheck} }`];
    assertVerified(judged(here, { script: cachedScript, plan }));
    counts = countsOf(here);
    assert.ok(
      counts.every((count, index) => count <= index),
      `checks found ${counts.join()}`,
    );
    assert.ok(counts.includes(1), "kept from one check to the next");
    const found = logged(here, "found").map(Number);
    assert.ok(
      found.every((count) => count >= 100),
      `agents found ${found.join()}`,
    );
  });
  return counts;
}

test(
  "U5: caches are kept between checks and out of agents' reach; the published commit is checked without, or not again",
  inLargeForm("verdict"),
  () => {
    const cold = cachedRun("cold");
    const warm = cachedRun("warm");
    assert.equal(cold.at(-1), 0, "the last check starts with nothing");
    assert.ok((warm.at(-1) ?? 0) > 0);
    assert.equal(cold.length, warm.length + 1);
  },
);

test(
  "U5: a failing check is tried in the agent's own tree once, however often it is run again",
  inLargeForm("verdict"),
  () =>
    inProject({ ...LOGS_FOLDER, ".gitignore": "out/\n" }, (here) => {
      const wrong = { ...value("3"), run: [["sh", "-c", "mkdir out; echo built > out/a"]] };
      assertVerified(judged(here, { script: { a: [wrong, value("2")] }, plan: [CHECK] }));
      const slots = slotsOf(here);
      assert.ok(logged(here).length > 3, "it was run again where it counts");
      assert.equal(logged(here).filter((folder) => slots.includes(folder)).length, 1);
    }),
);

test(
  "U5: without a cache in the plan nothing is kept from one check to the next",
  inLargeForm("verdict"),
  () =>
    inProject(CACHED, (here) => {
      assertVerified(judged(here, { script: cachedScript, plan: [CHECK] }));
      assert.deepEqual([...new Set(countsOf(here))], [0]);
    }),
);

const LOGS_VALUE = { "value.txt": "1\n", "check.sh": `cat value.txt >> "$HOME/log"\n${IS_TWO}` };

test("U5: a tree that passed is not checked again when it is merged and published", () =>
  inProject(LOGS_VALUE, (here) => {
    const plan = [CHECK, "workspace: { finalCheck: warm }"];
    assertVerified(judged(here, { script: { a: [value("2")] }, plan }));
    assert.deepEqual(logged(here), ["1", "2"], "once on the base, once on the work");
  }));

test(
  "U5: a tree that failed is not checked again when another attempt comes to the same",
  inLargeForm("verdict"),
  () =>
    inProject(LOGS_VALUE, (here) => {
      const script = { a: [value("3"), value("3"), value("2")] };
      assertVerified(judged(here, { script, plan: [CHECK] }));
      assert.equal(startsOf(here), 3);
      const wrong = logged(here).filter((line) => line === "3").length;
      assert.ok(wrong <= 2, `the same wrong tree was checked ${wrong} times`);
    }),
);

const SET_UP = {
  ".gitignore": "made.txt\n",
  "versions.lock": "1\n",
  "value.txt": "1\n",
  "check.sh": `cmp -s made.txt versions.lock || { echo "error: made for another lock file"; exit 1; }\n${IS_TWO}`,
};

test(
  "U5: set-up runs in the check tree, and again only when what it reads changed",
  inLargeForm("verdict"),
  () =>
    inProject(SET_UP, (here) => {
      const setup = "cp versions.lock made.txt; pwd >> $HOME/set-up";
      const ended = judged(here, {
        script: {
          a: [value("3"), { write: { "value.txt": "2\n", "versions.lock": "2\n" }, print: "done" }],
        },
        plan: [CHECK, `workspace: { setup: ["${setup}"], setupInputs: ["*.lock"] }`],
      });
      assertVerified(ended);
      assert.equal(startsOf(here), 2);
      const slots = slotsOf(here);
      const judges = logged(here, "set-up").filter((folder) => !slots.includes(folder));
      assert.ok(judges.length >= 2, "for the base's lock file and for the new one");
      assert.ok(judges.length <= 4, `no more than needed: ${judges.length}`);
    }),
);
