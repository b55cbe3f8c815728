// The recipes of docs/how-to-add, followed to the letter in a copy of the project: what their code blocks say is put where
// they say, the compiler agrees, and the new thing works.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import ts from "typescript";

const root = join(import.meta.dirname, "../..");
const copy = mkdtempSync(join(tmpdir(), "unstuck-how-to-add-"));
after(() => rmSync(copy, { recursive: true, force: true }));

cpSync(join(root, "src"), join(copy, "src"), { recursive: true });
for (const file of ["package.json", "tsconfig.json"]) cpSync(join(root, file), join(copy, file));
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

const TSC = join(root, "node_modules/typescript/bin/tsc");
const compile = (...files: readonly string[]): string =>
  spawnSync(process.execPath, [TSC, "--ignoreConfig", ...OPTIONS, ...files], {
    cwd: copy,
    encoding: "utf8",
  }).stdout;
/** The options of the project, for the files that are named. */
const OPTIONS = optionsOf();

function optionsOf(): readonly string[] {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8")) as {
    compilerOptions: Readonly<Record<string, unknown>>;
  };
  return Object.entries(compilerOptions).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

interface Edit {
  readonly file: string;
  readonly where: "at the end of" | "before";
  readonly name: string;
  readonly code: string;
}

/** A block says where it goes in its first line: `// src/a.ts, at the end of NAME`. */
function editsOf(page: string): readonly Edit[] {
  const text = readFileSync(join(root, "docs/how-to-add", page), "utf8");
  const block = /^```ts\n\/\/ (\S+), (at the end of|before) (\w+)\n(.*?)^```$/gms;
  return [...text.matchAll(block)].map(([, file = "", where, name = "", code = ""]) => ({
    file,
    where: where as Edit["where"],
    name,
    code,
  }));
}

function apply({ file, where, name, code }: Edit): void {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  const at = placeOf(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), where, name);
  writeFileSync(path, `${text.slice(0, at)}${code}\n${text.slice(at)}`);
}

function placeOf(source: ts.SourceFile, where: Edit["where"], name: string): number {
  for (const statement of source.statements.filter(ts.isVariableStatement))
    for (const declared of statement.declarationList.declarations) {
      if (declared.name.getText() !== name) continue;
      if (where === "before") return statement.getStart();
      let table = declared.initializer;
      while (table !== undefined && (ts.isAsExpression(table) || ts.isSatisfiesExpression(table)))
        table = table.expression;
      if (table !== undefined) return table.getEnd() - 1;
    }
  throw new Error(`${source.fileName} has no ${name}`);
}

/** What a line of code prints in a process of its own, in the copy. */
function printed(code: string): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd: copy,
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  return JSON.parse(stdout);
}

test("a kind whose row leaves something out does not compile", () => {
  const [row] = editsOf("kind.md");
  assert.ok(row !== undefined && row.file === "src/core/kinds.ts");
  const fields = ["category", "first", "traits", "action"];
  const without = (field: string): string => `src/core/kinds-without-${field}.ts`;
  for (const field of fields) {
    cpSync(join(copy, row.file), join(copy, without(field)));
    const code = row.code.replace(new RegExp(`^ *${field}:.*\n`, "m"), "");
    apply({ ...row, file: without(field), code });
  }
  const problems = compile(...fields.map(without));
  for (const field of fields)
    assert.match(problems, new RegExp(`kinds-without-${field}\\.ts.*'${field}' is missing`));
});

test("a new kind and a new check reader, as their pages say", async (t) => {
  const edits = [...editsOf("kind.md"), ...editsOf("check-reader.md")];
  assert.equal(edits.length, 4);
  for (const edit of edits) apply(edit);
  assert.equal(compile("src/cli/main.ts", "src/index.ts", "src/rules.ts"), "");

  await t.test("the kind is recognised, and goes where its row says", () => {
    const told = printed(`
      import { createRecovery } from "./src/index.ts";
      import { standardRules } from "./src/rules.ts";
      const error = "solver: no valid license found for gridopt";
      const recovery = createRecovery({ rules: standardRules() });
      console.log(JSON.stringify(recovery.failed({ origin: "tool", exitCode: 1, stderr: error }, { prompt: "solve it" })));
    `) as { kind: string; failure: { kind: string } };
    assert.deepEqual([told.kind, told.failure.kind], ["ask", "license_missing"]);
    assert.match(JSON.stringify(told), /no licence on this machine/);
  });

  await t.test("the reader gives the names of failing tests", () => {
    const report = [
      "Test Suite 'CartTests' started at 2026-01-01 10:00:00.000.",
      "Test Case '-[ShopTests.CartTests testTotal]' started.",
      "Test Case '-[ShopTests.CartTests testTotal]' failed (0.003 seconds).",
      "Test Case '-[ShopTests.CartTests testEmpty]' passed (0.001 seconds).",
      "note: Test Case '-[ShopTests.CartTests testOther]' failed (0.003 seconds).",
    ].join("\n");
    const items = printed(`
      import { readFailingItems } from "./src/core/checks/test-output.ts";
      console.log(JSON.stringify(readFailingItems([${JSON.stringify(report)}]).items));
    `);
    assert.deepEqual(items, ["ShopTests.CartTests testTotal"]);
  });
});
