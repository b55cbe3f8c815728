/**
 * Notifies people about the runs of a fleet: of the workers with a notification channel, one does it for all.
 * Invariants: only one worker at a time, elected in the fleet's own record; if it disappears another continues where it
 * stopped; a message being sent is leased in a shared outbox, so it is never sent twice; no run waits for it or fails
 * because of it.
 */
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { parseFields } from "../../agents/output/json.ts";
import { fleetJournal } from "../../engines/restate/fleet-journal.ts";
import type { Ingress } from "../../engines/restate/ingress.ts";
import type { StoredJournal } from "../../journal/journal.ts";
import type { Home } from "../home.ts";
import { deliverDue } from "../notify/deliver.ts";
import { takeReplies } from "../notify/replies.ts";
import { NEWS_MS, runNotices } from "../notify/run-notices.ts";
import { channelsOf, type NotifySettings } from "../notify/settings.ts";
import { homeSharing } from "../runs/shared-home.ts";

interface FleetNotices {
  readonly home: Home;
  readonly engine: Ingress;
  /** The worker's name. */
  readonly worker: string;
  readonly settings: NotifySettings;
  readonly until: AbortSignal;
  readonly onProblem: (problem: unknown) => void;
}

const KEY = "notifier";
const LOOK_MS = 1000;
const TERM_MS = 15_000;
/** Tolerance for differing clocks. */
const OVERLAP_MS = 60_000;

const termSchema = z.object({ worker: z.string(), until: z.number(), told: z.number() });
type Term = z.infer<typeof termSchema>;

/** Ends with the signal. */
export async function notifyOfFleet(options: FleetNotices): Promise<void> {
  const { home, engine, worker, settings, until, onProblem } = options;
  if (channelsOf(settings).length === 0) return;
  const journal = fleetJournal(engine);
  let term: Notifier | undefined;
  while (!until.aborted) {
    try {
      const told = await elected(journal, worker, term?.told() ?? 0);
      if (told === undefined) term = void term?.end();
      else await (term ??= notifier({ home, journal, settings, told })).look();
    } catch (problem) {
      onProblem(problem);
    }
    const wait = term === undefined ? TERM_MS / 3 : LOOK_MS;
    await sleep(wait, undefined, { signal: until }).catch(() => undefined);
  }
  term?.end();
}

/** The time up to which everything was reported, if it is this worker's turn. */
function elected(
  { incidents }: StoredJournal,
  worker: string,
  told: number,
): Promise<number | undefined> {
  return incidents.change(KEY, (text) => {
    const now = Date.now();
    const read = termSchema.safeParse(parseFields(text ?? ""));
    const last = read.success ? read.data : undefined;
    const isOwn = last?.worker === worker;
    if (last !== undefined && !isOwn && last.until > now) return { next: text, answer: undefined };
    const answer = Math.max(told, last?.told ?? 0);
    if (isOwn && last.until > now + TERM_MS / 2) return { next: text, answer };
    const next: Term = { worker, until: now + TERM_MS, told: answer };
    return { next: JSON.stringify(next), answer };
  });
}

interface Notifier {
  /** The time up to which everything is queued. */
  told(): number;
  look(): Promise<void>;
  end(): void;
}

interface Begun extends Pick<FleetNotices, "home" | "settings"> {
  readonly journal: StoredJournal;
  readonly told: number;
}

function notifier({ home, journal, settings, told: before }: Begun): Notifier {
  const runs = new Map<string, { readonly take: () => Promise<void>; seq: number }>();
  let told = before;
  const takerOf = (run: string, repo: string): (() => Promise<void>) => {
    const repository = basename(repo).replace(/\.git$/, "");
    return runNotices({ run, repository, journal, settings, since: told - OVERLAP_MS });
  };
  const ending = new AbortController();
  const context = { cwd: home.root };
  const replies = { home, settings, context, until: ending.signal };
  void homeSharing({ home, journal })(() => takeReplies(replies)).catch(() => undefined);
  return {
    told: () => told,
    async look() {
      const begun = Date.now();
      const from = Math.max(told - OVERLAP_MS, begun - NEWS_MS);
      const { rows } = await journal.runsSince(from);
      for (const { id, repo, seq } of rows) {
        const known = runs.get(id) ?? { seq: 0, take: takerOf(id, repo) };
        runs.set(id, known);
        if (known.seq >= seq) continue;
        await known.take();
        known.seq = seq;
      }
      const there = new Set(rows.map(({ id }) => id));
      for (const id of runs.keys()) if (!there.has(id)) runs.delete(id);
      told = begun;
      await deliverDue({ home, journal, settings });
    },
    end: () => ending.abort(),
  };
}
