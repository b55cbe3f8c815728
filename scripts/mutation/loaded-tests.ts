/**
 * Test files loaded into this process with `node:test` replaced, and the source files each of them reads. Invariant:
 * each is loaded once; the same files give the same tests with the same ids in every process.
 */
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import fc from "fast-check";
import "../property-seed.js";
import { takeTests } from "./test-names.ts";

export interface LoadedTest {
  readonly id: string;
  readonly file: string;
  readonly run: () => unknown;
}

const REPLACEMENT = new URL("./test-names.ts", import.meta.url).href;
const imports = new Map<string, Set<string>>();

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "node:test") return { url: REPLACEMENT, shortCircuit: true };
    const found = next(specifier, context);
    const { parentURL } = context;
    if (parentURL !== undefined && found.url.startsWith("file:"))
      imports.set(parentURL, (imports.get(parentURL) ?? new Set()).add(found.url));
    return found;
  },
});
// The first counterexample is enough.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

export async function loadTests(file: string): Promise<readonly LoadedTest[]> {
  await import(pathToFileURL(resolve(file)).href);
  const seen = new Map<string, number>();
  return takeTests().map(({ name, run }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { id: `${file} > ${name}${count > 1 ? ` (${count})` : ""}`, file, run };
  });
}

/** Every file that a loaded file reads, directly or indirectly. */
export function filesReadBy(file: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [pathToFileURL(resolve(file)).href];
  for (let url = open.pop(); url !== undefined; url = open.pop())
    for (const each of imports.get(url) ?? [])
      if (!found.has(each)) {
        found.add(each);
        open.push(each);
      }
  return new Set([...found].map((url) => fileURLToPath(url)));
}
