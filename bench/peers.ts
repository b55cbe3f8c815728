/**
 * Unstuck's whole path (decide, fold, append, dispatch) against LangGraph.js with its SQLite checkpointer, in one run:
 * 100 subtasks at a time that each fail their checks once. The peer's packages are not installed with this checkout;
 * without them it says how to get them and exits with code 2. UNSTUCK_PEER_NODE names another Node for the peer, if its
 * native module was built for that one. Exits 1 if the goal is missed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInMemory } from "./in-memory/run.ts";

const SUBTASKS = 100;
const ROUNDS = 5;
const GOAL = 10;
/** With its defaults (stores asynchronously, and does not wait for the disk), and as durable as Unstuck always is. */
const SETTINGS = { "as it comes": ["async", "default"], "as durable": ["sync", "FULL"] } as const;
type Setting = keyof typeof SETTINGS;

interface Peer {
  readonly ms: number;
  readonly checkpoints: number;
  readonly synchronous: number;
  readonly mode: string;
  readonly node: string;
}

const peers = join(import.meta.dirname, "peers");
if (!existsSync(join(peers, "node_modules", "@langchain", "langgraph"))) {
  console.log(
    "not measured: LangGraph.js is not installed. Install it with\n  npm ci --prefix bench/peers",
  );
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "unstuck-bench-"));
try {
  await compare();
} finally {
  rmSync(folder, { recursive: true });
}

async function compare(): Promise<void> {
  await runInMemory({ subtasks: SUBTASKS, concurrency: SUBTASKS });
  const own: number[] = [];
  const peer: Record<Setting, Peer[]> = { "as it comes": [], "as durable": [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    own.push((await runInMemory({ subtasks: SUBTASKS, concurrency: SUBTASKS })).wallMs);
    for (const setting of Object.keys(SETTINGS) as Setting[])
      peer[setting].push(langGraph(setting, round));
  }
  const best = Math.min(...own);
  console.log(
    `${SUBTASKS} subtasks at a time, each fails its checks once; best of ${ROUNDS} interleaved rounds`,
  );
  console.log(`Unstuck                 ${best.toFixed(0).padStart(6)} ms`);
  const ratios = Object.entries(peer).map(([setting, rounds]) => {
    const [first] = rounds.toSorted((a, b) => a.ms - b.ms);
    if (first === undefined) throw new Error("broken invariant: no round");
    const { ms, checkpoints, mode, synchronous, node } = first;
    const ratio = ms / best;
    console.log(
      `LangGraph.js, ${setting.padEnd(11)} ${ms.toFixed(0).padStart(4)} ms, ratio ${ratio.toFixed(1)} ` +
        `(${checkpoints} checkpoints, ${mode}, synchronous ${synchronous}, Node ${node})`,
    );
    return ratio;
  });
  const met = ratios.every((ratio) => ratio >= GOAL);
  console.log(`goal: at least ${GOAL} times: ${met ? "met" : "MISSED"}`);
  process.exitCode = met ? 0 : 1;
}

function langGraph(setting: Setting, round: number): Peer {
  const database = join(folder, `${setting}-${round}.db`.replaceAll(" ", "-"));
  const words = ["langgraph.js", String(SUBTASKS), ...SETTINGS[setting], database];
  const { stdout, status } = spawnSync(
    process.env["UNSTUCK_PEER_NODE"] ?? process.execPath,
    words,
    {
      cwd: peers,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  if (status !== 0)
    throw new Error(
      "LangGraph.js did not run; if its native module is of another Node: UNSTUCK_PEER_NODE",
    );
  return JSON.parse(stdout) as Peer;
}
