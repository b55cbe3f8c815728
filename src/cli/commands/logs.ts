/**
 * `unstuck logs`: what an agent did, in any attempt of any run, past or current. Condensed by default; in full, raw or
 * as JSON lines on request. Following only appends; Ctrl-C does not affect the run.
 */
import { Command } from "commander";
import { readLogs, type LogHappening } from "../../operations/logs/read-logs.ts";
import type { OutputOf } from "../../operations/operation.ts";
import { cleanLine, duration, type Line } from "../../operations/text.ts";
import { perform, styled, textColumns, writeJson, type Flags } from "../io.ts";
import { mayPage, withOutput } from "../pager.ts";
import { UsageError } from "../read-input.ts";
import { fitted, padToWidth, painted } from "../screen/line.ts";
import { transcriptScreen } from "../screen/transcript.ts";

type LogFlags = Flags<{
  readonly follow?: boolean;
  readonly full?: boolean;
  readonly raw?: boolean;
  readonly list?: boolean;
  readonly tail?: string;
  readonly since?: string;
  readonly pager: boolean;
}>;
type Read = OutputOf<typeof readLogs>;

export function logs(): Command {
  return new Command("logs")
    .description(
      "Shows what an agent did: its messages, its tool calls with their results, and what the checks said.",
    )
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .argument("[subtask]", "subtask, or subtask/attempt; default: what runs now, or ran last")
    .option("-f, --follow", "keep printing as the run goes on, across attempts")
    .option("--full", "print tool calls, results and thoughts in full")
    .option("--tail <n>", "only the last entries of each attempt")
    .option("--since <when>", "only from then on: 10m, 2h, 1d, 03:00, or a date")
    .option("--list", "list the attempts of the run")
    .option("--raw", "print the agent's own output as it was recorded, without secrets")
    .option("--no-pager", "print straight to the terminal")
    .option("--json", "every entry as a JSON line")
    .action((run: string | undefined, at: string | undefined, flags: LogFlags) =>
      show(run, at, flags),
    );
}

async function show(
  run: string | undefined,
  at: string | undefined,
  { full = false, json = false, pager, ...flags }: LogFlags,
): Promise<void> {
  const follow = flags.follow === true;
  const input = {
    ...{ run, at, follow, raw: flags.raw, list: flags.list },
    tail: tailOf(flags.tail),
    since: flags.since === undefined ? undefined : momentOf(flags.since, Date.now()),
  };
  const isPaged = pager && !follow && !json && flags.list !== true && mayPage();
  const interrupt = new AbortController();
  if (follow) process.once("SIGINT", () => interrupt.abort());
  await withOutput(isPaged, async (output) => {
    const screen = transcriptScreen({ columns: textColumns(), styled, full });
    const on = (happening: LogHappening): void => {
      if (happening.kind === "raw") output.write(happening.bytes);
      else if (json) writeJson(happening.entry);
      else output.write(screen.take(happening.entry));
    };
    const signal = AbortSignal.any([interrupt.signal, output.left]);
    const read = await perform(readLogs, input, { on, signal, drained: () => output.drained() });
    // The terminal itself prints ^C on the current line.
    output.write(interrupt.signal.aborted && process.stdout.isTTY ? "\n" : screen.end());
    if (flags.raw === true) return;
    if (json) return read.shown.length === 0 && !follow ? writeJson(read) : undefined;
    for (const line of afterLines(read, follow))
      output.write(`${painted(fitted(line, textColumns()), styled)}\n`);
  });
}

/** The list of attempts if none was shown; otherwise the next commands. */
function afterLines(read: Read, isFollowed: boolean): readonly Line[] {
  const { run, shown, attempts, goesOn } = read;
  if (shown.length === 0 && !isFollowed) return listLines(read);
  if (!process.stdout.isTTY) return [];
  const said = (words: string, flag: string): Line =>
    hint(`${words}: `, run, (id) => `logs ${id} ${flag}`);
  if (isFollowed && goesOn) return [said("the run goes on", "-f")];
  if (isFollowed) return [hint("the run has stopped: ", run, (id) => `status ${id}`)];
  return [
    ...(goesOn ? [said("follow it", "-f")] : []),
    ...(attempts.length > 1 ? [said(`all ${attempts.length} attempts`, "--list")] : []),
  ];
}

/** A command to copy: with the last part of the run's id if space is short. */
function hint(label: string, run: string, command: (id: string) => string): Line {
  const whole = `unstuck ${command(run)}`;
  const fits = label.length + whole.length <= textColumns();
  const shown = fits ? whole : `unstuck ${command(run.slice(run.lastIndexOf("-") + 1))}`;
  return [
    [label, "dim"],
    [shown, "bold"],
  ];
}

const NAME_MAX = 40;

function listLines({ run, attempts }: Read): readonly Line[] {
  const named = attempts.map(
    (one) => [`${cleanLine(one.subtask, NAME_MAX)}/${one.attempt}`, one] as const,
  );
  const widest = named.reduce((max, [name]) => Math.max(max, name.length), 0);
  const rows = named.map(([name, one]): Line => {
    const { running, agent, model, startedAt, endedAt, failure } = one;
    const who = model === undefined ? agent : `${agent} ${model}`;
    const took =
      startedAt === undefined || (endedAt === undefined && !running)
        ? ""
        : duration((endedAt ?? Date.now()) - startedAt);
    const words = running ? "running" : (failure ?? "");
    return [
      [running ? " ▸ " : failure === undefined ? "   " : " ✗ ", running ? "cyan" : "red"],
      [`${padToWidth(name, widest)}  `, "bold"],
      [`${who}  ${took.padStart(7)}  `],
      [words, running ? "cyan" : "dim"],
    ];
  });
  const [name = "SUBTASK"] = named.find(([, { running }]) => running) ?? named.at(-1) ?? [];
  return [...rows, hint("read one: ", run, (id) => `logs ${id} ${name}`)];
}

function tailOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--tail: expected a whole number such as 20, got ${cleanLine(text, 40)}`);
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `10m` ago, `03:00` today or yesterday, or a date in ISO 8601 format. */
export function momentOf(text: string, now: number): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit !== undefined) return now - Number(number) * UNITS[unit as keyof typeof UNITS];
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  if (minutes !== undefined && Number(hours) < 24 && Number(minutes) < 60) {
    const then = new Date(now);
    then.setHours(Number(hours), Number(minutes), 0, 0);
    if (then.getTime() > now) then.setDate(then.getDate() - 1);
    return then.getTime();
  }
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(moment)) return moment;
  throw new UsageError(
    `--since: expected 10m, 2h, 1d, 03:00 or 2026-01-31T03:00, got ${cleanLine(text, 40)}`,
  );
}
