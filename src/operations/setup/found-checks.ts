/**
 * The checks a project seems to have, from its manifests, with where each was found. Invariants: only commands
 * made of our own words and names of scripts that are plain words; nothing is run; what cannot be read says
 * nothing.
 */
import { join, relative } from "node:path";
import { inFolder, nodeManager } from "./ecosystems.ts";
import { pathUp } from "./repository-setup.ts";
import { isRecord, manifestsOf, type Manifests } from "./manifests.ts";

export interface FoundCheck {
  readonly run: string;
  /** The file that says so. */
  readonly from: string;
}

const SCRIPTS = ["typecheck", "type-check", "types", "lint", "test", "build"];
const TARGETS = ["check", "lint", "test"];

export function findChecks(folder: string): readonly FoundCheck[] {
  const at = manifestsOf(folder);
  const found = [
    ...fromPackageJson(at),
    ...fromPyproject(at),
    ...when(at, "Cargo.toml", ["cargo check", "cargo test"]),
    ...when(at, "go.mod", ["go vet ./...", "go test ./..."]),
  ];
  return found.length > 0 ? found : fromMakefile(at);
}

/** The checks of the nearest project at or above a folder, written to be run in the root. */
export function findChecksFor(root: string, folder: string): readonly FoundCheck[] {
  for (const place of pathUp(root, folder)) {
    const found = findChecks(place);
    const below = relative(root, place);
    if (found.length > 0)
      return found.map(({ run, from }) => ({ run: inFolder(below, run), from: join(below, from) }));
  }
  return [];
}

function fromPackageJson(at: Manifests): FoundCheck[] {
  const scripts = at.json("package.json")?.["scripts"];
  if (!isRecord(scripts)) return [];
  const { manager } = nodeManager(at);
  return SCRIPTS.filter((name) => isReal(scripts[name])).map((name) => ({
    run: name === "test" && manager !== "bun" ? `${manager} test` : `${manager} run ${name}`,
    from: "package.json",
  }));
}

/** npm writes a test script of its own, which only says that there is none. */
const isReal = (script: unknown): boolean =>
  typeof script === "string" && script.trim() !== "" && !script.includes("no test specified");

/** What puts a project's own environment around a command. */
const RUN_IN: readonly (readonly [lock: string, runner: string])[] = [
  ["uv.lock", "uv run "],
  ["poetry.lock", "poetry run "],
  ["pdm.lock", "pdm run "],
  ["Pipfile.lock", "pipenv run "],
];

function fromPyproject(at: Manifests): FoundCheck[] {
  const text = at.text("pyproject.toml");
  const pytest = /^\[tool\.pytest|["']pytest\b/m.test(text) || at.has("pytest.ini");
  const [, runner] = RUN_IN.find(([lock]) => at.has(lock)) ?? ["", ""];
  const rows: readonly (readonly [boolean, string])[] = [
    [/^\[tool\.ruff|["']ruff\b/m.test(text), "ruff check ."],
    [/^\[tool\.mypy|["']mypy\b/m.test(text), "mypy ."],
    [pytest, "python -m pytest -q"],
  ];
  return rows.flatMap(([has, run]) =>
    has ? [{ run: `${runner}${run}`, from: "pyproject.toml" }] : [],
  );
}

function fromMakefile(at: Manifests): FoundCheck[] {
  const text = at.text("Makefile");
  return TARGETS.filter((name) => new RegExp(`^${name}[ \\t]{0,20}:(?!=)`, "m").test(text)).map(
    (name) => ({ run: `make ${name}`, from: "Makefile" }),
  );
}

function when(at: Manifests, file: string, commands: readonly string[]): FoundCheck[] {
  return at.has(file) ? commands.map((run) => ({ run, from: file })) : [];
}
