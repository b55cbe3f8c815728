// proves: U5
// Carried files: copied once, laid whole into every tree, re-pointed or refused where they lead back to the checkout.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { pathToFileURL } from "node:url";
import { keepCarried, placeCarried, type Run } from "../operations.ts";
import { folder, kindOf, lease, open, repository, tree, value, write } from "../fixture.ts";

const IGNORES = {
  ".gitignore": "*\n!.gitignore\n!src\n!src/**\n",
  "src/pkg/__init__.py": "WHO = 'base'\n",
};

async function laid(run: Run, paths: readonly string[]): Promise<string> {
  const path = folder("tree");
  value(await placeCarried(run, value(await keepCarried(run, paths)), { path }));
  return path;
}

test("copied once at the start: what the user does later reaches no tree", async () => {
  const root = repository(IGNORES);
  write(root, {
    ".env": "KEY=1",
    "deps/a/b": "b",
    "deps/run": "x:#!/bin/sh\n",
    "deps/l": "link:a/b",
  });
  const run = await open(root);
  const asked = [".env", "deps", "missing", "src/pkg"];
  const carried = value(await keepCarried(run, asked));
  assert.deepEqual(
    [carried.kept, carried.left],
    [
      [".env", "deps"],
      ["missing", "src/pkg"],
    ],
  );
  const before = Object.fromEntries(
    Object.entries(tree(root)).filter(([name]) => /^(\.env|deps)/.test(name)),
  );
  write(root, { ".env": "KEY=2", missing: "now" });
  rmSync(join(root, "deps"), { recursive: true });
  assert.deepEqual(value(await keepCarried(run, asked)), carried);
  for (const path of [await laid(run, asked), await laid(run, asked)])
    assert.deepEqual(tree(path), before);
  const other = await open(root, { id: "r2" });
  assert.notEqual(
    value(await keepCarried(other, [".env"])).mark,
    value(await keepCarried(run, [".env"])).mark,
  );
});

test("what stands in the tree stays; slots that are leased at once share the copy", async () => {
  const root = repository(IGNORES);
  write(root, { "deps/a": "a", ".env": "KEY=1" });
  const run = await open(root);
  const leases = await Promise.all(
    ["1", "2", "3"].map((slot) => lease(run, { slot, id: slot, carry: ["deps", ".env", "no"] })),
  );
  for (const { worktree, carried, notCarried } of leases) {
    assert.deepEqual([carried, notCarried], [["deps", ".env"], ["no"]]);
    assert.equal(readFileSync(join(worktree.path, "deps/a"), "utf8"), "a");
  }
  const [first] = leases;
  write(first?.worktree.path ?? "", { ".env": "KEY=agent" });
  await lease(run, { id: "again", carry: ["deps", ".env", "no"] });
  assert.equal(readFileSync(join(first?.worktree.path ?? "", ".env"), "utf8"), "KEY=agent");
  assert.equal(readFileSync(join(root, ".env"), "utf8"), "KEY=1");
  const rest = readdirSync(join(run.runDir, "carried")).filter((name) =>
    /^(new|laying)-/.test(name),
  );
  assert.deepEqual(rest, []);
});

/** A real virtual environment with an editable install, as pip and uv write it. */
function editableVenv(root: string, at = ".venv"): void {
  const venv = join(root, at);
  execFileSync("python3", ["-m", "venv", "--without-pip", venv]);
  const lib = readdirSync(join(venv, "lib"))[0] ?? "";
  const site = join(venv, "lib", lib, "site-packages");
  const python = join(venv, "bin/python");
  const spaced = /\s/.test(python);
  const start = spaced ? `#!/bin/sh\n'''exec' "${python}" "$0" "$@"\n' '''\n` : `#!${python}\n`;
  write(venv, {
    "bin/tool": `x:${start}import pkg, other; print(pkg.__file__); print(other.WHO)\n`,
  });
  const mapping = JSON.stringify({ other: join(root, "lib/other") });
  write(site, {
    "_pkg.pth": `${join(root, "src")}\n`,
    "__editable__.other.pth":
      "import __editable___other_finder; __editable___other_finder.install()\n",
    "__editable___other_finder.py":
      `import sys, importlib.util\nMAPPING = ${mapping}\n` +
      "class Finder:\n  @classmethod\n  def find_spec(cls, name, path=None, target=None):\n" +
      "    if name in MAPPING: return importlib.util.spec_from_file_location(name, MAPPING[name] + '/__init__.py')\n" +
      "def install(): sys.meta_path.append(Finder)\n",
    "pkg-1.dist-info/direct_url.json": JSON.stringify({
      url: pathToFileURL(root).href,
      dir_info: { editable: true },
    }),
  });
}

