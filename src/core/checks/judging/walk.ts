/**
 * Follows the checks through package scripts, scripts, Makefiles and configuration to all files that judge (U13). Imports the
 * readers. Invariants: bounded in files, depth and bytes; never throws; looks only at the tree it is given.
 */
import { commandLeads } from "./command-leads.ts";
import type { Lead } from "./leads.ts";
import { globMatcher, isGlob } from "./glob.ts";
import { candidates, filesAt, folderIn, importsAt } from "./lookup.ts";
import type { Place } from "./lookup.ts";
import { programLeads } from "./program-text.ts";
import { judges, languageOf, looksJudging } from "./script-kinds.ts";
import { shellCommands } from "./shell-commands.ts";
import type { SourceFiles } from "./source-files.ts";
import { steeringLeads } from "./steering-text.ts";
import { targetFileLeads } from "./target-files.ts";
import type { TargetTool } from "./target-files.ts";
import { testConvention } from "./test-conventions.ts";
import { folderOf, nameOf } from "./tree-paths.ts";
import { packageScripts, targetFiles } from "./walk-manifests.ts";
import { addTests, newWalk } from "./walk-state.ts";
import type { IndexedTree, Reached, Walk } from "./walk-state.ts";

const DEPTH_MAX = 24;
const READS_MAX = 400;
const CHARS_MAX = 4_000_000;
const LEADS_MAX = 40_000;

/** Runners that take every file of a folder. */
const TAKES_FOLDERS = new Set(
  "mocha bats prove robot behave tape tap ava uvu busted lit jasmine node-test".split(" "),
);
const MANIFEST =
  /^(?:package(?:-lock)?\.json|composer\.json|deno\.jsonc?|pyproject\.toml|setup\.cfg|Cargo\.toml|tsconfig[\w.-]{0,60}\.json)$/;

export interface Follower {
  readonly walk: Walk;
  /** Reads a configuration that is known to steer. */
  readonly steering: (path: string, text: string) => void;
}

