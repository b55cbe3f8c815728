/**
 * The pages of docs/how-to-add. Each is one recipe: a title `# How to add <a thing>`, a paragraph that says what the
 * thing is, and one numbered list, in which each item begins with the file (or folder) it touches, in backticks;
 * `<name>` in a path stands for a name to be chosen.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "docs/how-to-add";

export interface Recipe {
  readonly page: string;
  /** "a kind" */
  readonly thing: string;
  /** The first paragraph: what the thing is. */
  readonly lead: string;
  readonly files: readonly string[];
  /** The files that do not exist in the tree. */
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
  const lead = (text.split("\n\n")[1] ?? "").replaceAll(/\s+/g, " ").trim();
  const files = [...text.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = ""]) => file);
  const missing = files.filter(
    (file) => globSync(file.replaceAll(/<[^>]+>/g, "*"), { cwd: root }).length === 0,
  );
  return { page, thing, lead, files, missing };
}
