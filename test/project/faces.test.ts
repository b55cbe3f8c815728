import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import ts from "typescript";

/** To parse and to draw with. */
const LIBRARIES = new Set([
  "commander",
  "zod",
  "diff",
  "string-width",
  "yaml",
  "hono",
  "@hono/node-server",
]);
const ROOMS = ["cli", "mcp", "http"] as const;

/** The commands that start another face. */
const STARTED = [
  ["src/cli/commands/mcp.ts", "mcp"],
  ["src/cli/commands/serve.ts", "http"],
] as const;

/** Files that still reach below the operations, each by name. It may only become shorter. */
const NOT_YET: readonly string[] = [];

const importsOf = (file: string): readonly string[] =>
  ts.preProcessFile(readFileSync(file, "utf8")).importedFiles.map(({ fileName }) => fileName);

/** What of a face's imports is neither its own, an operation, nor a library for faces. */
function reachesBelow(file: string, room: string): readonly string[] {
  return importsOf(file).filter((specifier) => {
    if (!specifier.startsWith("."))
      return !specifier.startsWith("node:") && !LIBRARIES.has(specifier);
    const target = normalize(join(dirname(file), specifier)).replaceAll("\\", "/");
    const isStarted = STARTED.some(
      ([starter, face]) => file === starter && target.startsWith(`src/${face}/`),
    );
    return (
      !target.startsWith(`src/${room}/`) && !target.startsWith("src/operations/") && !isStarted
    );
  });
}

test("the terminal, MCP and HTTP are thin faces: they import operations and their own folder only", () => {
  const below: string[] = [];
  for (const room of ROOMS) {
    const files = globSync(`src/${room}/**/*.ts`).map((file) => file.replaceAll("\\", "/"));
    assert.ok(files.length >= 2, `saw ${files.length} files of ${room}`);
    for (const file of files)
      if (reachesBelow(file, room).length > 0)
        below.push(`${file}: ${reachesBelow(file, room).join(", ")}`);
  }
  const named = below.map((line) => line.split(":")[0] ?? "");
  assert.deepEqual(
    below.filter((_, index) => !NOT_YET.includes(named[index] ?? "")),
    [],
  );
  assert.deepEqual(
    NOT_YET.filter((file) => !named.includes(file)),
    [],
    "it has moved: take it off the list",
  );
});
