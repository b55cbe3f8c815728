/**
 * The environment of processes in a working tree: variables that point into the user's checkout point into the tree
 * instead, so that no check tests the checkout. This includes Python environments outside the checkout that import it
 * (editable installs). Invariants: runs nothing; reads a bounded number of small files; HOME and other variables that
 * belong to the person rather than the checkout stay unchanged.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { namesIn } from "../base/files.ts";
import { bytes, text } from "../git/git.ts";
import { isWithin, pathRewriter, rootsOf } from "./checkout-paths.ts";

type Environment = Readonly<Record<string, string>>;

/** These belong to the person, even if the checkout is their home folder. */
const STAYS =
  /^(?:HOME|USER|LOGNAME|SHELL|TMPDIR|UNSTUCK_.{1,40}|XDG_.{1,40}|SSH_.{1,40}|GPG_.{1,40})$/;
/** Every `cd` changes these, so they are not worth reporting. */
const UNSAID = new Set(["PWD", "OLDPWD", "INIT_CWD"]);
/** The only variables re-pointed if the user's home is inside the checkout, where most paths are not the project's. */
const OF_PROJECT = /^(?:VIRTUAL_ENV|CONDA_PREFIX|PYTHONPATH|NODE_PATH|CMAKE_.{1,60}|PWD)$/;
const PROJECT_PROGRAMS = /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin)$/;
const VENV = ".venv";

/** Variables that point into the checkout are re-pointed to the tree or dropped; `said` describes the changes. */
export function environmentFor(
  root: string,
  tree: string,
  env: Environment,
): { readonly env: Record<string, string>; readonly said: readonly string[] } {
  const rewriter = pathRewriter(rootsOf(root, env));
  const atHome = isWithin(root, env["HOME"] ?? "/");
  const said: string[] = [];
  const made: Record<string, string> = {};
  const to = (value: string): string => text(rewriter.to(bytes(value), tree));
  for (const [name, value] of Object.entries(env)) {
    if (name === "OLDPWD") continue;
    const asked = STAYS.test(name) || (atHome && !OF_PROJECT.test(name) && name !== "PATH");
    made[name] = asked ? value : atHome && name === "PATH" ? pathAtHome(value, to) : to(value);
    if (made[name] !== value && !UNSAID.has(name))
      said.push(`${name} led into the checkout: it leads into the working tree`);
  }
  for (const one of editables(root, env)) said.push(withoutEditable(made, one, tree));
  return { env: made, said };
}

const pathAtHome = (value: string, to: (folder: string) => string): string =>
  value
    .split(delimiter)
    .map((folder) => (PROJECT_PROGRAMS.test(folder) ? to(folder) : folder))
    .join(delimiter);

/** Replaces an environment that imports the checkout by the one that the tree's set-up creates. */
function withoutEditable(
  env: Record<string, string>,
  { prefix, kind, file }: Editable,
  tree: string,
): string {
  const own = join(tree, VENV);
  const folders = (env["PATH"] ?? "").split(delimiter);
  const others = kind === "virtual" ? folders.filter((one) => !isWithin(prefix, one)) : folders;
  env["PATH"] = [...new Set([join(own, "bin"), ...others])].join(delimiter);
  env["VIRTUAL_ENV"] = own;
  if (env["CONDA_PREFIX"] === prefix) delete env["CONDA_PREFIX"];
  if (kind === "user") env["PYTHONNOUSERSITE"] = "1";
  return `${prefix} imports the checkout (${file}): ${VENV} of the working tree stands in its place`;
}

/**
 * Why the environment would test the user's checkout instead of the tree, if so, and the set-up that fixes it. Not
 * needed if the plan has a set-up: `environmentFor` then gives its `.venv` precedence.
 */
export async function environmentProblem(
  root: string,
  env: Environment,
): Promise<string | undefined> {
  const [first] = editables(root, env);
  if (first === undefined) return undefined;
  return (
    `${first.prefix} holds an editable install of this checkout (${first.file}), so checks would test your ` +
    `checkout instead of the working tree: use --setup '${pythonSetup(root)}'`
  );
}

/** The command that creates a `.venv` with the project in a working tree. */
function pythonSetup(root: string): string {
  const has = (name: string): boolean => existsSync(join(root, name));
  if (has("uv.lock")) return "uv sync";
  if (has("poetry.lock")) return "POETRY_VIRTUALENVS_IN_PROJECT=1 poetry install";
  if (has("Pipfile.lock")) return "PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev";
  return `python3 -m venv ${VENV} && ${VENV}/bin/pip install -e .`;
}

interface Editable {
  /** The environment's own folder. */
  readonly prefix: string;
  /** The file in it that points to the checkout. */
  readonly file: string;
  readonly kind: "virtual" | "user" | "system";
}

const FILES = /(?:\.pth|\.egg-link)$|^__editable__.{0,200}\.py$/;
const FILE_MOST = 1_000_000;
const FOLDERS_MOST = 20;

/** The first file in each active environment that imports the checkout. */
function editables(root: string, env: Environment): readonly Editable[] {
  const { found } = pathRewriter(rootsOf(root, env));
  return prefixes(root, env).flatMap(({ prefix, kind }) => {
    for (const folder of packageFolders(prefix)) {
      const name = namesIn(folder).find(
        (one) => FILES.test(one) && found(textOf(join(folder, one))),
      );
      if (name !== undefined) return [{ prefix, kind, file: join(folder, name) }];
    }
    return [];
  });
}

/** Root folders of the active environments; those inside the checkout are re-pointed anyway. */
function prefixes(root: string, env: Environment): Pick<Editable, "prefix" | "kind">[] {
  const named = [env["VIRTUAL_ENV"] ?? "", env["CONDA_PREFIX"] ?? ""];
  const onPath = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute).flatMap(prefixesOf);
  const home = env["HOME"] === undefined ? "" : join(env["HOME"], ".local");
  const all = new Set([...named, home, ...onPath]);
  return [...all]
    .filter((prefix) => isAbsolute(prefix) && !isWithin(root, prefix))
    .map((prefix) => {
      const virtual = named.includes(prefix) || isVirtual(prefix);
      return { prefix, kind: virtual ? "virtual" : prefix === home ? "user" : "system" };
    });
}

/** The prefixes for a folder on the search path; `shims` choose between several environments. */
function prefixesOf(folder: string): string[] {
  const above = dirname(folder);
  if (basename(folder) === "bin") return [above];
  if (basename(folder) !== "shims") return [];
  return [join(above, "versions"), join(above, "installs", "python")].flatMap((place) =>
    namesIn(place)
      .slice(0, FOLDERS_MOST)
      .map((name) => join(place, name)),
  );
}

const isVirtual = (prefix: string): boolean =>
  existsSync(join(prefix, "pyvenv.cfg")) || existsSync(join(prefix, "conda-meta"));

function packageFolders(prefix: string): string[] {
  return ["lib", "lib64"]
    .map((lib) => join(prefix, lib))
    .flatMap((lib) =>
      namesIn(lib)
        .filter((name) => /^(?:python|pypy)3/.test(name))
        .slice(0, FOLDERS_MOST)
        .flatMap((name) => [join(lib, name, "site-packages"), join(lib, name, "dist-packages")]),
    );
}

function textOf(file: string): string {
  try {
    return statSync(file).size > FILE_MOST ? "" : readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
