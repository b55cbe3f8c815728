/** Builds dist/: the command as a few lazily loaded bundles, the library, its types, and the JSON Schemas. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import { packRules } from "../src/cli/packed-rules.ts";
import { RULES } from "../src/core/classify/rules.ts";
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

/** Raw templates as plain strings with escapes: a source of ASCII alone is half the size in memory and quicker to load. */
function asciiOnly(source: string): string {
  return source.replace(/String\.raw`((?:[^`\\]|\\[^])*)`/g, (_, text: string) =>
    JSON.stringify(text).replace(
      /[^\x20-\x7e]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );
}

/** Rules carry an example and a near miss for the tests; the command has no use for them. */
const withoutExamples: Plugin = {
  name: "without-examples",
  setup(plugin) {
    plugin.onLoad({ filter: /core[/\\]classify[/\\]rules[/\\].*\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: asciiOnly(readFileSync(path, "utf8").replace(EXAMPLE, '$1: "",')),
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
/** The rules made ready at build time, in a file of their own: each start would otherwise read all of them again. */
const withPackedRules: Plugin = {
  name: "with-packed-rules",
  setup(plugin) {
    plugin.onLoad({ filter: /core[/\\]classify[/\\]classify\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const made = source
        .replace(
          'import { RULES } from "./rules.ts";',
          'import { openPackedRules } from "../../cli/packed-rules.ts";',
        )
        .replace("buildRuleBook(RULES)", 'openPackedRules(__dirname + "/rules.bin")');
      if (made.includes("RULES") || !made.includes("rules.bin"))
        throw new Error("classify.ts no longer makes its rule book where the build expects it");
      return { loader: "ts", contents: made };
    });
  },
};
const short = await build({
  ...common,
  format: "cjs",
  entryPoints: ["src/cli/hot.ts", "src/cli/hot-hook.ts", "src/cli/hot-hint.ts"],
  outdir: "dist/cli",
  outExtension: { ".js": ".cjs" },
  minify: true,
  plugins: [withPackedRules],
  // What agents load when they are started; nothing here starts one.
  external: ["./conversation.ts"],
  write: false,
});
/**
 * Each becomes one function of what it needs, for the launcher; begins with its own mark, under which the launcher keeps
 * what V8 made of it; and is ASCII alone (only patterns are not by themselves), half the size in memory.
 */
for (const { path, text } of short.outputFiles) {
  const ascii = text.replace(
    /[^\x00-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const whole = `(function(require,__dirname){"use strict";var module={};${ascii};return module.exports})`;
  writeFileSync(path, `// ${createHash("sha256").update(whole).digest("hex")}\n${whole}\n`);
}
writeFileSync("dist/cli/rules.bin", packRules(RULES));
await build({
  ...common,
  entryPoints: ["src/index.ts"],
  outfile: "dist/index.js",
  packages: "external",
});
execFileSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
writeSchemas();
