/**
 * Reads a script in a programming language (JavaScript, Python, Ruby, ...) into leads: what it imports, and the
 * commands and files its strings name. Invariants: linear time; never throws; runs nothing.
 */
import { commandLeads } from "./command-leads.ts";
import type { Lead } from "./leads.ts";
import { HARMLESS, isKnown, programName, TEST_RUNNERS } from "./programs.ts";

const TEXT_MAX = 256_000;
const STRINGS_MAX = 4000;
const STRING = /(["'`])([^"'`\n\\]{1,300})\1/g;
const PYTHON_IMPORT = /^[ \t]{0,20}(?:from|import)[ \t]{1,3}\.{0,3}([A-Za-z_][\w.]{0,100})/gm;
const RUBY_IMPORT = /\brequire_relative[ (]{1,2}["']([^"'\n]{1,200})["']/g;
/** What may stand between the words of one command: `spawn("bash", ["ci/test.sh"])`. */
const BETWEEN = /^[\s,[\]()]{0,40}$/;

export function programLeads(text: string, isPython: boolean): readonly Lead[] {
  const source = text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text;
  const leads: Lead[] = [];
  for (const [, word] of source.matchAll(RUBY_IMPORT))
    leads.push({ kind: "import", word: `./${word!}` });
  if (isPython)
    for (const [, module] of source.matchAll(PYTHON_IMPORT)) {
      const [first = ""] = module!.split(".", 1);
      if (TEST_RUNNERS.has(first)) leads.push({ kind: "tool", name: first });
      else leads.push({ kind: "import", word: module! });
    }
  const strings = [...source.matchAll(STRING)].slice(0, STRINGS_MAX);
  for (let at = 0; at < strings.length; at += 1) {
    const value = strings[at]![2]!;
    if (isProgram(value)) {
      const words = [value];
      while (
        at + 1 < strings.length &&
        words.length < 40 &&
        follows(source, strings[at]!, strings[at + 1]!)
      )
        words.push(strings[(at += 1)]![2]!);
      leads.push(...commandLeads(words));
    } else leads.push(...stringLeads(value));
  }
  return leads;
}

const isProgram = (value: string): boolean =>
  value.length < 40 && isKnown(programName(value)) && !value.startsWith("./");

const follows = (source: string, one: RegExpExecArray, next: RegExpExecArray): boolean =>
  next.index - one.index - one[0].length <= 40 &&
  BETWEEN.test(source.slice(one.index + one[0].length, next.index));

function stringLeads(value: string): readonly Lead[] {
  if (value === "node:test") return [{ kind: "tool", name: "node-test" }];
  const space = value.indexOf(" ");
  if (space > 0) {
    const first = value.slice(0, space);
    const isCommand = isProgram(first) || HARMLESS.has(first) || /^\.\/|\.sh$/.test(first);
    return isCommand ? [{ kind: "shell", text: value }] : [];
  }
  if (/^\.{1,2}\//.test(value) || /^[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,12}$/.test(value))
    return [{ kind: "import", word: value }];
  if (value.startsWith("/")) return [{ kind: "import", word: `.${value}` }];
  return /^[\w-]{1,100}\.(?:sh|bash|[cm]?[jt]s|py|rb|php|pl)$/.test(value)
    ? [{ kind: "import", word: value }]
    : [];
}
