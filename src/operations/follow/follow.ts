/**
 * Follows a run as it progresses, in this process or another, as typed events; and reads its agents' current steps from
 * the ends of their transcripts. Invariants: it never writes to the run; every event is reported once and in order,
 * including those recorded while the following ends; an unreadable transcript means no step; secrets are redacted.
 */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OUTPUT_FORMATS } from "../../agents/registry.ts";
import { vectorItems } from "../../core/persistent-collections.ts";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import type { RunEvent } from "../../core/run/decision.ts";
import type { RunState } from "../../core/run/state.ts";
import type { JournalReader } from "../../journal/reader.ts";
import type { Recorded } from "../../runtime/ports.ts";
import { defined, operation } from "../operation.ts";
import { redact } from "../redaction.ts";
import type { Line } from "../text.ts";
import type { Card } from "../status/card-schema.ts";
import { cardOf } from "../status/read-run.ts";
import { withRun, type OpenHome } from "../runs/open-run.ts";
import { recordedEvents, recordedRun } from "../runs/recorded.ts";
import { runFold } from "./run-fold.ts";
import { lineOf, type RunView } from "./run-lines.ts";
import { runView } from "./run-view.ts";
import { startedWith } from "../runs/started-with.ts";
import { isWorkedOn } from "../runs/status.ts";
import { createStepReader } from "../../agents/output/transcript.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import type { Step } from "../../core/stuck/step.ts";

export type RunHappening =
  /** The run has a name but has not started: its clone is being made. */
  | { readonly kind: "preparing"; readonly run: string }
  /** This process works on it from now on. */
  | { readonly kind: "working"; readonly run: string }
  /** `line`: set for events of interest to a person. */
  | {
      readonly kind: "recorded";
      readonly seq: number;
      readonly event: RunEvent;
      readonly line?: Line;
    }
  /** The view has changed; it is computed on demand. */
  | { readonly kind: "changed"; readonly view: () => RunView };

const STEPS_MS = 500;

interface Followed {
  readonly run: string;
  readonly runDir: string;
  readonly agents: RunPlan["agents"];
  /** The first event to report. */
  readonly from: number;
  readonly until: AbortSignal;
  /** Whether views are wanted while the run is in progress. */
  readonly live: boolean;
  readonly on: (happening: RunHappening) => void;
}

export async function followEvents(journal: JournalReader, followed: Followed): Promise<void> {
  const { run, from, until, live, on } = followed;
  const folded = runFold();
  let steps: ReadonlyMap<string, string> = new Map();
  const view = (): RunView => runView(folded.state(), folded.history(), steps);
  const isNew = (): boolean => folded.state().phase === "new";
  const looking = !live
    ? undefined
    : setInterval(() => {
        if (isNew()) return;
        void currentSteps(folded.state(), followed.runDir, followed.agents).then((read) => {
          steps = read;
          on({ kind: "changed", view });
        });
      }, STEPS_MS);
  try {
    const first = live ? 1 : from;
    for await (const { seq, event } of recordedEvents(journal, run, { from: first, until })) {
      if (live) folded.add(event);
      if (seq >= from) on(recorded({ seq, event }));
      if (live && !isNew()) on({ kind: "changed", view });
    }
  } finally {
    clearInterval(looking);
  }
}

const recorded = ({ seq, event }: Recorded): RunHappening => ({
  ...{ kind: "recorded", seq, event, ...defined({ line: lineOf(event) }) },
});

/** The run's card; missing if the run has not begun. */
export async function finalCard(open: OpenHome, run: string): Promise<{ readonly card?: Card }> {
  const recorded = await recordedRun(open.journal, run);
  const row = await open.journal.run(run);
  if (recorded.state.phase === "new" || row === undefined) return {};
  return defined({ card: await cardOf({ ...open, row }, recorded) });
}

const OWNER_LOOK_MS = 1000;

const START_LOOK_MS = 200;

