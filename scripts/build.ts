/**
 * Builds dist/: the command as a few lazily loaded bundles, the library, its types, and the JSON Schemas. Beside it
 * dist/meta.json says which modules are in which file, for the tests; it is not published.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { packRules } from "../src/operations/advice/packed-rules.ts";
import { RULES } from "../src/core/rules/standard.ts";
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

const command = await build({
  ...common,
  entryPoints: { main: "src/cli/main.ts" },
  outdir: "dist/cli",
  splitting: true,
  // The other form of jsonc-parser asks for its parts in a way that cannot be bundled.
  mainFields: ["module", "main"],
  minifySyntax: true,
  minifyWhitespace: true,
  // Flat: the guard is looked for beside the chunk that starts it.
  chunkNames: "[name]-[hash]",
  // commander is CommonJS inside; its bundle asks for node: modules with require.
  banner: {
    js: 'import{createRequire as unstuckRequire}from"node:module";const require=unstuckRequire(import.meta.url);',
  },
});

/** Every agent and every check runs under one: as one file of CommonJS it starts soonest. */
const guard = await build({
  ...common,
  format: "cjs",
  entryPoints: { guard: "src/agents/process/guard.ts" },
  outdir: "dist/cli",
  outExtension: { ".js": ".cjs" },
  minifySyntax: true,
  minifyWhitespace: true,
});

/** What must answer in milliseconds. Each file is one function of what it needs, which the launcher calls. */
const quick = await build({
  ...common,
  format: "cjs",
  entryPoints: {
    "quick-classify": "src/cli/quick-classify.ts",
    "quick-hook": "src/cli/quick-hook.ts",
    "quick-diagnosis": "src/operations/hooks/quick-diagnosis.ts",
  },
  outdir: "dist/cli",
  outExtension: { ".js": ".cjs" },
  minify: true,
  banner: { js: '(function(require,__dirname){"use strict";var module={};' },
  footer: { js: "return module.exports})" },
  // What agents load when they are started; nothing here starts one.
  external: ["./conversation.ts"],
  write: false,
});
// It begins with its own mark, under which the launcher keeps what V8 made of it.
for (const { path, text } of quick.outputFiles)
  writeFileSync(path, `// ${createHash("sha256").update(text).digest("hex")}\n${text}`);
writeFileSync("dist/cli/rules.bin", packRules(RULES));
const built = [command, guard, quick].map(({ metafile }) => metafile);
writeFileSync("dist/meta.json", JSON.stringify(built));

// The library is left as modules, each with its types: whoever bundles it takes only what is used.
execFileSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
writeEditorSchemas();
