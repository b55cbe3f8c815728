/**
 * Creates our git dirs by hand, so that each contains only what we mean it to: no hooks, no templates, and only those
 * user settings that decide how files are read. A git dir is built aside and renamed into place.
 */
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Run } from "../base/run-folder.ts";

export const FILE_SETTINGS = [
  "core.filemode",
  "core.symlinks",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.trustctime",
  "core.checkstat",
  "core.longpaths",
];

export const CONVERSION_SETTINGS = ["core.autocrlf", "core.eol"];

export interface GitDirPlan {
  /** The content of HEAD; by default a branch that does not exist. */
  readonly head?: string;
  readonly bare?: boolean;
  /** Include the user's settings for line endings. */
  readonly conversions?: boolean;
  /** Additional config lines. */
  readonly lines?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** Recreated whenever needed, so it need not be flushed to disk. */
  readonly passing?: boolean;
}

type Format = Pick<Run, "objectFormat" | "settings">;

/** Builds a git dir next to `path` and renames it into place, unless it already exists. */
export async function makeGitDir(path: string, of: Format, plan: GitDirPlan): Promise<void> {
  if (existsSync(path)) return;
  const building = `${path}.new`;
  await rm(building, { recursive: true, force: true });
  await mkdir(join(building, "refs"), { recursive: true });
  await mkdir(join(building, "objects"));
  const { head = "ref: refs/heads/none", passing = false } = plan;
  const files = { HEAD: `${head}\n`, config: configText(of, plan), ...plan.files };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(building, name)), { recursive: true });
    await writeFile(join(building, name), content, { encoding: "latin1", flush: !passing });
  }
  await rename(building, path);
}

function configText({ objectFormat, settings }: Format, plan: GitDirPlan): string {
  const { bare = false, conversions = false, lines = [] } = plan;
  const sha256 = objectFormat === "sha256";
  const core = [...FILE_SETTINGS, ...(conversions ? CONVERSION_SETTINGS : [])]
    .filter((name) => settings[name] !== undefined)
    .map((name) => `${name.slice("core.".length)} = ${configValue(settings[name] ?? "")}`);
  return [
    "[core]",
    `repositoryformatversion = ${sha256 ? 1 : 0}`,
    `bare = ${String(bare)}`,
    ...(conversions ? [] : ["autocrlf = false", "eol = lf"]),
    ...core,
    "hooksPath = /dev/null",
    "logAllRefUpdates = false",
    "protectNTFS = false",
    "protectHFS = false",
    ...(sha256 ? ["[extensions]", "objectFormat = sha256"] : []),
    "[gc]",
    "auto = 0",
    "[maintenance]",
    "auto = false",
    ...lines,
    "",
  ].join("\n");
}

export const configValue = (value: string): string =>
  `"${Buffer.from(value, "utf8")
    .toString("latin1")
    .replace(/[\\"]/g, "\\$&")
    .replace(/\n/g, "\\n")}"`;
