// What a server says of a run from what it kept is what it would say anew, whatever another process wrote. proves: A10
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, mock, test } from "node:test";
import fc from "fast-check";
import { cachedJson, json } from "../../../src/http/answers.ts";
import { outlineRun } from "../../../src/operations/follow/outline.ts";
import { withHome, workspaceFolder, type OpenHome } from "../../../src/operations/runs/open-run.ts";
import { homeSharing } from "../../../src/operations/runs/shared-home.ts";
import { keptRuns } from "../../../src/operations/serve/kept-runs.ts";
import { readRun } from "../../../src/operations/status/read-run.ts";
import { repository } from "../../end-to-end/run/repository.ts";
import type { Asked } from "./run-writer.ts";
import { TOLD } from "./told-runs.ts";

const here = repository();
Object.assign(process.env, here.env);
const context = { cwd: here.path };
const program = join(import.meta.dirname, "run-writer.ts");
const database = join(here.home, "unstuck.db");
const child = spawn(process.execPath, [program, database, here.path], {
  stdio: ["pipe", "pipe", "inherit"],
});
const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
const exited = new Promise((resolve) => child.once("exit", resolve));
mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 });
after(async () => {
  mock.timers.reset();
  child.stdin.end();
  await exited;
  here.remove();
});

async function write(asked: Partial<Asked> & Pick<Asked, "do" | "run">): Promise<void> {
  child.stdin.write(`${JSON.stringify({ told: "one", count: 0, ...asked })}\n`);
  assert.equal((await answers.next()).value, "done");
}

const ALL = TOLD.one.length;
const OPERATIONS = [outlineRun, readRun] as const;
type Sharing = ReturnType<typeof homeSharing>;

/** As it stands on the wire, but for the room on the disk, which is looked at now and then. */
async function told(sharing: Sharing, run: string, isKept: boolean): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const operation of OPERATIONS) {
    const result = await sharing(() => operation.run(context, { run }));
    const response = result.ok
      ? (isKept ? cachedJson : json)(result.value)
      : json(result.problem, 404);
    texts.push((await response.text()).replace(/"diskBytes":\d+/, ""));
  }
  return texts;
}

function changeFolder({ home }: OpenHome, run: string, isThere: boolean): void {
  const workspace = workspaceFolder(home, run);
  rmSync(workspace, { recursive: true, force: true });
  if (!isThere) return;
  mkdirSync(join(workspace, "private", "_applied"), { recursive: true });
  writeFileSync(join(workspace, "workspace.json"), JSON.stringify({ branch: "main" }));
}

const runs = fc.constantFrom("r0", "r1");
const moves = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ do: fc.constant("write" as const), run: runs },
      ...{ told: fc.constantFrom("one" as const, "other" as const) },
      count: fc.constantFrom(1, 2, 5, 17, ALL),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("ask" as const), run: runs }) },
  fc.record({ do: fc.constantFrom("leave" as const, "pause", "remove"), run: runs }),
  fc.record({ do: fc.constant("folder" as const), run: runs, isThere: fc.boolean() }),
  fc.record({ do: fc.constant("later" as const), ms: fc.constantFrom(1, 900, 70_000) }),
);

test("what is told of a run from what was kept is what is told anew, after whatever was written", async () => {
  await withHome((open) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(moves, { maxLength: 40, size: "max" }),
        fc.record({ runs: fc.integer({ min: 0, max: 2 }), chars: fc.constantFrom(9000, 1e7) }),
        async (done, limits) => {
          const [anew, kept] = [
            homeSharing(open),
            homeSharing(open, keptRuns(open.journal, limits)),
          ];
          for (const move of done) {
            if (move.do === "later") mock.timers.tick(move.ms);
            else if (move.do === "folder") changeFolder(open, move.run, move.isThere);
            else if (move.do !== "ask") await write(move);
            else
              for (const _ of ["what is new", "what is kept"])
                assert.deepEqual(
                  await told(kept, move.run, true),
                  await told(anew, move.run, false),
                );
          }
          for (const run of ["r0", "r1"]) {
            assert.deepEqual(await told(kept, run, true), await told(anew, run, false));
            await write({ do: "remove", run });
            changeFolder(open, run, false);
          }
        },
      ),
      { numRuns: 20 },
    ),
  );
});

test("a run that was removed and made again, alike at its end, is told anew", async () => {
  await withHome(async (open) => {
    const [anew, kept] = [homeSharing(open), homeSharing(open, keptRuns(open.journal))];
    const before: string[] = [];
    for (const which of ["one", "other"] as const) {
      await write({ do: "write", run: "again", told: which, count: ALL });
      const [outline = ""] = await told(kept, "again", true);
      assert.deepEqual([outline], (await told(anew, "again", false)).slice(0, 1));
      before.push(outline);
      await write({ do: "remove", run: "again" });
    }
    assert.deepEqual(TOLD.one.at(-1), TOLD.other.at(-1));
    assert.notEqual(before[0], before[1]);
  });
});

test("what did not change is the very object of before; time counts only while a run goes on", async () => {
  await withHome(async (open) => {
    const kept = homeSharing(open, keptRuns(open.journal));
    const values = () =>
      Promise.all(
        OPERATIONS.map(async (operation) => {
          const result = await kept(() => operation.run(context, { run: "same" }));
          assert.ok(result.ok);
          return result.value;
        }),
      );
    await write({ do: "write", run: "same", count: 9 });
    const [outline, read] = await values();
    mock.timers.tick(1000);
    const [outlineLater, readLater] = await values();
    assert.equal(outlineLater, outline);
    assert.notEqual(readLater, read, "it goes on, so it took longer");
    await write({ do: "write", run: "same", count: ALL });
    const ended = await values();
    assert.notEqual(ended[0], outline);
    mock.timers.tick(1_000_000);
    for (const [index, value] of (await values()).entries()) assert.equal(value, ended[index]);
    await write({ do: "remove", run: "same" });
  });
});

test("the room that a folder takes is looked at again after half a minute, and is none once it is gone", async () => {
  await withHome(async (open) => {
    const kept = homeSharing(open, keptRuns(open.journal));
    const bytes = async (): Promise<number> => {
      const result = await kept(() => readRun.run(context, { run: "large" }));
      assert.ok(result.ok);
      return result.value.diskBytes;
    };
    await write({ do: "write", run: "large", count: ALL });
    changeFolder(open, "large", true);
    const small = await bytes();
    writeFileSync(join(workspaceFolder(open.home, "large"), "file"), Buffer.alloc(500_000, 7));
    assert.equal(await bytes(), small);
    mock.timers.tick(31_000);
    assert.ok((await bytes()) >= small + 500_000);
    changeFolder(open, "large", false);
    assert.equal(await bytes(), 0);
  });
});
