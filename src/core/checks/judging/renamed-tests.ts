/**
 * Tests that only got another name. A deleted test is no loss where the same bytes lie under a new name that the
 * same runner finds as surely as the old one: same folder, same convention, same ending, named by no script,
 * picked by no configuration. Everything else counts as deleted: the checks then run once more, and pass if the
 * old test still does.
 */
import type { ChangedPath } from "./contract.ts";
import type { Scene } from "./judged-file.ts";
import { testConvention } from "./test-conventions.ts";
import { folderOf, nameOf } from "./tree-paths.ts";

export function renamedTests(changed: readonly ChangedPath[], scene: Scene): ReadonlySet<string> {
  const { base, now, source, mixed, reachedNow } = scene;
  if (mixed.selects || reachedNow.selects) return new Set();
  const mark = (path: string): string | undefined => {
    const convention = testConvention(path, source.inFolder(path));
    if (convention === undefined || mixed.files.has(path)) return undefined;
    const picked = mixed.tests.map((matches) => Number(matches(path))).join("");
    const ending = nameOf(path).replace(/^[^.]*/, "");
    return JSON.stringify([folderOf(path), convention, ending, picked]);
  };
  const added = new Map<string, Set<string>>();
  for (const { path, how } of changed) {
    const [place, text] = how === "added" ? [mark(path), now.read(path)] : [];
    if (place === undefined || text === undefined) continue;
    added.set(place, (added.get(place) ?? new Set()).add(text));
  }
  const isRenamed = ({ path, how }: ChangedPath): boolean => {
    if (how !== "deleted") return false;
    const text = base.read(path);
    return text !== undefined && added.get(mark(path) ?? "")?.has(text) === true;
  };
  return new Set(changed.filter(isRenamed).map(({ path }) => path));
}
