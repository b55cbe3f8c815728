/**
 * Prints each requirement id with the tests that prove it (`// proves: A1, B2` in a test file's header) and exits 1 if
 * an id of the requested set has none. `npm run requirements` checks all; `-- --issue 2` only what is promised so far.
 */
import { globSync, readFileSync } from "node:fs";

const ALL: Readonly<Record<string, number>> = { A: 11, B: 10, C: 9, D: 9, E: 12, U: 24 };
const PROMISED: Readonly<Record<string, string>> = {
  "2": "A1 A2 A3 A4 A5 A8 A9 A10 B1 B2 B4 B5 B6 B8 B9 B10 C1 C2 C3 C4 C5 C6 D1 D2 D3 D5 D6 D8 D9 E2 E5 E6 E7 E8 E9 E11 U15",
};

const issue = process.argv[process.argv.indexOf("--issue") + 1];
const wanted =
  process.argv.includes("--issue") && issue !== undefined
    ? (PROMISED[issue] ?? "").split(" ")
    : Object.entries(ALL).flatMap(([letter, count]) =>
        Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
      );

const proofs = new Map<string, string[]>();
for (const file of globSync("test/**/*.test.ts").sort()) {
  const header = readFileSync(file, "utf8").split("\n", 3).join("\n");
  for (const id of /^\/\/ proves: (.+)$/m.exec(header)?.[1]?.split(/,\s*/) ?? [])
    proofs.set(id.trim(), [...(proofs.get(id.trim()) ?? []), file]);
}
let open = 0;
for (const id of wanted) {
  const files = proofs.get(id) ?? [];
  if (files.length === 0) open += 1;
  console.log(`${id.padEnd(4)} ${files.length === 0 ? "NO TEST" : files.join(" ")}`);
}
console.log(`${wanted.length - open} of ${wanted.length} requirements have a test`);
process.exitCode = open > 0 ? 1 : 0;