export const followRun = operation({
  name: "follow",
  schemas: async () => (await import("../runs/reading-schemas.ts")).followRun,
  run: (context, input, on: (happening: RunHappening) => void) =>
    withRun(context, input.run, async (open) => {
      const { journal, row } = open;
      const { id: run } = row;
      const from = input.onlyNews === true ? row.seq + 1 : (input.from ?? 1);
      const isAttended = async (): Promise<boolean> => {
        const now = await journal.run(run);
        return now !== undefined && isWorkedOn(now);
      };
      if (input.until === "now" || (input.until === "ended" && row.phase === "ended")) {
        for await (const { seq, event } of recordedEvents(journal, run, { from })) {
          if (seq > row.seq) break;
          on(recorded({ seq, event }));
        }
        return { run, goesOn: await isAttended() };
      }
      const ending = new AbortController();
      const until = AbortSignal.any([ending.signal, ...(context.signal ? [context.signal] : [])]);
      const look = async (): Promise<void> => {
        if (!(await isAttended())) ending.abort();
      };
      let looking: NodeJS.Timeout | undefined;
      if (input.until === "unattended") {
        if (row.seq === 0) on({ kind: "preparing", run });
        while (!until.aborted && ((await journal.run(run))?.seq ?? 0) === 0)
          await sleep(START_LOOK_MS);
        looking = setInterval(() => void look().catch(() => ending.abort()), OWNER_LOOK_MS);
      }
      try {
        if (input.until === "unattended" && !until.aborted) await look();
        const begun = ((await journal.run(run))?.seq ?? 0) > 0;
        const live = input.view === "live" && begun;
        const { agents } = live ? (await startedWith(journal, run)).plan : { agents: {} };
        const runDir = open.home.runDir(run);
        await followEvents(journal, { run, runDir, agents, from, until, live, on });
      } finally {
        clearInterval(looking);
      }
      const goesOn = await isAttended();
      return { run, goesOn, ...(input.view === undefined ? {} : await finalCard(open, run)) };
    }),
});

const TAIL_BYTES = 16 * 1024;

/** More agents than a screen has rows need not be read. */
const READ_MAX = 60;

/** By `subtask/attempt`. */
async function currentSteps(
  state: RunState,
  runDir: string,
  agents: RunPlan["agents"],
): Promise<ReadonlyMap<string, string>> {
  const running = vectorItems(state.subtasks).flatMap((own, index) => {
    const id = state.plan.subtasks[index]?.id ?? "";
    return own.running.map(({ attempt, spec }) => ({ id, attempt, agent: spec.entry.agent }));
  });
  const steps = new Map<string, string>();
  for (const { id, attempt, agent } of running.slice(0, READ_MAX)) {
    const folder = join(runDir, "attempts", encodeURIComponent(id), String(attempt));
    const tail = redact(await tailOf(join(folder, "transcript")));
    const { adapter, format = OUTPUT_FORMATS.find((one) => one === adapter) } = agents[agent] ?? {};
    const step = stepText(tail, format);
    if (step !== "") steps.set(`${id}/${attempt}`, step);
  }
  return steps;
}

async function tailOf(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const from = Math.max(0, size - TAIL_BYTES);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}

const STEP_CHARS = 200;

/** Read from the end of a transcript; its first line may be incomplete and is then skipped. */
export function stepText(tail: string, format: string | undefined): string {
  const lines = tail.split("\n").filter((line) => line.trim() !== "");
  const last = lines.at(-1)?.trim() ?? "";
  if (format === undefined && !last.startsWith("{")) return cleanLine(last, STEP_CHARS);
  const reader = createStepReader(format ?? "steps");
  const steps = reader.push(`${lines.join("\n")}\n`).steps.map(({ step }) => doing(step));
  return steps.findLast((text) => text !== "") ?? "";
}

function doing(step: Step): string {
  switch (step.kind) {
    case "tool_call":
      return cleanLine(`${step.tool} ${argumentText(step.args)}`, STEP_CHARS);
    case "message":
    case "error":
      return cleanLine(step.text.trim().split("\n").at(-1) ?? "", STEP_CHARS);
    case "compaction":
      return "compacting its context";
    default:
      return "";
  }
}

/** The most informative argument: a command, a path, a pattern; otherwise all of them. */
const TELLING = ["command", "file_path", "path", "pattern", "query", "url", "description"];

export function argumentText(args: unknown): string {
  if (typeof args === "string") return args;
  if (typeof args !== "object" || args === null) return "";
  const fields = args as Readonly<Record<string, unknown>>;
  for (const name of TELLING) {
    const value = fields[name];
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return value.map(String).join(" ");
  }
  return JSON.stringify(args).slice(0, STEP_CHARS);
}
