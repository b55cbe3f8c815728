// proves: P3, P4
// Mistakes are told before anything starts: each with its exact words, which a reader has approved, and none of them
// starts a run or leaves anything behind. UNSTUCK_SNAPSHOTS=write writes the words anew.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { systemProcesses } from "../../../src/engines/system.ts";
import { openJournal } from "../../../src/journal/journal.ts";
import { unstuck } from "../../cli/command.ts";
import { place } from "./place.ts";
import { MISTAKES, type Mistake } from "./rows.ts";

const here = place();
after(() => here.remove());

/** One run that has ended, and one that was only named. */
before(async () => {
  here.git("clone", "-q", "--bare", ".", join(here.folder, "bare.git"));
  for (const name of ["nowhere", "unborn"]) mkdirSync(join(here.folder, name));
  here.git("init", "-q", join(here.folder, "unborn"));
  writeFileSync(join(here.path, "agent.sh"), "echo 2 > value.txt\n");
  here.git("add", ".");
  here.git("commit", "-qm", "agent");
  const goal = ["run", "--goal", "make the value 2", "--no-grounding", "--check", "sh check.sh"];
  const ran = here.unstuck(...goal, "--agent", "sh agent.sh {prompt}");
  assert.equal(ran.code, 0, ran.out + ran.err);
  const [run = ""] = here.runs();
  const journal = await openJournal({
    path: join(here.home, "unstuck.db"),
    processes: systemProcesses(),
  });
  const other = run.replace(/[0-9a-f]{6}$/, "abcdef");
  await journal.describe(other, { repo: here.path, title: "another goal", at: 0 });
  await journal.close();
});

const LIBRARY_WORDS =
  /zod|ajv|commander|Invalid input|Too (?:small|big)|must NOT|data\/|Map keys must|error: |at Object|fatal:|ENOENT|undefined|\[object/;

test("mistakes: what is said, and that nothing was started", async () => {
  const kept: string[] = [];
  for (const mistake of MISTAKES) {
    const { what, plan, files = {}, args = ["run"], cwd } = mistake;
    here.write({ ...files, ...(plan === undefined ? {} : { "unstuck.yaml": plan }) });
    const traces = here.traces();
    const { code, err } = await here.say(args, join(here.folder, cwd ?? "a repository"));
    assert.equal(code, 2, `${what}: ${err}`);
    assert.deepEqual(here.traces(), traces, `${what}: nothing is made or changed`);
    assert.doesNotMatch(err, LIBRARY_WORDS, what);
    const lines = err.trimEnd().split("\n");
    assert.ok(lines.length <= 4, `${what}: ${lines.length} lines`);
    here.tidy();
    kept.push(told(mistake, lines));
  }
  const text = `${kept.join("\n\n")}\n`;
  const file = join(import.meta.dirname, "snapshots", "mistakes.txt");
  if (process.env["UNSTUCK_SNAPSHOTS"] === "write") writeFileSync(file, text);
  assert.equal(text, readFileSync(file, "utf8"));
});

function told({ what, plan = "", args = ["run"], cwd }: Mistake, lines: readonly string[]): string {
  const typed = args.map((word) => (/^[\w./-]+$/.test(word) ? word : `"${word}"`));
  const shown = plan.split("\n").filter((line) => line !== "");
  return [
    `# ${what}`,
    ...shown.map(
      (line, index) => `${String(index + 1).padStart(2)} | ${line.replaceAll("\t", "<tab>")}`,
    ),
    `$ ${cwd === undefined ? "" : `cd ${cwd} && `}unstuck ${typed.join(" ")}`,
    ...lines.map((line) =>
      line
        .replaceAll(here.path, "<repository>")
        .replaceAll(here.folder, "<folder>")
        .replace(/\b\d{8}-\d{4}-[0-9a-f]{6}\b/g, "<run>"),
    ),
  ].join("\n");
}

test("the command itself says the same as its commands do here", async () => {
  for (const args of [["stauts"], ["run", "--gaol", "x"], ["run", "--goal", ""]]) {
    const ran = unstuck(args, { cwd: here.path, env: here.env });
    const { code, err } = await here.say(args);
    assert.deepEqual([ran.code, ran.out, ran.err], [code, "", err]);
  }
});

test("a home that cannot be made, settings that cannot be read", async () => {
  const file = join(here.folder, "a file");
  writeFileSync(file, "");
  const goal = ["run", "--goal", "g", "--agent", "sh agent.sh", "--check", "sh check.sh"];
  const closed = unstuck(goal, {
    cwd: here.path,
    env: { ...here.env, UNSTUCK_HOME: join(file, "home") },
  });
  assert.equal(closed.code, 2);
  assert.match(
    closed.err,
    /^unstuck: cannot write to .*there is a file in its place.*set UNSTUCK_HOME to a folder/,
  );
  const config = join(here.folder, "config");
  mkdirSync(join(config, "unstuck"), { recursive: true });
  writeFileSync(join(config, "unstuck", "config.yaml"), "permisions: least\n");
  const misset = unstuck(goal, { cwd: here.path, env: { ...here.env, XDG_CONFIG_HOME: config } });
  assert.equal(misset.code, 2);
  assert.match(
    misset.err,
    /config\.yaml:1.*unknown setting "permisions": did you mean permissions\?/,
  );
  assert.equal(here.runs().length, 2);
});
