// proves: V5, V27
import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import {
  advance,
  apply,
  loadRun,
  resultTip,
  type Run,
  undoApply,
} from "../../workspace/operations.ts";
import { checkoutTreeWith } from "../../../src/workspace/result/change-checkout.ts";
import { cloneView } from "../../../src/workspace/git/git-dir.ts";
import { layout } from "../../../src/workspace/base/run-folder.ts";
import { git as runGit } from "../../../src/workspace/git/git.ts";
import { writeCommit } from "../../../src/workspace/git/objects.ts";
import { treeOf } from "../../../src/workspace/git/read-objects.ts";
import { AT, folder, git, open, tree, value, write } from "../../workspace/fixture.ts";

const RUNS = process.env["UNSTUCK_FULL"] === "1" ? 1000 : 6;

/** Mostly those that the result changes too: there the two meet. */
const NAMES = ["a.txt", "a.txt", "made.txt", "made.txt", "b.txt", "dir/c.txt", "dir"];
const name = fc.constantFrom(...NAMES);
const text = fc.integer({ min: 0, max: 4 }).map((number) => `text ${number}\n`);
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("write" as const), name, text }) },
  fc.record({ do: fc.constantFrom("delete" as const, "chmod" as const, "stage" as const), name }),
  fc.record({ do: fc.constantFrom("commit" as const, "reset" as const, "switch" as const) }),
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("apply" as const),
      squash: fc.boolean(),
      again: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("undo" as const) }) },
  fc.record({ do: fc.constant("result" as const), name, text }),
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

/** What the user does; what cannot be done in this state is left out. */
function act(root: string, deed: Deed): void {
  try {
    if (deed.do === "write") write(root, { [deed.name]: deed.text });
    if (deed.do === "delete") rmSync(join(root, deed.name), { recursive: true });
    if (deed.do === "chmod") chmodSync(join(root, deed.name), 0o755);
    if (deed.do === "stage") git(root, "add", "-A", "--", deed.name);
    if (deed.do === "commit") git(root, "commit", "-q", "-a", "-m", "the user's");
    if (deed.do === "reset") git(root, "reset", "-q", "--hard", "HEAD~1");
    if (deed.do === "switch") {
      const other = git(root, "branch", "--show-current") === "main" ? "other" : "main";
      git(root, "switch", "-q", ...(existsSync(branchFile(root, other)) ? [] : ["-c"]), other);
    }
  } catch {
    // not possible in this state
  }
}

const branchFile = (root: string, name: string): string => join(root, ".git/refs/heads", name);

/** A subtask's work that came into the result: one file, or one less. */
async function resultComes(run: Run, path: string, content: string | null): Promise<void> {
  const env = cloneView(run);
  const tip = await resultTip(run);
  const call = { args: ["hash-object", "-w", "--stdin"], env, input: content ?? "" };
  const blob = (await runGit(call, {})).stdout.trim();
  const targets = new Map([[path, content === null ? "" : `100644 ${blob}`]]);
  const active = { ...run, control: {} };
  const made = await checkoutTreeWith(active, await treeOf(active, tip), targets);
  const plan = { tree: made, parents: [tip], message: "a subtask", at: AT };
  value(await advance(run, { commit: await writeCommit(run, plan), expected: tip }));
}

interface State {
  readonly files: Readonly<Record<string, string>>;
  readonly index: string;
  readonly head: string;
}

const stateOf = (root: string): State => ({
  files: tree(root),
  index: git(root, "ls-files", "-s"),
  head: `${git(root, "rev-parse", "HEAD")} ${git(root, "symbolic-ref", "-q", "HEAD")}`,
});

/** Paths at which two states have other files. */
const differing = (a: State, b: State): string[] =>
  [...new Set([...Object.keys(a.files), ...Object.keys(b.files)])]
    .filter((path) => a.files[path] !== b.files[path])
    .sort();

