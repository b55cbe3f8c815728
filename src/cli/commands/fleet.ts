/**
 * `unstuck worker`, `submit`, `workers` and `dev`: runs on more than one machine. A worker works until it is told to
 * stop: the first SIGTERM or SIGINT lets it finish what it has in hand, a second one stops it at once.
 */
import { Command } from "commander";
import { devFleet } from "../../operations/fleet/dev-fleet.ts";
import { listWorkers } from "../../operations/fleet/list-workers.ts";
import { submitRun } from "../../operations/fleet/submit.ts";
import { fleetUrl } from "../../operations/fleet/url.ts";
import { workForFleet, type WorkerHappening } from "../../operations/fleet/work-for-fleet.ts";
import type { InputOf } from "../../operations/operation.ts";
import { cleanLine } from "../../operations/text.ts";
import { perform, reportError, write, writeJson, type Flags } from "../io.ts";
import { numberOf, UsageError } from "../read-input.ts";
import { limitWords, URL_OPTION } from "./limit.ts";
import { serveUntil } from "./serve.ts";

type WorkerFlags = Flags<
  Omit<InputOf<typeof workForFleet>, "slots" | "port" | "blobs" | "labels">
> & {
  readonly engine: string;
  readonly slots?: string;
  readonly port?: string;
  readonly blobs?: string;
  readonly label?: readonly string[];
  readonly identityKey?: readonly string[];
};

export function worker(): Command {
  return new Command("worker")
    .description(
      "Works for a fleet: takes attempts, checks and merges of any run that was submitted.\n" +
        "Ctrl-C or SIGTERM lets it finish what it has; a second one lets go at once.",
    )
    .option("--engine <name>", "the engine that the fleet runs on", "restate")
    .option(...URL_OPTION)
    .option("--admin <address...>", "its admin interface; default: the same host, port 9070")
    .option("--blobs <url>", "store of large content: file:///folder or s3://bucket/prefix")
    .option("--name <name>", "the worker's name; default: from this machine's")
    .option("--label <label...>", "what it offers: an agent, a tool, anything")
    .option("--slots <n>", "attempts at a time; default: one for each core")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <n>", "port to listen on; default: any that is free")
    .option("--advertise <host>", "the name that the engine reaches it by")
    .option("--identity-key <key...>", "public key of the engine: requests of others are refused")
    .option("--json", "as JSON")
    .action((flags: WorkerFlags) => workUntilStopped(flags));
}

async function workUntilStopped(flags: WorkerFlags): Promise<void> {
  const { engine, slots, port, blobs, label, identityKey, json, ...more } = flags;
  if (engine !== "restate") throw new UsageError(`there is no engine ${engine}: it is restate`);
  if (blobs === undefined)
    throw new UsageError("--blobs is missing: a folder or bucket that all workers share");
  const { draining, letGo } = stopSignals();
  const shown = (happening: WorkerHappening): void =>
    json === true ? writeJson(happening) : write(wordsOf(happening));
  const input = {
    ...{ ...more, blobs },
    ...(label === undefined ? {} : { labels: [...label] }),
    ...(identityKey === undefined ? {} : { identityKeys: [...identityKey] }),
    ...(slots === undefined ? {} : { slots: numberOf("slots", slots, 1, 1000) ?? 1 }),
    ...(port === undefined ? {} : { port: numberOf("port", port, 0, 65535) ?? 0 }),
  };
  const { done } = await perform(workForFleet, input, {
    ...{ signal: draining, attended: letGo, on: shown },
  });
  if (json !== true) write(`stopped; ${done} done`);
  process.exit();
}

function wordsOf(happening: WorkerHappening): string {
  switch (happening.kind) {
    case "joined":
      return `worker ${happening.name} joined the fleet at ${happening.address}, ${happening.slots} at a time`;
    case "began":
      return `${happening.command} began`;
    case "ended":
      return `${happening.command} ended`;
    case "lease-over":
      return "nothing was heard of the engine for too long: what was under way has ended";
    case "draining":
      return `finishing what is under way (${happening.left}); once more to let go at once`;
  }
}

