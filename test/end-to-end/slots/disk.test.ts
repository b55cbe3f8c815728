// proves: V33
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { repository, type Repository } from "../run/repository.ts";
import { phasesOf, planFile } from "../run/runs.ts";

const CONCURRENCY = 2;
const names = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
const STUCK = names("s", 5);
const DONE = names("d", 2);

/** Writes down what checkouts it sees beside its own, and where it is; what begins with s gets stuck until it is told how. */
const AGENT = `
ls -d ../* ../../checks/* 2>/dev/null | wc -l >> "$NOTES/checkouts"
echo "$UNSTUCK_SUBTASK $UNSTUCK_SLOT $PWD" >> "$NOTES/places"
case "$UNSTUCK_SUBTASK" in
  s*) echo mine >> "$UNSTUCK_SUBTASK.own"
      git add "$UNSTUCK_SUBTASK.own"; git commit -qm "half of $UNSTUCK_SUBTASK" > /dev/null
      git log --format=%s >> "$NOTES/log-$UNSTUCK_SUBTASK"
      case "$1" in *"make the file"*) test -f "$UNSTUCK_SUBTASK.own" && echo ok > "$UNSTUCK_SUBTASK.txt";; esac;;
  *) echo ok > "$UNSTUCK_SUBTASK.txt";;
esac
echo done
`;

interface Place {
  readonly here: Repository;
  readonly notes: string;
  /** Folders of checkouts that stand now. */
  readonly standing: () => string[];
  readonly lines: (name: string) => string[];
}

async function inPlace(body: (place: Place) => void | Promise<void>): Promise<void> {
  const here = repository({ "value.txt": "1\n", ".gitignore": "built\n" });
  const notes = join(here.path, "..");
  writeFileSync(join(notes, "agent.sh"), AGENT);
  const standing = (): string[] => {
    const folder = join(here.home, "runs", here.runs()[0] ?? "", "workspace");
    return ["slots", "checks"].flatMap((kind) =>
      existsSync(join(folder, kind))
        ? readdirSync(join(folder, kind)).map((name) => `${kind}/${name}`)
        : [],
    );
  };
  const lines = (name: string): string[] =>
    readFileSync(join(notes, name), "utf8").trim().split("\n");
  try {
    await body({ here, notes, standing, lines });
  } finally {
    here.remove();
  }
}

function planOf({ here, notes }: Place, ids: readonly string[]): string {
  const agent = `sh "${join(notes, "agent.sh")}" {prompt}`;
  return planFile(
    here,
    agent,
    ids.map((id) => `id: ${id}, prompt: do ${id}, checks: ["test -f ${id}.txt"]`),
    ["grounding: false", `concurrency: ${CONCURRENCY}`],
  );
}

test("V33: checkouts are bounded by concurrency, however many subtasks are parked; one that goes on has its path, files and commits back; none is left at the end", () =>
  inPlace((place) => {
    const { here, notes, standing, lines } = place;
    const ids = STUCK.flatMap((id, index) => [id, ...DONE.slice(index, index + 1)]);
    const env = { NOTES: notes };
    const run = (...args: string[]): ReturnType<Repository["unstuck"]> =>
      here.unstuckWith(env, ...args);
    const first = run("run", planOf(place, ids), "--trust", "--recovery-budget", "0");
    assert.equal(first.code, 3, first.out + first.err);
    const phases = phasesOf(here);
    for (const id of STUCK) assert.match(phases[id] ?? "", /stuck|asking/, id);
    for (const id of DONE) assert.equal(phases[id], "verified", id);
    const most = Math.max(...lines("checkouts").map(Number));
    assert.ok(most <= 2 * CONCURRENCY, `${most} checkouts at once`);
    assert.ok(standing().length <= 2 * CONCURRENCY, standing().join(" "));
    for (const id of STUCK)
      assert.equal(run("resolve", `${id}/c1`, "--retry", "make the file").code, 0);
    const second = run("resume");
    assert.equal(second.code, 0, second.out + second.err);
    assert.deepEqual(standing(), [], "a run that has ended keeps snapshots, not checkouts");
    const places = lines("places").filter((line) => line.startsWith("s"));
    assert.equal(places.length, 2 * STUCK.length);
    assert.equal(new Set(places).size, STUCK.length, "the same path and number each time");
    const again = Math.max(...lines("checkouts").map(Number));
    assert.ok(again <= 2 * CONCURRENCY, `${again} checkouts at once`);
    for (const id of STUCK) {
      assert.match(
        here.git("show", `unstuck/${here.runs()[0] ?? ""}:${id}.own`),
        /^mine\nmine\n$/,
        id,
      );
      const commits = lines(`log-${id}`).filter((subject) => subject === `half of ${id}`);
      assert.equal(commits.length, 3, "of the second time, its commit of the first is still there");
    }
    assert.match(run("diff").out, /s1\.txt/);
    assert.equal(run("apply").code, 0);
    assert.match(run("diff", "--attempt", "s1/1").out, /s1\.own/);
  }));

test(
  "V33, D7: what a person takes over is there, with what was in it, though its tree was given back",
  inLargeForm("slots"),
  () =>
    inPlace((place) => {
      const { here, notes, standing } = place;
      const env = { NOTES: notes };
      const run = (...args: string[]): ReturnType<Repository["unstuck"]> =>
        here.unstuckWith(env, ...args);
      const first = run(
        "run",
        planOf(place, STUCK.slice(0, 4)),
        "--trust",
        "--recovery-budget",
        "0",
      );
      assert.equal(first.code, 3, first.out + first.err);
      assert.ok(!standing().includes("slots/1"), standing().join(" "));
      const taken = run("resolve", "s1/c1", "--manual", "--json");
      assert.equal(taken.code, 0, taken.err);
      const { folder } = JSON.parse(taken.out) as { readonly folder: string };
      assert.equal(readFileSync(join(folder, "s1.own"), "utf8"), "mine\n");
      writeFileSync(join(folder, "s1.txt"), "by hand\n");
      assert.equal(run("resolve", "s2/c1", "--retry", "make the file").code, 0);
      assert.equal(run("resume").code, 3);
      assert.equal(
        readFileSync(join(folder, "s1.txt"), "utf8"),
        "by hand\n",
        "nobody takes it away",
      );
      assert.equal(run("resolve", "s1/c1", "--manual", "--done").code, 0);
      assert.equal(run("resume").code, 3);
      assert.equal(phasesOf(here)["s1"], "verified");
    }),
);
