/**
 * Measures the files a failure passes through: one real run from source, with an agent whose first attempt fails its
 * check and whose second passes. Counts the files of `src` in which the run's process called a function between the
 * first attempt's last line and the moment the second one runs with its prompt. Concurrent work (screen, timers) counts
 * as well; loading a module does not.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Loaded before the program: at each SIGUSR2 it writes the coverage since the last one, and signals it with a file. */
const RECORDER = `
import { writeFileSync } from "node:fs";
import { takeCoverage } from "node:v8";
const folder = process.env.MAP_FOLDER;
let marks = 0;
process.on("SIGUSR2", () => {
  takeCoverage();
  writeFileSync(folder + "/mark-" + ++marks, "");
});
writeFileSync(folder + "/pid", String(process.pid));
`;

const agentScript = (folder: string): string => `
cd "$PWD"
mark() { kill -USR2 "$(cat '${folder}/pid')"; while [ ! -e '${folder}/mark-'$1 ]; do sleep 0.05; done; }
if [ -e '${folder}/second' ]; then
  mark 2
  echo 2 > value.txt
else
  touch '${folder}/second'
  echo 3 > value.txt
  mark 1
fi
echo 'I am done.'
`;

const PLAN_FILES: Readonly<Record<string, string>> = {
  "value.txt": "1\n",
  "check.sh": "grep -q '^2$' value.txt || { echo 'FAIL value.test.js: expected 2'; exit 1; }\n",
};

export function failureHops(root: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-hops-"));
  try {
    run(root, folder);
    return filesThatRan(root, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(root: string, folder: string): void {
  const project = join(folder, "project");
  const who = { NAME: "map", EMAIL: "map@localhost" };
  const env = {
    ...process.env,
    HOME: folder,
    UNSTUCK_HOME: join(folder, "home"),
    GIT_AUTHOR_NAME: who.NAME,
    GIT_AUTHOR_EMAIL: who.EMAIL,
    GIT_COMMITTER_NAME: who.NAME,
    GIT_COMMITTER_EMAIL: who.EMAIL,
  };
  mkdirSync(project);
  for (const [name, text] of Object.entries(PLAN_FILES)) writeFileSync(join(project, name), text);
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "."],
    ["commit", "-qm", "start"],
  ])
    execFileSync("git", args, { cwd: project, env });
  writeFileSync(join(folder, "recorder.mjs"), RECORDER);
  writeFileSync(join(folder, "agent.sh"), agentScript(folder));
  const agent = `sh '${join(folder, "agent.sh")}' {prompt}`;
  const words = [
    "run",
    "--goal",
    "make it 2",
    "--agent",
    agent,
    "--check",
    "sh check.sh",
    "--trust",
  ];
  const program = [
    "--import",
    pathToFileURL(join(folder, "recorder.mjs")).href,
    join(root, "src/cli/main.ts"),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...words], {
    cwd: project,
    env: { ...env, MAP_FOLDER: folder, NODE_V8_COVERAGE: join(folder, "coverage") },
    encoding: "utf8",
    timeout: 120_000,
  });
  if (status !== 0) throw new Error(`the run ended with ${status}:\n${stdout}${stderr}`);
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

function filesThatRan(root: string, folder: string): readonly string[] {
  const pid = readFileSync(join(folder, "pid"), "utf8");
  const reports = readdirSync(join(folder, "coverage"))
    .filter((name) => name.startsWith(`coverage-${pid}-`))
    .sort((a, b) => reportNumber(a) - reportNumber(b));
  const between = JSON.parse(
    readFileSync(join(folder, "coverage", reports[1] ?? ""), "utf8"),
  ) as Coverage;
  // The function at offset 0 is the module itself.
  const ran = between.result.filter(({ functions }) =>
    functions.some(
      ({ ranges: [range] }) => (range?.startOffset ?? 0) > 0 && (range?.count ?? 0) > 0,
    ),
  );
  return ran
    .filter(({ url }) => url.startsWith("file:"))
    .map(({ url }) => relative(root, fileURLToPath(url)).replaceAll("\\", "/"))
    .filter((path) => path.startsWith("src/"))
    .sort();
}

const reportNumber = (name: string): number => Number(/-(\d+)\.json$/.exec(name)?.[1]);
