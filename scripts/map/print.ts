/** The figures as text: one tree with its goals, or two with the change in per cent. */
import type { Figures } from "./figures.ts";
import { layerOf } from "./source-tree.ts";

interface Row {
  readonly name: string;
  readonly value: (figures: Figures) => number | undefined;
  readonly goal?: string;
  readonly isShare?: true;
}

const ROWS: readonly Row[] = [
  { name: "files of src", value: ({ files }) => files, goal: "35 % fewer" },
  { name: "lines of src", value: ({ lines }) => lines, goal: "15 % fewer" },
  { name: "files with one importer", value: ({ oneImporter }) => oneImporter },
  {
    name: "  their share",
    value: ({ oneImporterShare }) => oneImporterShare,
    goal: "under 20 %",
    isShare: true,
  },
  { name: "median lines of a file", value: ({ medianLines }) => medianLines, goal: "near 110" },
  { name: "longest file", value: ({ longest }) => longest.lines, goal: "at most 300" },
  { name: "files over 300 lines", value: ({ longFiles }) => longFiles.length, goal: "none" },
  { name: "folders over 25 files", value: ({ fullFolders }) => fullFolders.length, goal: "none" },
  { name: "highest fan-in", value: ({ fanIn }) => fanIn[0]?.importers },
  { name: "hops of a failure", value: ({ hops }) => hops?.length },
  { name: "files of test", value: ({ testFiles }) => testFiles },
  { name: "lines of test", value: ({ testLines }) => testLines },
];

const shown = (value: number | undefined, isShare = false): string => {
  if (value === undefined) return "-";
  return isShare ? `${(value * 100).toFixed(1)} %` : value.toLocaleString("en");
};

export function oneTree(figures: Figures): string {
  const rows = rowsOf(figures).map(({ name, value, goal, isShare }) => [
    name,
    shown(value(figures), isShare),
    goal ?? "",
  ]);
  return table(["", "now", "goal"], rows);
}

export function twoTrees(before: Figures, after: Figures): string {
  const rows = rowsOf(before, after).map(({ name, value, goal, isShare }) => [
    name,
    shown(value(before), isShare),
    shown(value(after), isShare),
    change(value(before), value(after), isShare),
    goal ?? "",
  ]);
  return table(["", "before", "after", "change", "goal"], rows);
}

/** The row of hops is printed only if it was measured. */
const rowsOf = (...trees: readonly Figures[]): readonly Row[] =>
  ROWS.filter(({ value }) => trees.some((figures) => value(figures) !== undefined));

function change(before?: number, after?: number, isShare = false): string {
  if (before === undefined || after === undefined || before === 0) return "";
  const hundredths = (isShare ? after - before : (after - before) / before) * 100;
  return `${hundredths > 0 ? "+" : ""}${hundredths.toFixed(1)} ${isShare ? "points" : "%"}`;
}

export function details(figures: Figures): string {
  const { fullFolders, longFiles, fanIn, recipes } = figures;
  return [
    ...section(
      "Folders over 25 files",
      fullFolders.map(({ folder, files }) => [folder, `${files}`]),
    ),
    ...section(
      "Files over 300 lines",
      longFiles.map((path) => [path]),
    ),
    ...section(
      "Highest fan-in",
      fanIn.map(({ path, importers }) => [path, `${importers}`]),
    ),
    "Imports between layers (row imports column)",
    layerTable(figures.layers),
    "",
    ...section(
      "Files touched per how to add",
      recipes.map(({ thing, files, missing }) => [
        thing,
        `${files.length}`,
        missing.length === 0 ? "" : `not there: ${missing.join(", ")}`,
      ]),
    ),
    ...section("Hops of a failure", hopsByLayer(figures.hops ?? [])),
  ].join("\n");
}

const section = (title: string, rows: readonly (readonly string[])[]): readonly string[] =>
  rows.length === 0 ? [] : [title, table([], rows), ""];

function hopsByLayer(hops: readonly string[]): readonly (readonly string[])[] {
  const layers = Map.groupBy(hops, layerOf);
  return [...layers].map(([layer, files]) => [layer, `${files.length}`]);
}

function layerTable(layers: Figures["layers"]): string {
  const names = Object.keys(layers).sort();
  const columns = names.filter((name) => names.some((from) => layers[from]?.[name] !== undefined));
  return table(
    ["", ...columns],
    names.map((from) => [from, ...columns.map((to) => `${layers[from]?.[to] ?? "."}`)]),
  );
}

/** The first column is aligned left, the others right; text in the last column stays as it is. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = head.length === 0 ? rows : [head, ...rows];
  const width = (column: number): number =>
    Math.max(...all.map((row) => (row[column] ?? "").length));
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(width(0)) : cell.padStart(width(column)),
        )
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
}
