/**
 * What each ecosystem's lock file or manifest requires before its checks can run. Invariants: nothing is run; a
 * manifest without dependencies requires nothing; an unreadable one requires nothing; Cargo and Go are omitted because
 * their checks fetch dependencies themselves; a folder's name is quoted as one shell word.
 */
import { isAbsolute, relative } from "node:path";
import { fieldsOf } from "../../agents/output/json.ts";
import type { Manifests } from "./manifests.ts";
import { shellWord, nodeManager, namedManager } from "./node-installer.ts";

export interface Asked {
  readonly command: string;
  readonly program: string;
  readonly file: string;
  /** Also sets up the projects below it. */
  readonly isWorkspace?: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

type Ecosystem = (at: Manifests, env: Environment) => Asked | undefined;

export const ECOSYSTEMS: readonly Ecosystem[] = [node, python, ruby, php, elixir, dotnet];

function node(at: Manifests): Asked | undefined {
  const manifest = at.json("package.json");
  if (manifest === undefined) return undefined;
  const isWorkspace = "workspaces" in manifest || at.has("pnpm-workspace.yaml");
  const groups = ["dependencies", "devDependencies", "optionalDependencies"];
  if (!isWorkspace && !groups.some((group) => namesOf(manifest[group]).length > 0))
    return undefined;
  const { manager, lock } = nodeManager(at);
  const command = nodeCommand(at, manager, lock);
  return { command, program: manager, file: lock ?? "package.json", isWorkspace };
}

const namesOf = (group: unknown): readonly string[] => Object.keys(fieldsOf(group));

function nodeCommand(at: Manifests, manager: string, lock: string | undefined): string {
  if (manager === "npm") return lock === undefined ? "npm install --no-package-lock" : "npm ci";
  if (lock === undefined) return `${manager} install`;
  if (manager !== "yarn") return `${manager} install --frozen-lockfile`;
  const named = /^yarn@(\d{1,4})/.exec(namedManager(at));
  const isNew =
    named === null
      ? at.has(".yarnrc.yml") || /^__metadata:/m.test(at.text(lock))
      : Number(named[1]) >= 2;
  return `yarn install ${isNew ? "--immutable" : "--frozen-lockfile"}`;
}

const REQUIREMENTS = ["requirements.txt", "requirements-dev.txt", "requirements-test.txt"];

function python(at: Manifests, env: Environment): Asked | undefined {
  const project = at.text("pyproject.toml");
  if (at.has("uv.lock") && project !== "") {
    const isWorkspace = /^\[tool\.uv\.workspace\]/m.test(project);
    return { command: "uv sync --frozen", program: "uv", file: "uv.lock", isWorkspace };
  }
  if (at.has("poetry.lock") && project !== "") {
    const [, major = "2"] = /Poetry (\d{1,3})\./.exec(at.text("poetry.lock").slice(0, 300)) ?? [];
    const command = Number(major) >= 2 ? "poetry sync" : "poetry install --sync";
    return { command, program: "poetry", file: "poetry.lock" };
  }
  if (at.has("pdm.lock")) return { command: "pdm sync", program: "pdm", file: "pdm.lock" };
  if (at.has("Pipfile.lock"))
    return { command: "pipenv sync --dev", program: "pipenv", file: "Pipfile.lock" };
  return ownVenv(at, env);
}

/** Only if the checks would use it: the active environment is in this folder. */
export function ownVenv(
  at: Manifests,
  env: Environment,
): (Asked & { readonly venv: string }) | undefined {
  const venv = venvOf(at, env["VIRTUAL_ENV"]);
  if (venv === undefined) return undefined;
  const lists = REQUIREMENTS.filter((file) => /^[ \t]{0,40}[\w-]/m.test(at.text(file)));
  const project = ["pyproject.toml", "setup.py"].find((file) =>
    /^\[(?:project|build-system)\]|\bsetup\(/m.test(at.text(file)),
  );
  const [file = project] = lists;
  if (file === undefined) return undefined;
  const what = [...lists.map((list) => `-r ${list}`), ...(project === undefined ? [] : ["-e ."])];
  const command = `python3 -m venv ${venv} && ${venv}/bin/pip install ${what.join(" ")}`;
  return { command, program: "python3", file, venv };
}

function venvOf(at: Manifests, active: string | undefined): string | undefined {
  const inside = active === undefined ? "" : relative(at.folder, active);
  if (inside !== "" && !inside.startsWith("..") && !isAbsolute(inside)) return shellWord(inside);
  return [".venv", "venv"].find((name) => at.has(`${name}/pyvenv.cfg`));
}

function ruby(at: Manifests): Asked | undefined {
  const file = at.has("Gemfile.lock") ? "Gemfile.lock" : "Gemfile";
  const asks = /^[ \t]{0,40}(?:gem|gemspec)\b/m.test(at.text("Gemfile"));
  return asks ? { command: "bundle install", program: "bundle", file } : undefined;
}

function php(at: Manifests): Asked | undefined {
  const manifest = at.json("composer.json");
  const names = [...namesOf(manifest?.["require"]), ...namesOf(manifest?.["require-dev"])];
  if (!names.some((name) => name.includes("/"))) return undefined; // `php` and `ext-…` are not packages
  const file = at.has("composer.lock") ? "composer.lock" : "composer.json";
  return { command: "composer install --no-interaction", program: "composer", file };
}

function elixir(at: Manifests): Asked | undefined {
  if (!at.has("mix.exs") || !at.has("mix.lock")) return undefined;
  return { command: "mix deps.get", program: "mix", file: "mix.lock" };
}

/** If there are several candidates: the first solution, otherwise the first project with packages. */
function dotnet(at: Manifests): Asked | undefined {
  const names = at.names().filter((name) => /\.(?:sln|csproj|fsproj)$/.test(name) && at.has(name));
  const file =
    names.find((name) => name.endsWith(".sln")) ??
    names.find((name) => /<PackageReference\b/.test(at.text(name)));
  if (file === undefined) return undefined;
  const command = names.length > 1 ? `dotnet restore ${shellWord(file)}` : "dotnet restore";
  return { command, program: "dotnet", file };
}
