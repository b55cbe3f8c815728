/**
 * An attempt's log as text for people: messages in full, a tool call and its result on one line, or everything on
 * request. It only appends, so it can be followed, paged, piped and read aloud. Invariants: no line is wider than the
 * screen; it contains only sanitized text, styles, spaces and line ends.
 */
import type { LogEntry } from "../../operations/logs/read-logs.ts";
import { cleanLine, count, duration, type Line, type Style } from "../../operations/text.ts";
import { cutToWidth, fitted, folded, painted, textWidth, type Styled } from "./line.ts";

interface Look {
  /** Infinity if the width is unlimited. */
  readonly columns: number;
  readonly styled: Styled;
  /** Shows calls and results in full, and the agent's thoughts. */
  readonly full: boolean;
}

type Of<K extends LogEntry["kind"]> = Extract<LogEntry, { readonly kind: K }>;
type Call = Of<"tool-call" | "file-change">;

/** A title is cut even if the width is unlimited. */
const MOST_COLUMNS = 200;
/** Reserved after a call for its result. */
const RESULT_ROOM = 26;

export function transcriptScreen({ columns, styled, full }: Look) {
  const width = Math.min(columns, MOST_COLUMNS);
  /** A call whose line is still open: its result goes there if it comes next. */
  let open: { readonly width: number } | undefined;
  /** The last call that was written. */
  let last: { readonly id: string | undefined } | undefined;
  let place = "";
  let wasProse = false;

  const close = (): string => {
    const end = open === undefined ? "" : "\n";
    open = undefined;
    return end;
  };
  const line = (pieces: Line, most = width): string => painted(fitted(pieces, most), styled);
  const block = (text: string, style?: Style, indent = ""): string =>
    linesOf(text, columns - indent.length)
      .map(
        (each) => `${indent}${style === undefined || each === "" ? each : styled(style, each)}\n`,
      )
      .join("");
  /** Separates text from calls with a blank line. */
  const apart = (isProse: boolean): string => {
    const gap = isProse || wasProse ? "\n" : "";
    wasProse = isProse;
    return gap;
  };

  const call = (entry: Call, margin: string): string => {
    const { tool, title, input, id } = entry;
    const words = titleOf(entry);
    const start: Line = [
      [`${margin}▸ `, "cyan"],
      [tool, "bold"],
      [words === "" ? "" : ` ${words}`],
    ];
    const before = close() + apart(false);
    last = { id };
    if (full)
      return `${before}${line(start)}\n${input === title ? "" : block(input, "dim", `${margin}    `)}`;
    const shown = fitted(start, Math.max(width - RESULT_ROOM, Math.floor(width / 2)));
    open = { width: shown.reduce((sum, [text]) => sum + textWidth(text), 0) };
    return before + painted(shown, styled);
  };
  const result = (entry: Of<"tool-result">, margin: string): string => {
    const told = resultWords(entry);
    const style = entry.failed ? "red" : "green";
    const isNext = last !== undefined && (entry.id === undefined || last.id === entry.id);
    last = undefined;
    if (isNext && open !== undefined && open.width + textWidth(told) + 2 <= width) {
      open = undefined;
      return `  ${styled(style, told)}\n`;
    }
    const named = isNext || entry.tool === undefined ? "" : `${entry.tool} ${entry.title ?? ""}`;
    const room = width - margin.length - textWidth(told) - 6;
    const of = named === "" ? "" : `${cutToWidth(named.trimEnd(), Math.max(1, room))}  `;
    const shown: Line = [
      [`${margin}  └ ${of}`, "dim"],
      [told, style],
    ];
    return `${close()}${line(shown)}\n${full ? block(entry.text, undefined, `${margin}    `) : ""}`;
  };
  const told = (entry: LogEntry, margin: string): string => {
    switch (entry.kind) {
      case "attempt-started":
        return `${close()}${place === "" ? "" : "\n"}${line(startLine(entry), columns)}\n`;
      case "tool-call":
      case "file-change":
        return call(entry, margin);
      case "tool-result":
        return result(entry, margin);
      case "message":
        return close() + apart(true) + block(entry.text.trim(), undefined, margin);
      case "thinking":
        return full
          ? close() + apart(true) + block(entry.text.trim(), "dim", `${margin}  `)
          : `${close()}${apart(false)}${line([[`${margin}· thinking: ${cleanLine(entry.text, MOST_COLUMNS)}`, "dim"]])}\n`;
      case "output":
        return close() + block(entry.text, undefined, margin);
      case "note":
        return close() + apart(false) + block(`· ${entry.text}`, "dim", margin);
      case "error":
        return close() + apart(false) + block(`✗ ${entry.text.trim()}`, "red", margin);
      case "run":
        return close() + apart(false) + block(`» ${entry.text}`, "cyan");
      case "checks":
        return close() + apart(true) + checks(entry);
      case "attempt-ended":
        return close() + block(endText(entry), "dim");
    }
  };
  const checks = ({ verdict, checks: commands, headline, text }: Of<"checks">): string => {
    const named = commands.length === 0 ? "" : `: ${commands.join(", ")}`;
    const [words, style] = VERDICTS[verdict];
    return (
      block(`${words}${named}`, style) +
      (headline === "" ? "" : block(headline, verdict === "passed" ? "yellow" : "bold", "  ")) +
      (text === "" || text === headline ? "" : block(text.trimEnd(), undefined, "    "))
    );
  };
  return {
    /** Returns what to write for an entry; its last line may be continued. */
    take(entry: LogEntry): string {
      const from = "attempt" in entry ? `${entry.subtask}/${entry.attempt}` : place;
      const margin = "inner" in entry && entry.inner === true ? "  │ " : "";
      const isElsewhere = place !== "" && from !== place && entry.kind !== "attempt-started";
      const head = isElsewhere ? `${close()}\n${line([[`── ${from}`, "bold"]])}\n` : "";
      const text = head + told(entry, margin);
      place = from;
      return text;
    },
    end: close,
  };
}

