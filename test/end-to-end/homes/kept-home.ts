/**
 * A home of an earlier version, unpacked with its repository into a folder of its own. The recorded paths are rewritten
 * to it: in files as text, in the journal through SQL. `scripts/keep-home.ts` makes the archives.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ROOT, unstuck, type Ran } from "../../cli/command.ts";

const HOMES = join(ROOT, "test", "fixtures", "homes");

export interface KeptHome {
  readonly folder: string;
  readonly home: string;
  readonly repository: string;
  /** Ids by the state in which the run was left. */
  readonly runs: Readonly<Record<string, string>>;
  unstuck(...args: string[]): Ran;
  git(...args: string[]): string;
  remove(): void;
}

export const keptVersions = (): string[] =>
  globSync("*.tar.gz", { cwd: HOMES }).map((file) => file.replace(".tar.gz", ""));

export function keptHome(version: string): KeptHome {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), "unstuck-home-")));
  execFileSync("tar", ["-C", outer, "-xzf", join(HOMES, `${version}.tar.gz`)]);
  const folder = join(outer, version);
  const [home, repository] = [join(folder, "home"), join(folder, "repository")];
  move(folder, `/tmp/unstuck-fixture/${version}`);
  const env = {
    UNSTUCK_HOME: home,
    HOME: folder,
    XDG_CONFIG_HOME: "",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "t",
    GIT_AUTHOR_EMAIL: "t@localhost",
    GIT_COMMITTER_NAME: "t",
    GIT_COMMITTER_EMAIL: "t@localhost",
  };
  return {
    folder,
    home,
    repository,
    runs: JSON.parse(readFileSync(join(folder, "runs.json"), "utf8")) as Record<string, string>,
    unstuck: (...args) => unstuck(args, { cwd: repository, env }),
    git: (...args) =>
      execFileSync("git", args, {
        cwd: repository,
        encoding: "utf8",
        env: { ...process.env, ...env },
      }),
    remove: () => rmSync(outer, { recursive: true, force: true }),
  };
}

function move(folder: string, from: string): void {
  const named = [
    "home/runs/*/{plan,workspace/workspace}.json",
    "home/runs/**/objects/info/alternates",
    "home/runs/**/{.git,clean.git}/config",
  ];
  for (const file of globSync(named, { cwd: folder })) {
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(from, folder));
  }
  const hashes = globSync("home/runs/*/plan.json", { cwd: folder }).map((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    return [sha256(text.replaceAll(folder, from)), sha256(text)] as const;
  });
  const db = new DatabaseSync(join(folder, "home", "unstuck.db"));
  const triggers = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
  for (const pair of hashes)
    db.prepare("UPDATE events SET event = replace(event, ?, ?)").run(...pair);
  for (const [table, column] of [
    ["events", "event"],
    ["runs", "repo"],
    ["snapshots", "state"],
    ["incidents", "key"],
  ])
    db.prepare(`UPDATE ${table} SET ${column} = replace(${column}, ?, ?)`).run(from, folder);
  for (const { sql } of triggers) db.exec(String(sql));
  db.close();
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
