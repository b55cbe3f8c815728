/**
 * The checks a project seems to have, from its manifests, with where each was found. Imports node:.
 * Invariants: only commands made of our own words and names of scripts that are plain words; nothing is run; what
 * cannot be read says nothing.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface FoundCheck {
  readonly run: string;
  /** The file that says so. */
  readonly from: string;
}

const SCRIPTS = ["typecheck", "type-check", "types", "lint", "test", "build"];
const TARGETS = ["check", "lint", "test"];
const BYTES_MAX = 2_000_000;

export function findChecks(folder: string): readonly FoundCheck[] {
  const found = [
    ...fromPackageJson(folder),
    ...fromPyproject(folder),
    ...when(folder, "Cargo.toml", ["cargo check", "cargo test"]),
    ...when(folder, "go.mod", ["go vet ./...", "go test ./..."]),
  ];
  return found.length > 0 ? found : fromMakefile(folder);
}

/** Untracked folders that checks usually need. */
export const findCarried = (folder: string): readonly string[] =>
  ["node_modules", ".venv"].filter((name) => existsSync(join(folder, name)));

function fromPackageJson(folder: string): FoundCheck[] {
  let scripts: Readonly<Record<string, unknown>> = {};
  try {
    const manifest = JSON.parse(textOf(folder, "package.json")) as { scripts?: unknown };
    if (typeof manifest.scripts === "object" && manifest.scripts !== null)
      scripts = manifest.scripts as Readonly<Record<string, unknown>>;
  } catch {
    return [];
  }
  const runner = runnerOf(folder);
  return SCRIPTS.filter((name) => isReal(scripts[name])).map((name) => ({
    run: name === "test" && runner !== "bun" ? `${runner} test` : `${runner} run ${name}`,
    from: "package.json",
  }));
}

/** npm writes a test script of its own, which only says that there is none. */
const isReal = (script: unknown): boolean =>
  typeof script === "string" && script.trim() !== "" && !script.includes("no test specified");

function runnerOf(folder: string): string {
  if (existsSync(join(folder, "pnpm-lock.yaml"))) return "pnpm";
  if (existsSync(join(folder, "yarn.lock"))) return "yarn";
  const bun = ["bun.lock", "bun.lockb"].some((name) => existsSync(join(folder, name)));
  return bun ? "bun" : "npm";
}

function fromPyproject(folder: string): FoundCheck[] {
  const text = textOf(folder, "pyproject.toml");
  const pytest =
    /^\[tool\.pytest|["']pytest\b/m.test(text) || existsSync(join(folder, "pytest.ini"));
  const rows: readonly (readonly [boolean, string])[] = [
    [/^\[tool\.ruff|["']ruff\b/m.test(text), "ruff check ."],
    [/^\[tool\.mypy|["']mypy\b/m.test(text), "mypy ."],
    [pytest, "python -m pytest -q"],
  ];
  return rows.flatMap(([has, run]) => (has ? [{ run, from: "pyproject.toml" }] : []));
}

function fromMakefile(folder: string): FoundCheck[] {
  const text = textOf(folder, "Makefile");
  return TARGETS.filter((name) => new RegExp(`^${name}[ \\t]{0,20}:(?!=)`, "m").test(text)).map(
    (name) => ({ run: `make ${name}`, from: "Makefile" }),
  );
}

function when(folder: string, file: string, commands: readonly string[]): FoundCheck[] {
  return existsSync(join(folder, file)) ? commands.map((run) => ({ run, from: file })) : [];
}

function textOf(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), "utf8").slice(0, BYTES_MAX);
  } catch {
    return "";
  }
}
