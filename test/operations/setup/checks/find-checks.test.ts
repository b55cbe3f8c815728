// proves: P11, U17
// Which commands check a project, by its files alone; and the near misses that must not become a check.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { lookForChecks } from "../../../../src/operations/setup/checks/find-checks.ts";
import { inFolder } from "../../../cli/command.ts";
import { COMPILED, INTERPRETED, TASKS } from "./other-projects.ts";
import { scripts, type Row } from "./project-row.ts";
import { NODE, PYTHON } from "./scripted-projects.ts";

const PLACES: readonly Row[] = [
  {
    name: "projects below a root that has none, at most five",
    files: Object.fromEntries(
      ["a", "b c", "c", "d", "e", "f"].map((name) => [`${name}/go.mod`, "module a\n"]),
    ),
    checks: ["a", "'b c'", "c", "d", "e"].flatMap((name) =>
      ["go vet ./...", "go test ./..."].map((run) => `cd ${name} && ${run}`),
    ),
  },
  {
    name: "groups of packages, but no fixtures",
    files: {
      "src/deep/er/Cargo.toml": "",
      "services/api/Cargo.toml": "",
      "examples/go.mod": "",
      "node_modules/a/go.mod": "",
      "fixtures/go.mod": "",
    },
    checks: ["cd services/api && cargo check", "cd services/api && cargo test"],
  },
  {
    name: "the root has some",
    files: { "go.mod": "", "web/package.json": scripts({ test: "x" }) },
    checks: ["go vet ./...", "go test ./..."],
  },
  {
    name: "asked in a folder of a project",
    files: { "go.mod": "", "web/package.json": scripts({ test: "x" }), "web/src/a.ts": "" },
    at: "web/src",
    checks: ["cd web && npm test"],
  },
  {
    name: "several at once",
    files: { "package.json": scripts({ test: "x" }), "pytest.ini": "", Makefile: "test:\n" },
    checks: ["npm test", "python -m pytest -q"],
  },
];

for (const [kind, rows] of Object.entries({ NODE, PYTHON, COMPILED, INTERPRETED, TASKS, PLACES }))
  test(`checks are found in a project's files: ${kind.toLowerCase()}`, () => {
    for (const { name, files, checks, at = "", left = [], programs = [] } of rows)
      inFolder((folder) => {
        const root = join(folder, "root");
        for (const program of programs) write(folder, `bin/${program}`, "#!/bin/sh\n");
        for (const [file, text] of Object.entries(files)) write(root, file, text);
        const reading = lookForChecks(root, join(root, at), { PATH: join(folder, "bin") });
        assert.deepEqual(
          [reading.checks.map(({ run }) => run), reading.leftOut.map(({ why }) => why)],
          [checks, left],
          name,
        );
      });
  });

test("a wrapper that git did not keep executable is run by a shell", () => {
  inFolder((root) => {
    write(root, "pom.xml", "");
    write(root, "mvnw", "#!");
    chmodSync(join(root, "mvnw"), 0o644);
    assert.equal(lookForChecks(root, root).checks[0]?.run, "sh ./mvnw -B -q test");
  });
});

function write(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text, text.startsWith("#!") ? { mode: 0o755 } : {});
}
