/**
 * Follows the checks through package scripts, scripts, Makefiles and configuration to all files that judge the work,
 * including those that runner configuration names in turn. Invariants: bounded in files, depth and bytes; never throws;
 * reads only the tree it is given.
 */
import { commandLeads } from "./command-leads.ts";
import { globMatcher, isGlob } from "./glob.ts";
import type { Lead } from "./leads.ts";
import { candidates, filesAt, folderIn, importsAt, packageScripts, targetFiles } from "./lookup.ts";
import type { Place } from "./lookup.ts";
import { manifestOf } from "./manifests.ts";
import { judges, languageOf, looksJudging, programLeads, shellCommands } from "./scripts.ts";
import type { SourceFiles } from "./source-files.ts";
import { steeringBy, steeringLeads } from "./steering-files.ts";
import { targetFileLeads } from "./target-files.ts";
import { isTestData, testConvention } from "./test-conventions.ts";
import { folderOf, nameOf, type IndexedTree } from "./trees.ts";
import { addTests, newWalk, noteFile, walkBounds } from "./walk-state.ts";
import type { Reached, Step, Walk } from "./walk-state.ts";

/** Runners that run every file in a folder. */
const TAKES_FOLDERS = new Set(
  "mocha bats prove robot behave tape tap ava uvu busted lit jasmine node-test".split(" "),
);
const MANIFEST =
  /^(?:package(?:-lock)?\.json|composer\.json|deno\.jsonc?|pyproject\.toml|setup\.cfg|tox\.ini|Cargo\.toml|tsconfig[\w.-]{0,60}\.json)$/;
const INCLUDED_MAX = 100;

type Targets = Pick<Extract<Lead, { kind: "target" }>, "tool" | "names">;

interface Follower {
  readonly walk: Walk;
  /** Follows the text of a file that is known to steer. */
  readonly steering: (path: string, text: string) => void;
}

function followChecks(checks: readonly string[], tree: IndexedTree, source: SourceFiles): Follower {
  const walk = newWalk();
  const { text, isFresh, mayScan } = walkBounds(walk, tree);
  const isTest = (path: string): boolean =>
    testConvention(path, source.inFolder(path)) !== undefined;
  const isManifest = (path: string): boolean => MANIFEST.test(nameOf(path));
  const inFile = (path: string, { depth }: Step, folder = folderOf(path)): Step => ({
    folder,
    own: folderOf(path),
    from: path,
    depth: depth + 1,
  });

  const follow = (leads: readonly Lead[], step: Step): void => {
    for (const lead of leads) if (isFresh(lead, step)) followOne(lead, step);
  };
  const shell = (script: string, step: Step): void => {
    for (const { words, folder } of shellCommands(script, step.folder))
      follow(commandLeads(words), { ...step, folder, depth: step.depth + 1 });
  };
  const run = (path: string, step: Step): void => {
    const language = languageOf(path, tree.read(path));
    const test = isTest(path) && language !== "shell";
    const isSource =
      !test && (source.isSource(path) || !judges(path, tree.read(path), step.from === undefined));
    const role = test ? "test" : "script";
    noteFile(walk, path, { role, source: isSource, from: step.from, found: "named" });
    const content = isSource || isManifest(path) ? undefined : text(path, "script");
    if (content === undefined) return;
    const within = inFile(path, step, step.folder);
    if (language === "shell" || language === "unknown") shell(content, within);
    else follow(programLeads(content, language === "python"), within);
  };
  const configure = (path: string, step: Step): void => {
    if (source.isSource(path) || isManifest(path)) return;
    noteFile(walk, path, { role: "steering", source: false, from: step.from, found: "named" });
    const content = text(path, "steering");
    if (content !== undefined) follow(steeringLeads(content), inFile(path, step));
  };
  const imported = (path: string, step: Step): void => {
    if (!looksJudging(path) || source.isSource(path) || isTest(path) || isManifest(path)) return;
    if (walk.files.get(step.from ?? "")?.role === "steering") configure(path, step);
    else run(path, step);
  };
  const target = (path: string, targets: Targets, found: Reached["found"], step: Step): void => {
    if (!isManifest(path))
      noteFile(walk, path, { role: "script", source: false, from: step.from, found });
    const content = text(path, `${targets.tool} ${targets.names.join(" ")}`);
    if (content === undefined || !isFresh({ path, ...targets }, step)) return;
    const within = inFile(path, step, folderIn(step));
    const { leads, wanted } = targetFileLeads(targets.tool, content, targets.names);
    for (const lead of leads)
      if (lead.kind === "include")
        for (const one of included(lead.word, within))
          target(one, { ...targets, names: wanted }, "named", within);
    follow(leads, within);
  };
  const included = (word: string, place: Place): readonly string[] =>
    isGlob(word)
      ? candidates(word, place).flatMap((glob) =>
          mayScan() ? tree.paths.filter(globMatcher(glob)).slice(0, INCLUDED_MAX) : [],
        )
      : filesAt(word, place, tree);
  const tests = (word: string, step: Step): void => {
    for (const path of candidates(word, step))
      if (tree.has(path)) {
        if (!source.isSource(path) || isTest(path))
          noteFile(walk, path, { role: "test", source: false, from: step.from, found: "named" });
      } else if (isGlob(path)) addTests(walk, path);
      else if (path !== "" && !tree.has(`${path}/package.json`) && takesFolders())
        addTests(walk, `${path}/**`);
  };
  const takesFolders = (): boolean => [...walk.tools].some((tool) => TAKES_FOLDERS.has(tool));

  const followOne = (lead: Lead, step: Step): void => {
    switch (lead.kind) {
      case "tool":
        walk.tools.add(lead.name);
        return;
      case "unclear":
        walk.unclear = true;
        return;
      case "shell":
        return shell(lead.text, step);
      case "run":
        return filesAt(lead.word, step, tree).forEach((path) => run(path, step));
      case "config":
        return filesAt(lead.word, step, tree).forEach((path) => configure(path, step));
      case "import":
        return importsAt(lead.word, step, tree).forEach((path) => imported(path, step));
      case "tests":
        return tests(lead.word, step);
      case "include":
        return;
      case "package-script":
        for (const { manifest, commands, missing } of packageScripts(lead, step, tree, walk)) {
          for (const command of commands) shell(command, inFile(manifest, step));
          if (missing) follow(commandLeads(lead.words), { ...step, depth: step.depth + 1 });
        }
        return;
      case "target":
        for (const { path, found, commands } of targetFiles(lead, step, tree, walk)) {
          for (const command of commands) shell(command, inFile(path, step));
          const folder = folderOf(path);
          const { tool, names } = lead;
          target(path, { tool, names }, found, { ...step, folder, own: folder });
        }
        return;
    }
  };

  const start: Step = { folder: "", own: "", from: undefined, depth: 0 };
  for (const check of checks) shell(check, start);
  return {
    walk,
    steering: (path, content) => follow(steeringLeads(content), inFile(path, start)),
  };
}

