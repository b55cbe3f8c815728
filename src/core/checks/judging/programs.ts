/** The programs that checks are made of, as data: test runners, linters, interpreters, wrappers, harmless tools. */

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** These run tests: paths among their arguments are tests. */
export const TEST_RUNNERS = wordSet(
  "jest vitest mocha ava tap tape uvu jasmine qunit karma playwright cypress pytest py.test unittest nose2 trial behave " +
    "robot rspec minitest cucumber phpunit pest paratest codecept behat bats busted prove ctest testem wtr " +
    "web-test-runner nightwatch wdio borp lit node-test bun-test deno-test",
);

/** These inspect code without running it. */
export const LINTERS = wordSet(
  "eslint tslint xo standard biome oxlint prettier stylelint tsc vue-tsc svelte-check tsd ruff mypy pyright flake8 " +
    "pylint black isort bandit golangci-lint staticcheck rubocop standardrb phpstan psalm phpcs php-cs-fixer " +
    "shellcheck clippy rustfmt ktlint detekt credo dialyzer pre-commit markdownlint swiftlint hadolint",
);

/** These build, test or manage a project by a file of their own, which other modules know by name. */
export const BUILDERS = wordSet(
  "cargo cargo-nextest go gradle gradlew mvn mvnw sbt dotnet mix swift cmake meson ninja bazel bazelisk zig dart flutter " +
    "tox nox rake composer make gmake just task turbo nx lerna ng invoke inv",
);

/** These run a program in their own language. */
export const INTERPRETERS = wordSet(
  "node nodejs tsx ts-node bun deno python python3 python2 ruby php perl lua luajit Rscript julia elixir pwsh groovy",
);

export const SHELLS = wordSet("sh bash zsh dash ksh ash");

/** These only start the program given in their arguments. */
export const WRAPPERS = wordSet(
  "env cross-env cross-env-shell timeout gtimeout nice nohup sudo doas stdbuf xvfb-run command builtin xargs dotenv " +
    "dotenvx npx bunx pnpx uv uvx pipx bundle poetry pipenv pdm hatch rye conda mamba coverage c8 nyc start-server-and-test " +
    "wait-on retry flock setsid docker docker-compose podman script unbuffer caffeinate strace ltrace valgrind catchsegv rtk direnv",
);

/** These neither judge nor steer: they look, print, move files or report a result. */
export const HARMLESS = wordSet(
  "ls cat head tail grep egrep fgrep rg find fd wc pwd echo printf which type file stat du df ps date whoami id uname tree " +
    "less more awk sed sort uniq cut tr diff cmp jq yq test [ [[ true false : cd sleep wait nl tac column xxd od strings " +
    "readlink realpath basename dirname printenv hostname exit return set unset shift trap local export read kill " +
    "mkdir rm rmdir cp mv ln touch chmod chown tar gzip unzip zip git curl wget tee umask ulimit eval let break continue " +
    "gcc cc clang g++ clang++ c++ rustc javac java kotlinc ld ar strip install rsync sha256sum md5sum openssl pip pip3 " +
    "apt apt-get apk brew gem rimraf mkdirp shx tsup esbuild rollup webpack swc popd dirs hash getopts source .",
);

export const PACKAGE_MANAGERS = wordSet("npm pnpm yarn");

/** These run the package scripts named in their arguments. */
export const SCRIPT_RUNNERS = wordSet(
  "npm-run-all npm-run-all2 run-s run-p concurrently turbo lerna nx wsrun ultra",
);

export const isKnown = (program: string): boolean =>
  [TEST_RUNNERS, LINTERS, BUILDERS, INTERPRETERS, SHELLS, PACKAGE_MANAGERS, SCRIPT_RUNNERS].some(
    (names) => names.has(program),
  );

/** `/usr/bin/python3.12` and `pytest.exe` become `python` and `pytest`. */
export function programName(word: string): string {
  const name = word.slice(word.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd|bat)$/, "");
  if (/^python[\d.]{0,8}$/.test(name)) return "python";
  return /^(?:ba|z|da|k|a)?sh$/.test(name) ? "sh" : name;
}

/** The word names a file in the tree, not an installed program. */
export const namesFile = (word: string): boolean =>
  word.includes("/") &&
  !/^\/|(?:^|\/)(?:node_modules\/\.bin|vendor\/bin|\.?venv\/bin)\//.test(word) &&
  !/[\s:]/.test(word);
