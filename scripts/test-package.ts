/**
 * `npm run test:package`: packs this checkout, installs the tarball in an empty prefix on an empty machine, and runs
 * every command in the README, on Node 20, 22.13 and 24; before that, through npx. A command that fails, is unknown, or
 * prints a warning is a failure. Needs npm's registry. Ends with the line CI reads: `N passed, N failed`.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  brokenRepository,
  emptyMachine,
  installGlobally,
  nodeFolder,
} from "./package/empty-machine.ts";
import { commandsOf, type PageCommand } from "./package/readme-commands.ts";
import { succeeds } from "./install-agents.ts";

const NODES = ["20", "22.13.1", "24"];
const WARNING = /\w*Warning:|^npm warn/m;
/** Runs until Ctrl-C. */
const STAYS = /^unstuck (?:serve|open)$/;
const UNKNOWN = /unknown (?:command|option)|unexpected error/;

const root = join(import.meta.dirname, "..");
if (!succeeds(process.execPath, [join(import.meta.dirname, "run.js"), "build"])) process.exit(1);
const commands = commandsOf(readFileSync(join(root, "README.md"), "utf8"));
const machine = emptyMachine();
let passed = 0;
let failed = 0;
try {
  tryNpx();
  for (const version of NODES) tryOn(version);
} finally {
  rmSync(machine.folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > NODES.length ? 0 : 1;

function tryOn(version: string): void {
  const node = nodeFolder(machine, version);
  const { bin, said } = installGlobally(machine, node);
  note(`Node ${version}: npm install -g`, WARNING.test(said) ? said : "");
  const folder = join(machine.folder, `work-${version}`);
  const env = machine.environment([node, bin, agentFolder(folder)]);
  // A user without any of the known agents names their own once.
  const settings = join(env["HOME"] ?? "", ".config", "unstuck");
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, "config.yaml"), "agent: my-agent {prompt}\n");
  brokenRepository(join(folder, "repository"), env);
  for (const command of commands)
    note(`Node ${version}: ${command.line}`, problemOf(command, join(folder, "repository"), env));
}

/** The README's example agent: it makes the failing test pass. */
function agentFolder(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, "my-agent"),
    "#!/bin/sh\necho 'exports.sum = (a, b) => a + b;' > sum.js\necho done\n",
  );
  chmodSync(join(bin, "my-agent"), 0o755);
  return bin;
}

function problemOf({ line, isWhole }: PageCommand, cwd: string, env: object): string {
  const typed = line.replace(/\bnpx unstuck\b/, `npx --yes --package '${machine.tarball}' unstuck`);
  const stays = STAYS.test(line);
  const { status, stdout, stderr } = spawnSync("sh", ["-c", stays ? `exec ${typed}` : typed], {
    cwd,
    env: env as NodeJS.ProcessEnv,
    input: "",
    encoding: "utf8",
    timeout: stays ? 15_000 : 300_000,
    killSignal: stays ? "SIGINT" : "SIGKILL",
  });
  const all = `exit ${status}\n${stdout}${stderr}`;
  if (WARNING.test(stderr) || UNKNOWN.test(all)) return all;
  const codes = isWhole ? [0] : [0, 1, 2, 3, 5, 6];
  return status !== null && codes.includes(status) ? "" : all;
}

/** The second one needs a newer Node than the 20 it is started on, and gets it. */
function tryNpx(): void {
  const node = nodeFolder(machine, "20");
  for (const [line, wanted] of [
    ["classify", /^disk_full/],
    ["status --all", /^no runs/],
  ] as const) {
    const args = ["--yes", "--package", machine.tarball, "unstuck", ...line.split(" ")];
    const { stdout, stderr } = spawnSync("npx", args, {
      cwd: machine.folder,
      env: machine.environment([node]),
      input: "No space left on device",
      encoding: "utf8",
    });
    const isRight = wanted.test(stdout) && !WARNING.test(stderr);
    note(`npx --package <tarball> unstuck ${line}`, isRight ? "" : stdout + stderr);
  }
}

function note(name: string, problem: string): void {
  if (problem === "") passed += 1;
  else failed += 1;
  console.log(problem === "" ? `  ok ${name}` : `  FAILED ${name}\n${problem}`);
}