for (const place of ["with space and 'quote'", "plain"])
  test(
    `a carried virtual environment tests the tree it is laid into (checkout: ${place})`,
    place === "plain" ? inLargeForm("workspace") : {},
    async () => {
      const root = place === "plain" ? folder("x").replace(/ x$/, "-plain") : repository({});
      if (place === "plain") execFileSync("git", ["init", "-q", root]);
      write(root, IGNORES);
      write(root, { "src/pkg/__init__.py": "", "lib/other/__init__.py": "WHO = 'checkout'\n" });
      execFileSync("git", ["-C", root, "add", "-A"]);
      execFileSync("git", ["-C", root, "commit", "-qm", "more"]);
      editableVenv(root);
      const before = tree(root);
      const run = await open(root);
      const carried = value(await keepCarried(run, [".venv"]));
      const what = carried.repointed.join("\n");
      for (const name of ["_pkg.pth", "finder.py", "direct_url.json", "bin/tool", "bin/activate"])
        assert.ok(what.includes(name), `${name} in\n${what}`);
      const path = folder("tree");
      write(path, { "src/pkg/__init__.py": "", "lib/other/__init__.py": "WHO = 'tree'\n" });
      value(await placeCarried(run, carried, { path }));
      const said = execFileSync(join(path, ".venv/bin/tool"), { encoding: "utf8", cwd: "/" });
      assert.equal(said, `${join(path, "src/pkg/__init__.py")}\ntree\n`);
      const active = `. "$0/.venv/bin/activate" && printf %s "$VIRTUAL_ENV"`;
      const shell = spawnSync("bash", ["-c", active, path], { encoding: "utf8" });
      assert.equal(shell.stdout, join(path, ".venv"));
      const found = spawnSync("grep", ["-rIl", "--exclude=*.pyc", root, join(path, ".venv")], {
        encoding: "utf8",
      });
      assert.equal(found.stdout, "", "nothing names the checkout any more");
      rmSync(join(path, ".venv/lib"), { recursive: true });
      assert.deepEqual(tree(root), before);
    },
  );

test("links: into the checkout re-pointed, out of it kept, inside it as they are", async () => {
  const root = repository(IGNORES);
  const outside = folder("outside");
  write(outside, { "lib/i.js": "" });
  const up = `../../../${outside.split("/").at(-1) ?? ""}/lib`;
  const links = {
    "node_modules/abs": `link:${join(root, "packages/a")}`,
    "node_modules/rel": "link:../packages/a",
    "node_modules/@s/rel": "link:../../packages/a",
    "node_modules/.bin/x": "link:../x/cli.js",
    "node_modules/sys": "link:/usr/bin/env",
    "node_modules/near": `link:${root}2/packages`,
    "node_modules/@s/up": `link:${up}`,
    "node_modules/gone": "link:nowhere",
  };
  write(root, { ...links, "node_modules/x/cli.js": "" });
  const run = await open(root);
  const path = await laid(run, ["node_modules"]);
  const to = (name: string): string => readlinkSync(join(path, "node_modules", name));
  assert.equal(to("abs"), join(path, "packages/a"));
  assert.equal(to("rel"), "../packages/a");
  assert.equal(to("@s/rel"), "../../packages/a");
  assert.equal(to(".bin/x"), "../x/cli.js");
  assert.equal(to("sys"), "/usr/bin/env");
  assert.equal(to("near"), `${root}2/packages`);
  assert.equal(to("@s/up"), join(outside, "lib"));
  assert.equal(to("gone"), "nowhere");
});

