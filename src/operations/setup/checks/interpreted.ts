/** Checks of Ruby, PHP, Elixir and Deno projects. */
import { fieldsOf, listOf, parseFields, textOf } from "../../../agents/output/json.ts";
import type { Manifests } from "../manifests.ts";
import { endingOf, endingOfText } from "./one-shot.ts";
import {
  filesBelow,
  filesInProject,
  firstOf,
  found,
  NOTHING,
  together,
  type Reading,
} from "./reading.ts";

const TEST_TASK = /\bRake::TestTask\b|\bMinitest::TestTask\b|^\s{0,20}task\s{1,5}\(?:?["']?test\b/m;
const ALL_TESTS = `ruby -Ilib -Itest -e 'Dir.glob("./test/**/*_test.rb") { |file| require file }'`;

export function ruby(at: Manifests): Reading {
  const gems = `${at.text("Gemfile")}\n${at
    .names()
    .filter((name) => name.endsWith(".gemspec"))
    .map(at.text)
    .join("\n")}`;
  const inBundle = at.has("Gemfile") ? "bundle exec " : "";
  const specs = filesBelow(at, "spec", /_spec\.rb$/);
  const tests = filesBelow(at, "test", /(?:_test|^test_.{1,200})\.rb$/);
  const runs: Reading[] = [];
  if (at.has(".rubocop.yml") && /["']rubocop\b/.test(gems))
    runs.push(found(".rubocop.yml", `${inBundle}rubocop`));
  if (specs.length > 0 || at.has(".rspec"))
    runs.push(found(firstOf(at, ".rspec", "Gemfile") ?? specs[0] ?? "", `${inBundle}rspec`));
  if (at.has("config/application.rb") && at.has("bin/rails") && tests.length > 0)
    runs.push(found("bin/rails", `${inBundle}rails test`));
  else if (TEST_TASK.test(at.text("Rakefile")))
    runs.push(found("Rakefile", `${inBundle}rake test`));
  else if (tests.some((file) => file.endsWith("_test.rb")))
    runs.push(found(tests[0] ?? "", `${inBundle}${ALL_TESTS}`));
  return together(runs);
}

/** The project's own script is more specific than the plain tool. */
export function php(at: Manifests): Reading {
  const manifest = at.json("composer.json");
  const scripts = fieldsOf(manifest?.["scripts"]);
  const needs = { ...fieldsOf(manifest?.["require"]), ...fieldsOf(manifest?.["require-dev"]) };
  const lines = scripts["test"] === undefined ? [] : [scripts["test"], ...listOf(scripts["test"])];
  const texts = lines.map(textOf).filter((line) => line !== "");
  const watcher = texts.map((text) => endingOfText(text)).find(({ kind }) => kind !== "ends");
  const left = watcher !== undefined && "why" in watcher ? watcher.why : undefined;
  if (texts.length > 0 && left === undefined) return found("composer.json", "composer test");
  const config = firstOf(at, "phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml");
  const tool = "pestphp/pest" in needs ? "pest" : "phpunit";
  const hasTool = tool === "pest" || "phpunit/phpunit" in needs || config !== undefined;
  const what = "the composer script test";
  return {
    checks: hasTool ? [{ run: `vendor/bin/${tool}`, from: config ?? "composer.json" }] : [],
    leftOut: left === undefined ? [] : [{ what, from: "composer.json", why: left }],
  };
}

export const elixir = (at: Manifests): Reading =>
  at.has("mix.exs") ? found("mix.exs", "mix test") : NOTHING;

const TASKS = ["check", "lint", "test"];

export function deno(at: Manifests): Reading {
  const file = firstOf(at, "deno.json", "deno.jsonc");
  if (file === undefined) return NOTHING;
  const settings = parseFields(withoutComments(at.text(file)));
  const tasks = Object.fromEntries(
    Object.entries(fieldsOf(settings?.["tasks"])).map(([name, task]) => [
      name,
      typeof task === "string" ? task : textOf(fieldsOf(task)["command"]),
    ]),
  );
  const readings = TASKS.filter((name) => (tasks[name] ?? "") !== "").map((name): Reading => {
    const ending = endingOf(tasks, name);
    if (!("why" in ending)) return found(file, `deno task ${name}`);
    return { checks: [], leftOut: [{ what: `the task ${name}`, from: file, why: ending.why }] };
  });
  const all = together(readings);
  if (all.checks.some(({ run }) => run === "deno task test")) return all;
  const tests = filesInProject(at, /(?:^|[._])test\.[cm]?[jt]sx?$/);
  return tests.length === 0 ? all : together([all, found(file, "deno test")]);
}

/** Removes whole-line comments and trailing commas. */
const withoutComments = (text: string): string =>
  text.replace(/^[ \t]{0,200}\/\/.*$/gm, "").replace(/,(\s{0,200}[}\]])/g, "$1");
