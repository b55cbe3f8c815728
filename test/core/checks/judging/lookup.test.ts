// proves: U13
// Which files of the tree a word may mean, which file a tool takes, what is the work itself, and where a walk ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  candidates,
  filesAt,
  folderIn,
  importsAt,
  packageScripts,
  targetFiles,
} from "../../../../src/core/checks/judging/lookup.ts";
import { sourceFiles } from "../../../../src/core/checks/judging/source-files.ts";
import {
  folderAndParents,
  indexedTree,
  mixedTree,
} from "../../../../src/core/checks/judging/trees.ts";
import {
  addScript,
  addTests,
  newWalk,
  noteFile,
  walkBounds,
} from "../../../../src/core/checks/judging/walk-state.ts";
import { tree, type Texts } from "./trees.ts";

/** What only a shell could know. */
const UNKNOWN = "\0";
const at = (folder: string, own = folder) => ({ folder, own });
const indexed = (...paths: readonly string[]) =>
  indexedTree(tree(Object.fromEntries(paths.map((path) => [path, ""]))));

test("a word is a path from where the command runs; what is not known leaves three places", () => {
  assert.deepEqual(candidates("ci/t.sh", at("web")), ["web/ci/t.sh"]);
  assert.deepEqual(candidates("../t.sh", at("web")), ["t.sh"]);
  assert.deepEqual(candidates("../../t.sh", at("web")), []);
  assert.deepEqual(candidates("/t.sh", at("web")), [], "not of this tree");
  assert.deepEqual(candidates("", at("web")), []);
  assert.deepEqual(candidates("x".repeat(500), at("")).length, 1);
  assert.deepEqual(candidates("x".repeat(501), at("")), []);
  assert.deepEqual(candidates(`${UNKNOWN}/t.sh`, at("web", "ci")), ["ci/t.sh", "web/t.sh", "t.sh"]);
  assert.deepEqual(candidates(`a${UNKNOWN}`, at("web", "ci")), []);
  assert.deepEqual(candidates("t.sh", at(`${UNKNOWN}/..`, "ci")), ["ci/t.sh", "t.sh"]);
});

test("a script that moves to its own folder is followed there", () => {
  assert.equal(folderIn(at("web", "ci")), "web");
  assert.equal(folderIn(at(UNKNOWN, "ci")), "ci");
  assert.equal(folderIn(at(`${UNKNOWN}/../x`, "ci/a")), "ci/x");
  assert.equal(folderIn(at(`${UNKNOWN}/../..`, "ci")), "", "no further than the root");
});

test("a file is found as it is named, else with the endings that interpreters add", () => {
  const files = indexed("a.js", "a/index.js", "b", "b.js", "pkg/m.py", "lib/x.ts", "x.ts");
  assert.deepEqual(filesAt("a", at(""), files), ["a.js", "a/index.js"]);
  assert.deepEqual(filesAt("b", at(""), files), ["b"]);
  assert.deepEqual(filesAt("c", at(""), files), []);
  assert.deepEqual(importsAt("pkg.m", at(""), files), ["pkg/m.py"]);
  assert.deepEqual(importsAt("./pkg.m", at(""), files), []);
  assert.deepEqual(importsAt("./x", at("", "lib"), files), ["lib/x.ts", "x.ts"]);
});

const scripts = (all: object): string => JSON.stringify({ scripts: all });
const found = (texts: Texts, lead: object, folder = "", base: Texts = texts) => {
  const walk = newWalk();
  const whole = { kind: "package-script", name: "", in: "", everywhere: false, words: [] } as const;
  const files = mixedTree(indexedTree(tree(base)), indexedTree(tree(texts)));
  const all = packageScripts({ ...whole, ...lead }, at(folder), files, walk).map(
    ({ manifest, commands, missing }) => [manifest, ...(missing ? ["-"] : commands)].join(" "),
  );
  return { all, shadowing: [...walk.shadowing] };
};

test("package scripts: those of the nearest manifest, with what runs before and after", () => {
  const texts = {
    "package.json": scripts({ test: "root" }),
    "web/package.json": scripts({ pretest: "a", test: "b", posttest: "c", other: "d" }),
    "web/node_modules/x/package.json": scripts({ test: "no" }),
    "test/fixtures/package.json": scripts({ test: "no" }),
  };
  assert.deepEqual(found(texts, { name: "test" }, "web/deep").all, ["web/package.json a b c"]);
  assert.deepEqual(found(texts, { name: "test", in: "web" }).all, ["web/package.json a b c"]);
  assert.deepEqual(found(texts, { name: "test" }).all, ["package.json root"]);
  assert.deepEqual(found(texts, { name: "absent" }, "web").all, ["web/package.json -"]);
  assert.deepEqual(found(texts, { name: "toString" }, "web").all, ["web/package.json -"]);
  assert.deepEqual(found(texts, { name: "*t*er" }, "web").all, ["web/package.json d"]);
  assert.deepEqual(found(texts, { name: "test", everywhere: true }, "web").all, [
    ...["web/package.json a b c", "package.json root"],
  ]);
});

