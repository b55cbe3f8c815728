// The recipes of docs/how-to-add, followed to the letter in a copy of the project: what their code blocks say is put where
// they say, the compiler agrees, and the new thing works.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import ts from "typescript";
import { FULL } from "../large-form.ts";

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
/** The same for these files alone, though others may not fit them any more: the large form compiles all. */
function problemsIn(files: readonly string[]): readonly string[] {
  const { options } = ts.parseCommandLine(OPTIONS);
  const program = ts.createProgram(
    files.map((file) => join(copy, file)),
    options,
    ts.createCompilerHost(options),
  );
  return files.flatMap((file) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(join(copy, file)))
      .map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`),
  );
}

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
  readonly where: "at the end of" | "before" | "among the imports";
  readonly name: string;
  readonly code: string;
}

/** A block says where it goes in its first line: `// src/a.ts, at the end of NAME`. */
function editsOf(page: string): readonly Edit[] {
  const text = readFileSync(join(root, "docs/how-to-add", page), "utf8");
  const block =
    /^```ts\n\/\/ (\S+), (at the end of|before|among the imports) ?(\w*)\n(.*?)^```$/gms;
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
  const comma = where === "at the end of" && !/[,{[]\s*$/.test(text.slice(0, at)) ? "," : "";
  writeFileSync(path, `${text.slice(0, at)}${comma}${code}\n${text.slice(at)}`);
}

function placeOf(source: ts.SourceFile, where: Edit["where"], name: string): number {
  if (where === "among the imports") return source.statements[0]?.getStart() ?? 0;
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

/** The folder that the page on agents shows; in `src` its neighbours are nearer. */
function addPretendFolder(): void {
  const folder = join(copy, "src/agents/pretend");
  mkdirSync(folder);
  for (const file of ["agent.ts", "output.ts"]) {
    const text = readFileSync(join(root, "test/agents/pretend", file), "utf8");
    writeFileSync(join(folder, file), text.replaceAll("../../../src/agents/", "../"));
  }
}

/** A program as the pretend agent's would be: it does the work and tells of it. */
const PROGRAM = `#!/bin/sh
if [ "$1" = --version ]; then echo 1.2.0; exit; fi
echo 2 > value.txt
echo '{"pretend":"hello","session":"p-1","version":"1.2.0"}'
echo '{"pretend":"say","text":"Did it."}'
echo '{"pretend":"bye","tokens":70}'
`;

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

test("a new kind, a new check reader and a new agent, as their pages say", async (t) => {
  const edits = ["kind.md", "check-reader.md", "agent.md"].flatMap(editsOf);
  assert.equal(edits.length, 7);
  addPretendFolder();
  for (const edit of edits) apply(edit);
  const pretend = ["agent.ts", "output.ts"].map((file) => `src/agents/pretend/${file}`);
  if (FULL) assert.equal(compile("src/cli/main.ts", "src/index.ts", "src/rules.ts"), "");
  else assert.deepEqual(problemsIn([...new Set(edits.map(({ file }) => file)), ...pretend]), []);

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
      import { readFailingItems } from "./src/core/checks/outcome.ts";
      console.log(JSON.stringify(readFailingItems([${JSON.stringify(report)}]).items));
    `);
    assert.deepEqual(items, ["ShopTests.CartTests testTotal"]);
  });

  await t.test("a run is driven by the agent, which is known by its name alone", () => {
    const [project, programs] = [join(copy, "project"), join(copy, "programs")];
    for (const folder of [project, programs]) mkdirSync(folder);
    writeFileSync(join(programs, "pretend"), PROGRAM, { mode: 0o755 });
    writeFileSync(join(project, "value.txt"), "1\n");
    const env = {
      ...process.env,
      HOME: copy,
      UNSTUCK_HOME: join(copy, "home"),
      PRETEND_KEY: "key",
      PATH: `${programs}:${process.env["PATH"]}`,
      ...{ GIT_AUTHOR_NAME: "t", GIT_AUTHOR_EMAIL: "t@localhost" },
      ...{ GIT_COMMITTER_NAME: "t", GIT_COMMITTER_EMAIL: "t@localhost" },
    };
    const run = (program: string, ...args: readonly string[]): string => {
      const ran = spawnSync(program, args, { cwd: project, env, encoding: "utf8" });
      assert.equal(ran.status, 0, `${ran.stdout}${ran.stderr}`);
      return ran.stdout;
    };
    run("git", "init", "-q");
    run("git", "add", ".");
    run("git", "commit", "-qm", "start");
    const unstuck = [process.execPath, join(copy, "src/cli/main.ts")] as const;
    const task = ["--goal", "make it 2", "--check", "grep -q 2 value.txt", "--trust"];
    assert.match(run(...unstuck, "run", ...task, "--agent", "pretend"), /run verified/);
    assert.match(run(...unstuck, "doctor"), /ok +pretend +1\.2\.0/);
  });
});