/** Every file the user had is in the checkout, in a commit, or in the snapshot that was named. */
function assertKept(
  run: Run,
  before: State,
  contents: ReadonlyMap<string, Buffer>,
  rescue: string,
): void {
  const clone = layout(run.runDir).clone;
  const ref = `refs/unstuck/snap/${rescue.replace(/[^A-Za-z0-9_-]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}`)}`;
  for (const path of Object.keys(before.files)) {
    const kept = git(clone, "show", `${ref}:${path}`);
    assert.equal(kept, contents.get(path)?.toString("utf8").trim(), `${path} in ${rescue}`);
  }
}

const contentsOf = (root: string, { files }: State): ReadonlyMap<string, Buffer> =>
  new Map(Object.keys(files).map((path) => [path, readFileSync(join(root, path))]));

interface Past {
  readonly branch: string;
  readonly paths: readonly string[];
  readonly before: State;
  readonly after: State;
}

async function applies(
  run: Run,
  flags: { readonly squash: boolean; readonly again: boolean },
  past: Past[],
): Promise<void> {
  const before = stateOf(run.root);
  const contents = contentsOf(run.root, before);
  const done = await apply(run, { at: AT, ...flags });
  const after = stateOf(run.root);
  if (!done.ok) return assert.deepEqual(after, before, `refused: ${done.refusal.detail}`);
  const { stat, outcome, head, rescue, branch } = done.value;
  assert.deepEqual([...stat.files].sort(), differing(before, after), "the files it names");
  assert.equal(head, after.head.split(" ")[0]);
  if (outcome !== "applied") {
    assert.deepEqual(after, before);
    if (outcome === "there" && !run.withChanges) await assertThere(run, done.value.committed);
    return;
  }
  assertKept(run, before, contents, rescue ?? "");
  past.push({ branch: branch ?? "", paths: stat.files, before, after });
}

/** No file that the result changed is still as the run found it. */
async function assertThere(run: Run, committed: boolean): Promise<void> {
  const clone = layout(run.runDir).clone;
  const env = ["-c", `core.alternateRefsCommand=`];
  const tip = await resultTip(run);
  const changed = git(
    clone,
    ...env,
    "diff-tree",
    "-r",
    "--name-only",
    "--no-renames",
    run.base,
    tip,
  );
  for (const path of changed.split("\n")) {
    const at = (where: string, root: string): string => git(root, "ls-tree", where, path);
    const present = committed
      ? at("HEAD", run.root)
      : git(run.root, "ls-files", "-s", "--", path).replace(/ 0\t/, "\t").replace(" ", " blob ");
    assert.notEqual(present, at(run.base, clone), `${path} is there`);
  }
}

async function undoes(run: Run, past: Past[]): Promise<void> {
  const before = stateOf(run.root);
  const contents = contentsOf(run.root, before);
  const undone = await undoApply(run, { at: AT });
  const after = stateOf(run.root);
  if (!undone.ok) return assert.deepEqual(after, before, `refused: ${undone.refusal.detail}`);
  assertKept(run, before, contents, undone.value.rescue);
  const at = past.findLastIndex(({ branch }) => branch === undone.value.branch);
  const [taken] = past.splice(at, 1);
  assert.ok(taken !== undefined, "something had been applied");
  assert.deepEqual(differing(before, after), [...taken.paths].sort());
  for (const path of taken.paths) {
    assert.equal(before.files[path], taken.after.files[path], `${path} was as apply left it`);
    assert.equal(after.files[path], taken.before.files[path], path);
  }
  assert.equal(after.head, taken.before.head);
}

test("V5, V27: whatever the user does between applies and undos, nothing of theirs is lost and the words are true", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(deed, { maxLength: 3 }),
      fc.record({ withChanges: fc.boolean(), squash: fc.boolean() }),
      fc.array(deed, { minLength: 1, maxLength: 6 }),
      async (first, { withChanges, squash }, between) => {
        const root = folder("repository");
        git(root, "init", "-q");
        write(root, { "a.txt": "a\n", "b.txt": "b\n", "dir/c.txt": "c\n" });
        git(root, "add", "-A");
        git(root, "commit", "-q", "-m", "first");
        for (const each of first) act(root, each);
        const base = withChanges ? "with-changes" : "head";
        const { runDir } = await open(root, { base });
        const run = value(await loadRun(runDir));
        await resultComes(run, "a.txt", "by the agent\n");
        await resultComes(run, "made.txt", "made\n");
        const past: Past[] = [];
        const apply = { do: "apply", squash, again: false } as const;
        for (const each of [apply, ...between, { do: "undo" } as const])
          if (each.do === "apply") await applies(run, each, past);
          else if (each.do === "undo") await undoes(run, past);
          else if (each.do === "result")
            await resultComes(run, each.name === "dir" ? "b.txt" : each.name, each.text);
          else act(root, each);
      },
    ),
    { numRuns: RUNS },
  );
});