test("package scripts: nothing where there is no manifest, no scripts or no text in them", () => {
  assert.deepEqual(found({}, { name: "test" }).all, []);
  for (const text of ["", "[1]", "{}", '{"scripts":null}', '{"scripts":"x"}', "{"])
    assert.deepEqual(found({ "package.json": text }, { name: "test" }).all, ["package.json -"]);
  const odd = scripts({ test: 1, pretest: ["a", 2, "b"], posttest: { command: "c" } });
  assert.deepEqual(found({ "package.json": odd }, { name: "test" }).all, ["package.json a b c"]);
});

test("a new manifest stands before that of the base, and both are followed", () => {
  const base = { "package.json": scripts({ test: "root" }) };
  const now = { ...base, "web/package.json": scripts({ test: "new" }) };
  const { all, shadowing } = found(now, { name: "test" }, "web", base);
  assert.deepEqual(all, ["web/package.json new", "package.json root"]);
  assert.deepEqual(shadowing, ["web/package.json"]);
  assert.deepEqual(found(base, { name: "test" }, "web").shadowing, []);
});

test("target files: by precedence, in the folders above where the tool looks there, or as named", () => {
  const of = (texts: Texts, lead: object, folder = "", base: Texts = texts) =>
    targetFiles(
      { kind: "target", tool: "make", file: undefined, in: "", names: [], ...lead },
      at(folder),
      mixedTree(indexedTree(tree(base)), indexedTree(tree(texts))),
      newWalk(),
    ).map(({ path, found: how, commands }) => [path, how, ...commands].join(" "));
  const make = { Makefile: "", GNUmakefile: "", justfile: "", "mk/x.mk": "" };
  assert.deepEqual(of(make, { tool: "make" }), ["GNUmakefile only"]);
  assert.deepEqual(of(make, { tool: "make" }, "mk"), [], "make does not look above");
  assert.deepEqual(of(make, { tool: "just" }, "mk"), ["justfile only"]);
  assert.deepEqual(of(make, { tool: "make", in: "mk", file: "x.mk" }), ["mk/x.mk named"]);
  assert.deepEqual(of(make, { tool: "make", file: "absent.mk" }), []);
  assert.deepEqual(of(make, { tool: "make" }, "", { Makefile: "" }), [
    ...["GNUmakefile shadow", "Makefile only"],
  ]);
  const composer = scripts({ test: ["@php x.php", "@lint", "phpunit"], lint: "@composer audit" });
  assert.deepEqual(of({ "composer.json": composer }, { tool: "composer", names: ["test"] }), [
    "composer.json only php x.php composer lint phpunit",
  ]);
  const deno = JSON.stringify({ tasks: { test: { command: "deno test" } } });
  assert.deepEqual(of({ "deno.json": deno }, { tool: "deno", names: ["test"] }, "a/b"), [
    "deno.json only deno test",
  ]);
});

const SOURCES: readonly (readonly [what: string, texts: Texts, source: string, others: string])[] =
  [
    ["by folder", {}, "src/a.js lib/x/y.py", "source.js mysrc/a.js web/src/a.js"],
    [
      "of a package",
      { "web/package.json": "{}" },
      "web/src/a.js web/index.js",
      "web/a.js api/src/a.js",
    ],
    ["but not of tools", { "tools/package.json": "{}" }, "", "tools/src/a.js tools/index.js"],
    [
      "by a manifest's main",
      { "package.json": '{"main":"./app"}' },
      "app app.js app/index.ts",
      "index.js app.py",
    ],
    [
      "by its other entries",
      {
        "package.json":
          '{"bin":{"x":"cli.js"},"exports":{".":{"import":"./m.mjs"}},"files":["no.js"]}',
      },
      "cli.js m.mjs index.js",
      "no.js",
    ],
    ["a package of Python", { "app1/__init__.py": "" }, "app1/a.py app1/b/c.py", "app2/a.py a.py"],
    ["but not one of tests", { "tests/__init__.py": "" }, "", "tests/a.py"],
    ["whatever the manifest holds", { "package.json": "[" }, "src/a.js", "index.js"],
    ["a manifest that is null", { "package.json": "null" }, "", "index.js null"],
  ];
for (const [what, texts, source, others] of SOURCES)
  test(`the work itself: ${what}`, () => {
    const { isSource } = sourceFiles(tree(texts));
    const words = (all: string): readonly string[] => all.split(" ").filter((one) => one !== "");
    assert.deepEqual(
      [...words(source), ...words(others)].filter((path) => isSource(path)),
      words(source),
    );
  });

