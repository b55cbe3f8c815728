/**
 * Files that configure runners: which ones matter for which program, and which files they load or declare as tests.
 * Invariants: linear patterns; never throws; if an unknown program is in use, all of them matter; shared manifests are
 * handled elsewhere.
 */
import { nameOf } from "./trees.ts";
import type { Lead } from "./leads.ts";

interface Row {
  readonly tools: RegExp;
  readonly files: RegExp;
  /** Matched against the whole path. */
  readonly whole?: true;
  /** Affects everything, even from a subfolder. */
  readonly global?: true;
}

const CODE = String.raw`(?:[cm]?[jt]s|json[c5]?|ya?ml|toml)`;

const JS =
  /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|node|nodejs|tsx|ts-node|jest|vitest|mocha|ava|tap|karma|playwright|cypress|turbo|nx|lerna)$/;

const PYTHON =
  /^(?:python|pytest|py\.test|tox|nox|unittest|nose2|coverage|poetry|uv|uvx|pipenv|pdm|hatch|rye|trial|behave|robot|invoke|inv|pre-commit)$/;

const named = (name: string): RegExp => new RegExp(`^${name}$`);

const ROWS: readonly Row[] = [
  { tools: PYTHON, files: /^(?:conftest|sitecustomize|usercustomize)\.py$|\.pth$/, global: true },
  // A root module with the runner's own name would be imported instead of the runner.
  {
    tools: PYTHON,
    files: /^(?:src\/)?(?:pytest|_pytest|unittest|pluggy|nose2|coverage|tox|nox)(?:\.py$|\/)/,
    whole: true,
    global: true,
  },
  { tools: PYTHON, files: /^(?:\.?pytest\.(?:ini|toml)|\.coveragerc|pytest_?plugins?\.py)$/ },
  { tools: /^tox$/, files: /^tox\.toml$/ },
  { tools: /^trial$|^nose2$/, files: /^(?:unittest|nose2)\.cfg$/ },
  { tools: /^behave$/, files: /^(?:behave\.ini|\.behaverc)$/ },
  { tools: /^ruff$/, files: /^\.?ruff\.toml$/ },
  { tools: /^mypy$/, files: /^\.?mypy\.ini$/ },
  { tools: /^pyright$/, files: /^pyrightconfig\.json$/ },
  { tools: /^flake8$/, files: /^\.flake8$/ },
  { tools: /^pylint$/, files: /^\.?pylintrc(?:\.toml)?$/ },
  { tools: /^pre-commit$/, files: /^\.pre-commit-config\.yaml$/ },
  { tools: JS, files: /(?:^|\/)node_modules\//, whole: true, global: true },
  {
    tools: JS,
    files:
      /^(?:\.npmrc|\.yarnrc|\.yarnrc\.yml|\.pnpmfile\.[cm]?js|bunfig\.toml|\.env\.test(?:\.local)?)$/,
  },
  { tools: /^yarn$/, files: /(?:^|\/)\.yarn\/(?:releases|plugins)\//, whole: true, global: true },
  { tools: /^(?:jest|npm|npx|pnpm|yarn)$/, files: /^setupTests\.[jt]sx?$/ },
  {
    tools: /^jest$/,
    files: named(String.raw`jest[.-](?:config|setup|preset)[\w.-]{0,40}\.${CODE}`),
  },
  { tools: /^jest$/, files: /(?:^|\/)__mocks__\//, whole: true },
  {
    tools: /^vitest$/,
    files: named(
      String.raw`vi(?:test|te)\.(?:config|workspace|projects|setup)[\w.-]{0,40}\.${CODE}`,
    ),
  },
  {
    tools: /^(?:jest|mocha|vitest|ava)$/,
    files: named(String.raw`(?:\.babelrc|\.swcrc|babel\.config)(?:\.${CODE})?`),
  },
  { tools: /^mocha$/, files: named(String.raw`\.mocharc(?:\.${CODE})?|mocha\.opts`) },
  { tools: /^ava$/, files: named(String.raw`ava\.config\.${CODE}`) },
  { tools: /^tap$/, files: /^\.taprc$/ },
  { tools: /^jasmine$/, files: named(String.raw`jasmine\.${CODE}`) },
  {
    tools: /^(?:c8|nyc)$/,
    files: named(String.raw`\.(?:c8|nyc)rc(?:\.${CODE})?|nyc\.config\.[cm]?js`),
  },
  { tools: /^(?:karma|ng)$/, files: named(String.raw`karma\.conf[\w.-]{0,40}\.${CODE}`) },
  { tools: /^playwright$/, files: named(String.raw`playwright[\w.-]{0,40}\.config\.${CODE}`) },
  {
    tools: /^cypress$/,
    files: named(String.raw`cypress\.config\.${CODE}|cypress\.(?:env\.)?json`),
  },
  {
    tools: /^(?:testem|wtr|web-test-runner|nightwatch|wdio)$/,
    files: named(
      String.raw`(?:testem|web-test-runner\.config|nightwatch\.conf|wdio\.conf)\.${CODE}`,
    ),
  },
  { tools: /^(?:turbo|nx|lerna)$/, files: /^(?:turbo|nx|lerna|project)\.json$/ },
  {
    tools: /^(?:eslint|xo|standard)$/,
    files: named(
      String.raw`\.eslintrc(?:\.${CODE})?|eslint\.config[\w.-]{0,40}\.[cm]?[jt]s|\.eslintignore|\.xo-config[\w.]{0,10}`,
    ),
  },
  { tools: /^tslint$/, files: /^tslint\.json$/ },
  { tools: /^biome$/, files: /^biome\.jsonc?$/ },
  { tools: /^oxlint$/, files: /^\.oxlintrc\.json$/ },
  {
    tools: /^prettier$/,
    files: named(
      String.raw`\.prettierrc(?:\.${CODE})?|prettier\.config\.[cm]?[jt]s|\.prettierignore`,
    ),
  },
  {
    tools: /^stylelint$/,
    files: named(
      String.raw`\.stylelintrc(?:\.${CODE})?|stylelint\.config\.[cm]?js|\.stylelintignore`,
    ),
  },
  { tools: /^markdownlint$/, files: /^\.markdownlint[\w.-]{0,20}$/ },
  { tools: /^(?:phpunit|pest|paratest|composer|php)$/, files: /^phpunit\.xml(?:\.dist)?$/ },
  { tools: /^(?:codecept|behat)$/, files: /^(?:codeception|behat)\.ya?ml(?:\.dist)?$/ },
  {
    tools: /^(?:phpstan|psalm|phpcs|php-cs-fixer)$/,
    files:
      /^(?:phpstan\.neon|psalm\.xml|phpcs\.xml|\.php-cs-fixer\.php|phpstan-baseline\.neon)(?:\.dist)?$/,
  },
  { tools: /^(?:rspec|rake|bundle)$/, files: /^\.rspec(?:-local)?$/ },
  { tools: /^(?:rubocop|standardrb)$/, files: /^\.(?:rubocop(?:_todo)?|standard)\.yml$/ },
  {
    tools: /^cargo(?:-nextest)?$/,
    files: /(?:^|\/)\.cargo\/config(?:\.toml)?$|(?:^|\/)\.config\/nextest\.toml$/,
    whole: true,
    global: true,
  },
  { tools: /^clippy$/, files: /^\.?clippy\.toml$/ },
  { tools: /^rustfmt$/, files: /^\.?rustfmt\.toml$/ },
  { tools: /^go$/, files: /^go\.work$/ },
  { tools: /^golangci-lint$/, files: named(String.raw`\.golangci\.${CODE}`) },
  { tools: /^mvnw?$/, files: /(?:^|\/)\.mvn\/(?:maven|jvm)\.config$/, whole: true },
  { tools: /^dotnet$/, files: /\.runsettings$/ },
  { tools: /^mix$|^credo$/, files: /^\.(?:formatter|credo)\.exs$/ },
  { tools: /^(?:bazel|bazelisk)$/, files: /^\.bazelrc$/ },
  { tools: /^busted$/, files: /^\.busted$/ },
  { tools: /^shellcheck$/, files: /^\.shellcheckrc$/ },
];

/** Build files whose test settings cannot be separated from dependencies: listed, never restored. */
const BUILD_FILES: readonly (readonly [tools: RegExp, files: RegExp])[] = [
  [/^gradlew?$/, /^(?:(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties)$/],
  [/^mvnw?$/, /^pom\.xml$/],
  [/^sbt$/, /^build\.sbt$/],
  [/^mix$/, /^mix\.exs$/],
  [/^(?:cmake|ctest|ninja)$/, /^CMakeLists\.txt$/],
  [/^meson$/, /^meson\.build$/],
  [/^swift$/, /^Package\.swift$/],
  [/^ng$/, /^angular\.json$/],
  [
    /^(?:docker|docker-compose|podman)$/,
    /^(?:Dockerfile[\w.-]{0,40}|(?:docker-)?compose[\w.-]{0,40}\.ya?ml)$/,
  ],
];

export interface ToolsUsed {
  readonly tools: ReadonlySet<string>;
  readonly unclear: boolean;
}

/** Which paths steer the programs in use; "global" ones do so from any folder. Usually a single pass over the path. */
export function steeringBy(used: ToolsUsed): (path: string) => "global" | "local" | undefined {
  const { tools, unclear } = used;
  const rows = ROWS.filter((row) => unclear || [...tools].some((tool) => row.tools.test(tool)));
  if (rows.length === 0) return () => undefined;
  const byName = anyOf(rows.filter(({ whole }) => whole !== true));
  const byPath = anyOf(rows.filter(({ whole }) => whole === true));
  return (path) => {
    const name = nameOf(path);
    if (!byName.test(name) && !byPath.test(path)) return undefined;
    const row = rows.find(({ files, whole }) => files.test(whole === true ? path : name));
    return row?.global === true ? "global" : "local";
  };
}

const anyOf = (rows: readonly Row[]): RegExp =>
  new RegExp(rows.length === 0 ? "(?!)" : rows.map(({ files }) => `(?:${files.source})`).join("|"));

export function isBuildFile(path: string, { tools }: ToolsUsed): boolean {
  const name = nameOf(path);
  return BUILD_FILES.some(
    ([by, files]) => files.test(name) && [...tools].some((tool) => by.test(tool)),
  );
}

const TEXT_MAX = 256_000;

const VALUE_MAX = 1500;

const KEYS_MAX = 400;

const KEY =
  /(?:^|[\s"'{,[])(setup\w{0,30}|global(?:Setup|Teardown)|require|import|loader|preset|runner|testRunner|testEnvironment|transform|reporters?|resolver|snapshot(?:Serializers|Resolver|Environment)|testSequencer|bootstrap|plugins|extends|file|helpers|preload|addopts|testMatch|spec|testDir|specs|testpaths|python_files)["']?\]?\s{0,5}[:=]/g;

const TESTS = /^(?:testMatch|specs?|testDir|testpaths)$/;

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s{0,5}\(?\s{0,5}["'](\.{1,2}\/[^"'\n]{1,200})["']/g;

const OPTION = /(?:^|[\s"'])(?:-r|--require|--import|-p|--file|-I)[ =]{1,3}([^\s"',]{1,200})/g;

/** Names of helpers that are loaded from the tests' folder. */
const HELPER = /^(?:spec_helper|rails_helper|test_helper)$/;

export function steeringLeads(text: string): readonly Lead[] {
  const source = text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text;
  const leads: Lead[] = [];
  for (const [, word] of source.matchAll(IMPORT)) leads.push({ kind: "config", word: word! });
  for (const [, word] of source.matchAll(OPTION)) {
    leads.push({ kind: "config", word: word! }, { kind: "import", word: word! });
    if (HELPER.test(word!)) leads.push({ kind: "config", word: `spec/${word!}.rb` });
  }
  let keys = 0;
  for (const found of source.matchAll(KEY)) {
    if ((keys += 1) > KEYS_MAX) break;
    const key = found[1]!;
    const at = found.index + found[0].length;
    for (const word of wordsOf(source.slice(at, at + VALUE_MAX)))
      if (TESTS.test(key) || /[./]/.test(word))
        leads.push(
          key === "python_files"
            ? { kind: "tests", word: `**/${word}` }
            : { kind: TESTS.test(key) ? "tests" : "config", word },
        );
  }
  return leads;
}

/** The words of one value: a bracketed list, the rest of the line, or the indented lines below it. */
function wordsOf(text: string): readonly string[] {
  const start = text.trimStart();
  const bracket = start.startsWith("[") ? "]" : start.startsWith("{") ? "}" : undefined;
  const value =
    bracket === undefined
      ? (/^[^\n]{0,500}(?:\n[ \t]{1,40}[^\n=:]{1,300}(?=\n|$)){0,40}/.exec(text)?.[0] ?? "")
      : start.split(bracket, 1)[0]!;
  return value
    .split(/[\s"'`,;[\]{}()]+/)
    .map((word) => word.replace(/^<rootDir>\/?/, "./"))
    .filter((word) => word.length > 1 && word.length < 300)
    .slice(0, 200);
}
