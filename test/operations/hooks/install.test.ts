// Installing hooks without a terminal: planned, agreed to, made, and taken back.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { installHook, uninstallHook } from "../../../src/operations/hooks/install.ts";
import type { InstallInput } from "../../../src/operations/hooks/install.ts";

test("a change is planned, made as it was agreed to, and taken back", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "unstuck-install-"));
  const home = process.env["UNSTUCK_HOME"];
  process.env["UNSTUCK_HOME"] = join(cwd, "home");
  try {
    const input: InstallInput = { agent: "claude", project: true };
    const schemas = await installHook.schemas();
    const install = async (more: Partial<InstallInput>) =>
      installHook.run({ cwd }, schemas.input.parse({ ...input, ...more }));

    const planned = await install({ dryRun: true });
    assert.ok(planned.ok && planned.value.change?.before === null);
    const { file, change } = schemas.output.parse(planned.value);
    assert.ok(!existsSync(file), "nothing is written");

    const late = await install({ agreed: { before: "{}", after: "other" } });
    assert.ok(!late.ok && late.problem.code === "not-now");
    assert.ok(!existsSync(file), "another change than the one agreed to is not made");

    const made = await install({ ...(change === undefined ? {} : { agreed: change }) });
    assert.ok(made.ok);
    assert.equal(readFileSync(file, "utf8"), change?.after);
    const again = await install({});
    assert.ok(again.ok && again.value.change === undefined);

    const gone = await uninstallHook.run({ cwd }, input);
    assert.ok(gone.ok && gone.value.change?.after === null);
    assert.ok(!existsSync(file));
  } finally {
    if (home === undefined) delete process.env["UNSTUCK_HOME"];
    else process.env["UNSTUCK_HOME"] = home;
    rmSync(cwd, { recursive: true, force: true });
  }
});
