/**
 * Writes THIRD_PARTY_NOTICES.md: the third-party code in dist/ with its licences: `node scripts/run.js notices`, after
 * a build. A test checks that it is up to date.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

export const NOTICES_FILE = "THIRD_PARTY_NOTICES.md";

const HEAD = `# Third-party notices

The published package holds code of the packages below, as they were or bundled, under these licences.
`;

interface Licensed {
  readonly name: string;
  readonly licence: string;
  readonly text: string;
}

/** Of what the bundles took from node_modules, according to `dist/meta.json`. */
export function noticesText(): string {
  const builds = JSON.parse(readFileSync("dist/meta.json", "utf8")) as readonly Metafile[];
  const outputs = builds.flatMap((build) => Object.values(build.outputs));
  const modules = outputs.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = modules.flatMap(
    (module) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module)?.[0] ?? [],
  );
  const byText = new Map<string, Licensed[]>();
  for (const one of [...new Set(folders)].map(licensed))
    byText.set(one.text, [...(byText.get(one.text) ?? []), one]);
  const parts = [...byText.values()].map((all) => all.toSorted(byName));
  const sections = parts.toSorted(([a], [b]) => byName(a, b)).map(section);
  return [HEAD, ...sections].join("\n");
}

const byName = (a: Licensed | undefined, b: Licensed | undefined): number =>
  (a?.name ?? "") < (b?.name ?? "") ? -1 : 1;

/** Packages with exactly the same licence text are listed together. */
const section = (all: readonly Licensed[]): string =>
  `## ${[...new Set(all.map(({ name }) => name))].join(", ")}\n\n${all[0]?.licence}\n\n` +
  `\`\`\`text\n${all[0]?.text}\n\`\`\`\n`;

function licensed(folder: string): Licensed {
  const { name, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly license?: string;
  };
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)\b/i.test(file));
  if (files.length === 0 || license === undefined) throw new Error(`${folder} has no licence`);
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), "utf8"));
  const text = texts.join("\n\n").replaceAll("\r\n", "\n").replaceAll("```", "'''").trim();
  return { name, licence: license, text };
}

if (process.argv[1]?.endsWith("notices.ts") === true) writeFileSync(NOTICES_FILE, noticesText());
