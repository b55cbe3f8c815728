/**
 * Shared manifests: which of their keys steer checks, what these say, and the text with the base's put back.
 * Dependencies never steer. Invariants: never throws; what is put back reads as the base's, else nothing is put
 * back.
 */
import { readFields, steeringValues, withValuesOf } from "./json-manifest.ts";
import type { KeyPath } from "./json-manifest.ts";
import { splitIni, splitToml, splitYaml, steeringIn, withSteeringOf } from "./sections.ts";
import type { Splitter, Steers } from "./sections.ts";
import type { ToolsUsed } from "./steering-files.ts";
import { nameOf } from "./tree-paths.ts";

export interface ManifestUse extends ToolsUsed {
  /** Names of the manifest's own scripts that the checks run. */
  readonly scripts: ReadonlySet<string>;
}

interface Manifest {
  /** In a form that can be compared; undefined: cannot be read. */
  readonly steering: (text: string) => string | undefined;
  readonly restored: (base: string, now: string) => string | undefined;
}

const uses = ({ tools, unclear }: ToolsUsed, ...names: readonly string[]): boolean =>
  unclear || names.some((name) => tools.has(name));

export function manifestOf(path: string, use: ManifestUse): Manifest | undefined {
  const name = nameOf(path);
  if (name === "package.json") return json(packageKeys(use));
  if (name === "composer.json") return json(scriptKeys("scripts", use));
  if (/^deno\.jsonc?$/.test(name)) return json([...scriptKeys("tasks", use), ["test"], ["lint"]]);
  if (/^tsconfig[\w.-]{0,60}\.json$/.test(name))
    return uses(use, "tsc", "vue-tsc", "tsd", "svelte-check") ? json(TSCONFIG) : undefined;
  if (name === "pyproject.toml") return sectioned(splitToml, pyproject(use));
  if (name === "Cargo.toml") return sectioned(splitToml, cargo);
  if (name === "setup.cfg" || name === "tox.ini") return sectioned(splitIni, ini(use));
  if (name === "pnpm-workspace.yaml") return sectioned(splitYaml, (_, key) => PNPM.test(key));
  return undefined;
}

function json(keys: readonly KeyPath[]): Manifest {
  const steering = (text: string): string | undefined => {
    const read = text.trim() === "" ? {} : readFields(text);
    return read === undefined ? undefined : steeringValues(read, keys);
  };
  const restored = (base: string, now: string): string | undefined => {
    const was = base.trim() === "" ? {} : readFields(base);
    const is = readFields(now);
    return was === undefined || is === undefined ? undefined : withValuesOf(was, is, keys, now);
  };
  return checked(steering, restored);
}

function sectioned(splitter: Splitter, steers: Steers): Manifest {
  const steering = (text: string): string | undefined => {
    const sections = splitter(text);
    return sections === undefined ? undefined : steeringIn(sections, steers);
  };
  const restored = (base: string, now: string): string | undefined => {
    const [was, is] = [splitter(base), splitter(now)];
    return was === undefined || is === undefined ? undefined : withSteeringOf(was, is, steers);
  };
  return checked(steering, restored);
}

function checked(steering: Manifest["steering"], restore: Manifest["restored"]): Manifest {
  return {
    steering,
    restored: (base, now) => {
      const text = restore(base, now);
      return text !== undefined && steering(text) === steering(base) ? text : undefined;
    },
  };
}

const scriptKeys = (key: string, { scripts }: ManifestUse): readonly KeyPath[] =>
  [...scripts].sort().map((name): KeyPath => [key, name]);

/** Run while the tree is set up: they can change what the checks run. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

function packageKeys(use: ManifestUse): readonly KeyPath[] {
  const always = "jest mocha ava vitest nyc c8 tap jasmine babel wireit".split(" ");
  const linters =
    "eslint:eslintConfig eslint:eslintIgnore standard:standard xo:xo prettier:prettier stylelint:stylelint";
  const asked = linters
    .split(" ")
    .map((pair) => pair.split(":") as [string, string])
    .filter(([tool]) => uses(use, tool))
    .map(([, key]) => key);
  const installs = use.scripts.size === 0 ? [] : INSTALL_SCRIPTS;
  const scripts = new Set([...use.scripts, ...installs]);
  return [
    ...scriptKeys("scripts", { ...use, scripts }),
    ...[...always, ...asked].map((key): KeyPath => [key]),
  ];
}

/** What leaves files or findings out; targets, paths and libraries are the work's. */
const TSCONFIG: readonly KeyPath[] = [
  ..."extends include exclude files references".split(" ").map((key): KeyPath => [key]),
  ...(
    "noEmit noCheck checkJs allowJs skipLibCheck skipDefaultLibCheck strict noImplicitAny strictNullChecks " +
    "strictFunctionTypes strictBindCallApply strictPropertyInitialization noImplicitThis useUnknownInCatchVariables " +
    "alwaysStrict noUnusedLocals noUnusedParameters exactOptionalPropertyTypes noImplicitReturns noImplicitOverride " +
    "noFallthroughCasesInSwitch noUncheckedIndexedAccess noPropertyAccessFromIndexSignature noEmitOnError"
  )
    .split(" ")
    .map((key): KeyPath => ["compilerOptions", key]),
];

const PNPM =
  /^(?:scriptShell|shellEmulator|nodeOptions|pnpmfile|enablePrePostScripts|verifyDepsBeforeRun)$/;

const PY_TOOLS =
  /^tool\.(?:pytest[\w-]{0,40}|tox[\w-]{0,40}|coverage|nox|hatch\.envs|poe|taskipy|pdm\.scripts|nose2|behave)(?:\.|$)/;
const PY_LINTER = /^tool\.(ruff|mypy|black|isort|pylint|pyright|flake8|bandit)(?:\.|$)/;
/** Tables above the steering ones, in which these may stand inline. */
const PY_ABOVE = /^(?:tool|tool\.(?:hatch|pdm))$/;
const PY_INLINE = /\b(?:pytest|tox|coverage|nox|envs|poe|taskipy)\b/;
const DEPENDENCIES =
  /^(?:deps|extras|requires|(?:extra-|optional-)?dependencies|dependency[-_]groups|features)$/;

const pyproject =
  (use: ToolsUsed): Steers =>
  (path, key, text) => {
    const full = path === "" ? key : `${path}.${key}`;
    if (DEPENDENCIES.test(key)) return false;
    const linter = PY_LINTER.exec(full)?.[1];
    if (linter !== undefined) return uses(use, linter);
    return PY_TOOLS.test(full) || (PY_ABOVE.test(full) && PY_INLINE.test(text));
  };

const cargo: Steers = (path, key) =>
  (path === "test" && key === "") ||
  /^profile\.test(?:\.|$)/.test(path) ||
  /^(?:lib\.(?:test|harness|doctest)|package\.autotests)$/.test(`${path}.${key}`);

const INI =
  /^(?:tool:pytest|pytest|coverage:.{1,60}|aliases|nosetests|unittest|tox(?::.{1,60})?|testenv(?::.{1,100})?)$/;
const INI_LINTER = /^(mypy|flake8|pylint|isort|ruff)(?:[-:.]|$)/;

const ini =
  (use: ToolsUsed): Steers =>
  (path, key) => {
    const linter = INI_LINTER.exec(path)?.[1];
    if (linter !== undefined) return uses(use, linter);
    return INI.test(path) && !DEPENDENCIES.test(key);
  };