export function followChecks(
  checks: readonly string[],
  tree: IndexedTree,
  source: SourceFiles,
): Follower {
  const walk = newWalk();
  const seen = new Set<string>();
  let chars = 0;
  let leadsSeen = 0;

  /** The text, once for each way it is read, as long as the bounds last. */
  const text = (path: string, way: string): string | undefined => {
    const mark = `${way}\n${path}`;
    if (seen.has(mark)) return undefined;
    const read = seen.size < READS_MAX && chars < CHARS_MAX ? tree.read(path) : undefined;
    seen.add(mark);
    if (read === undefined) walk.unclear = true;
    chars += read?.length ?? 0;
    return read;
  };
  const note = (path: string, reached: Reached): void => {
    const known = walk.files.get(path);
    if (known === undefined || (known.source && !reached.source)) walk.files.set(path, reached);
  };
  const isTest = (path: string): boolean =>
    testConvention(path, source.inFolder(path)) !== undefined;

  const follow = (
    leads: readonly Lead[],
    place: Place,
    from: string | undefined,
    depth: number,
  ): void => {
    if (depth > DEPTH_MAX) walk.unclear = true;
    else
      for (const lead of leads)
        if ((leadsSeen += 1) > LEADS_MAX) walk.unclear = true;
        else followOne(lead, place, from, depth);
  };
  const shell = (script: string, place: Place, from: string | undefined, depth: number): void => {
    for (const { words, folder } of shellCommands(script, place.folder))
      follow(commandLeads(words), { ...place, folder }, from, depth + 1);
  };
  const script = (
    path: string,
    place: Place,
    from: string | undefined,
    depth: number,
    role: Reached["role"],
  ): void => {
    const own = tree.read(path);
    const isSource =
      source.isSource(path) || (role === "script" && !judges(path, own, from === undefined));
    note(path, {
      role: isTest(path) ? "test" : role,
      source: isSource && !isTest(path),
      from,
      found: "named",
    });
    if (isSource || MANIFEST.test(nameOf(path))) return;
    const content = text(path, "script");
    if (content === undefined) return;
    const within = { folder: place.folder, own: folderOf(path) };
    const language = languageOf(path, content);
    if (role === "steering")
      follow(steeringLeads(content), { folder: within.own, own: within.own }, path, depth + 1);
    else if (language === "javascript" || language === "python" || language === "program")
      follow(programLeads(content, language === "python"), within, path, depth + 1);
    else shell(content, within, path, depth + 1);
  };
  const included = (
    word: string,
    place: Place,
    from: string | undefined,
    depth: number,
    tool: TargetTool,
    names: readonly string[],
  ): void => {
    const found = isGlob(word)
      ? candidates(word, place).flatMap((glob) =>
          tree.paths.filter(globMatcher(glob)).slice(0, 100),
        )
      : filesAt(word, place, tree);
    for (const path of found) target(path, tool, names, place, from, "named", depth);
  };
  const target = (
    path: string,
    tool: TargetTool,
    names: readonly string[],
    place: Place,
    from: string | undefined,
    found: Reached["found"],
    depth: number,
  ): void => {
    if (!MANIFEST.test(nameOf(path)) && nameOf(path) !== "tox.ini")
      note(path, { role: "script", source: false, from, found });
    const content = text(path, `${tool} ${names.join(" ")}`);
    if (content === undefined || depth > DEPTH_MAX) return;
    const within = { folder: folderIn(place), own: folderOf(path) };
    const { leads, wanted } = targetFileLeads(tool, content, names);
    for (const lead of leads)
      if (lead.kind === "include") included(lead.word, within, path, depth + 1, tool, wanted);
    follow(
      leads.filter(({ kind }) => kind !== "include"),
      within,
      path,
      depth + 1,
    );
  };

  const followOne = (lead: Lead, place: Place, from: string | undefined, depth: number): void => {
    switch (lead.kind) {
      case "tool":
        walk.tools.add(lead.name);
        return;
      case "unclear":
        walk.unclear = true;
        return;
      case "shell":
        return shell(lead.text, place, from, depth);
      case "run":
        for (const path of filesAt(lead.word, place, tree))
          script(path, place, from, depth, "script");
        return;
      case "config":
        for (const path of filesAt(lead.word, place, tree))
          if (!source.isSource(path) && !MANIFEST.test(nameOf(path)))
            script(path, place, from, depth, "steering");
        return;
      case "import":
        for (const path of importsAt(lead.word, place, tree))
          if (
            looksJudging(path) &&
            !source.isSource(path) &&
            !isTest(path) &&
            !MANIFEST.test(nameOf(path))
          )
            script(path, place, from, depth, walk.files.get(from ?? "")?.role ?? "script");
        return;
      case "tests":
        return tests(lead.word, place, from);
      case "include":
        return;
      case "package-script":
        for (const found of packageScripts(lead, place, tree, walk)) {
          for (const command of found.commands)
            shell(
              command,
              { folder: folderOf(found.manifest), own: folderOf(found.manifest) },
              found.manifest,
              depth + 1,
            );
          if (found.missing) follow(commandLeads(lead.words), place, from, depth + 1);
        }
        return;
      case "target":
        for (const { path, found, commands, names } of targetFiles(lead, place, tree, walk)) {
          const within = { folder: folderOf(path), own: folderOf(path) };
          for (const command of commands) shell(command, within, path, depth + 1);
          target(path, lead.tool, names, within, from, found, depth + 1);
        }
        return;
    }
  };
  const takesFolders = (): boolean => [...walk.tools].some((tool) => TAKES_FOLDERS.has(tool));
  const tests = (word: string, place: Place, from: string | undefined): void => {
    for (const path of candidates(word, place)) {
      if (tree.has(path)) {
        if (!source.isSource(path) || isTest(path))
          note(path, { role: "test", source: false, from, found: "named" });
      } else if (isGlob(path)) addTests(walk, path);
      else if (path !== "" && !tree.has(`${path}/package.json`) && takesFolders())
        addTests(walk, `${path}/**`);
    }
  };

  for (const check of checks) shell(check, { folder: "", own: "" }, undefined, 0);
  return {
    walk,
    steering: (path, content) => {
      const folder = folderOf(path);
      follow(steeringLeads(content), { folder, own: folder }, path, 1);
    },
  };
}
