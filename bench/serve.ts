/**
 * The server with many runs, as ratios in one run: the list of runs and the pages of single runs (random ones, mostly
 * not requested before; and an open one) compared with a static file of the same size from the same server, at the 95th
 * percentile, while 50 runs write; how much later an event reaches a client of the server than a reader of the journal;
 * 500 event streams at once; and the page in a real browser. `--full`: 10,000 runs and a million events. Needs `npm run
 * build` for the page. Exits 1 if a goal is missed.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { rmSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { brotliCompressSync } from "node:zlib";
import { chromiumPath } from "../test/browser/served-page.ts";
import { eventDelays } from "./serve/event-delays.ts";
import { fillHome, idOf, playedRun } from "./serve/fill-home.ts";
import { inBrowser } from "./serve/in-browser.ts";
import { manyStreams } from "./serve/many-streams.ts";

const isFull = process.argv.includes("--full");
const RUNS = isFull ? 10_000 : 1000;
/** Other load on this machine varies: the median of several groups counts. */
const GROUPS = 5;
const ROUNDS = 40;
const GOALS = {
  ratio: 3,
  laterMs: 200,
  streamsMb: 200,
  pixelMs: 200,
  scriptKb: 150,
  taskMs: 100,
};
const PAGE = join(import.meta.dirname, "..", "dist", "web");

const folder = mkdtempSync(join(tmpdir(), "unstuck-bench-"));
const [home, repo, web] = ["home", "repo", "web"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
for (const path of [home, repo, web]) mkdirSync(path);
execFileSync("git", ["init", "-q", repo]);
Object.assign(process.env, { UNSTUCK_HOME: home, HOME: folder });
const children: ChildProcess[] = [];

/** Returns its first line. */
async function started(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: repo, stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  return new Promise((resolve, reject) => {
    createInterface(child.stdout).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}`)));
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** The duration of a response, and its size. */
function timed(url: string, headers: Readonly<Record<string, string>>): Promise<[number, number]> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    get(url, { agent, headers }, (response) => {
      let bytes = 0;
      response.on("data", (piece: Buffer) => (bytes += piece.length));
      response.on("end", () => {
        if (response.statusCode === 200) resolve([performance.now() - from, bytes]);
        else reject(new Error(`${url}: ${response.statusCode}`));
      });
    }).on("error", reject);
  });
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

let met = true;
function tell(what: string, value: number, goal: number, unit = ""): void {
  met &&= value <= goal;
  const shown = value.toFixed(unit === "" ? 2 : 0);
  console.log(`${what}: ${shown}${unit}, goal ${goal}${unit}${value <= goal ? "" : ", MISSED"}`);
}

const asked = (name: string, input: object): string =>
  `/api/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;
const someRun = (): string => idOf(Math.floor(Math.random() * RUNS));
const PAGES: Readonly<Record<string, () => string>> = {
  list: () => asked("list", { all: true }),
  "a run's outline": () => asked("outline", { run: someRun() }),
  "a run": () => asked("read", { run: someRun() }),
  "an open outline": () => asked("outline", { run: idOf(RUNS - 1) }),
  "an open run": () => asked("read", { run: idOf(RUNS - 1) }),
};

interface Server {
  readonly url: string;
  readonly token: string;
  readonly link: string;
  readonly pid: number;
}

try {
  const events = await playedRun(11);
  const from = performance.now();
  await fillHome(home, repo, { runs: RUNS, events });
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  console.log(`${RUNS} runs, ${RUNS * events.length} events, written in ${seconds} s`);

  const server = join(import.meta.dirname, "serve", "server.ts");
  const serve = async (folder: string) => JSON.parse(await started(server, folder)) as Server;
  const first = await serve(web);
  const headers = { authorization: `Bearer ${first.token}` };
  const pages = Object.entries(PAGES);
  for (const [index, [, path]] of pages.entries()) {
    const [, bytes] = await timed(first.url + path(), headers);
    writeFileSync(join(web, `static-${index}.json`), "x".repeat(bytes));
  }
  children.pop()?.kill();
  agent.destroy();

  const { url, token, pid } = await serve(web);
  const run = await started(join(import.meta.dirname, "serve", "writers.ts"), home, repo);
  const own = { authorization: `Bearer ${token}` };
  for (const [index, [name, path]] of pages.entries()) {
    const groups: { ratio: number; page: number; fixed: number; bytes: number }[] = [];
    for (let group = -1; group < GROUPS; group += 1) {
      const [page, fixed]: [number[], number[]] = [[], []];
      let bytes = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        fixed.push((await timed(`${url}/static-${index}.json`, {}))[0]);
        const [took, length] = await timed(url + path(), own);
        page.push(took);
        bytes = length;
      }
      const [one, other] = [p95(page), p95(fixed)];
      if (group >= 0) groups.push({ ratio: one / other, page: one, fixed: other, bytes });
    }
    const ratio = median(groups.map((group) => group.ratio));
    const { page, fixed, bytes } = groups.find((group) => group.ratio === ratio) ?? assert.fail();
    const times = `p95 ${page.toFixed(1)} ms, static ${fixed.toFixed(1)} ms`;
    tell(`${name.padEnd(16)} ${(bytes / 1024).toFixed(0)} kB, ${times}`, ratio, GOALS.ratio);
  }
  const { bare, served } = await eventDelays({ home, run, url, headers: own });
  tell(
    "an event on the stream, after the journal's",
    p95(served) - p95(bare),
    GOALS.laterMs,
    " ms",
  );
  const { streams, megabytes, listMs } = await manyStreams({ pid, url, run, headers: own });
  tell(
    `${streams} streams at once, a list in ${listMs.toFixed(0)} ms`,
    megabytes,
    GOALS.streamsMb,
    " MB",
  );
  if (existsSync(PAGE) && chromiumPath() !== undefined) await measurePage();
  else console.log("the page: not measured, for want of Chromium or of a build (npm run build)");
  console.log(met ? "all goals are met" : "a goal is MISSED");
  process.exitCode = met ? 0 : 1;

  async function measurePage(): Promise<void> {
    // The writing runs continue: the page of one is as busy as a real one.
    const { url: address, link, token: other } = await serve(PAGE);
    const isQuiet = (loadavg()[0] ?? 0) < availableParallelism();
    const given = { home, repo, url: address, link };
    const found = await inBrowser({ ...given, headers: { authorization: `Bearer ${other}` } });
    tell("an event on the screen, after the bare stream's", p95(found.later), GOALS.pixelMs, " ms");
    const scripts = globSync(join(PAGE, "*.js")).map((file) => readFileSync(file));
    const bytes = scripts.reduce((sum, text) => sum + brotliCompressSync(text).length, 0);
    tell("JavaScript, compressed", bytes / 1024, GOALS.scriptKb, " kB");
    for (const [what, took] of [
      ["a run of 1,000 subtasks opens", found.opening],
      ["it goes on", found.live],
      ["a transcript of 50 MB is read and scrolled", found.transcript],
    ] as const)
      if (isQuiet) tell(`longest task while ${what}`, took, GOALS.taskMs, " ms");
      else
        console.log(
          `longest task while ${what}: ${took.toFixed(0)} ms, goal ${GOALS.taskMs} ms; this machine is too busy to judge`,
        );
  }
} finally {
  for (const child of children) child.kill();
  agent.destroy();
  rmSync(folder, { recursive: true, maxRetries: 5 });
}
