// proves: U24
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { StartTree } from "../../../src/core/run/attempt.ts";
import {
  combineChanges,
  isEmptyChange,
  NOTHING_KNOWN,
  withChange,
} from "../../../src/workspace/replica/change.ts";
import {
  exportChanges,
  forgetResult,
  importChanges,
} from "../../../src/workspace/replica/changes.ts";
import { AT, folder, git, kindOf, repository, tree, value, write } from "../fixture.ts";
import { resultTip } from "../operations.ts";
import { inLargeForm, rowsOf } from "../../large-form.ts";
import { answer, attempt, handOn, log, mergeIn, place, replica } from "./replicas.ts";

const KEEP = { kind: "keep" } as const;

// Most of it is played on one pair of replicas, each test with subtasks and slots of its own.
const origin = repository();
const a = await replica(origin);
const b = await replica(origin);
const textAt = (cwd: string, path: string): string => readFileSync(join(cwd, path), "utf8");

test("what one machine made is judged, merged and continued on another", async () => {
  assert.ok(isEmptyChange((await handOn(a)).change), "a new run has nothing to hand on");

  const files = { "src/new.ts": "new\n", "src/b c.ts": "changed\n", "debug.log": "ignored\n" };
  await attempt(a, place("one", 1), KEEP, files);
  const first = await handOn(a, b);
  assert.ok(first.bytes > 0 && first.bytes < 4000, `${first.bytes} bytes`);
  const again = await handOn(a);
  assert.ok(isEmptyChange(again.change) && again.bytes === 0);
  assert.ok(isEmptyChange((await handOn(b)).change), "what was taken over is not handed back");

  const commit = answer(await b.commits.ofAttempt(place("one", 1)));
  const judged = { attemptId: "r1/one/1", commit };
  const lent = await b.checkTrees.lend(judged, async ({ cwd }) => textAt(cwd, "src/new.ts"));
  assert.deepEqual(answer(lent), { kind: "lent", value: "new\n", changed: [] });
  assert.deepEqual(answer(await b.checkTrees.leftOut(place("one", 1))), []);
  const tried = await b.checkTrees.inSlot(place("one", 1), async () => "nothing stands here");
  assert.ok(!tried.ok);

  const tip = await mergeIn(b, place("one", 1));
  const second = await handOn(b, a);
  assert.equal(second.change.resultFrom, b.run.base);
  assert.equal(answer(await a.commits.tip()).commit, tip);
  assert.deepEqual(
    answer(await a.commits.ofAttempt(place("one", 1))),
    answer(await b.commits.ofAttempt(place("one", 1))),
  );

  // Another subtask on the new tip, on the machine that did not merge.
  await attempt(a, place("two", 1, "2"), KEEP, { "two.ts": "2\n" });
  const third = await handOn(a, b);
  assert.ok(third.bytes < 4000, `${third.bytes} bytes`);
  await mergeIn(b, place("two", 1, "2"));
  await handOn(b, a);
  const { branch } = answer(await a.workspace.publish());
  assert.equal(git(origin, "show", `${branch}:two.ts`), "2");
  assert.equal(git(origin, "show", `${branch}:src/new.ts`), "new");
});

const STARTS: readonly { readonly name: string; readonly of: (good: string) => StartTree }[] = [
  { name: "keep", of: () => KEEP },
  { name: "attempt", of: () => ({ kind: "attempt", attempt: 1 }) },
  { name: "start", of: () => ({ kind: "start", attempt: 2 }) },
  { name: "good", of: (commit) => ({ kind: "good", commit }) },
  { name: "rebased", of: () => ({ kind: "rebased", attempt: 2 }) },
];
const starts = rowsOf("workspace", STARTS, ["keep", "attempt", "rebased"]);

