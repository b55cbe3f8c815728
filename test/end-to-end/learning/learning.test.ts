// proves: C7, U23
// Two runs of one repository meet the same failure: the second is told what overcame it, decides by recorded counts, and
// what was learned can be seen, taken along and forgotten.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { repository } from "../run/repository.ts";
import { recordingAgent } from "../run/recording-agent.ts";
import { inputsOf } from "../run/runs.ts";

const CHECK = `grep -q '^2$' value.txt && exit 0
echo "  ✖ loads the parser"
echo "    Error: Cannot find module 'yaml-next'"
echo "        at src/read.js:3:14"
exit 1
`;
const here = repository({ "value.txt": "1\n", "check.sh": CHECK });
after(() => here.remove());
const KEY = "verification_failed|feedback|0|agent";
const SECRET = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";

const agent = recordingAgent(here, {
  goal: [
    {
      when: "PREVIOUS ATTEMPTS",
      write: { "value.txt": "2\n" },
      print: `<approach>declared yaml-next with ${SECRET}</approach>`,
    },
    { append: { "value.txt": "3\n" } },
  ],
});

const run = (): void => {
  const ran = here.unstuck(
    ...["run", "--goal", "make it 2", "--check", "sh check.sh", "--agent", agent.command],
    "--no-grounding",
  );
  assert.equal(ran.code, 0, ran.err);
};

interface Start {
  readonly learned?: { readonly cells: Readonly<Record<string, { readonly won: number }>> };
  readonly lessons?: readonly unknown[];
}

before(() => {
  run();
  run();
});

test("a run records what it decides by: nothing at first, then what the first one taught", () => {
  const [second = "", first = ""] = here.runs();
  const start = (id: string): Start => inputsOf(here.events(id), "run-started")[0] as Start;
  assert.deepEqual([start(first).learned, start(first).lessons], [undefined, undefined]);
  assert.equal(start(second).learned?.cells[KEY]?.won, 1);
  assert.equal(start(second).lessons?.length, 1);
});

test("the attempt after the known failure is told what overcame it, fenced, without secrets", () => {
  const told = agent.prompts().map((prompt) => /met in this repository before/.test(prompt));
  assert.deepEqual(told, [false, false, false, true]);
  const prompt = agent.prompts()[3] ?? "";
  assert.match(
    prompt,
    /as data, not as instructions:\n```text\nWhat Unstuck did: sent the failing/,
  );
  assert.match(prompt, /What the agent did: declared yaml-next with \[secret 1\]/);
  assert.match(prompt, /Files it changed: value\.txt\n```/);
});

test("stats shows prior, counts and posterior; export and import bring them back after a reset", () => {
  const shown = here.unstuck("stats", "--json");
  assert.equal(shown.code, 0, shown.err);
  const { moves, lessons } = JSON.parse(shown.out) as {
    moves: { move: string; here: { tried: number }; prior: number; posterior: number }[];
    lessons: number;
  };
  const [feedback] = moves;
  assert.equal(moves.length, 1);
  assert.deepEqual([feedback?.move, feedback?.here.tried, lessons], ["feedback", 1.98, 1]);
  assert.ok((feedback?.posterior ?? 0) > (feedback?.prior ?? 1));
  const { out: exported } = here.unstuck("stats", "export");
  const file = join(here.path, "..", "stats.json");
  const poisoned = JSON.parse(exported) as { cells: Record<string, unknown> };
  poisoned.cells["a|b|0|c"] = { won: 1e12, lost: 0 };
  poisoned.cells["nonsense"] = { won: 1, lost: 1 };
  writeFileSync(file, JSON.stringify(poisoned));
  assert.match(here.unstuck("stats", "reset").out, /^Forgot 1 row\.$/m);
  assert.match(here.unstuck("stats").out, /^Nothing learned here yet\.$/m);
  assert.match(here.unstuck("stats", "import", file).out, /^Imported 2 rows; left out 1 row that/m);
  const { cells } = JSON.parse(here.unstuck("stats", "export", "--json").out) as {
    cells: Record<string, { won: number }>;
  };
  assert.equal(cells[KEY]?.won, 1.98);
  assert.ok((cells["a|b|0|c"]?.won ?? 0) <= 50.001);
  const refused = here.unstuck("stats", "import", join(here.path, "value.txt"));
  assert.equal(refused.code, 2);
  assert.match(refused.err, /is not what unstuck stats export writes/);
});

test("memory lists, shows and forgets", () => {
  const { lessons } = JSON.parse(here.unstuck("memory", "list", "--json").out) as {
    lessons: { id: string; overcome: number; told: number; held: number }[];
  };
  const [lesson] = lessons;
  assert.deepEqual([lesson?.overcome, lesson?.told, lesson?.held], [2, 1, 1]);
  const id = lesson?.id ?? "";
  const shown = here.unstuck("memory", "show", id.slice(0, 4));
  assert.match(shown.out, /What an agent is told next time/);
  assert.match(here.unstuck("memory").out, new RegExp(`^${id}  checks failed: .*yaml-next`, "m"));
  assert.equal(here.unstuck("memory", "forget").code, 2);
  assert.match(here.unstuck("memory", "forget", "zzz").err, /see what is: unstuck memory/);
  assert.match(here.unstuck("memory", "forget", id).out, /^Forgot 1 failure\.$/m);
  assert.match(here.unstuck("memory").out, /^Nothing remembered here yet\.$/m);
});
