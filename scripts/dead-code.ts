/**
 * Finds source files that nothing imports, and exports that nothing uses, not even a test. Entry points are the
 * command, the library and scripts; a file that only tests import is dead, unless it is for testing.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

const ENTRIES = new Set([
  "src/cli/main.ts",
  "src/cli/quick-classify.ts",
  "src/operations/hooks/quick-diagnosis.ts",
  "src/cli/quick-hook.ts",
  "src/index.ts",
  "src/core.ts",
  "src/rules.ts",
  "src/validate.ts",
  "src/testing/index.ts",
  "src/agents/process/guard.ts",
  "src/engines/restate/tether.ts",
  "src/operations/fleet/worker-watch.ts",
  "src/workspace/base/starter-process.ts",
]);
const sources = globSync("src/**/*.ts").map((file) => file.replaceAll("\\", "/"));
const outside = [...globSync("scripts/**/*.ts"), ...globSync("bench/**/*.ts")];
const tests = [...globSync("test/**/*.ts"), ...globSync("examples/*.ts")].filter(
  (file) => !file.includes("node_modules"),
);

const used = new Map<string, Set<string>>();
const imported = new Set<string>();
for (const file of [...sources, ...outside, ...tests]) {
  const tree = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    const from =
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier !== undefined &&
      ts.isStringLiteral(node.moduleSpecifier)
        ? node.moduleSpecifier.text
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? (node.arguments[0] as ts.StringLiteral).text
          : undefined;
    if (from?.startsWith(".") === true) {
      const target = normalize(join(dirname(file), from)).replaceAll("\\", "/");
      note(target, namesOf(node));
      if (!tests.includes(file) || target.startsWith("src/testing/")) imported.add(target);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
}

const problems: string[] = [];
for (const file of sources) {
  if (ENTRIES.has(file)) continue;
  const names = used.get(file);
  if (names === undefined || !imported.has(file))
    problems.push(`${file}: nobody imports this file`);
  else if (!names.has("*"))
    for (const name of exportsOf(file))
      if (!names.has(name)) problems.push(`${file}: export ${name} is not used`);
}
if (sources.length < 20) problems.push(`only ${sources.length} source files were seen`);
console.log(
  problems.length === 0 ? `dead code: none in ${sources.length} files` : problems.join("\n"),
);
process.exitCode = problems.length === 0 ? 0 : 1;

function note(file: string, names: readonly string[]): void {
  const known = used.get(file.replaceAll("\\", "/")) ?? new Set();
  for (const name of names) known.add(name);
  used.set(file.replaceAll("\\", "/"), known);
}

function namesOf(node: ts.Node): string[] {
  if (ts.isImportDeclaration(node)) {
    const bindings = node.importClause?.namedBindings;
    if (bindings === undefined) return [];
    return ts.isNamedImports(bindings) ? bindings.elements.map(original) : ["*"];
  }
  if (ts.isExportDeclaration(node))
    return node.exportClause !== undefined && ts.isNamedExports(node.exportClause)
      ? node.exportClause.elements.map(original)
      : ["*"];
  return ["*"];
}

function original(element: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (element.propertyName ?? element.name).text;
}

function exportsOf(file: string): string[] {
  const tree = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  return tree.statements.flatMap((statement) => {
    const exported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    // Types cost nothing at run time and document a module: only values are checked.
    if (!exported || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
      return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [name.text] : [],
      );
    return "name" in statement && statement.name !== undefined
      ? [(statement.name as ts.Identifier).text]
      : [];
  });
}
