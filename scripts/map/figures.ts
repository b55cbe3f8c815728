/** The figures of a source tree, and their goals. */
import { dirname } from "node:path";
import { readRecipes, type Recipe } from "./recipes.ts";
import { countTests, layerOf, readSources, type SourceFile } from "./source-tree.ts";

const LONG_FILE = 300;
const FULL_FOLDER = 25;

export interface Figures {
  readonly files: number;
  readonly lines: number;
  readonly testFiles: number;
  readonly testLines: number;
  /** Files imported by exactly one other file of `src`; entries, which nothing imports, do not count. */
  readonly oneImporter: number;
  readonly oneImporterShare: number;
  readonly medianLines: number;
  readonly longest: { readonly path: string; readonly lines: number };
  readonly longFiles: readonly string[];
  readonly fullFolders: readonly { readonly folder: string; readonly files: number }[];
  readonly fanIn: readonly { readonly path: string; readonly importers: number }[];
  /** The number of imports from one layer to another. */
  readonly layers: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly recipes: readonly Recipe[];
  /** Files in which a function ran between a failing agent's last line and the next prompt; only if requested. */
  readonly hops?: readonly string[];
}

export function figuresOf(root: string): Figures {
  const sources = readSources(root);
  const byLength = [...sources].sort((a, b) => a.lines - b.lines);
  const one = sources.filter(({ importers }) => importers.length === 1).length;
  const tests = countTests(root);
  const { path = "", lines: longest = 0 } = byLength.at(-1) ?? {};
  return {
    files: sources.length,
    lines: sources.reduce((sum, { lines }) => sum + lines, 0),
    testFiles: tests.files,
    testLines: tests.lines,
    oneImporter: one,
    oneImporterShare: one / sources.length,
    medianLines: byLength[Math.floor(byLength.length / 2)]?.lines ?? 0,
    longest: { path, lines: longest },
    longFiles: byLength.filter(({ lines }) => lines > LONG_FILE).map((file) => file.path),
    fullFolders: fullFolders(sources),
    fanIn: [...sources]
      .sort((a, b) => b.importers.length - a.importers.length)
      .slice(0, 10)
      .map((file) => ({ path: file.path, importers: file.importers.length })),
    layers: layersOf(sources),
    recipes: readRecipes(root),
  };
}

function fullFolders(sources: readonly SourceFile[]): Figures["fullFolders"] {
  const count = new Map<string, number>();
  for (const { path } of sources) count.set(dirname(path), (count.get(dirname(path)) ?? 0) + 1);
  return [...count]
    .filter(([, files]) => files > FULL_FOLDER)
    .map(([folder, files]) => ({ folder, files }))
    .sort((a, b) => b.files - a.files);
}

export function layersOf(sources: readonly SourceFile[]): Figures["layers"] {
  const table: Record<string, Record<string, number>> = {};
  for (const { path, imports } of sources) {
    const row = (table[layerOf(path)] ??= {});
    for (const target of imports)
      if (layerOf(target) !== layerOf(path)) row[layerOf(target)] = (row[layerOf(target)] ?? 0) + 1;
  }
  return table;
}
