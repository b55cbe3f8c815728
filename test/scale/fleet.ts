/**
 * A fleet as users would have one: a Restate server, workers as processes of their own, each with its own home, a git
 * remote that they share, and a laptop that submits and looks. All of it is gone after the test, whatever became of it.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { TETHER } from "../../src/engines/restate/local-server.ts";
import { LAUNCHER } from "../cli/command.ts";
import { SCALE_FOLDER, startServer, type Server, type ServerOptions } from "./server.ts";

export interface Worker {
  readonly name: string;
  readonly home: string;
  /** Settles when its process is gone. */
  readonly gone: Promise<void>;
  /** Without a word. */
  kill(): Promise<void>;
  /** Asks it to finish and end. */
  stop(): Promise<void>;
  log(): string;
}

export interface Started {
  readonly child: ChildProcess;
  text(): string;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
}

export interface Fleet {
  readonly folder: string;
  readonly remote: string;
  readonly server: Server;
  /** `before`: what its command line begins with, as in `ip netns exec`; `launcher`: of another version. */
  worker(
    name: string,
    more?: readonly string[],
    before?: readonly string[],
    launcher?: string,
  ): Promise<Worker>;
  /** Runs `unstuck` as on a laptop, about the fleet. */
  laptop(
    ...args: string[]
  ): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
  /** The same in a folder of the laptop's, such as a clone. */
  laptopIn(folder: string, ...args: string[]): ReturnType<Fleet["laptop"]>;
  /** The open ones, as the laptop's inbox has them. */
  questions(): Promise<readonly { readonly id: string }[]>;
  /** Starts one that goes on, and shows what it has written so far. */
  laptopStarts(folder: string, ...args: string[]): Started;
  readonly laptopEnv: Readonly<Record<string, string>>;
  /** A clone of the remote, on the laptop. */
  clone(): string;
  /** Submits a plan and gives back the run's id. */
  submit(plan: string, ...more: string[]): Promise<string>;
  /** Waits for the run's end, and gives back how it ended. */
  ended(run: string, limitMs?: number): Promise<{ kind: string; reason?: string }>;
  events(run: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  git(...args: string[]): string;
  close(): Promise<void>;
}

/** Gone after the test. */
export async function newFleet(
  options: ServerOptions = {},
  start: () => Promise<Server> = () => startServer(options),
): Promise<Fleet> {
  const fleet = await openFleet(start);
  after(() => fleet.close());
  return fleet;
}

export async function openFleet(start: () => Promise<Server> = startServer): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-fleet-"));
  const server = await start();
  const blobs = join(folder, "blobs");
  const remote = join(folder, "remote.git");
  mkdirSync(blobs);
  const workers = new Set<Worker>();
  const user = {
    ...{
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      NO_COLOR: "1",
      NODE_OPTIONS: "",
    },
    ...{ GIT_AUTHOR_NAME: "t", GIT_AUTHOR_EMAIL: "t@localhost" },
    ...{ GIT_COMMITTER_NAME: "t", GIT_COMMITTER_EMAIL: "t@localhost" },
  };
  const envOf = (home: string): NodeJS.ProcessEnv => ({
    ...{ ...process.env, ...user, HOME: join(folder, home), UNSTUCK_HOME: join(folder, home) },
    ...{ XDG_CONFIG_HOME: "", NODE_TEST_CONTEXT: undefined },
  });
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", remote, ...args], {
      encoding: "utf8",
      env: { ...process.env, ...user },
    });
  makeRemote(folder, remote, { ...process.env, ...user });
  const laptopEnv = { ...envOf("laptop"), UNSTUCK_FLEET: server.ingressUrl };
  const started = new Set<ChildProcess>();
  const starts = (cwd: string, args: readonly string[]): ChildProcess => {
    const child = spawn(process.execPath, [LAUNCHER, ...args], {
      ...{ cwd, env: laptopEnv, stdio: ["ignore", "pipe", "pipe"] },
    });
    started.add(child);
    child.once("exit", () => started.delete(child));
    return child;
  };
  const laptopStarts: Fleet["laptopStarts"] = (cwd, ...args) => {
    const child = starts(cwd, args);
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    return { child, text: () => text, ended };
  };
  const laptopIn: Fleet["laptopIn"] = (cwd, ...args) =>
    new Promise((resolve) => {
      const child = starts(cwd, args);
      const [out, err] = [child.stdout, child.stderr].map((stream) => {
        const chunks: Buffer[] = [];
        stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
        return chunks;
      });
      child.once("close", (code) =>
        resolve({
          code,
          out: Buffer.concat(out ?? []).toString(),
          err: Buffer.concat(err ?? []).toString(),
        }),
      );
    });
  const laptop: Fleet["laptop"] = (...args) => laptopIn(folder, ...args);
  const questions: Fleet["questions"] = async () => {
    const { out } = await laptop("inbox", "--all", "--json");
    const lines = out.split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as { id: string });
  };
  const events: Fleet["events"] = async (run) => {
    const { out, err, code } = await laptop("events", run, "--json");
    assert.equal(code, 0, err);
    return out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { event: Record<string, unknown> }).event);
  };
  return {
    ...{ folder, remote, server, laptop, laptopIn, laptopStarts, git, events, questions },
    laptopEnv: laptopEnv,
    clone() {
      const path = mkdtempSync(join(folder, "clone-"));
      const env = { ...process.env, ...user };
      execFileSync("git", ["clone", "-q", remote, path], { env, stdio: "ignore" });
      return path;
    },
    async close() {
      for (const child of started) child.kill("SIGKILL");
      for (const one of workers) await one.kill();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
    async worker(name, more = [], before = [], launcher = LAUNCHER) {
      const home = join(folder, name);
      mkdirSync(home, { recursive: true });
      const log = join(folder, `${name}.log`);
      appendFileSync(log, "");
      // Another one of this name may have written before.
      const begins = readFileSync(log, "utf8").length;
      const reach = ["--url", ...server.ingressUrls, "--admin", ...server.adminUrls];
      const child = spawn(
        process.execPath,
        [
          ...[TETHER, ...before, process.execPath, launcher, "worker", ...reach],
          ...["--blobs", `file://${blobs}`, "--name", name],
          ...["--identity-key", server.identityKey, ...more],
        ],
        { cwd: SCALE_FOLDER, env: envOf(name), stdio: ["pipe", "pipe", "pipe"] },
      );
      child.stdin.on("error", () => undefined);
      const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => appendFileSync(log, chunk));
      const one: Worker = {
        ...{ name, home, gone, log: () => readFileSync(log, "utf8").slice(begins) },
        async kill() {
          child.stdin.destroy();
          await gone;
          workers.delete(one);
        },
        async stop() {
          child.kill("SIGTERM");
          await gone;
          workers.delete(one);
        },
      };
      workers.add(one);
      await until(
        () => one.log().includes("joined the fleet"),
        () => one.log(),
      );
      return one;
    },
    async submit(plan, ...more) {
      const file = join(folder, "plan.yaml");
      writeFileSync(file, plan);
      const args = [
        "submit",
        file,
        "--repo",
        remote,
        "--url",
        server.ingressUrl,
        "--trust",
        "--json",
      ];
      const { code, out, err } = await laptop(...args, ...more);
      assert.equal(code, 0, err);
      return (JSON.parse(out) as { run: string }).run;
    },
    async ended(run, limitMs = 240_000) {
      const ask = async <T>(path: string): Promise<T | null> => {
        const response = await fetch(`${server.ingressUrl}/${path}`, { method: "POST" }).catch(
          () => undefined,
        );
        return response?.ok === true ? ((await response.json()) as T) : null;
      };
      const head = () => ask<{ phase?: string; outcome?: string }>(`unstuck-run/${run}/head`);
      const isPublished = async (): Promise<boolean> => {
        const state = await ask<{ sources: Record<string, unknown> }>("unstuck-fleet/only/state");
        return state !== null && !(run in state.sources);
      };
      await until(
        async () => (await head())?.phase === "ended" && (await isPublished()),
        () => [...workers].map((one) => `${one.name}:\n${one.log()}`).join("\n"),
        limitMs,
      );
      return { kind: (await head())?.outcome ?? "" };
    },
  };
}

