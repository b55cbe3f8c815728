import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import ts from "typescript";

const sources = globSync("src/**/*.ts").map((file) => file.replaceAll("\\", "/"));
const text = (file: string): string => readFileSync(file, "utf8");
const layerOf = (file: string): string => /^src\/([a-z]+)\//.exec(file)?.[1] ?? "";

/** Left may import right only. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  journal: ["core"],
  runtime: ["journal", "core"],
  engines: ["runtime", "journal", "core"],
  agents: ["runtime", "journal", "core"],
  workspace: ["runtime", "journal", "core"],
  testing: ["runtime", "journal", "core"],
  operations: ["engines", "agents", "workspace", "runtime", "journal", "simulator", "core"],
  simulator: ["core"],
  mcp: ["operations", "engines", "agents", "workspace", "runtime", "journal", "core"],
  http: ["operations", "engines", "agents", "workspace", "runtime", "journal", "core"],
  cli: [
    "mcp",
    "http",
    "operations",
    "engines",
    "agents",
    "workspace",
    "runtime",
    "journal",
    "core",
  ],
  library: ["core"],
  "": ["library", "core"],
};
const PURE_LIBRARIES = ["zod", "yaml", "jsonrepair", "ajv", "ajv/dist/2020.js"];

const importsOf = (file: string): string[] =>
  ts.preProcessFile(text(file)).importedFiles.map(({ fileName }) => fileName);

test("layers: left may import right only, and core only pure libraries", () => {
  let seen = 0;
  for (const file of sources) {
    const layer = layerOf(file);
    for (const specifier of importsOf(file)) {
      if (!specifier.startsWith(".")) {
        if (layer === "core")
          assert.ok(PURE_LIBRARIES.includes(specifier), `${file} imports ${specifier}`);
        continue;
      }
      seen += 1;
      const target = layerOf(normalize(join(dirname(file), specifier)).replaceAll("\\", "/"));
      assert.ok(
        target === layer || MAY_IMPORT[layer]?.includes(target),
        `${file} imports ${specifier}`,
      );
    }
  }
  assert.ok(sources.length > 40 && seen > 150, `saw ${sources.length} files and ${seen} imports`);
});

test("no import cycles, types included", () => {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(
      !path.includes(file),
      `cycle: ${[...path.slice(path.indexOf(file)), file].join(" -> ")}`,
    );
    if (done.has(file)) return;
    for (const specifier of importsOf(file).filter((name) => name.startsWith(".")))
      visit(normalize(join(dirname(file), specifier)), [...path, file]);
    done.add(file);
  };
  for (const file of sources) visit(file, []);
  assert.equal(done.size, sources.length);
});

const IMPURE = new Set([
  "process",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "fetch",
  "performance",
]);

/** Uses of a clock, chance, I/O or async in a file, as the compiler sees it: words in texts do not count. */
function impurities(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isIdentifier(node) &&
      IMPURE.has(node.text) &&
      !ts.isPropertyAccessExpression(node.parent) &&
      !isName(node)
    )
      found.push(node.text);
    if (
      ts.isPropertyAccessExpression(node) &&
      /^(Date\.now|Math\.random|process\..*)$/.test(node.getText())
    )
      found.push(node.getText());
    if (
      ts.isNewExpression(node) &&
      node.expression.getText() === "Date" &&
      (node.arguments?.length ?? 0) === 0
    )
      found.push("new Date()");
    if (ts.isAwaitExpression(node) || node.kind === ts.SyntaxKind.AsyncKeyword) found.push("async");
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text(file), ts.ScriptTarget.Latest, true));
  return found;
}

const isName = ({ parent }: ts.Identifier): boolean =>
  ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isBindingElement(parent);

test("core has no clock, chance, I/O or async", () => {
  const core = sources.filter((file) => layerOf(file) === "core");
  assert.ok(core.length > 40);
  for (const file of core) assert.deepEqual(impurities(file), [], file);
});

test("every source file has a header and is of a size one can read", () => {
  for (const file of sources) {
    assert.ok(text(file).startsWith("/**"), `${file} has no header`);
    assert.ok(text(file).split("\n").length <= 301, `${file} is over 300 lines`);
  }
});

test("names: kebab-case files, no catch-all names", () => {
  for (const file of sources) {
    const name = file.split("/").at(-1) ?? "";
    assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*\.ts$/);
    assert.ok(
      !/util|helper|manager|misc|common\.ts$/.test(name) || file.endsWith("presets/common.ts"),
      file,
    );
  }
});

test("the repository speaks of Unstuck alone: no path of a machine, no registry host, no key", () => {
  const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    encoding: "utf8",
  }).split("\n");
  let seen = 0;
  for (const file of tracked.filter(
    (name) => name !== "" && !name.startsWith("test/project/tidy"),
  )) {
    let content: string;
    try {
      content = readFileSync(file, "utf8");
    } catch {
      continue;
    }
    seen += 1;
    assert.ok(
      !/\/work\/(main|shared|\.library)/.test(content),
      `${file} names a place of a machine`,
    );
    assert.ok(!/BEGIN (RSA|OPENSSH|EC) PRIVATE KEY/.test(content), `${file} holds a key`);
  }
  assert.ok(seen > 60, `saw ${seen} files`);
});