test("an attempt that goes on elsewhere finds the tree it would have found at home", async () => {
  const good = await resultTip(a.run);
  await attempt(a, place("x", 1, "3"), KEEP, { "src/a.ts": "mine\n", "x.sh": "x:#!/bin/sh\n" });
  await attempt(a, place("y", 1, "4"), KEEP, { "src/a.ts": "theirs\n" });
  await mergeIn(a, place("y", 1, "4"));
  await attempt(a, place("x", 2, "3"), KEEP, { "more.ts": "more\n", current: "link:run.sh" });
  await handOn(a, b);
  for (const [index, { name, of }] of starts.entries()) {
    const start = of(good);
    const next = place("x", 3 + index, "3");
    const there = answer(await b.workspace.begin(next, start));
    const here = answer(await a.workspace.begin(next, start));
    assert.deepEqual(tree(there.cwd), tree(here.cwd), name);
    assert.equal(textAt(there.cwd, "src/a.ts"), textAt(here.cwd, "src/a.ts"), name);
    const left = answer(await a.workspace.finish(next));
    assert.deepEqual(answer(await b.workspace.finish(next)), left, name);
  }
  assert.match(textAt(join(b.run.runDir, "slots/3"), "src/a.ts"), /<{7} unstuck\/side\/r1\/result/);
  await handOn(a, b);
  // A machine that comes late takes all of it, and knows whose the markers are.
  a.known = NOTHING_KNOWN;
  const late = await replica(origin);
  await handOn(a, late);
  const last = place("x", 2 + starts.length, "3");
  const made = answer(await late.commits.ofAttempt(last));
  assert.deepEqual(made.markers, ["src/a.ts"]);
  assert.deepEqual(made, answer(await a.commits.ofAttempt(last)));
});

test("a subtask starts from the same commit on every machine, also where one is lost", async () => {
  const start = await resultTip(a.run);
  await handOn(a, b);
  answer(await a.workspace.begin(place("lost", 1, "5"), KEEP));
  const { change, bytes } = await handOn(a);
  // Everybody has the tree it starts from: only the commit of its snapshot is told.
  const [[id = "", content = ""] = []] = Object.entries(change.commits ?? {});
  assert.deepEqual([Object.keys(change.commits ?? {}).length, bytes], [1, 0]);
  const spoiled = { ...change, commits: { [id]: content.replace("author", "auth0r") } };
  assert.equal(kindOf(await importChanges(b.run, spoiled, { at: AT })), "damaged-run");
  const { commits: _, ...without } = change;
  assert.equal(kindOf(await importChanges(b.run, without, { at: AT })), "objects-missing");
  value(await importChanges(b.run, change, { at: AT }));
  b.known = withChange(b.known, change);
  await attempt(b, place("other", 1, "6"), KEEP, { "other.ts": "2\n" });
  await mergeIn(b, place("other", 1, "6"));
  // What its agent did there is gone: elsewhere the attempt ends with what was handed on.
  const lost = answer(await b.workspace.finish(place("lost", 1, "5")));
  assert.equal(lost.treeBefore, lost.treeAfter);
  // Of one that was lost before anything was handed on, nothing is known, and no file seems deleted.
  const never = answer(await b.workspace.finish(place("never", 1, "6")));
  assert.equal(never.treeAfter, answer(await b.commits.tip()).tree);
  await attempt(b, place("lost", 2, "5"), KEEP, { "one.ts": "1\n" });
  assert.equal(answer(await b.commits.ofAttempt(place("lost", 2, "5"))).start, start);
  assert.equal(existsSync(join(b.run.runDir, "slots/5/other.ts")), false);
  await handOn(b, a);
});

test("a slot that comes back holds what the other machine left; what stood there is kept", async () => {
  const cwd = await attempt(a, place("back", 1, "7"), KEEP, { "one.ts": "1\n" });
  writeFileSync(join(cwd, ".git/agents-own"), "");
  await handOn(a, b);
  await attempt(b, place("back", 2, "7"), KEEP, { "one.ts": "2\n" });
  writeFileSync(join(cwd, "late.ts"), "nobody waited for it\n");
  assert.deepEqual(Object.keys((await handOn(b, a)).change.slots), ["7"]);
  assert.equal(existsSync(cwd), false);
  answer(await a.workspace.begin(place("back", 3, "7"), KEEP));
  assert.equal(textAt(cwd, "one.ts"), "2\n");
  assert.equal(existsSync(join(cwd, "late.ts")) || existsSync(join(cwd, ".git/agents-own")), false);
  const clone = join(a.run.runDir, "clone.git");
  const kept = readdirSync(join(clone, "refs/unstuck/snap"));
  const rescue = kept.find((name) => name.includes("given-back")) ?? "";
  assert.match(git(clone, "ls-tree", "--name-only", `refs/unstuck/snap/${rescue}`), /late\.ts/);
  // A copy that only guards this machine's disk is no news to others.
  assert.ok(!Object.keys((await handOn(a, b)).change.refs).some((ref) => ref.endsWith(rescue)));
});

