// proves: U5
// The environment of a working tree, and texts that name the checkout: nothing leads back into it.
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { environmentFor, environmentProblem } from "../../../src/workspace/carry/environment.ts";
import { isWithin, pathRewriter, rootsOf } from "../../../src/workspace/carry/checkout-paths.ts";
import { folder, repository, write } from "../fixture.ts";

test("a text is re-pointed where it names the checkout, and nowhere else", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["/home/u/app", "/t/1"],
    ["/home/u/app/src\n/home/u/app\n", "/t/1/src\n/t/1\n"],
    ["file:///home/u/app/x", "file:///t/1/x"],
    ['{"url": "file:///home/u/app"}', '{"url": "file:///t/1"}'],
    ["#!/home/u/app/.venv/bin/python", "#!/t/1/.venv/bin/python"],
    ["A=/home/u/app:/home/u/app/b:/usr", "A=/t/1:/t/1/b:/usr"],
    ["-I/home/u/app/inc -L/home/u/app", "-I/t/1/inc -L/t/1"],
    ["/home/u/app2", "/home/u/app2"],
    [
      "/home/u/app-old /home/u/app.bak /home/u/app_x",
      "/home/u/app-old /home/u/app.bak /home/u/app_x",
    ],
    ["/srv/home/u/app", "/srv/home/u/app"],
    ["/home/u/ap", "/home/u/ap"],
    ["/home/u/appé", "/home/u/appé"],
    ["/HOME/u/app", "/HOME/u/app"],
  ];
  const { to, found } = pathRewriter(["/home/u/app"]);
  const asBytes = (text: string): string => Buffer.from(text).toString("latin1");
  for (const [text, expected] of rows) {
    assert.equal(to(asBytes(text), "/t/1"), asBytes(expected), text);
    assert.equal(found(asBytes(text)), text !== expected, text);
  }
  assert.equal(pathRewriter(["/"]).found("/etc/passwd"), false);
  const odd = pathRewriter(["/home/o'neil (x)/my app+1"]);
  const spelled: readonly (readonly [string, string])[] = [
    ["file:///home/o%27neil%20%28x%29/my%20app%2B1", "file:///t%201"],
    ["file:///home/o'neil%20(x)/my%20app+1/y", "file:///t%201/y"],
    [`'/home/o'"'"'neil (x)/my app+1/.venv'`, "'/t 1/.venv'"],
    [`'/home/o'\\''neil (x)/my app+1'`, "'/t 1'"],
    ["/home/o'neil (x)/my app+1/z", "/t 1/z"],
    ["/home/o'neil (x)/my app+12", "/home/o'neil (x)/my app+12"],
  ];
  for (const [text, expected] of spelled) assert.equal(odd.to(text, "/t 1"), expected);
});

