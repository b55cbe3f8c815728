/**
 * A simulated machine without Unstuck: an empty home and npm cache, the packed tarball, and the Node versions to try it
 * on. Everything is in one temporary folder; packages come from the registry that npm is configured for.
 */
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

export interface Machine {
  readonly folder: string;
  readonly tarball: string;
  /** `programs` come before those of the system. */
  readonly environment: (programs: readonly string[]) => Record<string, string>;
}

/** Packs this checkout, which must have been built. */
export function emptyMachine(): Machine {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-machine-"));
  const home = join(folder, "home");
  mkdirSync(home);
  writeFileSync(
    join(home, ".gitconfig"),
    "[user]\n\tname = Somebody\n\temail = somebody@example.com\n",
  );
  succeed("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: ROOT });
  const [packed = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  // Variables for certificates and proxies are kept: without them the registry may be unreachable.
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(?:LANG|LC_ALL|TMPDIR|.*(?:_CERTS?|_PROXY|_proxy|_CERT_FILE))$/.test(name),
  );
  return {
    folder,
    tarball: join(folder, packed),
    environment: (programs) => ({
      ...(Object.fromEntries(kept) as Record<string, string>),
      HOME: home,
      PATH: [...programs, "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
      npm_config_update_notifier: "false",
    }),
  };
}

/** A folder that contains only `node`, of this version. */
export function nodeFolder({ folder, environment }: Machine, version: string): string {
  const place = join(folder, `node-${version}`);
  if (existsSync(place)) return place;
  mkdirSync(place);
  const isInstalled = versionOf("node") === version || versionOf("node").startsWith(`${version}.`);
  let program = process.execPath;
  if (isInstalled) program = spawnSync("sh", ["-c", "command -v node"], text).stdout.trim();
  else if (!process.versions.node.startsWith(`${version}.`)) {
    const packages = join(folder, `packages-${version}`);
    mkdirSync(packages);
    writeFileSync(join(packages, "package.json"), '{ "allowScripts": { "node": true } }');
    const args = ["install", "--no-save", "--no-audit", "--no-fund", `node@${version}`];
    succeed("npm", args, { cwd: packages, env: environment([]) });
    program = join(packages, "node_modules", "node", "bin", "node");
  }
  symlinkSync(program, join(place, "node"));
  return place;
}

const text = { encoding: "utf8" } as const;

const versionOf = (program: string): string =>
  spawnSync(program, ["-p", "process.versions.node"], text).stdout.trim();

/** Where `npm install -g` with this Node puts the command, and npm's output. */
export function installGlobally(
  { folder, tarball, environment }: Machine,
  node: string,
): { readonly bin: string; readonly said: string } {
  const prefix = join(folder, `prefix-of-${basename(node)}`);
  const args = ["install", "-g", "--prefix", prefix, "--no-audit", "--no-fund", tarball];
  const { stderr } = succeed("npm", args, { cwd: folder, env: environment([node]) });
  return { bin: join(prefix, "bin"), said: stderr };
}

/** A small repository with one failing test. */
export function brokenRepository(folder: string, env: Record<string, string>): void {
  mkdirSync(join(folder, "test"), { recursive: true });
  const scripts = { test: "node --test" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "sum", scripts }, null, 2));
  writeFileSync(join(folder, "sum.js"), "exports.sum = (a, b) => a - b;\n");
  writeFileSync(
    join(folder, "test", "sum.test.js"),
    'const { test } = require("node:test");\n' +
      'test("adds", () => require("node:assert").equal(require("../sum.js").sum(2, 3), 5));\n',
  );
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "."],
    ["commit", "-qm", "A sum"],
  ])
    succeed("git", args, { cwd: folder, env });
}

export function succeed(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Record<string, string> },
): SpawnSyncReturns<string> {
  const ran = spawnSync(program, args, { ...options, encoding: "utf8", timeout: 600_000 });
  if (ran.status === 0) return ran;
  throw new Error(`${program} ${args.join(" ")} failed: ${ran.error?.message ?? ran.stderr}`);
}
