// proves: U18
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { attemptLog } from "../../../src/operations/logs/attempt-log.ts";
import { logPlace, placeText, type PlacedEntry } from "../../../src/operations/logs/log-place.ts";

const folder = mkdtempSync(join(tmpdir(), "unstuck-log-"));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

const ATTEMPT = { subtask: "a", attempt: 1, agent: "g", startedAt: 0, endedAt: 5, checks: [] };
const GEMINI = { adapter: "gemini", models: [], options: {} } as never;

/** Lines of an agent that tells its words in pieces, and of the programs that it starts. */
const line = fc.oneof(
  fc
    .constantFrom("Hel", "lo ", "wörld", "\u{1f600}")
    .map((content) => ({ type: "message", role: "assistant", content, delta: true })),
  fc.constant({ type: "tool_use", tool_name: "run_shell_command", tool_id: "t", parameters: {} }),
  fc.constant({ type: "tool_result", tool_id: "t", status: "success", output: "fine" }),
  fc.constant("printed beside it"),
);

const words = (entries: readonly PlacedEntry[]): string =>
  entries
    .map(({ entry }) => (entry.kind === "message" ? entry.text : `\n${JSON.stringify(entry)}\n`))
    .join("")
    .replace(/"(?:at|tookMs)":\d+,?/g, "");

test("whoever comes back with the place of any entry gets the rest, each entry once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 6 }),
      fc.boolean(),
      async (lines, cuts, hasEnd) => {
        const place = join(folder, String((files += 1)));
        const log = attemptLog(place, ATTEMPT, GEMINI);
        const text = lines
          .map((one) => (typeof one === "string" ? one : JSON.stringify(one)))
          .join("\n");
        const bytes = Buffer.from(hasEnd ? `${text}\n` : text);
        const told: PlacedEntry[] = [];
        const ends = [...cuts.map((cut) => Math.floor((cut * bytes.length) / 100)), bytes.length];
        let from = 0;
        for (const end of ends.toSorted((a, b) => a - b)) {
          mkdirSync(place, { recursive: true });
          appendFileSync(join(place, "transcript"), bytes.subarray(from, end));
          from = end;
          for await (const entries of log.news()) told.push(...entries);
        }
        told.push(...log.rest());
        for (const [index, { at }] of told.entries()) {
          assert.ok(at !== undefined && at !== "all", "each has a place");
          const again = attemptLog(place, ATTEMPT, GEMINI);
          await again.passOver(at);
          const rest: PlacedEntry[] = [];
          for await (const entries of again.news()) rest.push(...entries);
          rest.push(...again.rest());
          assert.equal(words(rest), words(told.slice(index + 1)));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("a place is read as it was written, and nothing else is one", () => {
  for (const place of [
    { seq: 7, at: "all" },
    { seq: 12, at: { bytes: 4711, entries: 3 } },
  ] as const)
    assert.deepEqual(logPlace(placeText(place)), place);
  for (const text of [
    "",
    "7",
    "7.",
    "7.12",
    "7.all.1",
    "-1.2.3",
    "1.2.3 ",
    "1.2.1e3",
    "9".repeat(40),
  ])
    assert.equal(logPlace(text), undefined, text);
  assert.equal(logPlace(undefined), undefined);
});