test("always: no root is left in a text, whatever the names; and time is linear", () => {
  const part = fc.stringMatching(/^[A-Za-z0-9 '"()+$%&é日_-]{1,12}$/);
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
  fc.assert(
    fc.property(
      path,
      path,
      fc.array(fc.constantFrom("\n", ":", "'", '"', " ", "=")),
      (root, tree, marks) => {
        fc.pre(!tree.includes(root) && !root.includes(tree));
        const { found, to } = pathRewriter([root]);
        const bytes = Buffer.from(root).toString("latin1");
        const text = marks.map((mark) => `${mark}${bytes}/x`).join("\n");
        const changed = to(text, tree);
        assert.equal(found(changed), false);
        assert.equal(
          changed.length,
          text.length + marks.length * (Buffer.byteLength(tree) - bytes.length),
        );
      },
    ),
    { numRuns: 300 },
  );
  const started = process.cpuUsage().user;
  pathRewriter(["/a/a/a/a/b"]).to("/a".repeat(2_000_000), "/t");
  assert.ok(process.cpuUsage().user - started < 5_000_000);
});

test("the name the shell calls the checkout by counts too", () => {
  const root = folder("real");
  const alias = join(folder("aliases"), "alias");
  symlinkSync(root, alias);
  mkdirSync(join(root, "sub"));
  assert.deepEqual(rootsOf(root, { PWD: join(alias, "sub") }), [root, alias]);
  assert.deepEqual(rootsOf(root, { PWD: alias }), [root, alias]);
  assert.deepEqual(rootsOf(root, { PWD: root }), [root]);
  for (const PWD of ["/", "relative", "/nowhere/at/all", join(root, "..")])
    assert.deepEqual(rootsOf(root, { PWD }), [root]);
  assert.ok(isWithin("/a", "/a/..b") && isWithin("/a", "/a"));
  assert.ok(!isWithin("/a", "/ab") && !isWithin("/a/b", "/a"));
});

test("variables that lead into the checkout lead into the tree", () => {
  const root = "/home/u/app";
  const { env, said } = environmentFor(root, "/t/1", {
    PATH: "/home/u/app/node_modules/.bin:/home/u/app/.venv/bin:/usr/bin:/home/u/app2/bin",
    VIRTUAL_ENV: "/home/u/app/.venv",
    PYTHONPATH: "/home/u/app/src:/lib",
    NODE_PATH: "/home/u/app/node_modules",
    CMAKE_TOOLCHAIN_FILE: "/home/u/app/cmake/t.cmake",
    GOFLAGS: "-mod=mod",
    HOME: "/home/u",
    XDG_CACHE_HOME: "/home/u/app/.cache",
    PWD: "/home/u/app/web",
    OLDPWD: "/home/u/app",
    LANG: "C",
  });
  assert.deepEqual(env, {
    PATH: "/t/1/node_modules/.bin:/t/1/.venv/bin:/usr/bin:/home/u/app2/bin",
    VIRTUAL_ENV: "/t/1/.venv",
    PYTHONPATH: "/t/1/src:/lib",
    NODE_PATH: "/t/1/node_modules",
    CMAKE_TOOLCHAIN_FILE: "/t/1/cmake/t.cmake",
    GOFLAGS: "-mod=mod",
    HOME: "/home/u",
    XDG_CACHE_HOME: "/home/u/app/.cache",
    PWD: "/t/1/web",
    LANG: "C",
  });
  assert.deepEqual(
    said.map((words) => words.split(" ")[0]),
    ["PATH", "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH", "CMAKE_TOOLCHAIN_FILE"],
  );
});

test("a checkout that is the person's home: only what is the project's is re-pointed", () => {
  const { env } = environmentFor("/home/u", "/t/1", {
    HOME: "/home/u",
    PATH: "/home/u/.local/bin:/home/u/node_modules/.bin:/home/u/.venv/bin",
    CARGO_HOME: "/home/u/.cargo",
    VIRTUAL_ENV: "/home/u/.venv",
  });
  assert.deepEqual(env, {
    HOME: "/home/u",
    PATH: "/home/u/.local/bin:/t/1/node_modules/.bin:/t/1/.venv/bin",
    CARGO_HOME: "/home/u/.cargo",
    VIRTUAL_ENV: "/t/1/.venv",
  });
});

test("an environment outside the checkout that imports it gives way to the tree's own", async () => {
  const root = repository({ "uv.lock": "", "src/pkg/__init__.py": "" });
  const site = "lib/python3.12/site-packages";
  const rows: readonly (readonly [string, Record<string, string>, boolean])[] = [
    ["pth", { [`${site}/_pkg.pth`]: `${root}/src\n` }, true],
    [
      "finder",
      { [`${site}/__editable___pkg_finder.py`]: `MAPPING = {"pkg": "${root}/src/pkg"}\n` },
      true,
    ],
    ["egg-link", { [`${site}/pkg.egg-link`]: `${root}\n.` }, true],
    ["other checkout", { [`${site}/_pkg.pth`]: `${root}-2/src\n` }, false],
    [
      "metadata alone",
      { [`${site}/pkg.dist-info/direct_url.json`]: `{"url":"file://${root}"}` },
      false,
    ],
    ["nothing", {}, false],
  ];
  for (const [what, files, problem] of rows) {
    const venv = folder("venv");
    write(venv, { "pyvenv.cfg": "home = /usr/bin\n", ...files });
    const env = { VIRTUAL_ENV: venv, PATH: `${venv}/bin:/nowhere/bin`, HOME: folder("home") };
    const words = await environmentProblem(root, env);
    assert.equal(words !== undefined, problem, what);
    const made = environmentFor(root, "/t/1", env);
    if (!problem) assert.deepEqual(made, { env, said: [] }, what);
    else {
      assert.ok(words?.includes("--setup 'uv sync'") === true && words.includes(venv), words);
      assert.deepEqual(made.env, {
        ...env,
        VIRTUAL_ENV: "/t/1/.venv",
        PATH: "/t/1/.venv/bin:/nowhere/bin",
      });
      assert.equal(made.said.length, 1);
    }
  }
  const home = folder("home");
  write(home, { [`.local/${site}/easy-install.pth`]: `${root}\n` });
  assert.match((await environmentProblem(root, { HOME: home })) ?? "", /easy-install\.pth/);
  assert.equal(environmentFor(root, "/t/1", { HOME: home }).env["PYTHONNOUSERSITE"], "1");
  const system = folder("prefix");
  write(system, { [`lib/python3.12/dist-packages/x.pth`]: `${root}\n` });
  const env = { PATH: `${system}/bin` };
  assert.ok((await environmentProblem(root, env)) !== undefined);
  assert.equal(environmentFor(root, "/t/1", env).env["PATH"], `/t/1/.venv/bin:${system}/bin`);
});
