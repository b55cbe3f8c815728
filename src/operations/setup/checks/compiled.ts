/** Checks of compiled projects: Cargo, Go, CMake, Swift, Gradle, Maven and .NET. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Manifests } from "../manifests.ts";
import { shellWord } from "../node-installer.ts";
import { filesBelow, filesInProject, firstOf, found, NOTHING, type Reading } from "./reading.ts";

export function cargo(at: Manifests): Reading {
  if (!at.has("Cargo.toml")) return NOTHING;
  const isWorkspace = /^\s{0,8}\[workspace[\].]/m.test(at.text("Cargo.toml"));
  const all = isWorkspace ? " --workspace" : "";
  return found("Cargo.toml", `cargo check${all}`, `cargo test${all}`);
}

const MODULES_MOST = 20;

/** With a go.work in a folder that is not a module itself, `./...` matches nothing: each module is named. */
export function go(at: Manifests): Reading {
  if (at.has("go.mod")) return found("go.mod", "go vet ./...", "go test ./...");
  const used = [
    ...at
      .text("go.work")
      .matchAll(/^\s{0,8}(?:use\s{1,5})?\.\/([\w./-]{1,200})\s{0,8}(?:\/\/|$)/gm),
  ];
  const modules = used
    .flatMap(([, path = ""]) =>
      !path.includes("..") && at.has(`${path}/go.mod`) ? [path.replace(/\/+$/, "")] : [],
    )
    .slice(0, MODULES_MOST);
  const all = modules.map((path) => `./${path}/...`).join(" ");
  return all === "" ? NOTHING : found("go.work", `go vet ${all}`, `go test ${all}`);
}

const CMAKE_TESTS =
  /\b(?:enable_testing|add_test|gtest_discover_tests|catch_discover_tests)\s{0,5}\(|\binclude\s{0,5}\(\s{0,5}CTest\b/i;

/** Builds in a folder that only CMake writes to. */
export function cmake(at: Manifests): Reading {
  const file = "CMakeLists.txt";
  if (!/^\s{0,8}project\s{0,5}\(/im.test(at.text(file))) return NOTHING;
  const isTaken = filesBelow(at, "build", /^/).length > 0 && !at.has("build/CMakeCache.txt");
  const folder = isTaken ? "cmake-build" : "build";
  const hasTests = filesInProject(at, /^CMakeLists\.txt$/).some((one) =>
    CMAKE_TESTS.test(at.text(one)),
  );
  const build = `cmake -S . -B ${folder} && cmake --build ${folder}`;
  const test = ` && ctest --test-dir ${folder} --output-on-failure`;
  return found(file, hasTests ? build + test : build);
}

export function swift(at: Manifests): Reading {
  if (!at.has("Package.swift")) return NOTHING;
  const hasTests =
    /\.testTarget\s{0,5}\(/.test(at.text("Package.swift")) ||
    filesBelow(at, "Tests", /\.swift$/).length > 0;
  return found("Package.swift", hasTests ? "swift test" : "swift build");
}

/** The project's own wrapper if it has one, even if git did not keep it executable. */
function wrapped(at: Manifests, wrapper: string, program: string): string {
  if (!at.has(wrapper)) return program;
  const mode = statSync(join(at.folder, wrapper), { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o100) === 0 ? `sh ./${wrapper}` : `./${wrapper}`;
}

export function gradle(at: Manifests): Reading {
  const names = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
  const file = firstOf(at, ...names);
  return file === undefined ? NOTHING : found(file, `${wrapped(at, "gradlew", "gradle")} test`);
}

/** The failsafe plugin's integration tests run in `verify`. */
export function maven(at: Manifests): Reading {
  if (!at.has("pom.xml")) return NOTHING;
  const goal = at.text("pom.xml").includes("maven-failsafe-plugin") ? "verify" : "test";
  return found("pom.xml", `${wrapped(at, "mvnw", "mvn")} -B -q ${goal}`);
}

const PROJECT = /\.(?:cs|fs|vb)proj$/;
const SOLUTION = /\.slnx?$/;
const TEST_PROJECT = /Microsoft\.NET\.Test\.Sdk|\b(?:xunit|NUnit|MSTest|TUnit)\b/i;

/** `dotnet test` of projects without tests would only seem to check something: they are built instead. */
export function dotnet(at: Manifests): Reading {
  const here = at.names().filter((name) => at.has(name));
  const solutions = here.filter((name) => SOLUTION.test(name));
  const below = solutions.length > 0 ? [] : filesInProject(at, SOLUTION).slice(0, 1);
  const own = here.filter((name) => PROJECT.test(name));
  const all = filesInProject(at, PROJECT);
  const tests = all.filter(
    (file) => /tests?\.\w{2}proj$/i.test(file) || TEST_PROJECT.test(at.text(file)),
  );
  const [file = tests[0]] = [...solutions, ...own, ...below];
  if (file === undefined) return NOTHING;
  const isOnly = solutions.length + own.length === 1 && here.includes(file);
  const verb = tests.length > 0 || all.length === 0 ? "test" : "build";
  return found(file, `dotnet ${verb}${isOnly ? "" : ` ${shellWord(file)}`}`);
}