const FILES_MAX = 80;
const ROUNDS = 3;

export interface Reach extends Walk {
  /** A configuration selects tests by name, so a renamed test may not be found. */
  readonly selects: boolean;
}

const SELECTS =
  /test(?:Match|Regex|Path|paths|Dir)|python_files|collect_ignore|\b(?:include|exclude|ignore|specs?|files|roots)\b|--ignore|(?:^|\s)-k\b/;
const TEXT_MAX = 64_000;
const SHARED = /^(?:package\.json|pyproject\.toml|setup\.cfg|tox\.ini)$/;
const INSTALLED = /(?:^|\/)(?:node_modules|\.yarn)\//;

export function reachOf(checks: readonly string[], tree: IndexedTree, source: SourceFiles): Reach {
  const { walk, steering } = followChecks(checks, tree, source);
  const read = new Set<string>();
  let selects = false;
  for (let round = 0; round < ROUNDS; round += 1) {
    const steers = steeringBy(walk);
    const before = walk.tools.size;
    for (const path of tree.paths) {
      if (read.size >= FILES_MAX || read.has(path) || INSTALLED.test(path) || isTestData(path))
        continue;
      const text = SHARED.test(nameOf(path))
        ? sharedText(path, tree, walk)
        : steers(path) === undefined
          ? undefined
          : (tree.read(path) ?? "");
      if (text === undefined) continue;
      read.add(path);
      selects ||= SELECTS.test(text.slice(0, TEXT_MAX));
      steering(path, text);
    }
    if (walk.tools.size === before) break;
  }
  return { ...walk, selects };
}

/** The steering part of a shared manifest. */
function sharedText(path: string, tree: IndexedTree, walk: Walk): string | undefined {
  const text = tree.read(path);
  const scripts = new Set<string>();
  return text === undefined ? undefined : manifestOf(path, { ...walk, scripts })?.steering(text);
}