test("a path that is itself a link is carried as what it leads to", async () => {
  const root = repository(IGNORES);
  const store = folder("store");
  write(store, {
    "modules/p/i.js": "p",
    "modules/up": "link:../beside",
    "modules/in": "link:p/i.js",
  });
  symlinkSync(join(store, "modules"), join(root, "node_modules"));
  const path = await laid(await open(root), ["node_modules"]);
  assert.ok(lstatSync(join(path, "node_modules")).isDirectory());
  assert.equal(readlinkSync(join(path, "node_modules/in")), "p/i.js");
  assert.equal(readlinkSync(join(path, "node_modules/up")), join(store, "beside"));
});

/** The smallest shared library that has a run path. */
function library(runPath: string): Buffer {
  const strings = Buffer.from(`\0${runPath}\0`);
  const file = Buffer.alloc(64 + 2 * 56 + 48 + strings.length);
  file.write("\x7fELF", "latin1");
  file.set([2, 1, 1], 4);
  file.writeBigUInt64LE(64n, 32);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(2, 56);
  const segment = (at: number, kind: number, offset: number, size: number): void => {
    file.writeUInt32LE(kind, at);
    for (const place of [8, 16]) file.writeBigUInt64LE(BigInt(offset), at + place);
    file.writeBigUInt64LE(BigInt(size), at + 32);
  };
  segment(64, 1, 0, file.length);
  segment(120, 2, 176, 48);
  const entries = [5n, 224n, 29n, 1n, 0n, 0n];
  entries.forEach((entry, index) => file.writeBigUInt64LE(entry, 176 + index * 8));
  strings.copy(file, 224);
  return file;
}

test("what cannot be re-pointed is refused with the set-up to use instead", async () => {
  const root = repository(IGNORES);
  const cache = `CMAKE_HOME_DIRECTORY:INTERNAL=${root}\n`;
  const rows: readonly (readonly [Record<string, string | Buffer>, RegExp | "ok"])[] = [
    [{ "build/CMakeCache.txt": cache }, /--setup "cmake -S \. -B build && cmake --build build"/],
    [{ "lib/out/CMakeCache.txt": cache }, /cmake -S lib -B lib\/out/],
    [{ "build/CMakeCache.txt": "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n" }, "ok"],
    [{ "build/CMakeCache.txt": `CMAKE_HOME_DIRECTORY:INTERNAL=${root}-2\n` }, "ok"],
    [{ "node_modules/addon/build/CMakeCache.txt": cache }, "ok"],
    [{ "build/CTestTestfile.cmake": `add_test(t "${root}/build/t")\n` }, /cmake/],
    [{ "build/build.ninja": `rule x\n command = ${root}/a\n` }, /meson/],
    [{ "out/config.status": `ac_pwd='${root.replaceAll("'", "'\\''")}'\n` }, /configure/],
    [{ "env/conda-meta/history": "" }, /conda env create -p env/],
    [{ "build/libx.so.1": library(`$ORIGIN/..:${root}/build`) }, /libx\.so\.1 points at/],
    [{ "build/libx.so": library("$ORIGIN:/usr/lib") }, "ok"],
    [{ "build/libx.so": Buffer.from(`\x7fELF garbage ${root}`) }, "ok"],
    [{ "build/main.o": Buffer.from(`debug\0${root}/main.c\0`) }, "ok"],
  ];
  for (const [index, [files, words]] of rows.entries()) {
    const [path = ""] = Object.keys(files);
    const top = path.split("/")[0] ?? "";
    write(root, files);
    const run = await open(root, { id: `r${index}` });
    const carried = await keepCarried(run, [top]);
    if (words === "ok") assert.equal(kindOf(carried), "ok", path);
    else {
      assert.ok(!carried.ok && carried.refusal.kind === "unsafe-path", path);
      assert.match(carried.refusal.detail, words);
      assert.ok(carried.refusal.detail.includes(`leave ${top} out of carry`));
      assert.equal(kindOf(await keepCarried(run, [top])), "unsafe-path", "and again");
    }
    rmSync(join(root, top), { recursive: true });
  }
});

