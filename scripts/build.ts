/** Builds dist/: the command as a few lazily loaded bundles, the library, its types, and the JSON Schemas. */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import { buildRuleBook } from "../src/core/classify/rule-book.ts";
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
/** The word index of the rules, made at build time: what each start of the command would otherwise work out again. */
const withRuleBook: Plugin = {
  name: "with-rule-book",
  setup(plugin) {
    plugin.onLoad({ filter: /core[/\\]classify[/\\]classify\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const made = source.replace("const BOOK = buildRuleBook(RULES);", madeBook());
      if (made === source)
        throw new Error("classify.ts no longer makes its rule book where the build expects it");
      return { loader: "ts", contents: made };
    });
  },
};

function madeBook(): string {
  const { index, ruleOf, startOf, endOf } = buildRuleBook(RULES);
  const slots = [...index.keys.keys()].filter((slot) => index.keys[slot] !== 0);
  const columns = {
    slots,
    keys: slots.map((slot) => index.keys[slot]),
    heads: slots.map((slot) => index.heads[slot]),
    patterns: index.patterns,
    next: index.next,
    ruleOf,
    startOf,
    endOf,
  };
  const text = JSON.stringify(JSON.stringify(columns));
  return `const BOOK = (() => {
    const made = JSON.parse(${text});
    const book = buildRuleBook([]);
    made.slots.forEach((slot: number, at: number) => {
      book.index.keys[slot] = made.keys[at];
      book.index.heads[slot] = made.heads[at];
    });
    const whole = buildRuleBook(RULES.map((rule) => ({ ...rule, lines: "" })));
    const { patterns, next, ruleOf, startOf, endOf } = made;
    const seenIn = new Int32Array(ruleOf.length + 1);
    return { ...whole, rules: RULES, ruleOf, startOf, endOf, index: { ...book.index, patterns, next, seenIn } };
  })();`;
}

await build({
  ...common,
  format: "cjs",
  entryPoints: ["src/cli/hot.ts", "src/cli/hot-hook.ts", "src/cli/hot-hint.ts"],
  outdir: "dist/cli",
  outExtension: { ".js": ".cjs" },
  minify: true,
  plugins: [withoutExamples, withRuleBook],
});
await build({
  ...common,
  entryPoints: ["src/index.ts"],
  outfile: "dist/index.js",
  packages: "external",
});
execFileSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
writeSchemas();
