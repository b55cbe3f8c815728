/**
 * Editable installs: what a Python environment outside the checkout holds to import the checkout itself.
 * Invariants: nothing is run; a bounded number of small files is read; what cannot be read says nothing.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { isWithin, repointing, rootsOf } from "./repoint.ts";

export interface Editable {
  /** The environment's own folder. */
  readonly prefix: string;
  /** The file in it that leads to the checkout. */
  readonly file: string;
  readonly kind: "virtual" | "user" | "system";
}

type Environment = Readonly<Record<string, string | undefined>>;

const FILES = /(?:\.pth|\.egg-link)$|^__editable__.{0,200}\.py$/;
const FILE_MOST = 1_000_000;
const FOLDERS_MOST = 20;

/** The first file of each environment in use that imports the checkout. */
export function editables(root: string, env: Environment): readonly Editable[] {
  const { found } = repointing(rootsOf(root, env));
  return prefixes(root, env).flatMap(({ prefix, kind }) => {
    for (const folder of packageFolders(prefix)) {
      const name = namesOf(folder).find(
        (one) => FILES.test(one) && found(textOf(join(folder, one))),
      );
      if (name !== undefined) return [{ prefix, kind, file: join(folder, name) }];
    }
    return [];
  });
}

/** The folders an environment's programs are found in; those inside the checkout are re-pointed anyway. */
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

/** Of a folder on the search path; `shims` choose between several environments. */
function prefixesOf(folder: string): string[] {
  const above = dirname(folder);
  if (basename(folder) === "bin") return [above];
  if (basename(folder) !== "shims") return [];
  return [join(above, "versions"), join(above, "installs", "python")].flatMap((place) =>
    namesOf(place)
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
      namesOf(lib)
        .filter((name) => /^(?:python|pypy)3/.test(name))
        .slice(0, FOLDERS_MOST)
        .flatMap((name) => [join(lib, name, "site-packages"), join(lib, name, "dist-packages")]),
    );
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return statSync(file).size > FILE_MOST ? "" : readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