test("hostile content: pipes, sockets, newlines, big holes, hard links, loops, locked folders", async () => {
  const root = repository(IGNORES);
  write(root, {
    "d/new\nline": "n",
    "d/-rf": "dash",
    "d/$(touch x)`y`'\"": "shell",
    "d/loop": "link:.",
    "d/big": "",
    "d/locked/inner": "in",
    "d/bin/script": `x:#!${root}/d/bin/other\n`,
  });
  truncateSync(join(root, "d/big"), 5_000_000_000);
  execFileSync("mkfifo", [join(root, "d/pipe"), join(root, "pipe")]);
  execFileSync("ln", [join(root, "d/bin/script"), join(root, "d/twin")]);
  chmodSync(join(root, "d/locked"), 0o555);
  const server = createServer().listen(join(root, "d/socket"));
  try {
    const run = await open(root);
    const carried = value(await keepCarried(run, ["d", "pipe"]));
    assert.deepEqual([carried.kept, carried.left], [["d"], ["pipe"]]);
    const path = folder("tree");
    value(await placeCarried(run, carried, { path }));
    assert.ok(statSync(join(path, "d/big")).blocks < 10_000, "holes stay holes");
    assert.deepEqual(readdirSync(join(path, "d")).sort(), [
      ...["$(touch x)`y`'\"", "-rf", "big", "bin", "locked", "loop", "new\nline", "twin"],
    ]);
    assert.equal(statSync(join(path, "d/big")).size, 5_000_000_000);
    assert.ok(statSync(join(path, "d/big")).blocks < 1000, "holes stay holes");
    assert.equal(statSync(join(path, "d/locked")).mode & 0o777, 0o555);
    assert.notEqual(statSync(join(path, "d/-rf")).ino, statSync(join(root, "d/-rf")).ino);
    assert.ok(readFileSync(join(path, "d/bin/script"), "utf8").startsWith(`#!${path}/d/bin`));
    assert.equal(readFileSync(join(root, "d/bin/script"), "utf8"), `#!${root}/d/bin/other\n`);
  } finally {
    server.close();
    chmodSync(join(root, "d/locked"), 0o755);
  }
});

test("paths that lead out are refused, and nothing is written there", async () => {
  const outside = folder("outside");
  const root = repository({ ...IGNORES, "src/out": `link:${outside}`, "src/up": "link:.." });
  write(root, { "real/env": "E", all: "link:/" });
  write(outside, { secret: "s" });
  const run = await open(root);
  const above = join(run.runDir, "..");
  symlinkSync(above, join(root, "above"));
  symlinkSync(root, join(root, "self"));
  for (const path of [
    "src/out/secret",
    "src/up/.env",
    "all",
    "above",
    "self",
    "..",
    ".",
    "a/../..",
    "/etc/passwd",
  ])
    assert.equal(kindOf(await keepCarried(run, [path])), "unsafe-path", path);
  for (const path of [".git/config", ".GIT/config", "x/.git", "", "a\0b"])
    assert.equal(kindOf(await keepCarried(run, [path])), "unsafe-path", path);
  const carried = value(await keepCarried(run, ["real/env"]));
  const path = folder("tree");
  symlinkSync(outside, join(path, "real"));
  assert.equal(kindOf(await placeCarried(run, carried, { path })), "unsafe-path");
  rmSync(join(path, "real"));
  symlinkSync(join(outside, "made"), join(path, "real"));
  assert.equal(kindOf(await placeCarried(run, carried, { path })), "unsafe-path");
  assert.deepEqual(readdirSync(outside), ["secret"]);
});

