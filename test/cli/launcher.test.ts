// proves: P1
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { VERSION } from "../../src/operations/version.ts";
import { inFolder, LAUNCHER, ROOT, unstuck } from "./command.ts";

interface Manifest {
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A Node that says it is 20: the real one with its version overwritten before anything runs. */
function asNode20(folder: string): string[] {
  const preload = join(folder, "as-node-20.cjs");
  writeFileSync(
    preload,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });',
  );
  return ["--require", preload];
}

/** A copy of the package without a Node beside it, so that the launcher has to look elsewhere. */
function installed(folder: string): string {
  const place = join(folder, "lib", "node_modules", "unstuck");
  mkdirSync(place, { recursive: true });
  for (const part of ["bin", "dist", "package.json"])
    cpSync(join(ROOT, part), join(place, part), { recursive: true });
  return join(place, "bin", "unstuck.js");
}

const fakeNpx = (folder: string, script: string): string => {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "npx"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, "npx"), 0o755);
  return `${bin}:${process.env["PATH"]}`;
};

test("version and help", () => {
  assert.equal(unstuck(["--version"]).out.trim(), VERSION);
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    version: string;
  };
  assert.equal(manifest.version, VERSION);
  const help = unstuck(["--help"]);
  assert.equal(help.code, 0);
  for (const name of ["classify", "suggest", "excerpt", "validate", "policy"])
    assert.match(help.out, new RegExp(name));
});

test("the package asks for the Node that its launcher needs, and so do the packages it brings", () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  assert.equal(manifest.engines?.node, ">=20");
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    const file = join(ROOT, "node_modules", name, "package.json");
    const { engines } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
    const least = Number(/\d+/.exec(engines?.node ?? "0")?.[0]);
    assert.ok(least <= 20, `${name} needs Node ${engines?.node}`);
  }
});

test("core commands run on Node 20 directly, without looking for another Node", () => {
  inFolder((folder) => {
    const PATH = fakeNpx(folder, "echo npx was called >&2; exit 9");
    const args = [...asNode20(folder), installed(folder), "classify"];
    const ran = spawnSync(process.execPath, args, {
      input: "No space left on device",
      encoding: "utf8",
      env: { ...process.env, PATH },
    });
    assert.deepEqual([ran.status, ran.stderr], [0, ""]);
    assert.match(ran.stdout, /^disk_full/);
  });
});

test("on Node 20 other commands get a newer Node through npx once, and its path is kept", () => {
  inFolder((folder) => {
    const newer = join(folder, "newer-node");
    symlinkSync(process.execPath, newer);
    const PATH = fakeNpx(folder, `echo called >> "${folder}/calls"; echo "${newer}"`);
    const env = { ...process.env, PATH, UNSTUCK_HOME: join(folder, "home") };
    const args = [...asNode20(folder), installed(folder), "no-such-command"];
    for (let time = 0; time < 2; time += 1) {
      const ran = spawnSync(process.execPath, args, { encoding: "utf8", env, cwd: folder });
      assert.equal(ran.status, 2);
      assert.match(ran.stderr, /unknown command .no-such-command/);
      assert.equal(/getting Node 24 through npx/.test(ran.stderr), time === 0);
    }
    assert.equal(readFileSync(join(folder, "calls"), "utf8"), "called\n");
    assert.equal(readFileSync(join(folder, "home", "node-path"), "utf8").trim(), newer);
  });
});

test("started by npx with a package of its own, it asks npx for Node and not for that package again", () => {
  inFolder((folder) => {
    const newer = join(folder, "newer-node");
    symlinkSync(process.execPath, newer);
    const asks = `env | grep -i "^npm_config_\\(package\\|call\\)=" >> "${folder}/told"; echo "${newer}"`;
    const env = {
      ...process.env,
      PATH: fakeNpx(folder, asks),
      UNSTUCK_HOME: join(folder, "home"),
      npm_config_package: "./unstuck-0.1.0.tgz",
      npm_config_call: "x",
    };
    const args = [...asNode20(folder), installed(folder), "no-such-command"];
    const ran = spawnSync(process.execPath, args, { encoding: "utf8", env, cwd: folder });
    assert.match(ran.stderr, /unknown command/);
    assert.equal(readFileSync(join(folder, "told"), "utf8"), "");
  });
});

test("with install scripts disabled the message names the cure", () => {
  inFolder((folder) => {
    const PATH = fakeNpx(folder, "exit 1");
    const env = { ...process.env, PATH, UNSTUCK_HOME: join(folder, "home") };
    const args = [...asNode20(folder), installed(folder), "run"];
    const ran = spawnSync(process.execPath, args, { encoding: "utf8", env, cwd: folder });
    assert.equal(ran.status, 2);
    const [needs, ...next] = ran.stderr.trimEnd().split("\n");
    assert.match(needs ?? "", /needs Node 22\.13 or newer, and this is 20\.20\.2/);
    assert.equal(next.length, 2, "two lines say what to do");
    assert.match(next[0] ?? "", /Install Node 22\.13 or newer, then run this again\./);
    assert.match(next[1] ?? "", /npm_config_ignore_scripts=false npx -y node@24/);
  });
});

