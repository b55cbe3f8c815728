/** Which keys of shared manifests steer checks. Dependencies never do. Invariants: never throws; linear patterns. */
import { jsonManifest, splitToml, splitYaml, type KeyPath } from "./manifest-formats.ts";
import { sectionedManifest, splitIni, type Manifest, type Steers } from "./sections.ts";
import type { ToolsUsed } from "./steering-files.ts";
import { nameOf } from "./trees.ts";

interface ManifestUse extends ToolsUsed {
  /** Names of the manifest's own scripts that the checks run. */
  readonly scripts: ReadonlySet<string>;
}

const uses = ({ tools, unclear }: ToolsUsed, ...names: readonly string[]): boolean =>
  unclear || names.some((name) => tools.has(name));

export function manifestOf(path: string, use: ManifestUse): Manifest | undefined {
  const name = nameOf(path);
  if (name === "package.json") return jsonManifest(packageKeys(use));
  if (name === "composer.json") return jsonManifest(scriptKeys("scripts", use));
  if (/^deno\.jsonc?$/.test(name))
    return jsonManifest([...scriptKeys("tasks", use), ["test"], ["lint"]]);
  if (/^tsconfig[\w.-]{0,60}\.json$/.test(name))
    return uses(use, "tsc", "vue-tsc", "tsd", "svelte-check") ? jsonManifest(TSCONFIG) : undefined;
  if (name === "pyproject.toml") return sectionedManifest(splitToml, pyproject(use));
  if (name === "Cargo.toml") return sectionedManifest(splitToml, cargo);
  if (name === "setup.cfg" || name === "tox.ini") return sectionedManifest(splitIni, ini(use));
  if (name === "pnpm-workspace.yaml")
    return sectionedManifest(splitYaml, (_, key) => PNPM.test(key));
  return undefined;
}

const scriptKeys = (key: string, { scripts }: ManifestUse): readonly KeyPath[] =>
  [...scripts].sort().map((name): KeyPath => [key, name]);

/** Scripts that run during set-up: they can change what the checks run. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

const PACKAGE_KEYS = "jest mocha ava vitest nyc c8 tap jasmine babel wireit".split(" ");
/** Linter keys, which count only if the linter is used. */
const LINTER_KEYS: readonly (readonly [tool: string, key: string])[] = [
  ["eslint", "eslintConfig"],
  ["eslint", "eslintIgnore"],
  ["standard", "standard"],
  ["xo", "xo"],
  ["prettier", "prettier"],
  ["stylelint", "stylelint"],
];

function packageKeys(use: ManifestUse): readonly KeyPath[] {
  const asked = LINTER_KEYS.filter(([tool]) => uses(use, tool)).map(([, key]) => key);
  const installs = use.scripts.size === 0 ? [] : INSTALL_SCRIPTS;
  const scripts = new Set([...use.scripts, ...installs]);
  return [
    ...scriptKeys("scripts", { ...use, scripts }),
    ...[...PACKAGE_KEYS, ...asked].map((key): KeyPath => [key]),
  ];
}

/** Keys that can hide files or errors; targets, paths and libraries belong to the work. */
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
/** Parent tables that may contain the steering ones inline. */
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