/** Runs the body with only these programs on the search path. */
async function withPrograms(
  programs: Readonly<Record<string, string>>,
  body: () => Promise<void>,
): Promise<void> {
  const bin = folder("bin");
  const { PATH = "" } = process.env;
  symlinkSync(
    execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim(),
    join(bin, "git"),
  );
  for (const [name, text] of Object.entries(programs))
    write(bin, { [name]: `x:#!/bin/sh\n${text}` });
  process.env["PATH"] = bin;
  try {
    await body();
  } finally {
    process.env["PATH"] = PATH;
  }
}

test("without `cp`, or with one that knows no options, the same is copied", async () => {
  const root = repository(IGNORES);
  write(root, { "d/a": "a", "d/run": "x:#!/bin/sh\n", "d/l": "link:a" });
  const old =
    'case "$*" in *reflink*) echo "cp: unrecognized option: reflink=auto" >&2; exit 1;; esac\nexec /bin/cp "$@"\n';
  for (const [index, programs] of [{}, { cp: old }].entries())
    await withPrograms(programs, async () => {
      const path = await laid(await open(root, { id: `c${index}` }), ["d"]);
      assert.deepEqual(tree(join(path, "d")), tree(join(root, "d")));
    });
});

test("what may not be read is left out and named; a full disk is a refusal; a stop is obeyed", async () => {
  const root = repository(IGNORES);
  write(root, { "d/a": "a", "d/secret": "s", "d/in/b": "b" });
  const denied =
    '/bin/cp "$@"; rm -f "$5/secret"; echo "cp: cannot open \'d/secret\' for reading: Permission denied" >&2; exit 1\n';
  await withPrograms({ cp: denied, rm: 'exec /bin/rm "$@"' }, async () => {
    const carried = value(await keepCarried(await open(root, { id: "d1" }), ["d"]));
    assert.deepEqual([carried.kept, carried.left], [["d"], ["d/secret"]]);
  });
  const full = 'echo "cp: error writing: No space left on device" >&2; exit 1\n';
  await withPrograms({ cp: full }, async () => {
    assert.equal(kindOf(await keepCarried(await open(root, { id: "d2" }), ["d"])), "disk-full");
  });
  const broken = 'echo "cp: error reading: Input/output error" >&2; exit 1\n';
  await withPrograms({ cp: broken }, async () => {
    const run = await open(root, { id: "d3" });
    assert.equal(kindOf(await keepCarried(run, ["d"])), "file-system");
    assert.ok(!existsSync(join(run.runDir, "carried/record.json")));
  });
  await withPrograms({ cp: "exec /bin/sleep 60\n" }, async () => {
    const run = await open(root, { id: "d4" });
    const stop = AbortSignal.timeout(300);
    assert.equal(kindOf(await keepCarried(run, ["d"], { signal: stop })), "aborted");
  });
});

test("what a dead process had begun is swept, and a half copy is never taken for a whole one", async () => {
  const root = repository(IGNORES);
  write(root, { "d/a": "a", "d/b": "b" });
  const run = await open(root);
  const carried = join(run.runDir, "carried");
  mkdirSync(join(carried, "new-1-1-1"), { recursive: true });
  writeFileSync(join(carried, "new-1-1-1", "half"), "half");
  let died = false;
  const onPoint = (): void => {
    if (died) return;
    died = true;
    throw new Error("died here");
  };
  await assert.rejects(keepCarried(run, ["d"], { onPoint }), /died here/);
  write(root, { "d/c": "c" });
  const kept = value(await keepCarried(run, ["d"]));
  assert.deepEqual(kept.kept, ["d"]);
  assert.deepEqual(readdirSync(join(await laid(run, ["d"]), "d")), ["a", "b", "c"]);
  assert.equal(readdirSync(carried).length, 2);
});
