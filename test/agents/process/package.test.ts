// proves: U7
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { buildSync } from "esbuild";
import { newAttemptId, newFolder } from "./processes.ts";

test("a bundle finds its guard beside it", () => {
  const folder = newFolder();
  const source = join(import.meta.dirname, "../../../src/agents");
  const common = { outdir: folder, bundle: true, platform: "node" } as const;
  const main = join(source, "command", "command-agent.ts");
  const guard = join(source, "process/guard.ts");
  buildSync({ ...common, entryPoints: { main }, format: "esm" });
  buildSync({
    ...common,
    entryPoints: { guard },
    format: "cjs",
    outExtension: { ".js": ".cjs" },
  });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const place = { run: "r", subtask: "s", attemptId: newAttemptId(), slot: 0 };
  const request = { place, prompt: "hello", cwd: folder, folder, env: {}, limits: {} };
  writeFileSync(
    join(folder, "try.js"),
    `import { commandAgent } from "./main.js";
     const { attempt } = await commandAgent("/bin/echo {prompt}").start(${JSON.stringify(request)});
     attempt.release();
     console.log(JSON.stringify(await attempt.result));`,
  );
  const printed = execFileSync(process.execPath, [join(folder, "try.js")], { encoding: "utf8" });
  const { end, stdout, stderr } = JSON.parse(printed) as Record<string, unknown>;
  assert.deepEqual(
    { end, stdout, stderr },
    { end: { kind: "exited", code: 0 }, stdout: "hello\n", stderr: "" },
  );
});
