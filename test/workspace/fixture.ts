/**
 * Real repositories in temporary folders for the workspace tests, and fingerprints of them.
 * Imports node: modules and the workspace only. HOME is a folder of its own, so no setting of the person
 * who runs the tests counts.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import {
  type Control,
  type Lease,
  leaseSlot,
  openRun,
  type Result,
  type Run,
} from "./operations.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "unstuck-workspace-")));
after(() => rmSync(top, { recursive: true, force: true }));
process.env["HOME"] = join(top, "home");
delete process.env["XDG_CONFIG_HOME"];
for (const who of ["AUTHOR", "COMMITTER"])
  for (const what of ["NAME", "EMAIL"]) delete process.env[`GIT_${who}_${what}`];
mkdirSync(join(top, "home"));
writeFileSync(
  join(top, "home", ".gitconfig"),
  "[user]\nname = Ada\nemail = ada@example.org\n[init]\ndefaultBranch = main\n" +
    '[protocol "file"]\nallow = always\n[uploadpack]\nallowFilter = true\n',
);

export const AT = 1_700_000_000_000;
let count = 0;

export function folder(name = "folder"): string {
  count += 1;
  const path = join(top, `${String(count)} ${name}`);
  mkdirSync(path);
  return path;
}

export function git(cwd: string, ...args: string[]): string {
  const { PATH = "", HOME = "" } = process.env;
  return execFileSync("git", args, {
    cwd,
    env: { PATH, HOME, LC_ALL: "C", GIT_CEILING_DIRECTORIES: top },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

/** Files by path: text or bytes, `link:target` for a symlink, `x:` before text for an executable. */
export function write(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    rmSync(full, { recursive: true, force: true });
    if (typeof content === "string" && content.startsWith("link:"))
      symlinkSync(content.slice(5), full);
    else if (typeof content === "string" && content.startsWith("x:")) {
      writeFileSync(full, content.slice(2));
      chmodSync(full, 0o755);
    } else writeFileSync(full, content);
  }
}

export const FILES = {
  "src/a.ts": "export const a = 1;\n",
  "src/b c.ts": "export const b = 2;\n",
  "grüße/日本.txt": "hello\n",
  "run.sh": "x:#!/bin/sh\n",
  current: "link:src/a.ts",
  ".gitignore": "node_modules/\n*.log\n.env\n",
};

export function repository(files: Readonly<Record<string, string | Buffer>> = FILES): string {
  const root = folder("user's repo");
  git(root, "init", "-q");
  write(root, files);
  git(root, "add", "-A");
  git(root, "commit", "-q", "--allow-empty", "-m", "first");
  return root;
}

/** Every file below a folder but `.git` folders: kind, executable bit and bytes. */
export function tree(root: string, skip: readonly string[] = [".git"]): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (path: string): void => {
    for (const name of readdirSync(join(root, path)).sort()) {
      if (skip.includes(name)) continue;
      const inner = path === "" ? name : `${path}/${name}`;
      const stat = lstatSync(join(root, inner));
      if (stat.isDirectory()) walk(inner);
      else if (stat.isSymbolicLink()) found[inner] = `link ${readlinkSync(join(root, inner))}`;
      else
        found[inner] = `${stat.mode & 0o111 ? "x" : "-"} ${hash(readFileSync(join(root, inner)))}`;
    }
  };
  walk("");
  return found;
}

const hash = (content: Buffer): string => createHash("sha1").update(content).digest("hex");

/** All of a repository but loose objects and packs: checkout, index, refs, reflogs, settings, hooks. */
export function fingerprint(root: string): Record<string, string> {
  const files = tree(root, []);
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => !/(^|\/)\.git\/objects\//.test(path)),
  );
}

export const objectFiles = (root: string): string[] =>
  Object.keys(tree(join(root, ".git/objects")));

export function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.refusal.kind}: ${result.refusal.detail}`);
  return result.value;
}

export function kindOf(result: Result<unknown>): string {
  return result.ok ? "ok" : result.refusal.kind;
}

export async function open(
  repository: string,
  options: Partial<Parameters<typeof openRun>[0]> = {},
  control: Control = {},
): Promise<Run> {
  const runDir = options.runDir ?? folder("run");
  return value(
    await openRun({ id: "r1", repository, runDir, base: "head", at: AT, ...options }, control),
  );
}

export async function lease(
  run: Run,
  options: Partial<Parameters<typeof leaseSlot>[1]> = {},
  control: Control = {},
): Promise<Lease> {
  const plan = { slot: "1", commit: run.base, id: "lease-1", at: AT, ...options };
  return value(await leaseSlot(run, plan, control));
}
