/** Small trees for tests of the judge: texts by path, what changed between two, and a tree after a restore. */
import { judgeChanges } from "../../../../src/core/checks/judging/judge-changes.ts";
import type {
  ChangedPath,
  Judgement,
  TreeFiles,
} from "../../../../src/core/checks/judging/contract.ts";

export type Texts = Readonly<Record<string, string>>;
/** Texts to write; null deletes. */
export type Patch = Readonly<Record<string, string | null>>;

export const tree = (texts: Texts): TreeFiles => ({
  paths: Object.keys(texts),
  read: (path) => (Object.hasOwn(texts, path) ? texts[path] : undefined),
});

export function patched(texts: Texts, patch: Patch): Texts {
  const result: Record<string, string> = { ...texts };
  for (const [path, text] of Object.entries(patch))
    if (text === null) delete result[path];
    else result[path] = text;
  return result;
}

export function changesBetween(base: Texts, now: Texts): readonly ChangedPath[] {
  const all = [...new Set([...Object.keys(base), ...Object.keys(now)])];
  return all.flatMap((path): readonly ChangedPath[] => {
    if (!Object.hasOwn(base, path)) return [{ path, how: "added" }];
    if (!Object.hasOwn(now, path)) return [{ path, how: "deleted" }];
    return base[path] === now[path] ? [] : [{ path, how: "edited" }];
  });
}

export const judge = (
  checks: readonly string[],
  base: Texts,
  now: Texts,
  isProtected: (path: string) => boolean = () => false,
): Judgement =>
  judgeChanges({
    checks,
    isProtected,
    base: tree(base),
    now: tree(now),
    changed: changesBetween(base, now),
  });

export function restored(base: Texts, now: Texts, { restore }: Judgement): Texts {
  const result: Record<string, string> = { ...now };
  for (const { path, to } of restore)
    if (to === "remove") delete result[path];
    else if (to === "base") result[path] = base[path]!;
    else result[path] = to.text;
  return result;
}

/** What a tree has other than the base: as a patch. */
export const difference = (base: Texts, other: Texts): Patch =>
  Object.fromEntries(
    changesBetween(base, other).map(({ path }) => [
      path,
      Object.hasOwn(other, path) ? other[path]! : null,
    ]),
  );