test("hook never downloads anything", () => {
  inFolder((folder) => {
    const PATH = fakeNpx(folder, `echo called >> "${folder}/calls"; exit 1`);
    const env = { ...process.env, PATH, UNSTUCK_HOME: join(folder, "home") };
    spawnSync(process.execPath, [...asNode20(folder), installed(folder), "hook"], {
      env,
      cwd: folder,
    });
    assert.equal(existsSync(join(folder, "calls")), false);
  });
});

test("a Node beside the package is found before npx is asked", () => {
  inFolder((folder) => {
    const PATH = fakeNpx(folder, "echo npx was called >&2; exit 9");
    const bin = join(folder, "lib", "node_modules", "node", "bin");
    mkdirSync(bin, { recursive: true });
    symlinkSync(process.execPath, join(bin, "node"));
    const args = [...asNode20(folder), installed(folder), "no-such-command"];
    const ran = spawnSync(process.execPath, args, {
      encoding: "utf8",
      env: { ...process.env, PATH },
      cwd: folder,
    });
    assert.match(ran.stderr, /unknown command/);
    assert.ok(!ran.stderr.includes("npx was called"));
  });
});

/** A checkout that brings programs of its own under the names that a launcher might look for. */
function hostileCheckout(folder: string): string {
  const checkout = join(folder, "checkout");
  for (const [place, name] of [
    ["node_modules/node/bin", "node"],
    ["node_modules/.bin", "node"],
    ["node_modules/.bin", "npx"],
    [".", "npx"],
  ] as const) {
    mkdirSync(join(checkout, place), { recursive: true });
    const file = join(checkout, place, name);
    writeFileSync(file, `#!/bin/sh\necho "${place}/${name}" >> "${folder}/ran"\nexit 0\n`);
    chmodSync(file, 0o755);
  }
  return checkout;
}

test("V12: on an old Node nothing of the current folder is run", () => {
  inFolder((folder) => {
    const cwd = hostileCheckout(folder);
    const newer = join(folder, "newer-node");
    symlinkSync(process.execPath, newer);
    const own = fakeNpx(folder, `pwd >> "${folder}/where"; echo "${newer}"`);
    const PATH = [join(cwd, "node_modules", ".bin"), "", ".", "node_modules/.bin", own].join(":");
    const env = { ...process.env, PATH, HOME: folder, UNSTUCK_HOME: join(folder, "home") };
    const args = [...asNode20(folder), installed(folder), "no-such-command"];
    const ran = spawnSync(process.execPath, args, { encoding: "utf8", env, cwd });
    assert.equal(existsSync(join(folder, "ran")), false);
    assert.match(ran.stderr, /unknown command/);
    assert.equal(readFileSync(join(folder, "where"), "utf8"), `${folder}\n`);
  });
});

test("V12: a remembered Node that others may write to is not run", () => {
  inFolder((folder) => {
    const PATH = fakeNpx(folder, "exit 1");
    const foreign = join(folder, "node");
    writeFileSync(foreign, `#!/bin/sh\necho ran > "${folder}/ran"\n`);
    chmodSync(foreign, 0o777);
    mkdirSync(join(folder, "home"));
    writeFileSync(join(folder, "home", "node-path"), foreign);
    const env = { ...process.env, PATH, UNSTUCK_HOME: join(folder, "home") };
    const args = [...asNode20(folder), installed(folder), "run"];
    assert.equal(spawnSync(process.execPath, args, { env, cwd: folder }).status, 2);
    assert.equal(existsSync(join(folder, "ran")), false);
  });
});

test("signals and the way it ended are passed on", async () => {
  await new Promise<void>((resolve, reject) => {
    inFolderLater((folder, done) => {
      const stub = join(folder, "lib", "node_modules", "node", "bin");
      mkdirSync(stub, { recursive: true });
      writeFileSync(
        join(stub, "node"),
        '#!/bin/sh\ntrap "echo got-term; exit 7" TERM\necho ready\nwhile :; do sleep 0.05; done\n',
      );
      chmodSync(join(stub, "node"), 0o755);
      const child = spawn(process.execPath, [...asNode20(folder), installed(folder), "run"], {
        cwd: folder,
      });
      let out = "";
      child.stdout.on("data", (chunk: Buffer) => {
        out += chunk.toString();
        if (out.includes("ready") && !out.includes("got-term")) child.kill("SIGTERM");
      });
      child.on("close", (code) => {
        done();
        try {
          assert.match(out, /got-term/);
          assert.equal(code, 7);
          resolve();
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  });
});

function inFolderLater(body: (folder: string, done: () => void) => void): void {
  const folder = spawnSync("mktemp", ["-d"], { encoding: "utf8" }).stdout.trim();
  body(folder, () => spawnSync("rm", ["-rf", folder]));
}

test("the launcher is plain JavaScript that names no newer syntax", () => {
  const code = readFileSync(LAUNCHER, "utf8");
  assert.ok(code.startsWith("#!/usr/bin/env node\n"));
  assert.ok(!/\busing\b|import \w+ with|toSorted/.test(code));
});
