/**
 * Detects a missing program, an unreachable service or a full disk reported in an agent's last message. Invariants:
 * problems that the agent solved itself, or that it mentions only as output of the code, do not count; linear; bounded.
 */
import { cleanLine, cleanText } from "../foreign-text.ts";

export interface Lack {
  readonly kind: "command_not_found" | "network_error" | "disk_full";
  /** One line: in the form a shell prints, or in the agent's own words. */
  readonly words: string;
}

const READ_CHARS = 4000;

export function reportedLack(message: string): Lack | undefined {
  const pieces = cleanText(message.slice(-READ_CHARS), { maxChars: READ_CHARS })
    .split(PIECE_END)
    .map((piece) => piece.trim());
  const isStopped = pieces.some((piece) => STOPPED.test(piece));
  const found = pieces.findLastIndex((piece) => lackOf(piece, isStopped) !== undefined);
  if (found < 0 || pieces.slice(found).some((piece) => SETTLED.test(piece))) return undefined;
  return lackOf(pieces[found] ?? "", isStopped);
}

const PIECE_END = /\n|(?<=[.!?])\s+/;

const NAME = "([A-Za-z0-9_][A-Za-z0-9_.+-]{0,60})";
/** Shell messages, sufficient on their own. */
const OF_SHELL: readonly RegExp[] = [
  new RegExp(String.raw`\bcommand not found: [\`'"]?${NAME}`),
  new RegExp(String.raw`(?:^|[\s\`'"(:])${NAME}[\`'"]?: command not found\b`),
  new RegExp(String.raw`\bsh: (?:line )?\d{1,4}: ${NAME}: not found\b`),
];
/** Descriptions by the agent, which count only if they are why the work stopped. */
const IN_WORDS: readonly RegExp[] = [
  new RegExp(
    String.raw`[\`'"]${NAME}[\`'"](?: \w+)? (?:is|was) (?:not|n't) (?:installed|available|on |in |there)`,
  ),
  new RegExp(
    String.raw`[\`'"]${NAME}[\`'"](?: \w+)? (?:isn't|wasn't) (?:installed|available|on |in |there)`,
  ),
  new RegExp(
    String.raw`(?:^|\s)${NAME} (?:is not|isn't|was not|wasn't) (?:installed|on (?:the |my |your )?PATH|in (?:the |my |your )?PATH)\b`,
  ),
];
const SERVICE =
  /\bECONNREFUSED\b|\bconnection refused\b|\b(?:could not|couldn't|cannot|can't|unable to) (?:connect to|reach)\b/i;

/** System messages, sufficient on their own. */
const OF_DISK =
  /\b(?:ENOSPC|EDQUOT)\b[:,]? (?:no space left|disk quota)|: (?:no space left on device|disk quota exceeded)\b/i;
/** Descriptions by the agent, which count only if they are why the work stopped. */
const DISK_IN_WORDS =
  /\b(?:the|this|your) (?:disk|device|drive|volume|file ?system) (?:is|was|seems) (?:completely )?full\b|\b(?:no|not enough|insufficient|out of) (?:free )?disk space\b|\bno space (?:is |was )?left on (?:the |this |your )?(?:disk|device|drive|volume|file ?system)\b|\b(?:ENOSPC|EDQUOT)\b/i;
/** Cases in which ENOSPC does not mean a full disk, or a full disk is only hypothetical. */
const NO_FULL_DISK =
  /\bwatch(?:es|ers?)\b|\binotify\b|\b(?:if|when|whenever|unless|in case|simulates?|mocks?)\b/i;

const ABOUT_THE_CODE =
  /\b(?:now|should|will|would|must) (?:also )?(?:print|return|show|say|report|throw|output|emit)|\b(?:prints|returns|throws|emits|outputs|asserts|expects|handles|covers)\b|\bunknown commands?\b/i;
const STOPPED =
  /\b(?:could not|couldn't|cannot|can't|unable to|not able to|blocked|needs?|needed|requires?|without it|failed)\b/i;
const SETTLED =
  /\b(?:I|we|have|then|and) installed\b|\bwork(?:ed|ing)? around\b|\binstead\b|\b(?:fell|falls?) back\b|\breplaced\b|\bnow (?:works|passes|runs)\b|\b(?:fixed|resolved|solved)\b/i;

/** Words before "is not installed" that are not a program. */
const NO_PROGRAM = /^(?:it|this|that|which|what|package|dependency|module|library|plugin|tool)$/i;

function lackOf(piece: string, isStopped: boolean): Lack | undefined {
  if (ABOUT_THE_CODE.test(piece)) return undefined;
  const name = nameIn(piece, OF_SHELL) ?? (isStopped ? nameIn(piece, IN_WORDS) : undefined);
  if (name !== undefined)
    return { kind: "command_not_found", words: cleanLine(`${name}: command not found`, 160) };
  if (isFullDisk(piece, isStopped)) return { kind: "disk_full", words: cleanLine(piece, 300) };
  return isStopped && SERVICE.test(piece)
    ? { kind: "network_error", words: cleanLine(piece, 300) }
    : undefined;
}

const isFullDisk = (piece: string, isStopped: boolean): boolean =>
  (OF_DISK.test(piece) || (isStopped && DISK_IN_WORDS.test(piece))) && !NO_FULL_DISK.test(piece);

function nameIn(piece: string, patterns: readonly RegExp[]): string | undefined {
  const name = patterns.map((pattern) => pattern.exec(piece)?.[1]).find((one) => one !== undefined);
  return name === undefined || NO_PROGRAM.test(name) ? undefined : name;
}
