/**
 * Extracts the values that fill in repair steps from a failure: command, path, URL, host, tool, words. Invariants:
 * never throws; reads only the end of each text; a value that is too long or contains a control, escape, bidi or broken
 * character is dropped, never repaired.
 */
import type { Evidence } from "../evidence.ts";
import { cleanText } from "../foreign-text.ts";
import { plainWords } from "../shell/plain.ts";
import { commandIn } from "./command-in-text.ts";
import { repositoryIn, safeUrl, type Repository } from "./web-address.ts";

export interface RepairValues {
  readonly command?: string;
  /** The words of the command, if it is one simple command. */
  readonly words?: readonly string[];
  /** The command's program, without folders. */
  readonly program?: string;
  readonly missingCommand?: string;
  readonly path?: string;
  readonly url?: string;
  readonly host?: string;
  readonly repository?: Repository;
  readonly toolName?: string;
  readonly parameter?: string;
  readonly expectedType?: string;
  readonly wrongWord?: string;
  readonly suggestedWord?: string;
  readonly timeoutMs?: number;
  readonly syntaxPlace?: { readonly file: string; readonly line: number };
}

/** Patterns are tried in order, and the first group is the value. Every repeat is bounded. */
const MISSING_COMMAND = [
  /command not found: ([\w.+-]{1,64})/gi,
  /(?:^|[\s:])([\w.+-]{1,64}): (?:command )?not found/gim,
  /['"‘`]([\w.+-]{1,64})['"’`] is not recognized/gi,
  /exec: "([\w.+-]{1,64})": executable file not found/gi,
  /\bspawn ([\w.+-]{1,64}) ENOENT/g,
  /env: ['"‘]?([\w.+-]{1,64})['"’]?: No such file/gi,
  /^(?:ba|z|da|k)?sh: [^:\n]{1,40}: ([\w.+-]{1,64}): [^\n]{1,80}$/gim,
  /FileNotFoundError: \[\w{1,10} 2\] [^\n'"]{1,60}['"]([\w+-]{1,64})['"]/g,
];

const DENIED_OR_MISSING =
  "(?:No such file(?: or directory)?|Permission denied|Access is denied|Operation not permitted|" +
  "Read-only file system|No space left on device|cannot find the (?:path|file))";
const pattern = (source: string): RegExp => new RegExp(source, "gim");

const PATH = [
  /(?:ENOENT|EACCES|EPERM|EROFS|ENOSPC|EISDIR|ENOTDIR)[^\n'"‘]{0,120}['"‘]([^'"’\n]{1,512})['"’]/g,
  /\bpath: ['"]([^'"\n]{1,512})['"]/g,
  pattern(`${DENIED_OR_MISSING}[^\\n'"‘]{0,40}['"‘]([^'"’\\n]{1,512})['"’]`),
  pattern(`['"‘]([^'"‘’\\n]{1,512})['"’][^\\n'"‘’]{0,40}${DENIED_OR_MISSING}`),
  pattern(
    `^(?:cat|ls|cp|mv|rm|head|tail|grep|stat|touch|mkdir|cd|wc|sed|tar|diff|(?:ba|z|da)?sh): ` +
      `(?:line \\d{1,6}: )?([^:\\n'"]{1,512}): ${DENIED_OR_MISSING}`,
  ),
  pattern(`(?:^|[\\s:])([^\\s:'"]{1,512}): ${DENIED_OR_MISSING}`),
  /(?:file|path|directory) not found:? ['"‘]?([^\s'"’]{1,512})/gi,
];

const URL_IN_COMMAND = [/\bhttps?:\/\/[^\s'"`<>()[\]{}\\^|]{1,400}/gi];

/** A URL that was requested, not one that a message refers the reader to. */
const URL_IN_ERROR = [
  /(?:fetch|download|access|request|connect|reach|open|load|retriev|clon|url|GET|POST)[^\n]{0,40}?(https?:\/\/[^\s'"`<>()[\]{}\\^|]{1,400})/gi,
];

const HOST = [
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([A-Za-z0-9][A-Za-z0-9.-]{0,250})/g,
  /resolve host(?:name)?:? ['"]?([A-Za-z0-9][A-Za-z0-9.-]{0,250})/gi,
  /\blookup ([A-Za-z0-9][A-Za-z0-9.-]{0,250})/g,
  /\bhost=['"]([A-Za-z0-9][A-Za-z0-9.-]{0,250})['"]/g,
  /(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH) ([A-Za-z0-9][A-Za-z0-9.-]{0,250})/g,
  /connect(?:ion|ing)? to (?:server at )?['"]?([A-Za-z0-9][A-Za-z0-9.-]{0,250})/gi,
];

const TOOL_NAME = [
  /(?:unknown|unavailable|invalid|no such|unsupported) tool(?: available| name)?:? ?['"`]?([\w.:/-]{1,80})/gi,
  /\btool ['"`]?([\w.:/-]{1,80})['"`]? (?:is not|not|does not|was not|isn't)/gi,
  /([\w.:/-]{1,80}) is not (?:a valid|an available|in (?:the )?allow-?list)/gi,
];

const WRONG_WORD = [
  /(?:unrecognized|unknown|unexpected|invalid|illegal|unsupported)[^\n'"‘`]{0,60}['"‘`]([^'"’`\n]{1,120})['"’`]/gi,
  /['"]([\w-]{1,60})['"] is not (?:a \w{1,30} command|defined|in the)/gi,
  /(?:unrecognized|unknown|illegal|invalid) option:? (?:-- )?([^\s'"]{1,80})/gi,
];

const SUGGESTED_WORD = [
  /did you mean(?: this| one of these)\??:?\s{1,100}['"‘`]?([^\s'"’`?]{1,80})/gi,
  /did you mean:? ['"‘`]?([^\s'"’`?]{1,80})/gi,
  /most similar \w{1,20}(?: to ['"][^'"\n]{1,60}['"])? (?:is|are):?\s{1,100}([\w-]{1,80})/gi,
];

const PARAMETER = [
  /missing (?:required )?(?:parameter|argument|option|field|property):? ['"`]?([\w.-]{1,80})/gi,
  /['"`]?([\w.-]{1,80})['"`]? (?:should|must) be (?:an? |of type )?\w{1,20}/gi,
  /for ['"]?(--?[\w-]{1,60})/g,
];

const EXPECTED_TYPE = [
  /(?:should|must) be (?:an? |of type )?(string|number|integer|boolean|object|array|null)\b/gi,
];

/** Two groups: amount and unit (no unit: milliseconds). */
const TIME_LIMIT = [
  /\btimed? ?out (?:after|of|in) (\d{1,9})(?:\.\d{1,3})? ?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/gi,
  /\btimeout_?ms['"]?[:=] ?(\d{1,9})()/gi,
];

/** A command with its own time limit. Groups: options, amount, unit (no unit: seconds), the limited command. */
export const OWN_TIMEOUT =
  /^timeout ((?:(?:-[ks] \S{1,10}|-\S{1,20}) ){0,3})(\d{1,6})([smhd]?) ([^]{1,2000})$/;

/** Two groups: file and line. */
const SYNTAX_PLACE =
  /(?:^|[\s"'(])(?:file:\/\/)?([\w./-]{1,200}[.\w])(?:",? line |:(?: line )?|\()(\d{1,6})(?=[:\s,)]|$)/gim;
/** Positions in third-party code. */
const FOREIGN_CODE = /(?:^|\/)(?:node_modules|site-packages|dist-packages)\//;

const WINDOW_CHARS = 4000;
const MAX_COMMAND_CHARS = 2000;
const MAX_PATH_CHARS = 512;
const MAX_TIMEOUT_MS = 24 * 3_600_000;
const COMMAND_NAME = /^[A-Za-z0-9_][\w.+-]{0,63}$/;

/** `file`: what the failed call was about, used if the error names no path. */
export function repairValues(evidence: Evidence, file?: string): RepairValues {
  const text = errorText(evidence);
  const command =
    clean(evidence.command, MAX_COMMAND_CHARS) ?? clean(commandIn(text), MAX_COMMAND_CHARS);
  const words = command === undefined ? undefined : plainWords(command);
  const program = programOf(words);
  const values: RepairValues = whenAsked<RepairValues>({
    command: () => command,
    words: () => words,
    program: () => program,
    missingCommand: () => commandName(last(text, MISSING_COMMAND)) ?? program,
    path: () => pathIn(text) ?? clean(file, MAX_PATH_CHARS) ?? pathAmong(words),
    url: () => safeUrl(last(command ?? "", URL_IN_COMMAND) ?? last(text, URL_IN_ERROR)),
    host: () =>
      hostIn(text) ?? (values.url === undefined ? undefined : new URL(values.url).hostname),
    repository: () => (words === undefined ? undefined : repositoryIn(words)),
    toolName: () => clean(last(text, TOOL_NAME)?.replace(/[.:]$/, ""), 80),
    parameter: () => clean(last(text, PARAMETER), 80),
    expectedType: () => last(text, EXPECTED_TYPE)?.toLowerCase(),
    wrongWord: () => clean(last(text, WRONG_WORD), 120),
    suggestedWord: () => clean(last(text, SUGGESTED_WORD), 80),
    timeoutMs: () => timeLimit(text, command),
    syntaxPlace: () => syntaxPlace(text),
  });
  return values;
}

type Makers<T> = { readonly [name in keyof T]-?: () => T[name] | undefined };

/** An object whose values are computed on first access, because a plan needs few of them. */
function whenAsked<T extends object>(makers: Makers<T>): T {
  const values = {} as T;
  for (const [name, make] of Object.entries<() => unknown>(makers)) {
    const get = (): unknown => {
      const value = make();
      Object.defineProperty(values, name, { enumerable: true, value });
      return value;
    };
    Object.defineProperty(values, name, { enumerable: true, configurable: true, get });
  }
  return values;
}

/** The ends of the texts, where errors are: stdout, then message, then stderr. */
export function errorText({ stdout, message, providerError, stderr }: Evidence): string {
  return [stdout, providerError?.message, message, stderr]
    .map((text) => cleanText((text ?? "").slice(-WINDOW_CHARS), { maxChars: WINDOW_CHARS }))
    .join("\n");
}

/** The value if it is harmless exactly as it is; else undefined. */
function clean(value: string | undefined, maxChars: number): string | undefined {
  const isHarmless =
    value !== undefined &&
    value.trim() !== "" &&
    value.length <= maxChars &&
    cleanText(value, { maxChars }) === value;
  return isHarmless ? value.trim() : undefined;
}

/** The value of the first pattern that matches, at its last match. */
function last(text: string, among: readonly RegExp[]): string | undefined {
  const match = lastMatch(text, among);
  return match?.[1] ?? match?.[0];
}

function lastMatch(text: string, among: readonly RegExp[]): RegExpMatchArray | undefined {
  for (const pattern of among) {
    const match = [...text.matchAll(pattern)].at(-1);
    if (match !== undefined) return match;
  }
  return undefined;
}

/** Error names, streams and code fragments that occur where paths do. */
const NO_PATH =
  /^E[A-Z0-9]{3,15}$|^standard (?:in|out)put$|^(?:file|folder|directory|device|data)$|[{}]|^[^\p{L}\p{N}]*$/u;

function pathIn(text: string): string | undefined {
  for (const pattern of PATH) {
    const found = [...text.matchAll(pattern)].map((match) => match[1] ?? "");
    const path = clean(
      found.findLast((one) => !NO_PATH.test(one)),
      MAX_PATH_CHARS,
    );
    if (path !== undefined) return path.replaceAll("\\\\", "\\");
  }
  return undefined;
}

function programOf(words: readonly string[] | undefined): string | undefined {
  const program = words?.find((word) => !/^\w{1,64}=/.test(word));
  return commandName(program?.slice(program.lastIndexOf("/") + 1));
}

const commandName = (name: string | undefined): string | undefined =>
  name !== undefined && COMMAND_NAME.test(name) ? name : undefined;

function pathAmong(words: readonly string[] | undefined): string | undefined {
  const operands = words?.slice(1).filter((word) => !word.startsWith("-") && !word.includes("://"));
  return clean(
    operands?.findLast(
      (word) => /[/\\]|\.\w{1,10}$/.test(word) && !/['"(]/.test(word) && !NO_PATH.test(word),
    ),
    MAX_PATH_CHARS,
  );
}

function hostIn(text: string): string | undefined {
  const host = last(text, HOST)?.replace(/[.-]{1,8}$/, "");
  return host !== undefined && (host.includes(".") || host === "localhost") ? host : undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  s: 1000,
};

function timeLimit(text: string, command: string | undefined): number | undefined {
  const stated = lastMatch(text, TIME_LIMIT);
  const own = OWN_TIMEOUT.exec(command ?? "");
  if (stated === undefined && own === null) return undefined;
  const [amount, unit] = stated === undefined ? [own?.[2], own?.[3] || "s"] : stated.slice(1);
  const ms = Number(amount) * unitMs(unit ?? "");
  return ms > 0 && ms <= MAX_TIMEOUT_MS ? ms : undefined;
}

const unitMs = (unit: string): number =>
  unit === "" || /^(?:ms|milli)/i.test(unit) ? 1 : (UNIT_MS[unit.charAt(0).toLowerCase()] ?? 1);

function syntaxPlace(text: string): RepairValues["syntaxPlace"] {
  for (const match of text.matchAll(SYNTAX_PLACE)) {
    const file = match[1] ?? "";
    if (/[./]|^Makefile$/.test(file) && !FOREIGN_CODE.test(file))
      return { file, line: Number(match[2]) };
  }
  return undefined;
}