const VERDICTS: { readonly [verdict in Of<"checks">["verdict"]]: readonly [string, Style] } = {
  passed: ["✓ checks passed", "green"],
  failed: ["✗ checks failed", "red"],
  "could-not-run": ["✗ checks could not run", "yellow"],
};

function startLine({ subtask, attempt, agent, model, recovery, at }: Of<"attempt-started">): Line {
  const who = model === undefined ? agent : `${agent} ${model}`;
  return [
    [`── ${subtask}/${attempt}`, "bold"],
    [`  ${who}${at === undefined ? "" : `  ${clock(at)}`}`],
    [recovery === undefined ? "" : `  ${recovery}`, "cyan"],
  ];
}

const endText = ({ subtask, attempt, tookMs, failure }: Of<"attempt-ended">): string =>
  `── ${subtask}/${attempt} ended${tookMs === undefined ? "" : ` after ${duration(tookMs)}`}` +
  (failure === undefined || failure === "" ? "" : `: ${failure}`);

function clock(at: number): string {
  const time = new Date(at);
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

function titleOf(call: Call): string {
  if (call.kind !== "file-change" || call.files.length === 0) return call.title;
  const more = call.files.length - 1;
  return `${call.files[0] ?? ""}${more === 0 ? "" : ` and ${count(more, "other file")}`}`;
}

const WORTH_BYTES = 2000;
const FEW_LINES = 5;

/** `✗ exit 1, 48 lines, 12s`. */
function resultWords({
  failed,
  exitCode = 0,
  lines,
  bytes,
  tookMs = 0,
}: Of<"tool-result">): string {
  const isLong = lines < FEW_LINES && bytes > WORTH_BYTES;
  const size =
    lines === 0 ? "no output" : isLong ? `${Math.round(bytes / 1000)} kB` : count(lines, "line");
  const words = [
    ...(failed ? [exitCode > 0 ? `exit ${exitCode}` : "failed"] : []),
    size,
    ...(tookMs >= 1000 ? [duration(tookMs)] : []),
  ];
  return `${failed ? "✗" : "✓"} ${words.join(", ")}`;
}

const TAB = "    ";

/** Splits a text into lines of at most `columns`, at words where possible. */
function linesOf(text: string, columns: number): readonly string[] {
  const room = Math.max(1, columns);
  return text
    .replaceAll("\t", TAB)
    .split("\n")
    .flatMap((line) => (textWidth(line) <= room ? [line] : wordsIn(line, room)));
}

function wordsIn(text: string, columns: number): readonly string[] {
  const indent = text.slice(0, text.length - text.trimStart().length);
  const margin = indent.length < columns / 2 ? indent : "";
  const lines: string[] = [];
  let line = margin;
  let width = margin.length;
  for (const word of text.trimStart().split(" ")) {
    const more = textWidth(word);
    if (width > margin.length && width + 1 + more <= columns) {
      line += ` ${word}`;
      width += 1 + more;
      continue;
    }
    if (width > margin.length) lines.push(line);
    const parts = more > columns - margin.length ? folded(word, columns - margin.length) : [word];
    lines.push(...parts.slice(0, -1).map((part) => margin + part));
    line = margin + (parts.at(-1) ?? "");
    width = textWidth(line);
  }
  return [...lines, line].map((each) => cutToWidth(each, columns));
}