export function dev(): Command {
  return new Command("dev")
    .description(
      "Starts a fleet on this machine, to try things on: a Restate server, one worker and the page,\n" +
        "all on loopback, until Ctrl-C.",
    )
    .option("--slots <n>", "attempts at a time; default: one for each core")
    .option("--any-port", "take any ports that are free")
    .option("--json", "as JSON")
    .action(async (flags: Flags<{ readonly slots?: string; readonly anyPort?: boolean }>) => {
      const { draining, letGo } = stopSignals();
      const slots = numberOf("slots", flags.slots, 1, 1000);
      await perform(
        devFleet,
        { ...(slots === undefined ? {} : { slots }), anyPort: flags.anyPort },
        {
          ...{ signal: draining, attended: letGo },
          on: (happening) => {
            if (flags.json === true) writeJson(happening);
            else if (happening.kind !== "serving") write(wordsOf(happening));
            else showDev(happening.url, draining);
          },
        },
      );
      process.exit();
    });
}

/** Serves the page of the fleet in a second process. */
function showDev(url: string, until: AbortSignal): void {
  process.env["UNSTUCK_FLEET"] = url;
  write(`the engine is at ${url}; for commands in another terminal: export UNSTUCK_FLEET=${url}`);
  void serveUntil({ host: "127.0.0.1", port: "0" }, until, () => undefined).catch(reportError);
}

function stopSignals(): { readonly draining: AbortSignal; readonly letGo: AbortSignal } {
  const draining = new AbortController();
  const letGo = new AbortController();
  const stop = (): void => (draining.signal.aborted ? letGo : draining).abort();
  process.on("SIGINT", stop).on("SIGTERM", stop);
  return { draining: draining.signal, letGo: letGo.signal };
}

type SubmitFlags = Flags<Omit<InputOf<typeof submitRun>, "concurrency" | "checks" | "labels">> & {
  readonly concurrency?: string;
  readonly check?: readonly string[];
  readonly label?: readonly string[];
};

export function submit(): Command {
  return new Command("submit")
    .description(
      "Hands a plan or a goal to a fleet, to be worked on in clones of a git repository.",
    )
    .argument("[plan]", "plan file here; default: the one in the repository")
    .requiredOption("--repo <url>", "git URL that every worker can clone")
    .option(...URL_OPTION)
    .option("--ref <ref>", "branch, tag or commit; default: the remote's HEAD")
    .option("--goal <text>", "what you want done, instead of a plan file")
    .option("--agent <command>", "agent, or a command with {prompt}")
    .option("--check <command...>", "what has to pass")
    .option("--policy <name>", "recovery policy")
    .option("--concurrency <n>", "attempts at a time")
    .option("--label <label...>", "what a worker must offer")
    .option("--trust", "you have read the plan's commands")
    .option("--full-permissions", "agents may do anything")
    .option("--json", "as JSON")
    .action(async (plan: string | undefined, flags: SubmitFlags) => {
      const { json, check, label, concurrency, ...more } = flags;
      const { run } = await perform(submitRun, {
        ...more,
        ...(plan === undefined ? {} : { plan }),
        ...(check === undefined ? {} : { checks: [...check] }),
        ...(label === undefined ? {} : { labels: [...label] }),
        ...(concurrency === undefined
          ? {}
          : { concurrency: numberOf("concurrency", concurrency, 1, 64) ?? 1 }),
      });
      if (json === true) return writeJson({ run });
      const at = flags.url?.[0] ?? (fleetUrl() === undefined ? "http://127.0.0.1:8080" : undefined);
      const before = at === undefined ? "" : `UNSTUCK_FLEET=${at} `;
      write(`run ${run} was submitted\n  Watch it: ${before}unstuck attach ${run}`);
    });
}

export function workers(): Command {
  return new Command("workers")
    .description("Lists the workers of a fleet, and how much waits for one.")
    .option(...URL_OPTION)
    .option("--json", "as JSON")
    .action(async ({ json, url }: Flags<InputOf<typeof listWorkers>>) => {
      const fleet = await perform(listWorkers, url === undefined ? {} : { url });
      if (json === true) return writeJson(fleet);
      for (const one of fleet.workers) {
        const { id, address, slots, busy, draining, version, labels, heardAt } = one;
        const ago = Math.max(0, Math.round((Date.now() - heardAt) / 1000));
        const state = draining ? "draining" : `heard of ${ago} s ago`;
        const offers = labels.length === 0 ? "" : `  ${cleanLine(labels.join(", "), 200)}`;
        write(
          `${id}  ${address}  ${busy} under way, ${slots} slots  ${version}  ${state}${offers}`,
        );
      }
      write(fleet.workers.length === 0 ? "there are no workers" : `${fleet.waiting} waiting`);
      for (const one of fleet.limits) write(limitWords(one));
    });
}
