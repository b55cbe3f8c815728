/**
 * The real values of a failure that repair steps are filled with: command, path, URL, host, tool, words (C2, C6).
 * Invariants: never throws; reads only the last part of each text; a value that is too long or holds a control,
 * escape, bidi or broken character is dropped, never repaired.
 */
import type { Evidence } from "../evidence.ts";
import { tame } from "../foreign-text.ts";
import { plainWords } from "../shell/plain.ts";
import { repositoryIn, safeUrl } from "./web-address.ts";
import type { Repository } from "./web-address.ts";
import * as patterns from "./value-patterns.ts";

export interface RepairValues {
  readonly command?: string;
  /** The words of the command if it is one simple command. */
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

const WINDOW_CHARS = 4000;
const MAX_COMMAND_CHARS = 2000;
const MAX_PATH_CHARS = 512;
const MAX_TIMEOUT_MS = 24 * 3_600_000;
const COMMAND_NAME = /^[A-Za-z0-9_][\w.+-]{0,63}$/;

export function repairValues(evidence: Evidence): RepairValues {
  const text = errorText(evidence);
  const command = clean(evidence.command, MAX_COMMAND_CHARS);
  const words = command === undefined ? undefined : plainWords(command);
  const program = programOf(words);
  const values: RepairValues = whenAsked<RepairValues>({
    command: () => command,
    words: () => words,
    program: () => program,
    missingCommand: () => commandName(last(text, patterns.MISSING_COMMAND())) ?? program,
    path: () => pathIn(text) ?? pathAmong(words),
    url: () => safeUrl(last(command ?? "", patterns.URL_IN_COMMAND()) ?? urlIn(text)),
    host: () => hostIn(text) ?? (values.url === undefined ? undefined : hostOf(values.url)),
    repository: () => (words === undefined ? undefined : repositoryIn(words)),
    toolName: () => clean(last(text, patterns.TOOL_NAME())?.replace(/[.:]$/, ""), 80),
    parameter: () => clean(last(text, patterns.PARAMETER()), 80),
    expectedType: () => last(text, patterns.EXPECTED_TYPE())?.toLowerCase(),
    wrongWord: () => clean(last(text, patterns.WRONG_WORD()), 120),
    suggestedWord: () => clean(last(text, patterns.SUGGESTED_WORD()), 80),
    timeoutMs: () => timeLimit(text, command),
    syntaxPlace: () => syntaxPlace(text),
  });
  return values;
}

type Makers<T> = { readonly [name in keyof T]-?: () => T[name] | undefined };

/** An object whose values are worked out when they are first read: a plan needs few of them. */
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

const urlIn = (text: string): string | undefined => last(text, patterns.URL_IN_ERROR());
const hostOf = (url: string): string => new URL(url).hostname;

/** The ends of the texts, where errors stand: stdout, then message, then stderr. */
function errorText({ stdout, message, providerError, stderr }: Evidence): string {
  return [stdout, providerError?.message, message, stderr]
    .map((text) => tame((text ?? "").slice(-WINDOW_CHARS), { maxChars: WINDOW_CHARS }))
    .join("\n");
}

/** The value if it is harmless as it stands; else nothing. */
function clean(value: string | undefined, maxChars: number): string | undefined {
  const isHarmless =
    value !== undefined &&
    value.trim() !== "" &&
    value.length <= maxChars &&
    tame(value, { maxChars }) === value;
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

/** Error names, streams and scraps of code stand where paths do. */
const NO_PATH =
  /^E[A-Z0-9]{3,15}$|^standard (?:in|out)put$|^(?:file|folder|directory|device|data)$|[{}]|^[^\p{L}\p{N}]*$/u;

function pathIn(text: string): string | undefined {
  for (const pattern of patterns.PATH()) {
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
  const host = last(text, patterns.HOST())?.replace(/[.-]{1,8}$/, "");
  return host !== undefined && (host.includes(".") || host === "localhost") ? host : undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  s: 1000,
};

function timeLimit(text: string, command: string | undefined): number | undefined {
  const stated = lastMatch(text, patterns.TIME_LIMIT());
  const own = patterns.OWN_TIMEOUT.exec(command ?? "");
  if (stated === undefined && own === null) return undefined;
  const [amount, unit] = stated === undefined ? [own?.[2], own?.[3] || "s"] : stated.slice(1);
  const ms = Number(amount) * unitMs(unit ?? "");
  return ms > 0 && ms <= MAX_TIMEOUT_MS ? ms : undefined;
}

const unitMs = (unit: string): number =>
  unit === "" || /^(?:ms|milli)/i.test(unit) ? 1 : (UNIT_MS[unit.charAt(0).toLowerCase()] ?? 1);

function syntaxPlace(text: string): RepairValues["syntaxPlace"] {
  for (const match of text.matchAll(patterns.SYNTAX_PLACE()[0] as RegExp)) {
    const file = match[1] ?? "";
    if (/[./]|^Makefile$/.test(file)) return { file, line: Number(match[2]) };
  }
  return undefined;
}
