/** Projects of all other kinds, with near misses. */
import { scripts, type Row } from "./project-row.ts";

export const COMPILED: readonly Row[] = [
  {
    name: "a workspace of crates",
    files: { "Cargo.toml": '[workspace]\nmembers = ["a"]\n' },
    checks: ["cargo check --workspace", "cargo test --workspace"],
  },
  {
    name: "a member's setting is no workspace",
    files: { "Cargo.toml": "[package]\nversion.workspace = true\n" },
    checks: ["cargo check", "cargo test"],
  },
  {
    name: "go.work",
    files: {
      "go.work": "go 1.22\n\nuse (\n\t./a\n\t./b/c\n\t./gone\n)\n",
      "a/go.mod": "",
      "b/c/go.mod": "",
    },
    checks: ["go vet ./a/... ./b/c/...", "go test ./a/... ./b/c/..."],
  },
  {
    name: "gradle, its wrapper",
    files: { "build.gradle.kts": "", gradlew: "#!" },
    checks: ["./gradlew test"],
  },
  { name: "gradle without", files: { "settings.gradle": "" }, checks: ["gradle test"] },
  { name: "a wrapper alone", files: { gradlew: "#!" }, checks: [] },
  { name: "maven", files: { "pom.xml": "<project/>" }, checks: ["mvn -B -q test"] },
  {
    name: "maven with integration tests, its wrapper",
    files: { "pom.xml": "<artifactId>maven-failsafe-plugin</artifactId>", mvnw: "#!" },
    checks: ["./mvnw -B -q verify"],
  },
  {
    name: ".NET, a solution",
    files: { "App.sln": "", "src/App/App.csproj": "", "tests/App.Tests/App.Tests.csproj": "" },
    checks: ["dotnet test"],
  },
  {
    name: ".NET without tests is built",
    files: { "App.csproj": "<Project/>" },
    checks: ["dotnet build"],
  },
  {
    name: ".NET, two solutions",
    files: { "A b.sln": "", "B.sln": "" },
    checks: ["dotnet test 'A b.sln'"],
  },
  {
    name: ".NET, a solution below",
    files: {
      "code/A.sln": "",
      "code/A.Tests/A.Tests.csproj": "",
      "code/B.Tests/B.Tests.csproj": "",
    },
    checks: ["dotnet test code/A.sln"],
  },
  {
    name: ".NET, only a project of tests, below",
    files: { "src/A/A.csproj": "", "test/A/A.csproj": '<PackageReference Include="xunit" />' },
    checks: ["dotnet test test/A/A.csproj"],
  },
  {
    name: "CMake",
    files: {
      "CMakeLists.txt": "project(a)\nadd_subdirectory(test)\n",
      "test/CMakeLists.txt": "add_test(NAME a COMMAND a)",
    },
    checks: [
      "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure",
    ],
  },
  {
    name: "CMake without tests, and a build folder of the project's own",
    files: { "CMakeLists.txt": "PROJECT (a)", "build/release.sh": "" },
    checks: ["cmake -S . -B cmake-build && cmake --build cmake-build"],
  },
  {
    name: "a part of a CMake project",
    files: { "CMakeLists.txt": "add_library(a a.c)" },
    checks: [],
  },
  { name: "swift", files: { "Package.swift": ".testTarget(name: 1)" }, checks: ["swift test"] },
  { name: "swift without tests", files: { "Package.swift": "" }, checks: ["swift build"] },
];

export const INTERPRETED: readonly Row[] = [
  {
    name: "rspec",
    files: { Gemfile: 'gem "rspec"\n', "spec/a_spec.rb": "" },
    checks: ["bundle exec rspec"],
  },
  {
    name: "a spec that is a document",
    files: { Gemfile: 'gem "a"\n', "spec/openapi.yml": "" },
    checks: [],
  },
  {
    name: "rake",
    files: { Gemfile: 'gem "rake"\n', Rakefile: "Rake::TestTask.new\n", "test/a_test.rb": "" },
    checks: ["bundle exec rake test"],
  },
  { name: "a Rakefile without tests", files: { Rakefile: "task :release do\nend\n" }, checks: [] },
  {
    name: "minitest alone",
    files: { Gemfile: 'gem "minitest"\n', "test/a_test.rb": "" },
    checks: [
      `bundle exec ruby -Ilib -Itest -e 'Dir.glob("./test/**/*_test.rb") { |file| require file }'`,
    ],
  },
  {
    name: "rails",
    files: {
      Gemfile: "",
      "bin/rails": "",
      "config/application.rb": "",
      "test/a_test.rb": "",
      Rakefile: "",
    },
    checks: ["bundle exec rails test"],
  },
  {
    name: "phpunit",
    files: { "composer.json": '{"require-dev":{"phpunit/phpunit":"^11"}}' },
    checks: ["vendor/bin/phpunit"],
  },
  {
    name: "phpunit by its settings",
    files: { "phpunit.xml.dist": "" },
    checks: ["vendor/bin/phpunit"],
  },
  {
    name: "a script of composer",
    files: { "composer.json": scripts({ test: "phpunit" }), "phpunit.xml": "" },
    checks: ["composer test"],
  },
  {
    name: "one that watches",
    files: { "composer.json": scripts({ test: "phpunit-watcher watch" }), "phpunit.xml": "" },
    checks: ["vendor/bin/phpunit"],
    left: ["phpunit-watcher watches for changes"],
  },
  { name: "php without tests", files: { "composer.json": '{"require":{"a/b":"1"}}' }, checks: [] },
  { name: "elixir", files: { "mix.exs": "" }, checks: ["mix test"] },
  {
    name: "tasks of Deno",
    files: {
      "deno.jsonc":
        '{\n // tasks\n "tasks": { "test": "deno test -A", "dev": "deno run --watch a.ts", },\n}',
    },
    checks: ["deno task test"],
  },
  {
    name: "a task of Deno that watches",
    files: { "deno.json": '{"tasks":{"test":{"command":"deno test --watch"}}}', "a_test.ts": "" },
    checks: ["deno test"],
    left: ["deno watches for changes"],
  },
  { name: "Deno without tests", files: { "deno.json": "{}" }, checks: [] },
];

export const TASKS: readonly Row[] = [
  {
    name: "make, when nobody knows better",
    files: { Makefile: ".PHONY: test lint\nlint: ; shellcheck *.sh\ntest:\n\t./run\n" },
    checks: ["make lint", "make test"],
  },
  { name: "variables are no targets", files: { Makefile: "test := 1\nchecks: a\n" }, checks: [] },
  {
    name: "a recipe that watches",
    files: { Makefile: "test:\n\t@cargo watch -x test\nlint:\n\tcargo clippy\n" },
    checks: ["make lint"],
    left: ["cargo watches for changes"],
  },
  {
    name: "just",
    files: {
      justfile: "test filter='': build\n  ./run\n@check:\n  ./c\nlint name:\n  l {{name}}\n",
    },
    checks: ["just check", "just test"],
  },
];
