// The library in a browser or a worker: small, without Node, without the libraries that read files. Needs `npm run build`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { browserBundle, BUNDLES } from "./browser-bundle.ts";

for (const [name, { source, limit }] of Object.entries(BUNDLES))
  test(`${name} is under ${limit / 1000} KB compressed, and nothing but our own modules`, async () => {
    const { gzipBytes, modules } = await browserBundle(source);
    assert.ok(gzipBytes < limit, `${gzipBytes} bytes`);
    assert.ok(modules.length > 10, `saw ${modules.length} modules`);
    for (const module of modules) assert.doesNotMatch(module, /node_modules|zod|yaml|ajv/);
  });

test("unstuck/core needs nothing of Node either", async () => {
  const { modules } = await browserBundle('export * from "unstuck/core";');
  assert.ok(modules.some((module) => module.endsWith("/decide.js")));
});

test("without unstuck/rules no rule table is in it, and without the detector none of its modules", async () => {
  const { modules } = await browserBundle(BUNDLES["createRecovery"]?.source ?? "");
  for (const module of modules)
    assert.doesNotMatch(module, /core\/(?:rules|stuck|repair\/chains)\//);
});

const LOOP = `
  const recovery = unstuck.createRecovery({ now: () => 0, random: () => 0.5, rules: unstuck.standardRules() });
  const moves = [
    recovery.failed({ httpStatus: 429, retryAfter: "3" }, { prompt: "task" }),
    recovery.failed({ origin: "check", stdout: "1 test failed" }, { prompt: "task", failing: ["a"] }),
    recovery.failed(new TypeError("Failed to fetch"), { prompt: "task" }),
  ];
  const memory = JSON.parse(JSON.stringify(recovery));
  unstuck.createRecovery({ memory }).failed("again", { prompt: "task" });
  moves.map(({ kind }) => kind).join(" ");
`;

test("it runs where there is nothing but the language: no Node, no DOM", async () => {
  const { code } = await browserBundle(BUNDLES["createRecovery with unstuck/rules"]?.source ?? "");
  const context = createContext({});
  assert.equal(runInContext("typeof process + typeof fetch", context), "undefinedundefined");
  runInContext(code, context);
  assert.equal(runInContext(LOOP, context), "wait again wait");
});
