/**
 * `npm run map`: the figures of the source tree with their goals. `--at <commit>` measures another tree, `--against
 * <commit>` prints that one, this one and the change; `--hops` also measures the path of a failure (seconds), `--json`
 * prints data.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { failureHops } from "./map/failure-hops.ts";
import { figuresOf, type Figures } from "./map/figures.ts";
import { details, oneTree, twoTrees } from "./map/print.ts";

const here = join(import.meta.dirname, "..");
const { values: options } = parseArgs({
  options: {
    at: { type: "string" },
    against: { type: "string" },
    hops: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const measure = (root: string): Figures => ({
  ...figuresOf(root),
  ...(options.hops ? { hops: failureHops(root) } : {}),
});

/** A commit's files in a temporary folder, with this checkout's packages. */
function measureAt(commit: string): Figures {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-map-"));
  try {
    const tar = execFileSync("git", ["archive", commit], { cwd: here, maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-x", "-C", folder], { input: tar });
    symlinkSync(join(here, "node_modules"), join(folder, "node_modules"));
    return measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const after = options.at === undefined ? measure(here) : measureAt(options.at);
const before = options.against === undefined ? undefined : measureAt(options.against);
if (options.json) console.log(JSON.stringify(before === undefined ? after : { before, after }));
else {
  console.log(`${before === undefined ? oneTree(after) : twoTrees(before, after)}\n`);
  console.log(details(after).trimEnd());
}
