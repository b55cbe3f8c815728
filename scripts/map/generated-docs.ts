/**
 * The pages generated from the source, completely or between two marks. The description of a folder is written by a
 * person: it is taken over from the existing page, and a new folder gets a placeholder.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { FAILURE_KINDS, KINDS } from "../../src/core/kinds.ts";
import { layersOf } from "./figures.ts";
import { messagesPage } from "./messages.ts";
import { readRecipes } from "./recipes.ts";
import { readSources } from "./source-tree.ts";

/** The placeholder description of a folder. */
export const UNSAID = "TODO: say what it is for";

export async function generatedDocs(root: string): Promise<ReadonlyMap<string, string>> {
  const read = (page: string): string => readFileSync(join(root, page), "utf8");
  const architecture = read("docs/architecture.md");
  const pages: readonly (readonly [string, string])[] = [
    [
      "docs/architecture.md",
      between(
        between(architecture, "folders", folderPicture(root, architecture)),
        "layers",
        layerLines(root),
      ),
    ],
    ["CONTRIBUTING.md", between(read("CONTRIBUTING.md"), "how-to-add", recipeList(root))],
    ["docs/kinds.md", kindsPage()],
    ["docs/messages.md", messagesPage(root)],
  ];
  return new Map(
    await Promise.all(
      pages.map(async ([page, text]) => [page, await tidy(root, page, text)] as const),
    ),
  );
}

async function tidy(root: string, page: string, text: string): Promise<string> {
  const filepath = join(root, page);
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}

function between(page: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}: written by npm run docs -->`, `<!-- /${name} -->`];
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`no place for ${name}`);
  return `${page.slice(0, from + start.length)}\n\n${content}\n\n${page.slice(to)}`;
}

/** One line per folder of `src`, in the order of the layers, with its existing description. */
function folderPicture(root: string, page: string): string {
  const words = new Map<string, string>();
  for (const [, folder = "", told = ""] of page.matchAll(/^\s*(src\/\S*)\s{2,}(\S.*)$/gm))
    words.set(folder, told);
  const folders = globSync("src/**/", { cwd: root })
    .map((folder) => `${folder.replaceAll("\\", "/").replace(/\/$/, "")}/`)
    .filter((folder) => globSync(`${folder}*.ts`, { cwd: root }).length > 0 || folder !== "src/")
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, "en"));
  const width = Math.max(...folders.map((folder) => folder.length + indent(folder).length));
  const lines = folders.map(
    (folder) => `${`${indent(folder)}${folder}`.padEnd(width)}  ${words.get(folder) ?? UNSAID}`,
  );
  return ["```text", ...lines, "```"].join("\n");
}

/** From the faces down to the layers that import nothing. */
const ORDER =
  "src cli mcp http operations engines agents workspace runtime journal simulator core library testing".split(
    " ",
  );
const rank = (folder: string): number => {
  const place = ORDER.indexOf(folder.split("/")[1] || "src");
  return place < 0 ? ORDER.length : place;
};
const indent = (folder: string): string => "  ".repeat(Math.max(0, folder.split("/").length - 3));

function layerLines(root: string): string {
  const layers = layersOf(readSources(root));
  const rows = Object.entries(layers)
    .sort(([a], [b]) => rank(`src/${a}/`) - rank(`src/${b}/`))
    .map(([from, to]) => {
      const names = Object.keys(to).sort((a, b) => rank(`src/${a}/`) - rank(`src/${b}/`));
      return `${from.padEnd(10)} -> ${names.join(", ") || "nothing"}`;
    });
  return ["```text", ...rows, "```"].join("\n");
}

function recipeList(root: string): string {
  return readRecipes(root)
    .map(({ thing, page, lead, files }) => {
      const named = files.map((file) => `\`${file}\``).join(", ");
      return `- **[How to add ${thing}](${page}).** ${lead} Files: ${named}.`;
    })
    .join("\n");
}

function kindsPage(): string {
  const rows = FAILURE_KINDS.map((kind) => {
    const { category, first, action } = KINDS[kind];
    return `| \`${kind}\` | ${category} | ${first} | ${action} |`;
  });
  return [
    "# Kinds of failure",
    "",
    "Every failure is of one of these kinds. A transient one passes by itself, a systematic one needs another try that differs, a fatal one needs a person. The first move is what",
    "the policy `standard` tries first; `timeout` and `network_error` of a tool or a check are systematic and get a repair. Written by `npm run docs` from `src/core/kinds.ts`.",
    "",
    "| kind | category | first move | what you can do |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}
