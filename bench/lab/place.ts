/**
 * One run of the real `unstuck run`: a small repository, a plan with a few independent tasks, the scripted agent at
 * three prices, and a scripted person who answers questions. Invariant: everything is removed afterwards.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkCommand, checkText } from "./check.ts";
import { questionOn, type Outcome, type Question } from "./outcome.ts";
import { readStarts } from "./starts.ts";
import type { Task } from "./tasks.ts";
import type { World } from "./world.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const LAUNCHER = join(ROOT, "bin", "unstuck.js");
const ROUNDS_MAX = 20;

export async function runTasks(
  world: World,
  tasks: readonly Task[],
  policy: object,
): Promise<readonly Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-lab-"));
  try {
    const place = makePlace(folder, world, tasks, policy);
    const asked = new Map<string, Question[]>(tasks.map(({ id }) => [id, []]));
    await unstuck(place, "run", join(folder, "plan.json"), "--trust", "--full-permissions");
    for (let round = 1; round <= ROUNDS_MAX && (await answer(place, tasks, asked)); round += 1)
      await unstuck(place, "resume");
    const phases = await phasesOf(place);
    const moves = await movesOf(place);
    return tasks.map((task) => ({
      task,
      verified: phases[task.id] === "verified",
      starts: readStarts(folder, task),
      questions: asked.get(task.id) ?? [],
      moves: moves[task.id] ?? [],
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

interface Place {
  readonly folder: string;
  readonly repository: string;
  readonly env: NodeJS.ProcessEnv;
}

function makePlace(folder: string, world: World, tasks: readonly Task[], policy: object): Place {
  const repository = join(folder, "repository");
  const env = {
    ...process.env,
    ...{ HOME: folder, UNSTUCK_HOME: join(folder, "home"), XDG_CONFIG_HOME: "", NO_COLOR: "1" },
    ...{ GIT_CONFIG_NOSYSTEM: "1", GIT_AUTHOR_NAME: "t", GIT_AUTHOR_EMAIL: "t@localhost" },
    ...{ GIT_COMMITTER_NAME: "t", GIT_COMMITTER_EMAIL: "t@localhost" },
  };
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  write(".config/unstuck/config.yaml", "answers: unattended\nkeepAwake: false\n");
  write("lab.json", JSON.stringify({ world, tasks }));
  write("plan.json", JSON.stringify(planOf(folder, tasks, policy)));
  write("repository/README.md", "What the tasks are about.\n");
  for (const task of tasks) write(`repository/checks/${task.id}.sh`, checkText(task));
  const git = (...args: string[]): unknown => execFileSync("git", args, { cwd: repository, env });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "start");
  return { folder, repository, env };
}

function planOf(folder: string, tasks: readonly Task[], policy: object): object {
  const agent = join(import.meta.dirname, "agent.ts");
  const tiers = [1, 2, 3];
  const commandOf = (tier: number): string =>
    [process.execPath, agent, folder, tier].map((word) => `"${word}"`).join(" ");
  return {
    goal: "the laboratory",
    agents: Object.fromEntries(
      tiers.map((tier) => [`agent${tier}`, { command: `${commandOf(tier)} {promptFile}` }]),
    ),
    models: tiers.map((tier) => ({ agent: `agent${tier}`, tier })),
    ...{ policy, grounding: false, concurrency: 2, workspace: { finalCheck: "warm" } },
    subtasks: tasks.map((task) => ({
      id: task.id,
      prompt: task.goal,
      checks: [checkCommand(task)],
    })),
  };
}

async function unstuck({ repository, env }: Place, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    ...{ cwd: repository, env, stdio: ["ignore", "pipe", "ignore"] },
  });
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(child, "close");
  return Buffer.concat(chunks).toString("utf8");
}

/** Open questions, as far as the laboratory's person reads them. */
interface Open {
  readonly id: string;
  readonly subtask?: string;
  readonly context: { readonly asks?: string };
}

/** Answers if the person knows the answer, otherwise skips the task. Returns whether there was anything to answer. */
async function answer(
  place: Place,
  tasks: readonly Task[],
  asked: ReadonlyMap<string, Question[]>,
): Promise<boolean> {
  const questions = await jsonLines<Open>(place, "inbox");
  for (const { id, subtask, context } of questions) {
    const task = tasks.find((one) => one.id === subtask);
    if (task === undefined) throw new Error(`a question about no task: ${id}`);
    const after = readStarts(place.folder, task).length;
    const question = questionOn(task, after, context.asks);
    asked.get(task.id)?.push(question);
    const words = question.right ? ["--retry", task.unknown.answer] : ["--skip"];
    await unstuck(place, "resolve", id, ...words);
  }
  return questions.length > 0;
}

async function phasesOf(place: Place): Promise<Readonly<Record<string, string>>> {
  const [run] = await jsonLines<{ readonly runs: readonly { readonly id: string }[] }>(
    place,
    "status",
  );
  const [status] = await jsonLines<{
    readonly subtasks: readonly { readonly id: string; readonly phase: string }[];
  }>(place, "status", run?.runs[0]?.id ?? "");
  return Object.fromEntries(status?.subtasks.map(({ id, phase }) => [id, phase]) ?? []);
}

interface Explained {
  readonly subtask: string;
  readonly decision: string;
  readonly event: { readonly kind: string };
}

async function movesOf(place: Place): Promise<Readonly<Record<string, readonly string[]>>> {
  const chosen = (await jsonLines<Explained>(place, "explain")).filter(
    ({ event }) => event.kind === "recovery-chosen",
  );
  return Object.fromEntries(
    Object.entries(Object.groupBy(chosen, ({ subtask }) => subtask)).map(([subtask, list = []]) => [
      subtask,
      list.map(({ decision }) => decision),
    ]),
  );
}

async function jsonLines<T>(place: Place, ...args: string[]): Promise<readonly T[]> {
  const lines = (await unstuck(place, ...args, "--json")).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}
