// proves: U13
// Where a check's command leads: the tools it starts, the scripts it runs, the files that configure it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLeads } from "../../../../src/core/checks/judging/command-leads.ts";
import { isKnown, programName } from "../../../../src/core/checks/judging/programs.ts";

const leads = (text: string): readonly string[] =>
  commandLeads(text.split(" ")).map((lead) =>
    lead.kind === "package-script"
      ? `script ${lead.in}:${lead.name}${lead.everywhere ? " everywhere" : ""}`
      : lead.kind === "target"
        ? `${lead.tool} ${lead.in}:${lead.file ?? ""} ${lead.names.join(",")}`
        : lead.kind === "tool"
          ? lead.name
          : lead.kind === "unclear"
            ? "?"
            : `${lead.kind} ${lead.kind === "shell" ? lead.text : lead.word}`,
  );

const read: readonly (readonly [command: string, leads: readonly string[]])[] = [
  ["npm t", ["npm", "script :test"]],
  ["npm --prefix web run -s check", ["npm", "script web:check"]],
  ["npm test --workspaces", ["npm", "script :test everywhere"]],
  ["npm test -w packages/a", ["npm", "script :test everywhere"]],
  ["npm run test -- --config a.js", ["npm", "script :test", "config a.js"]],
  [
    "npm ci",
    ["npm", "script :preinstall", "script :install", "script :postinstall", "script :prepare"],
  ],
  ["pnpm --filter a test", ["pnpm", "script :test everywhere"]],
  ["pnpm exec vitest run", ["pnpm", "vitest", "tests run"]],
  ["yarn workspace a test", ["yarn", "script :test everywhere"]],
  ["yarn workspaces foreach -A run test", ["yarn", "script :test everywhere"]],
  ["bun run check", ["bun", "run check", "script :check"]],
  ["bun test a.test.ts", ["bun", "bun-test", "tests a.test.ts"]],
  ["run-s lint test:*", ["run-s", "script :lint", "script :test:*"]],
  ["turbo run test", ["turbo", "script :test everywhere"]],
  ["timeout 60 npx jest --config=j.js a", ["timeout", "npx", "jest", "config j.js", "tests a"]],
  ["npx unheard-of", ["npx", "unheard-of", "?"]],
  ["unheard-of --run", ["unheard-of", "?"]],
  ["docker run img pytest tests", ["docker", "pytest", "tests tests"]],
  [
    "uv run pytest -p plug tests/a.py::b",
    ["uv", "pytest", "config plug", "import plug", "tests tests/a.py"],
  ],
  ["python3.12 -m pytest", ["python", "import pytest", "pytest"]],
  ["python -W error tools/check.py x", ["python", "run tools/check.py", "import tools/x"]],
  ["node --import ./a.js --test b/*.js", ["node", "config ./a.js", "node-test", "tests b/*.js"]],
  ["node -e require('./check')", ["node", "import ./check"]],
  ["./ci/test.sh --all", ["run ./ci/test.sh"]],
  [". ./env.sh", ["run ./env.sh"]],
  ["/usr/bin/make -C sub -f x.mk A=1 test", ["make", "make sub:x.mk test"]],
  ["php vendor/bin/phpunit", ["php", "run vendor/bin/phpunit", "phpunit"]],
  ["bundle exec rake spec", ["bundle", "rake", "rake : spec"]],
  ["go run ./tools/check", ["go", "run ./tools/check"]],
  ["cargo nextest run", ["cargo", "cargo-nextest"]],
  ["grep -q npm README.md", []],
  ["deno task check", ["deno", "deno : check"]],
  ["npm --prefix=web test", ["npm", "script web:test"]],
  ["npm -C web --loglevel error run check", ["npm", "script web:check"]],
  ["npm tst", ["npm", "script :test"]],
  ["npm exec -- jest a", ["npm", "jest", "tests a"]],
  ["npm test -- --reporter=x.js", ["npm", "script :test", "config x.js"]],
  [
    "yarn",
    ["yarn", "script :preinstall", "script :install", "script :postinstall", "script :prepare"],
  ],
  ["yarn test", ["yarn", "script :test"]],
  ["yarn audit", ["yarn"]],
  ["yarn workspaces run test", ["yarn", "script :test everywhere"]],
  ["pnpm -C web run test", ["pnpm", "script web:test"]],
  ["pnpm dlx vitest run", ["pnpm", "vitest", "tests run"]],
  ["pnpm -r test", ["pnpm", "script :test everywhere"]],
  ["pnpm --filter=a run check", ["pnpm", "script :check everywhere"]],
  ["concurrently npm:lint npm:test", ["concurrently", "script :lint", "script :test"]],
  ["turbo run web#test --filter=web", ["turbo", "script :test everywhere"]],
  ["nx run-many --target=test", ["nx"]],
  ["run-p --silent lint test", ["run-p", "script :lint", "script :test"]],
  ["deno run test", ["deno", "run test"]],
  ["deno test a.ts", ["deno", "deno-test", "tests a.ts"]],
  ["bun x jest a", ["bun", "jest", "tests a"]],
  ["bun install", ["bun"]],
  ["bun run --silent check", ["bun", "run check", "script :check"]],
  ["node --test-name-pattern x a.js", ["node", "run a.js"]],
  ["node --env-file .env a.js", ["node", "config .env", "run a.js"]],
  ["node --require=./x.js a.js", ["node", "config ./x.js", "run a.js"]],
  ["python -m unittest tests", ["python", "import unittest", "unittest", "tests tests"]],
  ["python -c import('./x')", ["python", "import ./x"]],
  ["php -c php.ini a.php", ["php", "config php.ini", "run a.php"]],
  ["make -Csub -fx.mk test", ["make", "make sub:x.mk test"]],
  ["make -j 4 test", ["make", "make : test"]],
  ["make -j test", ["make", "make : test"]],
  ["make --directory=sub --file x.mk test A=1", ["make", "make sub:x.mk test"]],
  ["just --justfile x check", ["just", "just :x check"]],
  ["tox -e py312", ["tox", "tox : "]],
  ["nox -s tests", ["nox", "nox : "]],
  ["composer run-script test", ["composer", "composer : test"]],
  ["gmake test", ["gmake", "make : test"]],
  ["rake --rakefile x spec", ["rake", "rake :x spec"]],
  [
    "pytest -c cfg.ini tests --rootdir=x -k expr",
    [
      "pytest",
      "config cfg.ini",
      "tests cfg.ini",
      "tests tests",
      "config x",
      "tests expr",
      "config expr",
    ],
  ],
  ["pytest -p no:cacheprovider", ["pytest", "config no:cacheprovider", "import no:cacheprovider"]],
  ["eslint --config c.js src", ["eslint", "config c.js"]],
  ["sh -o pipefail ci/x.sh", ["run ci/x.sh"]],
  ["bash -e ci/x.sh", ["run ci/x.sh"]],
  ["bash -ec x", ["shell x"]],
  ["find . -exec pytest {}", ["pytest", "tests {}"]],
  ["git bisect run npm test", ["npm", "script :test"]],
  ["ls npm", []],
  ["node_modules/.bin/jest a", ["jest", "tests a"]],
  ["./gradlew test", ["run ./gradlew", "gradlew"]],
  ["cargo clippy", ["cargo", "clippy"]],
  ["cargo fmt --check", ["cargo", "rustfmt"]],
  ["cargo test --manifest-path x/Cargo.toml", ["cargo", "config x/Cargo.toml"]],
  ["go test ./...", ["go"]],
  ["go run ./tools/check x", ["go", "run ./tools/check"]],
  ["invoke test", ["invoke", "config tasks.py"]],
  ["ruby bin/rspec spec", ["ruby", "run bin/rspec", "import bin/spec", "rspec", "tests spec"]],
  ["nice -n 5 ./a.sh", ["nice", "run ./a.sh"]],
  ["timeout 60", ["timeout"]],
  ["timeout 10m unheard-of a", ["timeout", "unheard-of", "?"]],
  ["timeout 60 ls", ["timeout"]],
  ["env A=1 npx mocha", ["env", "npx", "mocha"]],
  ["xargs -n1 bash ci/x.sh", ["xargs", "run ci/x.sh"]],
  ["source ci/env.sh more", ["run ci/env.sh"]],
  ["unheard-of ./a.sh", ["unheard-of", "?", "run ./a.sh"]],
  ["docker compose run web npm test", ["docker", "npm", "script :test"]],
];
for (const [command, expected] of read)
  test(`leads of ${command}`, () => {
    assert.deepEqual(leads(command), expected);
  });
test("a command that another one starts leads where it leads by itself", () => {
  const starters = ["timeout 60", "nice", "env", "sudo", "docker run img", "xvfb-run", "npx"];
  for (const [command, expected] of read)
    if (isKnown(programName(command.split(" ", 1)[0] ?? "")))
      for (const starter of starters)
        assert.deepEqual(
          leads(`${starter} ${command}`).slice(1),
          expected,
          `${starter} ${command}`,
        );
});

test("bash -c is read in turn", () => {
  assert.deepEqual(commandLeads(["bash", "-lc", "make x"]), [{ kind: "shell", text: "make x" }]);
});
