// proves: U24, U18
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { onTerminal, WITHOUT_TERMINAL } from "../cli/terminal/pseudo-terminal.ts";
import { openFleet, planOf, until, type Fleet, type Worker } from "./fleet.ts";
import { WITHOUT_RESTATE } from "./server.ts";

/** A laptop has nothing of a run but what it asks the fleet for: another home, and clones of the same remote. */
describe("U24: runs of a fleet from a laptop", { skip: WITHOUT_RESTATE }, () => {
  let fleet: Fleet;
  let worker: Worker;
  before(async () => {
    fleet = await openFleet();
    worker = await fleet.worker("w1", ["--slots", "2"]);
  });
  after(() => fleet.close());

  const git = (folder: string, ...args: string[]): string =>
    execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", env: fleet.laptopEnv });
  const tell = (name: string): void => writeFileSync(join(fleet.folder, name), "");
  /** Waits for a file that the test makes. */
  const waits = (name: string): string =>
    `while [ ! -e ${join(fleet.folder, name)} ]; do sleep 0.1; done`;
  const asked = async (folder: string, ...args: string[]): Promise<string> => {
    const { code, out, err } = await fleet.laptopIn(folder, ...args);
    assert.equal(code, 0, `${args.join(" ")}: ${out}${err}`);
    return out;
  };
  const stateOf = async (folder: string, run: string): Promise<string> =>
    (JSON.parse(await asked(folder, "status", run, "--json")) as { state: string }).state;

  test("it is followed while it goes on, read, applied in a clone, and taken back", async () => {
    const clone = fleet.clone();
    writeFileSync(join(clone, "mine.txt"), "mine\n");
    git(clone, "add", ".");
    git(clone, "commit", "-qm", "work of my own since");
    const work = `echo one; ${waits("two")}; echo two; ${waits("three")}; echo three`;
    const run = await fleet.submit(planOf(1, work, 1));
    const listed = await asked(clone, "status", "--json");
    const { runs } = JSON.parse(listed) as { runs: { id: string; here: boolean }[] };
    assert.deepEqual(
      runs.map(({ id, here }) => ({ id, here })),
      [{ id: run, here: true }],
    );
    assert.match(await asked(clone, "status"), new RegExp(run.slice(run.lastIndexOf("-") + 1)));

    const attached = fleet.laptopStarts(clone, "attach", run);
    // Without a name: the latest run of the repository that this is a clone of.
    const logs = fleet.laptopStarts(clone, "logs", "-f");
    const times = (word: string): number =>
      logs
        .text()
        .split("\n")
        .filter((line) => line === word).length;
    const shows = (word: string): Promise<void> =>
      until(
        () => logs.text().includes(word),
        () => `${logs.text()}\n${worker.log()}`,
      );
    await shows("one");
    assert.doesNotMatch(logs.text(), /two/);
    tell("two");
    await shows("two");
    assert.equal(await stateOf(clone, run), "running");
    tell("three");
    assert.equal(await logs.ended, 0, logs.text());
    assert.match(logs.text(), /one[^]*two[^]*three/);
    assert.doesNotMatch(logs.text(), /replaced/);
    for (const word of ["one", "two", "three"]) assert.equal(times(word), 1, logs.text());
    assert.equal(await attached.ended, 0, attached.text());
    assert.match(attached.text(), /verified/);
    assert.deepEqual(await fleet.ended(run), { kind: "verified" });

    const outside = await fleet.laptop("apply", run);
    assert.equal(outside.code, 2, outside.out);
    assert.match(outside.err, /is no clone of it[^]*git clone /);
    assert.match(await asked(clone, "logs", run, "s1"), /one[^]*two[^]*three/);
    assert.match(await asked(clone, "explain", run), /s1/);
    assert.match(await asked(clone, "report", run), /s1[^]*verified/i);
    assert.match(await asked(fleet.folder, "diff", run), /\+\+\+ b\/s1\.txt/);

    writeFileSync(join(clone, "s1.txt"), "in the way\n");
    const refused = await fleet.laptopIn(clone, "apply", run);
    assert.equal(refused.code, 2, refused.out);
    assert.match(refused.err, /s1\.txt/);
    assert.equal(readFileSync(join(clone, "s1.txt"), "utf8"), "in the way\n");
    git(clone, "clean", "-qf");
    assert.match(await asked(clone, "apply"), /applied run .*1 file, \+1 -0/);
    assert.equal(readFileSync(join(clone, "s1.txt"), "utf8"), "done\n");
    assert.equal(git(clone, "status", "--porcelain"), "");
    assert.equal(git(clone, "log", "-1", "--format=%s", "HEAD~1").trim(), "work of my own since");
    const card = JSON.parse(await asked(clone, "status", run, "--json")) as { applied: boolean };
    assert.equal(card.applied, true);
    assert.match(await asked(clone, "undo", run), /undid the apply/);
    assert.ok(!existsSync(join(clone, "s1.txt")));
    assert.equal(git(clone, "log", "-1", "--format=%s").trim(), "work of my own since");
  });

  test("its questions are listed, shown and answered", { skip: WITHOUT_TERMINAL }, async () => {
    const clone = fleet.clone();
    const plan = planOf(1, "echo half > value.txt; echo the flux is off >&2; exit 1", 1);
    const run = await fleet.submit(plan.replace("policy: standard", "policy: hierarchical"));
    const inbox = (): Promise<string> => asked(clone, "inbox");
    await until(
      async () => (await inbox()).includes("s1/c1"),
      () => worker.log(),
    );
    assert.match(await asked(clone, "review", run, "--json"), /\+half/);
    const hands = await fleet.laptopIn(clone, "resolve", "s1/c1", "--run", run, "--manual");
    assert.equal(hands.code, 2, hands.out);
    const [command = ""] = /apply \S+ --attempt \S+/.exec(hands.err) ?? [];
    assert.notEqual(command, "", hands.err);
    await asked(clone, ...command.split(" "));
    assert.equal(readFileSync(join(clone, "value.txt"), "utf8"), "half\n");
    const person = onTerminal(["review", run], { cwd: clone, env: fleet.laptopEnv });
    await person.shows(/esc leave it open/);
    person.type("d");
    await person.shows(/\+half/);
    person.type("q");
    await person.shows(/esc leave it open/);
    person.type("s");
    assert.equal(await person.ended(), 0, person.text());
    assert.match(person.text(), /s1\/c1: answered; the run goes on\n/);
    assert.notDeepEqual(await fleet.ended(run), { kind: "verified" });
    assert.match(await inbox(), /No open questions/);
  });

  test("it is paused, taken up and cancelled", async () => {
    const clone = fleet.clone();
    const run = await fleet.submit(planOf(1, `echo begun; ${waits("never")}`, 1));
    await until(
      () => worker.log().includes(`${run}/s1/1 began`),
      () => worker.log(),
    );
    await asked(clone, "stop", run);
    assert.equal(await stateOf(clone, run), "paused");
    const resumed = fleet.laptopStarts(clone, "resume", run);
    await until(
      () => worker.log().includes(`${run}/s1/2 began`),
      () => `${resumed.text()}\n${worker.log()}`,
    );
    await asked(clone, "stop", run);
    assert.notEqual(await resumed.ended, 0, "it did not come to its end");
    await asked(clone, "cancel", run);
    assert.equal(await stateOf(clone, run), "cancelled");
    const again = await fleet.laptopIn(clone, "resume", run);
    assert.match(again.out + again.err, /has ended: cancelled/);
    const removed = await fleet.laptopIn(clone, "clean", run, "--force");
    assert.match(removed.err + removed.out, /fleet/);
  });

  test("what a run teaches is there for the next one of its repository", async () => {
    const tried = join(fleet.folder, "tried");
    const before = await fleet.submit(
      planOf(1, `[ -e ${tried} ] || { touch ${tried}; exit 1; }`, 1),
    );
    assert.deepEqual(await fleet.ended(before), { kind: "verified" });
    const run = await fleet.submit(planOf(1, "true", 1));
    const [first] = await fleet.events(run);
    const { learned } = (first?.["input"] ?? {}) as { learned?: { cells: object } };
    assert.notDeepEqual(learned?.cells ?? {}, {}, "the recovery that worked is known");
    assert.deepEqual(await fleet.ended(run), { kind: "verified" });
  });
});
