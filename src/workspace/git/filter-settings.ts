/** The filters that the user has defined, and how they are configured in our git dirs. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FilterSettings, layout, type Run, type Worktree } from "../base/run-folder.ts";
import { FILTER_ATTRIBUTES } from "./git-dir.ts";
import { configValue, makeGitDir } from "./make-git-dir.ts";

const CARRIED = /^(?:filter|lfs\.extension)\.[^\n]{1,200}\.[^.]{1,100}$/;

/** Those of the user's settings that define filters. */
export const filterSettings = (
  config: readonly (readonly [name: string, value: string])[],
): FilterSettings["settings"] =>
  config.filter(([name, value]) => CARRIED.test(name) && value.length <= 10_000).slice(0, 500);

/** Drivers with at least one command; an empty command turns a driver off. The later setting wins, as in git. */
export const driverNames = (run: Pick<Run, "filters">): ReadonlySet<string> =>
  new Set(commands(run).keys());

export function commands({ filters }: Pick<Run, "filters">): Map<string, string> {
  const last = new Map(filters?.settings ?? []);
  const found = new Map<string, string>();
  for (const [name, value] of last) {
    const [, driver = ""] = /^filter\.(.{1,200})\.(?:clean|smudge|process)$/s.exec(name) ?? [];
    if (driver !== "" && value !== "") found.set(driver, `${found.get(driver) ?? ""} ${value}`);
  }
  return found;
}

/** Config lines for one of our git dirs; without `lfsStorage`, git-lfs keeps objects in that git dir. */
export function filterLines(filters: FilterSettings | undefined, lfsStorage?: string): string[] {
  const settings = (filters?.settings ?? []).map(([name, value]) => {
    const [section = "", ...rest] = name.split(".");
    const variable = rest.pop() ?? "";
    return `[${section} ${configValue(rest.join("."))}]\n${variable} = ${configValue(value)}`;
  });
  if (lfsStorage === undefined || settings.length === 0) return settings;
  const own = ["[lfs]", `storage = ${configValue(lfsStorage)}`];
  return [...settings, ...own, 'fetchexclude = ""', 'fetchinclude = ""', "url = file:///dev/null"];
}

/** Creates the git dir that runs filters on a worktree; paths in `unfiltered` are not filtered. */
export async function prepareFilters(
  run: Run,
  worktree: Worktree,
  unfiltered: { readonly paths: readonly string[]; readonly folders: readonly string[] },
): Promise<void> {
  const gitDir = layout(run.runDir).filterGit(worktree.key);
  if (!existsSync(gitDir))
    await makeGitDir(gitDir, run, {
      lines: filterLines(run.filters, layout(run.runDir).lfs),
      files: { "info/attributes": "" },
    });
  const lines = [
    run.attributeLines,
    FILTER_ATTRIBUTES,
    ...unfiltered.folders.map((path) => `${pattern(path, "/**")} -filter\n`),
    ...unfiltered.paths.map((path) => `${pattern(path, "")} -filter\n`),
  ];
  await writeFile(join(gitDir, "info", "attributes"), lines.join(""), "latin1");
}

/** A pattern that matches only this path, quoted as attribute files require. */
function pattern(path: string, tail: string): string {
  const literal = path.replace(/[\\*?[]/g, "\\$&");
  const escaped = literal.replace(/[\\"]/g, "\\$&").replace(/[\x00-\x1f\x7f]/g, octal);
  return `"/${escaped}${tail}"`;
}

const octal = (unit: string): string => `\\${unit.charCodeAt(0).toString(8).padStart(3, "0")}`;
