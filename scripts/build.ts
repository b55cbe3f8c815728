/** Builds dist/: the command as a few lazily loaded bundles, the library, its types, and the JSON Schemas. */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import { writeSchemas } from "./schemas.ts";

rmSync("dist", { recursive: true, force: true });
const common = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning",
} as const;

const EXAMPLE =
  /^(\s*(?:example|nearMiss)):\s*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`),$/gm;

/** Rules carry an example and a near miss for the tests; the command has no use for them. */
const withoutExamples: Plugin = {
  name: "without-examples",
  setup(plugin) {
    plugin.onLoad({ filter: /core[/\\]classify[/\\]rules[/\\].*\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8").replace(EXAMPLE, '$1: "",'),
    }));
  },
};

await build({
  ...common,
  entryPoints: { main: "src/cli/main.ts", guard: "src/agents/process/guard.ts" },
  outdir: "dist/cli",
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  plugins: [withoutExamples],
  // Flat: the guard is looked for beside the chunk that starts it.
  chunkNames: "[name]-[hash]",
  // commander is CommonJS inside; its bundle asks for node: modules with require.
  banner: {
    js: 'import{createRequire as unstuckRequire}from"node:module";const require=unstuckRequire(import.meta.url);',
  },
});
await build({
  ...common,
  format: "cjs",
  entryPoints: ["src/cli/hot.ts"],
  outfile: "dist/cli/hot.cjs",
  minify: true,
  plugins: [withoutExamples],
});
await build({
  ...common,
  entryPoints: ["src/index.ts"],
  outfile: "dist/index.js",
  packages: "external",
});
execFileSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
writeSchemas();