test("a slot that was given back, and what is discarded, are handed on as they stand", async () => {
  const cwd = await attempt(a, place("given", 1, "8"), KEEP, { "one.ts": "1\n" });
  writeFileSync(join(cwd, "by-hand.ts"), "a person's\n");
  await a.release("8");
  const question = { ...place("ask", 1, "9"), discard: true };
  await attempt(a, question, KEEP, { "notes.md": "notes\n" });
  await handOn(a, b);
  const given = answer(await b.workspace.begin(place("given", 2, "8"), KEEP));
  assert.equal(textAt(given.cwd, "by-hand.ts"), "a person's\n");
  const asked = answer(await b.workspace.begin({ ...question, attempt: 2 }, KEEP));
  assert.equal(existsSync(join(asked.cwd, "notes.md")), false);
  await handOn(b, a);
});

test("a bundle that is cut, missing or of another run changes nothing", async () => {
  await attempt(a, place("cut", 1, "10"), KEEP, { "cut.ts": "1\n" });
  const { change, bundle = "" } = await handOn(a);
  const whole = readFileSync(bundle);
  const fileOf = (content: Buffer): string => {
    const file = join(folder(), "spoiled.bundle");
    writeFileSync(file, content);
    return file;
  };
  const into = async (of: object, from: { bundle?: string } = { bundle }): Promise<string> =>
    kindOf(await importChanges(b.run, { ...change, ...of }, { ...from, at: AT }));
  const spoiled = Buffer.concat([whole.subarray(0, -60), Buffer.alloc(60, 7)]);
  assert.equal(await into({}, { bundle: fileOf(whole.subarray(0, -30)) }), "git-failed");
  assert.equal(await into({}, { bundle: fileOf(spoiled) }), "git-failed");
  assert.equal(await into({}, { bundle: fileOf(Buffer.from("no bundle")) }), "damaged-run");
  assert.equal(await into({}, {}), "objects-missing");
  assert.equal(await into({ run: "r2" }), "damaged-run");
  assert.equal(await into({ base: "0".repeat(40) }), "damaged-run");
  const { base } = b.run;
  for (const ref of ["refs/heads/main", "refs/heads/unstuck/r2", "refs/unstuck/../x", "HEAD"])
    assert.equal(await into({ refs: { [ref]: base } }), "damaged-run", ref);
  assert.equal(await into({ refs: { "refs/unstuck/snap/x": "main" } }), "damaged-run");
  const slot = { lease: "one/", commit: base, stands: "one/1/after" };
  assert.equal(await into({ slots: { "../1": slot } }), "damaged-run");
  assert.equal(existsSync(join(b.run.runDir, "private/10")), false);
  assert.equal(await into({}), "ok");
});

test("the result moves only from where it stood; imports can be repeated, and come late", async () => {
  const [start, ...rest] = log.map(({ change }) => change);
  assert.ok(start !== undefined);
  const bundle = log.flatMap((each) => each.bundle ?? []);
  const plan = { bundle, at: AT };
  const so = combineChanges([start, ...rest]);
  await attempt(a, place("p", 1, "11"), KEEP, { "p.ts": "p" });
  await mergeIn(a, place("p", 1, "11"));
  const apart = await handOn(a);
  const before = await mergeIn(b, place("x", 3, "3"));
  assert.equal(kindOf(await importChanges(b.run, apart.change, { ...apart, at: AT })), "ref-moved");
  assert.equal(await resultTip(b.run), before);
  assert.equal(existsSync(join(b.run.runDir, "private/11")), false, "nothing of it came");
  // Nor does one that is behind hand on what would take the others' work back.
  const behind = await exportChanges(b.run, withChange(b.known, apart.change), folder());
  assert.equal(kindOf(behind), "ref-moved");

  const c = await replica(origin);
  const both = await Promise.all([so, so].map((each) => importChanges(c.run, each, plan)));
  assert.ok(both[0] !== undefined && value(both[0]).moved.length > 20);
  assert.deepEqual(both[1], { ok: true, value: { moved: [], slots: [] } });
  assert.equal(
    isEmptyChange(
      value(await exportChanges(c.run, withChange(NOTHING_KNOWN, so), folder())).change,
    ),
    true,
  );
  const tip = await mergeIn(c, place("x", 3, "3"));
  assert.deepEqual(value(await importChanges(c.run, so, plan)).moved, []);
  assert.equal(await resultTip(c.run), tip, "a change that came late takes nothing back");
});

