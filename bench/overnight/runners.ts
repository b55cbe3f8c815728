/**
 * One scenario with Unstuck, and with the plain loop: each in its own surroundings, started as a user would, restarted
 * if it was killed, and judged by the repository's own check, even if that was changed on the way.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inPlace, type Place, type Spent } from "./place.ts";
import { subtasksOf, USUAL_FILES } from "./scenario.ts";
import type { NightScenario, OvernightAgent, Scale } from "./scenario.ts";

export interface Outcome extends Spent {
  /** Unstuck: it ended as it should. Loop: the work is done. */
  readonly right: boolean;
  readonly seconds: number;
  readonly intact: boolean;
  readonly orphans: number;
  /** It accepted unfinished work as done. */
  readonly fooled: boolean;
  /** How it ended, for a person. */
  readonly end: string;
}

const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "unstuck.js");
const LOOP = join(import.meta.dirname, "plain-loop.ts");

export const withUnstuck = (
  agent: OvernightAgent,
  scenario: NightScenario,
  scale: Scale,
): Promise<Outcome> =>
  inPlace(agent, scenario, scale, async (place) => {
    const file = join(place.folder, "plan.json");
    writeFileSync(file, JSON.stringify(planOf(agent, scenario, scale)));
    const flags = scenario.gated === true ? [] : ["--full-permissions"];
    const run = ["run", file, "--trust", ...flags];
    const ran = await started(place, scale.total, [LAUNCHER, ...run], [LAUNCHER, "resume"]);
    const ends = scenario.ends ?? [0];
    const right = ends.includes(ran.code ?? -1) && (ran.code !== 0 || holds(place, scenario, true));
    return outcome(place, ran, right);
  });

export const withLoop = (
  agent: OvernightAgent,
  scenario: NightScenario,
  scale: Scale,
): Promise<Outcome> =>
  inPlace(agent, scenario, scale, async (place) => {
    const file = join(place.folder, "loop.json");
    const { model, gated = false } = scenario;
    const subtasks = subtasksOf(scenario);
    const order = { agent, subtasks, gated, model: model?.[agent], ...scale.loop };
    writeFileSync(file, JSON.stringify(order));
    const again = [LOOP, file];
    const ran = await started(place, scale.loop.total + 60, again, again);
    return outcome(place, ran, ran.code === 0 && holds(place, scenario, false));
  });

const planOf = (agent: OvernightAgent, scenario: NightScenario, scale: Scale): object => ({
  goal: "make the value 2",
  agent,
  agents: { [agent]: { adapter: agent } },
  subtasks: subtasksOf(scenario).map(({ id, prompt, check }) => ({
    id,
    prompt,
    checks: [{ run: check, minutes: scale.patience / 60 }],
  })),
  attempt: { idleMinutes: scale.patience / 60 },
  grounding: scenario.grounding === true,
  ...scenario.plan?.(scale, agent),
});

interface Ran {
  readonly code: number | null;
  readonly ms: number;
  readonly last: string;
}

/** Runs it to its end; `again`: how it is restarted if it was killed. */
async function started(
  place: Place,
  seconds: number,
  args: readonly string[],
  again: readonly string[],
): Promise<Ran> {
  const since = Date.now();
  const child = spawn(process.execPath, args, {
    cwd: place.repository,
    env: place.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  place.supervisor = child.pid;
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (text = (text + chunk.toString()).slice(-20_000)));
  let gaveUp = false;
  const timer = setTimeout(() => {
    gaveUp = true;
    child.kill("SIGKILL");
  }, seconds * 1000);
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  clearTimeout(timer);
  const ms = Date.now() - since;
  if (signal === "SIGKILL" && !gaveUp) {
    const next = await started(place, seconds, again, again);
    return { ...next, ms: ms + next.ms };
  }
  const last = text.trimEnd().split("\n").at(-1) ?? "";
  return { code, ms, last: gaveUp ? "given up on" : last.slice(0, 120) };
}

async function outcome(place: Place, ran: Ran, right: boolean): Promise<Outcome> {
  await new Promise((done) => setTimeout(done, 500));
  const orphans = place.processes().length;
  const intact = place.isIntact();
  const seconds = ran.ms / 1000;
  const end = `${ran.code}: ${ran.last}`;
  const fooled = ran.code === 0 && !right;
  return { right, ...place.spent(), seconds, intact, orphans, fooled, end };
}

/** Whatever judges must be unchanged; a flaky check gets a second try. */
function holds(place: Place, scenario: NightScenario, isBranch: boolean): boolean {
  const { folder, repository, env } = place;
  const copy = join(folder, "judged");
  if (isBranch) {
    const git = (...args: string[]) =>
      spawnSync("git", args, { cwd: repository, env, encoding: "utf8" });
    const [branch = ""] = git("branch", "--list", "--format=%(refname:short)", "unstuck/*")
      .stdout.trim()
      .split("\n");
    if (git("clone", "-q", "-b", branch, repository, copy).status !== 0) return false;
  } else cpSync(repository, copy, { recursive: true });
  for (const [name, text] of Object.entries({ ...USUAL_FILES, ...scenario.files }))
    if (/check\.sh$|\.test\.mjs$/.test(name)) {
      mkdirSync(dirname(join(copy, name)), { recursive: true });
      writeFileSync(join(copy, name), text);
    }
  return subtasksOf(scenario).every(({ check }) =>
    [1, 2].some(
      () => spawnSync(check, { cwd: copy, env, shell: true, timeout: 60_000 }).status === 0,
    ),
  );
}
