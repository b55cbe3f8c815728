/**
 * Builds dist/: the command as one file, the page, the library, its types, and the JSON Schemas. dist/meta.json lists
 * the modules in each file, for the tests; it is not published.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { packRules } from "../src/operations/advice/packed-rules.ts";
import { RULES } from "../src/core/rules/standard.ts";
import { buildWeb } from "./build-web.ts";
import { writeEditorSchemas } from "./schemas.ts";

rmSync("dist", { recursive: true, force: true });
const common = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning",
  metafile: true,
} as const;

/**
 * The bundle is one function that takes what it needs and that the launcher calls; it begins with a mark of its own,
 * under which the launcher caches V8's compiled code.
 */
const called = {
  ...common,
  format: "cjs",
  outdir: "dist/cli",
  outExtension: { ".js": ".cjs" },
  banner: { js: '(function(require,__dirname,__filename){"use strict";var module={};' },
  footer: { js: "return module.exports})" },
  write: false,
} as const;

/** A single file: finding and loading a hundred small ones takes longer than everything a short command does. */
const command = await build({
  ...called,
  entryPoints: { main: "src/cli/main.ts" },
  // The other build of jsonc-parser requires its parts in a way that cannot be bundled.
  mainFields: ["module", "main"],
  alias: { "string-width": "./scripts/package/string-width-at-need.cjs" },
  minifySyntax: true,
  minifyWhitespace: true,
  // The guard and the page are searched for next to the bundle.
  define: { "import.meta.dirname": "__dirname", "import.meta.filename": "__filename" },
  supported: { "dynamic-import": false },
});

/**
 * Every agent and every check runs under a guard, which starts fastest as one CommonJS file. The others watch and hold
 * processes of a fleet.
 */
const beside = await build({
  ...common,
  format: "cjs",
  entryPoints: {
    guard: "src/agents/process/guard.ts",
    tether: "src/engines/restate/tether.ts",
    "worker-watch": "src/operations/fleet/worker-watch.ts",
    "starter-process": "src/workspace/base/starter-process.ts",
  },
  outdir: "dist/cli",
  outExtension: { ".js": ".cjs" },
  minifySyntax: true,
  minifyWhitespace: true,
});

/** The commands that must answer within milliseconds. */
const quick = await build({
  ...called,
  entryPoints: {
    "quick-classify": "src/cli/quick-classify.ts",
    "quick-hook": "src/cli/quick-hook.ts",
    "quick-diagnosis": "src/operations/hooks/quick-diagnosis.ts",
  },
  minify: true,
  // Used by agents only when they are started, and these bundles start none.
  external: ["./conversation.ts"],
});
for (const { path, text } of [...command.outputFiles, ...quick.outputFiles])
  writeFileSync(path, `// ${createHash("sha256").update(text).digest("hex")}\n${text}`);
writeFileSync("dist/cli/rules.bin", packRules(RULES));
const built = [command, beside, quick].map(({ metafile }) => metafile);
writeFileSync("dist/meta.json", JSON.stringify([...built, await buildWeb()]));

// The library stays as modules, each with its types, so that a bundler includes only what is used.
execFileSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
writeEditorSchemas();
