/** A program: lays what a run carries into a clone of its result, as the run itself does; `lay-carried.ts <workspace> <clone> <paths as JSON>`. */
import { realpathSync } from "node:fs";
import { keepCarried, placeCarried, loadRun, type Result } from "../../workspace/operations.ts";

const [workspace = "", clone = "", paths = "[]"] = process.argv.slice(2);

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.refusal.detail);
  return result.value;
}

const run = must(await loadRun(workspace));
const carried = must(await keepCarried(run, JSON.parse(paths) as string[]));
must(await placeCarried(run, carried, { path: realpathSync(clone) }));