test("whoever comes back takes over all changes as one, wherever its result stood when it died", async () => {
  const root = repository();
  const [one, back] = [await replica(root), await replica(root)];
  const made = async (name: string): Promise<Awaited<ReturnType<typeof handOn>>> => {
    await attempt(one, place(name, 1), KEEP, { [`${name}.ts`]: name });
    await mergeIn(one, place(name, 1));
    return handOn(one);
  };
  const all = [await made("first"), await made("second")] as const;
  const into = (changes: readonly (typeof all)[number][]): ReturnType<typeof importChanges> => {
    const [start, ...rest] = changes.map(({ change }) => change);
    assert.ok(start !== undefined);
    const bundle = changes.flatMap((each) => each.bundle ?? []);
    return importChanges(back.run, combineChanges([start, ...rest]), { bundle, at: AT });
  };
  value(await into([all[0]]));
  value(await into(all));
  assert.equal(await resultTip(back.run), await resultTip(one.run));

  // What it merged and nobody was told of is not in the run.
  await attempt(back, place("alone", 1, "2"), KEEP, { "alone.ts": "alone" });
  const alone = await mergeIn(back, place("alone", 1, "2"));
  const third = await made("third");
  assert.equal(kindOf(await into([...all, third])), "ref-moved");
  assert.equal(await resultTip(back.run), alone);
  value(await forgetResult(back.run));
  value(await into([...all, third]));
  assert.equal(await resultTip(back.run), await resultTip(one.run));
  value(await forgetResult(back.run));
  value(await forgetResult(back.run));
  assert.equal(await resultTip(back.run), back.run.base);
  await attempt(back, place("last", 1, "3"), KEEP, { "last.ts": "last" });
  const last = await mergeIn(back, place("last", 1, "3"));
  assert.equal(await resultTip(back.run), last, "and it can move on from there");
});

test("SHA-256, a large first hand-over, and small ones after it", async () => {
  const root = folder("sha256");
  git(root, "init", "-q", "--object-format=sha256");
  write(root, { "a.txt": "a\n" });
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "first");
  const [one, other] = [await replica(root), await replica(root)];
  const noise = Buffer.alloc(1_300_000);
  for (let at = 0, seed = 1; at < noise.length; at += 4)
    noise.writeUInt32LE((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0), at);
  await attempt(one, place("one", 1), KEEP, { "big.bin": noise });
  const first = await handOn(one, other);
  assert.ok(first.bytes > 1024 * 1024, "large enough to stay a pack");
  const { cwd } = answer(await other.workspace.begin(place("one", 2), KEEP));
  assert.ok(readFileSync(join(cwd, "big.bin")).equals(noise));
  write(cwd, { "small.txt": "small\n" });
  answer(await other.workspace.finish(place("one", 2)));
  const second = await handOn(other, one);
  assert.ok(second.bytes > 0 && second.bytes < 4000, `${second.bytes} bytes`);
  assert.deepEqual(
    answer(await one.commits.ofAttempt(place("one", 2))),
    answer(await other.commits.ofAttempt(place("one", 2))),
  );

  // What a slot stands in is not sent again, however much was handed on since.
  const refs: Record<string, string> = { ...other.known.refs };
  for (let at = 0; at < 60; at += 1) refs[`refs/unstuck/snap/${at}`] = other.run.base;
  other.known = { ...other.known, refs };
  await attempt(other, place("one", 3), KEEP, { "more.txt": "more\n" });
  const third = await handOn(other);
  assert.ok(third.bytes > 0 && third.bytes < 4000, `${third.bytes} bytes`);
});

test(
  "what an attempt left inside a submodule goes on with it",
  inLargeForm("workspace"),
  async () => {
    const lib = repository({ "lib.ts": "lib\n", "src/inner.ts": "inner\n" });
    const root = repository({ "a.ts": "a\n" });
    git(root, "submodule", "--quiet", "add", lib, "vendor/lib");
    git(root, "commit", "-q", "-m", "submodule");
    const [one, other] = [await replica(root), await replica(root)];
    const inside = { "vendor/lib/src/inner.ts": "changed\n", "vendor/lib/new.ts": "new\n" };
    const cwd = await attempt(one, place("one", 1), KEEP, { ...inside, "a.ts": "b\n" });
    const { change } = await handOn(one, other);
    assert.ok(Object.keys(change.refs).some((ref) => ref.startsWith("refs/unstuck/inside/")));
    const left = answer(await other.checkTrees.leftOut(place("one", 1)));
    assert.deepEqual(left, [{ path: "vendor/lib", why: "submodule" }]);
    const there = answer(await other.workspace.begin(place("one", 2), KEEP));
    assert.deepEqual(tree(there.cwd), tree(cwd));
    assert.equal(textAt(there.cwd, "vendor/lib/new.ts"), "new\n");
    assert.deepEqual(
      answer(await other.commits.ofAttempt(place("one", 1))),
      answer(await one.commits.ofAttempt(place("one", 1))),
    );
  },
);
