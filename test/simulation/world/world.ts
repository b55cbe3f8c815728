/**
 * One simulated world, made from a seed: the ports every process gets, on a shared disk, machine and storage.
 * Invariant: wrappers for planted bugs are put around what the production code is given, and nowhere else.
 */
import type { Journal } from "../../../src/journal/journal.ts";
import type { Engine, Ports } from "../../../src/runtime/ports.ts";
import { simulatedAgent, type Stage } from "./agent.ts";
import { attemptScript } from "./agent-script.ts";
import type { Chance } from "./chance.ts";
import { simulatedChecker, type Bench } from "./checker.ts";
import { Refused, type Disk } from "./disk.ts";
import type { Happening } from "./history.ts";
import { simulatedCheckTrees, simulatedCommits } from "./judging.ts";
import { loopWatch } from "./loop-watch.ts";
import { machine, type Machine } from "./machine.ts";
import { memoryJournal, type Storage } from "./memory-journal.ts";
import type { SimulatedProcess } from "./process.ts";
import { BASE, repository, type Repository } from "./repository.ts";
import type { Inside, Sabotage } from "./sabotage.ts";
import type { Scenario } from "./scenario.ts";
import type { MakeEngine, Surroundings } from "./surroundings.ts";
import type { Tree } from "./tree.ts";
import type { VirtualTime } from "./virtual-time.ts";
import { folderOf, simulatedStandingTrees, simulatedWorkspace } from "./workspace.ts";

export const RUN = "run-1";

export interface WorldOptions {
  readonly chance: Chance;
  readonly time: VirtualTime;
  readonly scenario: Scenario;
  readonly storage: Storage;
  readonly record: (happening: Happening) => void;
  readonly makeEngine: MakeEngine;
  readonly sabotage: Sabotage;
}

export interface World extends Surroundings {
  readonly repository: Repository;
}

export function makeWorld(options: WorldOptions): World {
  const { chance, time, scenario, sabotage, record } = options;
  const { faults, plan } = scenario;
  const plain = repository(record, chance.fork("repository"));
  const files = sabotage.repository?.(plain) ?? plain;
  const { guardLossRate } = faults;
  const living = machine({ time, guardLossRate, chance: chance.fork("machine") });
  const stages = stagesOf(options, files, living);
  const inside = (process: SimulatedProcess): Inside => ({
    process,
    chance: chance.fork(`sabotage ${process.name}`),
  });
  const journals = new Map<SimulatedProcess, Journal>();
  const journalOf = (process: SimulatedProcess): Journal => {
    const known = journals.get(process);
    if (known !== undefined) return known;
    const made = memoryJournal(options.storage, process);
    const journal = sabotage.journal?.(made, inside(process)) ?? made;
    journals.set(process, journal);
    return journal;
  };
  return {
    ...{ run: RUN, plan, record, journalOf, repository: files },
    leavesWhenPaused: faults.leavesWhenPaused,
    firstInput: () => ({
      ...{ kind: "run-started", run: RUN, plan: plan.plan, chance: chance.next() },
      at: time.wall(),
      ...(chance.happens(0.7) ? { goodCommit: BASE } : {}),
    }),
    engineOf(process, onProblem) {
      const engine = options.makeEngine({
        clock: sabotage.clock?.(process.clock, inside(process)) ?? process.clock,
        journal: journalOf(process),
        random: process.random,
        onProblem: process.inside((_: string, problem: unknown) => onProblem(problem)),
        onPoint: (point) => process.point(`engine ${point}`),
        snapshotSize: faults.snapshotSize,
      });
      const sabotaged = sabotage.engine?.(engine, inside(process)) ?? engine;
      return recording(sabotaged, process, record);
    },
    portsOf(process, engine) {
      const ports = plainPorts(stages, scenario, process, engine, journalOf(process).incidents);
      return sabotage.ports?.(ports, inside(process)) ?? ports;
    },
  };
}

interface Stages {
  readonly stage: Stage;
  readonly disk: Disk;
  readonly bench: Bench;
}

function stagesOf(options: WorldOptions, files: Repository, living: Machine): Stages {
  const { chance, time, scenario, record } = options;
  const { faults, plan, temper } = scenario;
  const folders = new Map<string, Tree>();
  const slotOf = (cwd: string): string => cwd.slice(folderOf("").length);
  const shared = { run: RUN, machine: living, time, record };
  return {
    stage: {
      ...shared,
      chance: chance.fork("agents"),
      write: (cwd, file, text) => files.write(slotOf(cwd), file, text),
      scriptOf(subtask, attempt) {
        const found = plan.plan.subtasks.find(({ id }) => id === subtask);
        const { readOnly = false, structuredOutput: structured = false } = found ?? {};
        const drawn = chance.fork(`script ${subtask} ${attempt}`);
        return attemptScript({ chance: drawn, temper, subtask, attempt, readOnly, structured });
      },
    },
    disk: {
      ...{ ...shared, repository: files, folders, chance: chance.fork("disk") },
      ...{ contents: new Map<string, Tree>(), holders: new Map<number, string>() },
      refusal: (kind, detail) => new Refused(kind, detail),
      refusalRate: faults.refusalRate,
      living: (cwd) => living.workingIn(cwd),
    },
    bench: {
      ...{ ...shared, chance: chance.fork("checks") },
      treeIn: (cwd) => folders.get(cwd) ?? files.slot(slotOf(cwd)).tree,
      flakyRate: faults.flakyRate,
      brokenRate: faults.brokenCheckRate,
      brokenBase: faults.brokenBase,
    },
  };
}

function plainPorts(
  { stage, disk, bench }: Stages,
  { missingAgents }: Scenario,
  process: SimulatedProcess,
  engine: Engine,
  incidents: Ports["incidents"],
): Ports {
  const agent = simulatedAgent(stage, process);
  const proveDead = (attemptId: string): ReturnType<Ports["proveDead"]> =>
    process.effect("proof of death", () => stage.machine.kill(attemptId, stage.chance));
  return {
    engine,
    workspace: simulatedWorkspace(disk, process),
    standingTrees: simulatedStandingTrees(disk, process),
    commits: simulatedCommits(disk, process),
    checkTrees: simulatedCheckTrees(disk, process, proveDead),
    checker: simulatedChecker(bench, process),
    agent: (name) => (missingAgents.includes(name) ? undefined : agent),
    proveDead,
    tell: () => process.point("told"),
    redact: (text) => text,
    advise: () => undefined,
    timeZone: () => "UTC",
    incidents,
    providerOf: ({ agent: name }) => name,
    attemptFolder: async (attemptId) => `attempts/${attemptId}`,
    loopWatch,
    presence: () => "elsewhere",
    clock: process.clock,
    random: process.random,
    notify: () => process.point("notified"),
  };
}

/** Writes down what was promised to whoever delivered something. */
function recording(
  engine: Engine,
  process: SimulatedProcess,
  record: (happening: Happening) => void,
): Engine {
  return {
    ...engine,
    async deliver(run, input) {
      const delivery = await engine.deliver(run, input);
      const how = delivery.recorded ? "recorded" : "posted" in delivery ? "posted" : "ignored";
      if (process.alive()) record({ kind: "acknowledged", input, how, by: process.name });
      return delivery;
    },
  };
}
