/**
 * Files that define targets of a tool (`Makefile`, `justfile`, `tox.ini`, `noxfile.py`, ...): their names by
 * precedence, and what the requested targets and their prerequisites run. Invariants: linear in the text for a bounded
 * number of targets; never throws; a missing target gives no leads.
 */
import type { Lead, TargetTool } from "./leads.ts";
import { programLeads } from "./scripts.ts";
import { UNKNOWN } from "../../shell/variables.ts";

/** In order of precedence: the tool uses the first one that exists. */
export const TARGET_FILES: Readonly<Record<TargetTool, readonly string[]>> = {
  make: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", ".justfile", "Justfile"],
  task: "Taskfile.yml taskfile.yml Taskfile.yaml taskfile.yaml Taskfile.dist.yml Taskfile.dist.yaml".split(
    " ",
  ),
  tox: ["tox.ini", "setup.cfg", "pyproject.toml", "tox.toml"],
  nox: ["noxfile.py"],
  rake: ["rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb"],
  composer: ["composer.json"],
  deno: ["deno.json", "deno.jsonc"],
};

/** Tools that also search the parent folders. */
export const LOOKS_UP: ReadonlySet<TargetTool> = new Set(["just", "task", "rake", "deno"]);

interface TargetReading {
  readonly leads: readonly Lead[];
  /** All targets needed, prerequisites included: included files may define some of them. */
  readonly wanted: readonly string[];
}

/** What the targets of a file run. */
export function targetFileLeads(
  tool: TargetTool,
  text: string,
  names: readonly string[],
): TargetReading {
  if (tool === "make" || tool === "just") return makeLeads(text, names, tool === "just");
  return { leads: LEADS_OF[tool]?.(text) ?? [], wanted: names };
}

const LEADS_OF: { readonly [tool in TargetTool]?: (text: string) => readonly Lead[] } = {
  tox: (text) => listedCommands(text, /^\s{0,40}commands\w{0,20}\s{0,10}=(.{0,2000})$/),
  task: (text) => listedCommands(text, /^\s{0,40}(?:cmds|cmd|sh|taskfile):(.{0,2000})$/),
  nox: (text) => programLeads(text, true),
  rake: (text) => [...programLeads(text, false), { kind: "include", word: "rakelib/*.rake" }],
};

/** The lines of every list that a key opens: `commands =` in tox, `cmds:` in a Taskfile. */
function listedCommands(text: string, key: RegExp): readonly Lead[] {
  const leads: Lead[] = [];
  let listed = false;
  for (const line of text.slice(0, 256_000).split(/\r?\n/, 8000)) {
    const opened = key.exec(line);
    listed =
      opened !== null ||
      (listed && /^\s/.test(line) && !/^\s{0,40}[\w-]{1,40}\s?[:=](?:\s|$)/.test(line));
    if (!listed) continue;
    const command = (opened?.[1] ?? line).replace(/^\s{0,40}-\s{1,10}(?:cmd:\s)?/, "").trim();
    if (/^[[{"']/.test(command)) leads.push(...programLeads(command, false));
    else if (command !== "") leads.push({ kind: "shell", text: command.slice(0, 4000) });
  }
  return leads;
}

const TEXT_MAX = 256_000;
const LINE_MAX = 4000;
const RULES_MAX = 5000;
const WANTED_MAX = 300;

interface Rule {
  readonly needs: readonly string[];
  readonly recipe: string[];
}

const ASSIGN =
  /^(?:export |override )?([\w.-]{1,60})[ \t]{0,10}(?::{1,3}|\?|\+|!)?=[ \t]{0,10}(.*)$/;
const INCLUDE = /^(?:[-s]?include|import\??|mod)[ \t]{1,10}(.{1,1000})$/;
const RULE = /^@?([^\t#:=][^:=]{0,500})::?(?!=)(.*)$/;
/** Parameters may have default values: `test filter='all':`. */
const JUST_RULE = /^@?([^\t#:=][^:]{0,500}):(?!=)(.*)$/;

export function makeLeads(text: string, names: readonly string[], isJust: boolean): TargetReading {
  const variables = new Map<string, string>([
    ["MAKE", "make"],
    ["SHELL", "sh"],
  ]);
  const rules = new Map<string, Rule[]>();
  const leads: Lead[] = [];
  let first: string | undefined;
  let open: Rule | undefined;
  for (const line of linesOf(text)) {
    if (open !== undefined && (isJust ? /^[ \t]/ : /^\t/).test(line)) {
      open.recipe.push(line.trim().replace(/^[@+-]{1,3}/, ""));
      continue;
    }
    const assigned = ASSIGN.exec(line);
    const included = INCLUDE.exec(line);
    const rule = (isJust ? JUST_RULE : RULE).exec(line);
    if (assigned !== null)
      variables.set(assigned[1]!, isJust ? assigned[2]!.replace(/^["']|["']$/g, "") : assigned[2]!);
    else if (included !== null)
      for (const word of expanded(included[1]!, variables).split(/\s+/).slice(0, 50))
        leads.push({ kind: "include", word: word.replace(/^["']|["']$/g, "") });
    else if (rule !== null && rules.size < RULES_MAX) {
      const [needs = "", ...inline] = rule[2]!.split(";");
      open = { needs: namesIn(expanded(needs.replace(/#.*/, ""), variables)), recipe: inline };
      const targets = namesIn(expanded(rule[1]!, variables)).slice(0, isJust ? 1 : 50);
      for (const target of targets)
        rules.set(target, [...(rules.get(target) ?? []).slice(-20), open]);
      first ??= targets.find((target) => !target.startsWith("."));
    } else if (line.trim() !== "" && !line.startsWith("#")) open = undefined;
  }
  const wanted = new Set(names.length > 0 ? names : [first ?? "all"]);
  for (const target of wanted)
    for (const { needs, recipe } of rules.get(target) ?? rules.get("%") ?? []) {
      for (const need of needs) if (wanted.size < WANTED_MAX) wanted.add(need);
      const own = new Map([
        ...variables,
        ["@", target],
        ["<", needs[0] ?? ""],
        ["^", needs.join(" ")],
      ]);
      for (const line of recipe) leads.push({ kind: "shell", text: expanded(line, own) });
    }
  return { leads, wanted: [...wanted] };
}

const namesIn = (text: string): readonly string[] =>
  text.split(/[\s|]+/).filter((name) => name !== "");

const linesOf = (text: string): readonly string[] =>
  (text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text)
    .replace(/\\\r?\n[ \t]{0,100}/g, " ")
    .split(/\r?\n/)
    .map((line) => line.slice(0, LINE_MAX));

/** Replaces `$(NAME)`, `${NAME}`, `$<` and `{{name}}` by their values, nested ones too, within bounds. */
function expanded(text: string, variables: ReadonlyMap<string, string>): string {
  let result = text.replace(/\$[({]wildcard ([^)}]{1,300})[)}]/g, "$1");
  for (let round = 0; round < 4 && result.length < LINE_MAX; round += 1)
    result = result.replace(
      /\$(?:[({]([\w.-]{1,60})[)}]|([@<^]))|\{\{\s{0,3}([\w-]{1,60})\s{0,3}\}\}/g,
      (_, braced?: string, sign?: string, just?: string) =>
        variables.get(braced ?? sign ?? just ?? "") ?? UNKNOWN,
    );
  return result.slice(0, LINE_MAX).replaceAll("$$", "$");
}