/** A repository with one file, as a bare remote. */
function makeRemote(folder: string, remote: string, env: NodeJS.ProcessEnv): void {
  const work = join(folder, "origin");
  mkdirSync(work);
  const git = (...args: string[]): void =>
    void execFileSync("git", args, { cwd: work, env, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  writeFileSync(join(work, "value.txt"), "1\n");
  git("add", ".");
  git("commit", "-qm", "start");
  git("clone", "-q", "--bare", ".", remote);
}

export async function until(
  holds: () => boolean | Promise<boolean>,
  otherwise: () => string,
  limitMs = 60_000,
): Promise<void> {
  for (const end = Date.now() + limitMs; !(await holds()); await sleep(100))
    assert.ok(Date.now() < end, `it did not happen in time: ${otherwise()}`);
}

/** A plan of subtasks side by side, each of which writes a file of its own; `work`: what its agent does before. */
export function planOf(count: number, work: string, concurrency: number): string {
  const subtasks = Array.from({ length: count }, (_, index) => `s${index + 1}`);
  return [
    "goal: write the files",
    "policy: standard",
    `concurrency: ${concurrency}`,
    "grounding: false",
    "agents:",
    "  writer:",
    `    command: ${JSON.stringify(`sh -c '${work}; echo done > "$UNSTUCK_SUBTASK.txt"'`)}`,
    "models: [{ agent: writer, tier: 1 }]",
    "subtasks:",
    ...subtasks.flatMap((id) => [
      `  - id: ${id}`,
      `    prompt: write ${id}`,
      `    checks: ["test -f ${id}.txt"]`,
    ]),
    "",
  ].join("\n");
}

/** Events of attempts that were lost. */
export const lostIn = (events: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] =>
  events.filter(
    (event) =>
      event["kind"] === "failure-classified" &&
      (event["failure"] as { kind: string }).kind === "lost",
  );
