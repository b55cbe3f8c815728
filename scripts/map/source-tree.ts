/** The files of a source tree with their line counts and imports. Type imports count; tests do not. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  /** Files of `src` that it imports, by `import`, `export from` or `import()`. */
  readonly imports: readonly string[];
  /** Files of `src` that import it. */
  readonly importers: readonly string[];
}

const read = (root: string, path: string): string => readFileSync(join(root, path), "utf8");
const linesOf = (text: string): number => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);

const importsOf = (path: string, text: string): readonly string[] => {
  const named = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  const own = named.filter((name) => name.startsWith("."));
  return [
    ...new Set(own.map((name) => normalize(join(dirname(path), name)).replaceAll("\\", "/"))),
  ];
};

const typescriptIn = (root: string, folder: string): readonly string[] =>
  globSync(`${folder}/**/*.ts`, { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.includes("node_modules/"))
    .sort();

export function readSources(root: string): readonly SourceFile[] {
  const files = typescriptIn(root, "src").map((path) => {
    const text = read(root, path);
    return { path, lines: linesOf(text), imports: importsOf(path, text) };
  });
  const importers = new Map<string, string[]>(files.map(({ path }) => [path, []]));
  for (const { path, imports } of files)
    for (const target of imports) importers.get(target)?.push(path);
  return files.map((file) => ({ ...file, importers: importers.get(file.path) ?? [] }));
}

export function countTests(root: string): { readonly files: number; readonly lines: number } {
  const paths = typescriptIn(root, "test");
  return {
    files: paths.length,
    lines: paths.reduce((sum, path) => sum + linesOf(read(root, path)), 0),
  };
}

/** The folder right under `src`; files in `src` itself are the package's entries. */
export const layerOf = (path: string): string => /^src\/([^/]+)\//.exec(path)?.[1] ?? "(entries)";
