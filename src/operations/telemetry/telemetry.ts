/**
 * Telemetry of a run while this process works on it, for users with a collector: off unless the standard OpenTelemetry
 * variables name a destination, and the SDK is loaded only then. Invariants: the run never waits for it or fails
 * because of it; what an earlier process reported is not reported again; no text of agents, errors or prompts is sent.
 */
import { metricCollector } from "../../core/telemetry/run-metrics.ts";
import { spanCollector, type RunSpan } from "../../core/telemetry/run-spans.ts";
import type { StoredJournal } from "../../journal/journal.ts";
import { recordedEvents } from "../runs/recorded.ts";
import type { TelemetrySdk } from "./sdk.ts";
import { toolSpans } from "./tool-spans.ts";
import { telemetryWanted } from "./wanted.ts";

interface Observed {
  readonly run: string;
  readonly journal: StoredJournal;
  /** The number of events from before this process began to work on it. */
  readonly before: number;
  /** Called once if the configuration cannot work. */
  readonly tell: (words: string) => void;
}

const LAST_LIMIT_MS = 10_000;

/** Returns a function that ends it, once everything recorded by then is sent, or the time limit is reached. */
export function observeRun({ run, journal, before, tell }: Observed): () => Promise<void> {
  const wanted = telemetryWanted(process.env);
  if (typeof wanted === "string") tell(wanted);
  if (wanted === undefined || typeof wanted === "string") return () => Promise.resolve();
  const loading = import("./sdk.ts").then(({ openSdk }) => openSdk(run, wanted));
  const [spans, measures] = [spanCollector(run), metricCollector()];
  let next = 1;
  let working = Promise.resolve();

  const take = async (): Promise<void> => {
    const sdk = await loading;
    for await (const { seq, event } of recordedEvents(journal, run, { from: next })) {
      next = seq + 1;
      const [ended, measured] = [spans.add(event), measures.add(event)];
      if (seq <= before) continue;
      for (const one of measured) sdk.measure(one);
      for (const span of ended) await tellSpan(sdk, run, span);
    }
  };
  const taken = (): Promise<void> => (working = working.then(take).catch(() => undefined));
  void taken();
  const unwatch = journal.watch((change) => {
    if (change.kind === "events" && change.run === run) void taken();
  });
  return async () => {
    unwatch();
    await taken();
    const late = new Promise((done) => setTimeout(done, LAST_LIMIT_MS).unref());
    await Promise.race([loading.then((sdk) => sdk.close()), late]).catch(() => undefined);
  };
}

/** Children first: a collector that has a span then also has its children. */
async function tellSpan(sdk: TelemetrySdk, run: string, span: RunSpan): Promise<void> {
  if (span.key.startsWith("attempt ") && sdk.tracesAreWanted)
    for (const tool of await toolSpans(run, span)) sdk.span(tool);
  sdk.span(span);
}
