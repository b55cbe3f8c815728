/**
 * Creates a home as this version writes it, with a run in every state in which a user may leave one, and archives it
 * with its repository: `node scripts/run.js keep-home 0.1.0` writes test/fixtures/homes/0.1.0.tar.gz. A test reads,
 * resumes and cleans each of them with the current version. Needs a build. To keep a home of an older version, run this
 * file in a checkout of it. All paths in it are below /tmp/unstuck-fixture.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const name = process.argv[2] ?? "";
if (name === "") throw new Error("name the version: node scripts/run.js keep-home 0.1.0");
const folder = `/tmp/unstuck-fixture/${name}`;
const repository = join(folder, "repository");
const home = join(folder, "home");
const launcher = join(import.meta.dirname, "..", "bin", "unstuck.js");

/** Behaves as its first argument says; `once` succeeds only in the first start of a run. */
const AGENT = `here=$(dirname "$0")
once() { test ! -e "$here/begun-$UNSTUCK_RUN" && touch "$here/begun-$UNSTUCK_RUN"; }
case "$1" in
  second) if once; then echo "a guess" > value.txt; exit; fi;;
  hangs) if once; then echo half > half.txt; echo started; sleep 600; fi;;
  login) test -e "$here/key" || { echo "Error: Invalid API key. Please run /login" >&2; exit 1; };;
  wrong) echo "try $UNSTUCK_ATTEMPT" > value.txt; echo "<approach>$UNSTUCK_ATTEMPT</approach>"; exit;;
esac
echo 2 > value.txt
echo "$UNSTUCK_SUBTASK" > "$UNSTUCK_SUBTASK.txt"
echo done
`;
const PLAN = `agent: sh ${folder}/agent.sh right {prompt}
grounding: false
subtasks:
  - { id: first, prompt: Make the value two, checks: [sh check.sh] }
  - { id: second, prompt: Write it down, dependsOn: [first], checks: [test -f second.txt] }
`;
const FILES = {
  "repository/value.txt": "1\n",
  "repository/check.sh": "grep -q '^2$' value.txt || { echo 'FAIL value is two'; exit 1; }\n",
  "agent.sh": AGENT,
  "plan.yaml": PLAN,
  ".config/unstuck/config.yaml": "answers: unattended\n",
};
const env = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: folder,
  TMPDIR: join(folder, "tmp"),
  UNSTUCK_HOME: home,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TEMPLATE_DIR: join(folder, "tmp"),
  GIT_AUTHOR_NAME: "t",
  GIT_AUTHOR_EMAIL: "t@localhost",
  GIT_COMMITTER_NAME: "t",
  GIT_COMMITTER_EMAIL: "t@localhost",
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(env.TMPDIR, { recursive: true });
for (const [file, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}
for (const args of [
  ["init", "-q", "-b", "main"],
  ["add", "."],
  ["commit", "-qm", "start"],
])
  execFileSync("git", args, { cwd: repository, env });

const runs: Record<string, string> = {};
const started = (way: string): string[] => [
  launcher,
  ...["run", "--goal", `Make the value two (${way})`, "--check", "sh check.sh", "--no-grounding"],
  ...["--agent", `sh ${folder}/agent.sh ${way} {prompt}`],
];
/** Runs to an end, and stores the run's id under this name. */
function run(state: string, way: string, code: number, ...more: string[]): string {
  if (unstuck([...started(way).slice(1), ...more], code, 2) === 2) {
    // A version without the `answers` setting refuses the file, and accepts answers from any process.
    rmSync(join(folder, ".config"), { recursive: true });
    unstuck([...started(way).slice(1), ...more], code);
  }
  return (runs[state] = newest());
}
/** A run whose agent is working; what is done to its owner decides the state in which it is left. */
async function left(state: string, how: (id: string, owner: number) => void): Promise<void> {
  const owner = spawn(process.execPath, started("hangs"), {
    cwd: repository,
    env,
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => owner.on("exit", resolve));
  const before = newest();
  while (newest() === before || !existsSync(join(folder, `begun-${newest()}`)))
    await new Promise((resolve) => setTimeout(resolve, 200));
  runs[state] = newest();
  how(newest(), owner.pid ?? 0);
  await ended;
}
function unstuck(args: readonly string[], ...codes: number[]): number {
  const ran = spawnSync(process.execPath, [launcher, ...args], {
    cwd: repository,
    env,
    encoding: "utf8",
  });
  console.log(`unstuck ${args.slice(0, 3).join(" ")}: ${ran.status}`);
  if (!codes.includes(ran.status ?? -1)) throw new Error(ran.stdout + ran.stderr);
  return ran.status ?? -1;
}
function newest(): string {
  const ran = spawnSync(process.execPath, [launcher, "status", "--json"], {
    cwd: repository,
    env,
    encoding: "utf8",
  });
  if (ran.status !== 0) return "";
  const { runs } = JSON.parse(ran.stdout) as {
    readonly runs: readonly { readonly id: string; readonly created: number }[];
  };
  return runs.toSorted((a, b) => b.created - a.created)[0]?.id ?? "";
}

const canCancel = existsSync(
  join(import.meta.dirname, "..", "src", "cli", "commands", "cancel.ts"),
);
run("applied", "second", 0);
unstuck(["run", join(folder, "plan.yaml"), "--trust"], 0);
runs["verified"] = newest();
run("asking", "login", 3);
const failed = run("failed", "wrong", 3, "--recovery-budget", "3");
unstuck(["resolve", "goal/c1", "--run", failed, "--skip"], 0);
unstuck(["resume", failed], 1, 4);
await left(canCancel ? "paused" : "stopped", (id) => unstuck(["stop", id], 0));
if (canCancel) {
  await left("pausedBySystem", (_, owner) => process.kill(owner, "SIGTERM"));
  await left("cancelled", (id) => unstuck(["cancel", id], 0));
}
await left("cutOff", (_, owner) => process.kill(owner, "SIGKILL"));

unstuck(["apply", runs["applied"] ?? ""], 0);

// The guard ends the agent of a killed owner.
await new Promise((resolve) => setTimeout(resolve, 5000));
const boot = [readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(), "earlier"] as const;
forget(boot);
for (const id of Object.values(runs)) {
  const file = join(home, "runs", id, "processes.json");
  if (existsSync(file)) writeFileSync(file, readFileSync(file, "utf8").replaceAll(...boot));
}
forget(
  [`by ${userInfo().username}"`, 'by a person"'],
  [`"by":"${userInfo().username}"`, '"by":"a person"'],
);
writeFileSync(join(folder, "runs.json"), `${JSON.stringify(runs, undefined, 2)}\n`);
rmSync(env.TMPDIR, { recursive: true });
const archive = join(import.meta.dirname, "..", "test", "fixtures", "homes", `${name}.tar.gz`);
mkdirSync(dirname(archive), { recursive: true });
const plain = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
execFileSync("tar", [...plain, "-C", dirname(folder), "-czf", archive, name]);
rmSync(folder, { recursive: true });

/** Removes from the journal what identifies this machine or its user. */
function forget(...words: readonly (readonly [string, string])[]): void {
  const db = new DatabaseSync(join(home, "unstuck.db"));
  const triggers = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
  for (const pair of words) {
    db.prepare("UPDATE events SET event = replace(event, ?, ?)").run(...pair);
    db.prepare("UPDATE runs SET boot = replace(boot, ?, ?)").run(...pair);
  }
  for (const { sql } of triggers) db.exec(String(sql));
  db.exec("VACUUM");
  db.close();
}
