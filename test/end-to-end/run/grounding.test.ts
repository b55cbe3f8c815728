// proves: E1
// Grounding in whole runs: it only looks, it tells the others, and it never stands in their way.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { Script } from "../../../src/testing/scripted-agent.ts";
import { recordingAgent } from "./recording-agent.ts";
import { repository, type Repository } from "./repository.ts";
import { branchOf, eventsOf, failuresOf, phasesOf, planFile } from "./runs.ts";

const GOAL = ["run", "--goal", "make the value 2", "--check", "sh check.sh"];
const right = { write: { "value.txt": "2\n" }, print: "done" };
const FOUND = "there is one file, value.txt, and it holds 1";

function inRepository(files: Readonly<Record<string, string>>, body: (here: Repository) => void) {
  const here = repository({
    "value.txt": "1\n",
    "check.sh": "grep -q '^2$' value.txt\n",
    ...files,
  });
  try {
    body(here);
  } finally {
    here.remove();
  }
}

const filesOf = (here: Repository): string[] =>
  here.git("ls-tree", "-r", "--name-only", branchOf(here)).trim().split("\n");

const said = (here: Repository, ...command: string[]): string =>
  here.unstuck(...command).out.replace(/\s+/g, " ");

test("whatever it changes is discarded, ignored or not, and its answer reaches the others", () =>
  inRepository({ ".gitignore": "build/\n" }, (here) => {
    const litter = {
      "value.txt": "9\n",
      "check.sh": "true\n",
      "__pycache__/a.cpython-312.pyc": "x",
      "build/out": "made",
    };
    const look = ["sh", "-c", "git add -A && git commit -qm mine"];
    const agent = recordingAgent(here, {
      grounding: [{ write: litter, run: [look], print: FOUND }],
      goal: [
        { ...right, run: [["sh", "-c", `ls -aR > "$HOME/seen"; cat check.sh >> "$HOME/seen"`]] },
      ],
    });
    const ran = here.unstuck(...GOAL, "--grounding", "--agent", agent.command);
    assert.equal(ran.code, 0, ran.out + ran.err);
    assert.deepEqual(failuresOf(here.events()), []);
    assert.deepEqual(phasesOf(here), { grounding: "answered", goal: "verified" });
    assert.deepEqual(filesOf(here), [".gitignore", "check.sh", "value.txt"]);
    assert.equal(here.git("show", `${branchOf(here)}:check.sh`), "grep -q '^2$' value.txt\n");
    const seen = readFileSync(join(here.path, "..", "seen"), "utf8");
    assert.doesNotMatch(seen, /__pycache__|build|true/, "the next subtask's tree is clean");
    assert.match(agent.promptOf("goal/1"), new RegExp(FOUND));
    assert.doesNotMatch(ran.out, /changed files that judge it/);
    assert.match(
      said(here, "explain", "--verbose"),
      /answered, with attempt 1.*what it changed is discarded/,
    );
  }));

test("in place, the checkout is as it was before anything else is done in it", () =>
  inRepository({}, (here) => {
    writeFileSync(join(here.path, "mine.txt"), "mine\n");
    const litter = { "value.txt": "9\n", "mine.txt": "theirs\n", "__pycache__/a.pyc": "x" };
    const agent = recordingAgent(here, {
      grounding: [{ write: litter, print: FOUND }],
      goal: [
        {
          run: [["sh", "-c", `cat value.txt mine.txt > "$HOME/seen"; ls >> "$HOME/seen"`]],
          ...right,
        },
      ],
    });
    const ran = here.unstuck(...GOAL, "--grounding", "--in-place", "--agent", agent.command);
    assert.equal(ran.code, 0, ran.out + ran.err);
    const seen = readFileSync(join(here.path, "..", "seen"), "utf8");
    assert.equal(seen, "2\nmine\ncheck.sh\nmine.txt\nvalue.txt\n");
    assert.equal(readFileSync(join(here.path, "mine.txt"), "utf8"), "mine\n");
    assert.ok(!existsSync(join(here.path, "__pycache__")));
  }));