test("folders above a folder, nearest first; folders and new files are known without reading", () => {
  assert.deepEqual(folderAndParents("a/b/c"), ["a/b/c", "a/b", "a", ""]);
  assert.deepEqual(folderAndParents(""), [""]);
  assert.equal(folderAndParents("a/".repeat(200)).length, 100);
  const base = indexedTree({ paths: ["a/b/c.js"], read: () => assert.fail("nothing is read") });
  assert.deepEqual(
    ["a", "a/b", "", "a/b/c.js", "b"].map((path) => base.isFolder(path)),
    [true, true, true, false, false],
  );
  assert.equal(base.isNew("a/b/c.js"), false);
  const mixed = mixedTree(indexedTree(tree({ a: "old" })), indexedTree(tree({ a: "new", b: "b" })));
  assert.deepEqual([mixed.isNew("a"), mixed.isNew("b")], [false, true]);
  assert.deepEqual([mixed.read("a"), mixed.read("b"), mixed.read("c")], ["old", "b", undefined]);
});

test("each file is read once, and none that is not of the tree", () => {
  const reads: string[] = [];
  const files = indexedTree({
    paths: ["a.json"],
    read: (path) => {
      reads.push(path);
      return "{}";
    },
  });
  files.fields("a.json");
  files.read("a.json");
  files.read("b.json");
  assert.deepEqual(reads, ["a.json"]);
});

const step = { folder: "", own: "", from: undefined, depth: 0 };

test("a bound that is met makes the walk unclear", () => {
  const bounds = (texts: Texts = {}) => {
    const walk = newWalk();
    return { walk, ...walkBounds(walk, tree(texts)) };
  };
  const scans = bounds();
  for (let scan = 0; scan < 50; scan += 1) assert.ok(scans.mayScan() && !scans.walk.unclear);
  assert.ok(!scans.mayScan() && scans.walk.unclear);

  const deep = bounds();
  assert.ok(deep.isFresh({ a: 1 }, { ...step, depth: 24 }) && !deep.walk.unclear);
  assert.ok(!deep.isFresh({ a: 1 }, step) && !deep.walk.unclear, "met before");
  assert.ok(deep.isFresh({ a: 1 }, { ...step, folder: "x" }), "in another place it is new");
  assert.ok(!deep.isFresh({ a: 2 }, { ...step, depth: 25 }) && deep.walk.unclear);

  const texts = Object.fromEntries(Array.from({ length: 401 }, (_, n) => [`f${n}`, "x"]));
  const reads = bounds(texts);
  assert.deepEqual([reads.text("f0", "js"), reads.text("f0", "js")], ["x", undefined]);
  assert.equal(reads.walk.unclear, false);
  assert.equal(reads.text("f0", "shell"), "x", "read in another way it is another text");
  for (let n = 1; n < 399; n += 1) assert.equal(reads.text(`f${n}`, "js"), "x");
  assert.ok(!reads.walk.unclear && reads.text("f399", "js") === undefined && reads.walk.unclear);

  const long = bounds({ a: "x".repeat(4_000_000), b: "y" });
  assert.ok(long.text("a", "js") !== undefined && !long.walk.unclear);
  assert.ok(long.text("b", "js") === undefined && long.walk.unclear);

  const absent = bounds();
  assert.ok(absent.text("a", "js") === undefined && absent.walk.unclear);
});

test("scripts are followed once, tests by so many globs, and a judge is never taken for the work", () => {
  const walk = newWalk();
  assert.deepEqual(
    [addScript(walk, "a", "x"), addScript(walk, "a", "x"), addScript(walk, "b", "x")],
    [true, false, true],
  );
  for (let n = 1; n < 300; n += 1) assert.ok(addScript(walk, "a", `${n}`));
  assert.deepEqual([addScript(walk, "a", "x"), walk.unclear], [false, false]);
  assert.deepEqual([addScript(walk, "a", "one more"), walk.unclear], [false, true]);
  walk.unclear = false;
  for (let n = 0; n < 100; n += 1) addTests(walk, `t${n}/*`);
  assert.equal(walk.unclear, false);
  addTests(walk, "more/*");
  assert.deepEqual([walk.tests.length, walk.unclear], [100, true]);
  const reached = (source: boolean, role: "test" | "script") => ({
    ...{ source, role, from: undefined, found: "named" as const },
  });
  noteFile(walk, "f", reached(true, "script"));
  noteFile(walk, "f", reached(false, "test"));
  noteFile(walk, "f", reached(true, "script"));
  noteFile(walk, "f", reached(false, "script"));
  assert.deepEqual(walk.files.get("f"), reached(false, "test"));
});
