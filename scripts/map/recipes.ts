/**
 * The pages of docs/how-to-add. Each is one recipe: a title `# How to add <a thing>`, and under `Files:` a list of the
 * files it touches, each in backticks; `<name>` in a path stands for a name to be chosen.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "docs/how-to-add";

export interface Recipe {
  readonly page: string;
  /** "a kind" */
  readonly thing: string;
  readonly files: readonly string[];
  /** Files of the list of which the tree has none. */
  readonly missing: readonly string[];
}

export function readRecipes(root: string): readonly Recipe[] {
  if (!existsSync(join(root, FOLDER))) return [];
  return globSync(`${FOLDER}/*.md`, { cwd: root })
    .map((page) => page.replaceAll("\\", "/"))
    .sort()
    .map((page) => recipe(root, page));
}

function recipe(root: string, page: string): Recipe {
  const text = readFileSync(join(root, page), "utf8");
  const thing = /^# How to add (.+)$/m.exec(text)?.[1] ?? page;
  const list = /^Files:\n\n((?:[-\d ].*\n|\n(?=[-\d ]))+)/m.exec(text)?.[1] ?? "";
  const files = [...list.matchAll(/^(?:-|\d+\.) +`([^`]+)`/gm)].map(([, file = ""]) => file);
  const missing = files.filter(
    (file) => globSync(file.replaceAll(/<[^>]+>/g, "*"), { cwd: root }).length === 0,
  );
  return { page, thing, files, missing };
}
