/** Which further files a steering file loads or makes tests. Invariants: linear patterns; never throws. */
import type { Lead } from "./leads.ts";

const TEXT_MAX = 256_000;

const VALUE_MAX = 1500;

const KEYS_MAX = 400;

const KEY =
  /(?:^|[\s"'{,[])(setup\w{0,30}|global(?:Setup|Teardown)|require|import|loader|preset|runner|testRunner|testEnvironment|transform|reporters?|resolver|snapshot(?:Serializers|Resolver|Environment)|testSequencer|bootstrap|plugins|extends|file|helpers|preload|addopts|testMatch|spec|testDir|specs|testpaths|python_files)["']?\]?\s{0,5}[:=]/g;

const TESTS = /^(?:testMatch|specs?|testDir|testpaths)$/;

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s{0,5}\(?\s{0,5}["'](\.{1,2}\/[^"'\n]{1,200})["']/g;

const OPTION = /(?:^|[\s"'])(?:-r|--require|--import|-p|--file|-I)[ =]{1,3}([^\s"',]{1,200})/g;

/** Words of these helpers are loaded by name from the folder of tests. */
const HELPER = /^(?:spec_helper|rails_helper|test_helper)$/;

export function steeringLeads(text: string): readonly Lead[] {
  const source = text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text;
  const leads: Lead[] = [];
  for (const [, word] of source.matchAll(IMPORT)) leads.push({ kind: "config", word: word! });
  for (const [, word] of source.matchAll(OPTION)) {
    leads.push({ kind: "config", word: word! }, { kind: "import", word: word! });
    if (HELPER.test(word!)) leads.push({ kind: "config", word: `spec/${word!}.rb` });
  }
  let keys = 0;
  for (const found of source.matchAll(KEY)) {
    if ((keys += 1) > KEYS_MAX) break;
    const key = found[1]!;
    const at = found.index + found[0].length;
    for (const word of wordsOf(source.slice(at, at + VALUE_MAX)))
      if (TESTS.test(key) || /[./]/.test(word))
        leads.push(
          key === "python_files"
            ? { kind: "tests", word: `**/${word}` }
            : { kind: TESTS.test(key) ? "tests" : "config", word },
        );
  }
  return leads;
}

/** The words of one value: a list in brackets, the rest of a line, or the indented lines below it. */
function wordsOf(text: string): readonly string[] {
  const start = text.trimStart();
  const bracket = start.startsWith("[") ? "]" : start.startsWith("{") ? "}" : undefined;
  const value =
    bracket === undefined
      ? (/^[^\n]{0,500}(?:\n[ \t]{1,40}[^\n=:]{1,300}(?=\n|$)){0,40}/.exec(text)?.[0] ?? "")
      : start.split(bracket, 1)[0]!;
  return value
    .split(/[\s"'`,;[\]{}()]+/)
    .map((word) => word.replace(/^<rootDir>\/?/, "./"))
    .filter((word) => word.length > 1 && word.length < 300)
    .slice(0, 200);
}
