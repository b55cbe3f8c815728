// Looking at this machine without a terminal: values that fit their schemas, and nothing written on a dry run.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { examine } from "../../../src/operations/setup/doctor.ts";
import { writePlan } from "../../../src/operations/setup/init.ts";
import { installService } from "../../../src/operations/setup/service.ts";

test("the doctor finds Node and git, and says something of every known agent", async () => {
  const result = await examine.run({ cwd: "/" }, { terminal: { columns: 30, colours: false } });
  assert.ok(result.ok);
  (await examine.schemas()).output.parse(result.value);
  assert.deepEqual(
    result.value.findings.map(({ what }) => what),
    [
      ...["node", "git", "identity", "home", "journal", "disk", "repository", "sleep"],
      ...["service", "terminal", "agents"],
    ],
  );
  const found = (name: string) => result.value.findings.find(({ what }) => what === name);
  assert.match(found("repository")?.fix ?? "", /git init/);
  assert.match(found("terminal")?.words ?? "", /30 columns.*too narrow/);
  assert.ok(result.value.findings.every(({ state, fix }) => state === "ok" || fix !== undefined));
  assert.ok(result.value.agents.every(({ name, finding }) => finding.what === name));
});

test("a plan is made from what is found; a file that is there is a problem", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "unstuck-init-"));
  try {
    writeFileSync(join(cwd, "Makefile"), "test:\n\ttrue\n");
    const dry = await writePlan.run({ cwd }, { dryRun: true });
    assert.ok(dry.ok && !dry.value.written);
    (await writePlan.schemas()).output.parse(dry.value);
    assert.deepEqual(dry.value.checks, [{ run: "make test", from: "Makefile" }]);
    assert.deepEqual(readdirSync(cwd), ["Makefile"]);
    const written = await writePlan.run({ cwd }, {});
    assert.ok(written.ok && written.value.written);
    const again = await writePlan.run({ cwd }, {});
    assert.ok(!again.ok && again.problem.code === "bad-input");
    assert.ok((await writePlan.run({ cwd }, { force: true })).ok);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
});

test("what the service would be is told before it is installed", async () => {
  const result = await installService.run({ cwd: "/" }, { dryRun: true });
  assert.ok(result.ok || result.problem.code === "bad-input", "there is none on this system");
  if (result.ok) (await installService.schemas()).output.parse(result.value);
});