const SILENT: Readonly<Record<string, Script[string]>> = {
  "says nothing, twice": [{ write: { "__pycache__/a.pyc": "x" } }],
  "exits with an error, twice": [{ print: "I could not look", exit: 3 }],
};
for (const [how, grounding] of Object.entries(SILENT))
  test(
    `a grounding that ${how}: the others go on, and everything says so`,
    how === "says nothing, twice" ? {} : inLargeForm("run"),
    () =>
      inRepository({}, (here) => {
        const agent = recordingAgent(here, { grounding, goal: [right] });
        const ran = here.unstuck(...GOAL, "--grounding", "--agent", agent.command);
        assert.equal(ran.code, 0, ran.out + ran.err);
        const events = here.events();
        const dispatched = eventsOf(events, "attempt-dispatched");
        assert.equal(dispatched.filter(({ subtask }) => subtask === "grounding").length, 2);
        for (const kind of ["checkpoint-opened", "subtask-parked", "progress-scored"])
          assert.deepEqual(eventsOf(events, kind), [], kind);
        assert.deepEqual(phasesOf(here), { grounding: "answered", goal: "verified" });
        const words = /grounding gave no answer: \S/;
        assert.match(ran.out, /\[grounding\] gave no answer, the others go on: \S/);
        assert.match(ran.out.replace(/\s+/g, " "), words, "the table");
        const [run = ""] = here.runs();
        for (const command of [
          ["status", run],
          ["report"],
          ["report", "--subtask", "grounding"],
          ["explain"],
        ])
          assert.match(said(here, ...command), words, command.join(" "));
        const { subtasks } = JSON.parse(here.unstuck("status", run, "--json").out) as {
          subtasks: { id: string; unanswered?: string }[];
        };
        assert.match(subtasks[0]?.unanswered ?? "", /\S/);
        assert.doesNotMatch(agent.promptOf("goal/1"), /could not look/);
      }),
  );

test("what concerns all is asked by the next subtask, not by grounding", inLargeForm("run"), () =>
  inRepository({}, (here) => {
    const error = "401 unauthorized: invalid API key, please log in";
    const agent = here.agent({ grounding: [{ error, exit: 1 }], goal: [right] });
    const ran = here.unstuck(...GOAL, "--grounding", "--agent", agent);
    assert.equal(ran.code, 3, ran.out + ran.err);
    assert.deepEqual(phasesOf(here), { grounding: "answered", goal: "asking" });
    assert.match(ran.out, /\? goal\/c1/);
    assert.match(said(here, "report"), /grounding gave no answer: auth\\?_required/);
  }),
);

test(
  "the second try may do: nothing is said of the first but its failure",
  inLargeForm("run"),
  () =>
    inRepository({}, (here) => {
      const agent = recordingAgent(here, {
        grounding: [{ exit: 1 }, { print: FOUND }],
        goal: [right],
      });
      const ran = here.unstuck(...GOAL, "--grounding", "--agent", agent.command);
      assert.equal(ran.code, 0, ran.out + ran.err);
      assert.doesNotMatch(ran.out, /gave no answer/);
      assert.match(agent.promptOf("goal/1"), new RegExp(FOUND));
    }),
);

test(
  "a plan's own read-only subtask is the same: it never blocks those that wait for it",
  inLargeForm("run"),
  () =>
    inRepository({}, (here) => {
      const agent = here.agent({ look: [{ exit: 1 }], work: [right] });
      const subtasks = [
        "id: look, prompt: look around, readOnly: true",
        "id: work, prompt: make it 2, inputs: [look], checks: [sh check.sh]",
      ];
      const ran = here.unstuck("run", planFile(here, agent, subtasks, []), "--trust");
      assert.equal(ran.code, 0, ran.out + ran.err);
      assert.deepEqual(phasesOf(here), { look: "answered", work: "verified" });
      assert.match(said(here, "report"), /look gave no answer/);
    }),
);

test(
  "a single goal with a plain command is not grounded, unless it is asked for",
  inLargeForm("run"),
  () =>
    inRepository({}, (here) => {
      const agent = here.agent({ goal: [right] });
      assert.equal(here.unstuck(...GOAL, "--agent", agent).code, 0);
      assert.deepEqual(phasesOf(here), { goal: "verified" });
      assert.equal(here.unstuck(...GOAL, "--grounding", "--agent", agent).code, 0);
      assert.deepEqual(phasesOf(here), { grounding: "answered", goal: "verified" });
    }),
);
