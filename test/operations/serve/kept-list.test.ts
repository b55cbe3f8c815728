// The server's list is what `list` says, whatever came, went or changed since it was last asked for.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { withHome, workspaceFolder, type OpenHome } from "../../../src/operations/runs/open-run.ts";
import { listRuns, shortName, shortNames } from "../../../src/operations/runs/status.ts";
import { keptList } from "../../../src/operations/serve/kept-list.ts";
import { fillHome, idOf, playedRun, runWriter } from "../../../bench/serve/fill-home.ts";
import { repository } from "../../end-to-end/run/repository.ts";

const here = repository();
Object.assign(process.env, here.env);
after(() => here.remove());
const context = { cwd: here.path };

test("the kept list says what list says, after each change", async () => {
  const events = await playedRun(2);
  await fillHome(here.home, here.path, { runs: 12, events });
  await withHome(async (open) => {
    const kept = keptList(open, here.path);
    const same = async (what: string): Promise<void> => {
      for (const input of [{ all: true }, { limit: 3 }, { here: true, limit: 5 }]) {
        const [expected, got] = [
          await listRuns.run(context, input),
          await kept.list.run(context, input),
        ];
        assert.deepEqual(got, expected, what);
      }
    };
    await same("first");
    await same("nothing changed");
    const write = await runWriter(open.journal, "20270101-0000-00abcd", {
      ...{ events, at: Date.now(), repo: here.path },
    });
    await same("a new run");
    await write(3);
    await same("it writes");
    await write(events.length);
    await same("it ended");
    const other = { events, at: Date.now() - 1_000_000, repo: "/elsewhere" };
    await (
      await runWriter(open.journal, "20260601-0000-00dcba", other)
    )(events.length, other.at);
    await same("one of another repository");
    madeFolder(open, idOf(3));
    kept.lookAgain();
    await same("a folder came");
    rmSync(workspaceFolder(open.home, idOf(3)), { recursive: true });
    kept.lookAgain();
    await same("a folder is gone");
    const elsewhere = { cwd: "/" };
    assert.deepEqual(
      await kept.list.run(elsewhere, { all: true }),
      await listRuns.run(elsewhere, { all: true }),
    );
  });
});

function madeFolder({ home }: OpenHome, run: string): void {
  const workspace = workspaceFolder(home, run);
  mkdirSync(join(workspace, "private", "_applied"), { recursive: true });
  writeFileSync(join(workspace, "workspace.json"), JSON.stringify({ branch: "unstuck/x" }));
  const record = join(workspace, "private", "_applied", "apply-1.json");
  writeFileSync(record, JSON.stringify({ id: "apply-1", state: "applied" }));
}

test("short names of many are those of each", () => {
  const ids = [
    "20260101-0000-0abcde",
    "20260101-0000-1abcde",
    "20260101-0001-0abcde",
    "x",
    "260101",
  ];
  const nameOf = shortNames(ids);
  for (const id of ids) assert.equal(nameOf(id), shortName(id, ids.join("\n")), id);
});
