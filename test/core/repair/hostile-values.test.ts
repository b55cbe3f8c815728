// proves: C3, C6, U15
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import type { Evidence } from "../../../src/core/evidence.ts";
import { FAILURE_KINDS } from "../../../src/core/kinds.ts";
import type { RepairPlan } from "../../../src/core/repair/repair.ts";
import { planFor, repairsOf } from "./request.ts";
import { anyText } from "./any-text.ts";

const folder = mkdtempSync(join(tmpdir(), "unstuck-hostile-"));
after(() => rmSync(folder, { recursive: true }));

/**
 * Would make a file named pwned if a shell ever obeyed them; only shell built-ins, so no PATH is
 * needed.
 */
const PAYLOADS = [
  "$(:>pwned)",
  "`:>pwned`",
  ";:>pwned;",
  "&&:>pwned",
  "|:>pwned",
  "x;:>pwned${IFS}",
  "\n:>pwned\n",
  "-x;:>pwned",
  ")(:>pwned)",
  "\\\n:>pwned",
  "';:>pwned;'",
  '";:>pwned;"',
  "{:>pwned}",
  "a'$(:>pwned)'b",
];

/** An error text that holds the value wherever a value can stand. */
const textWith = (value: string): string =>
  [
    `bash: line 1: ${value}: command not found`,
    `cat: ${value}: No such file or directory`,
    `ENOENT: no such file, open '${value}'`,
    `Unknown tool: ${value}`,
    `Could not resolve host: ${value}.example.org`,
    `fetch https://a.example/${value}/x failed`,
    `unrecognized option '${value}'; did you mean '${value}'?`,
    `a/${value}.c:7: syntax error`,
    `timed out after 5 s ${value}`,
  ].join("\n");

const scriptsOf = (plan: RepairPlan): readonly string[] =>
  repairsOf(plan).flatMap(({ steps }) =>
    steps.flatMap(({ args }) =>
      [args["script"], args["command"], args["cmd"]].filter((text) => typeof text === "string"),
    ),
  );

/**
 * Runs the scripts in an empty folder with no programs to find; whatever a value started would be a
 * built-in.
 */
function filesAfterRunning(scripts: readonly string[]): readonly string[] {
  const driver = 'for script in "$@"; do ( eval "$script" ) </dev/null >/dev/null 2>&1; done';
  const { error } = spawnSync("/bin/bash", ["-c", driver, "bash", ...scripts], {
    cwd: folder,
    env: { PATH: "/nonexistent" },
  });
  assert.equal(error, undefined);
  return readdirSync(folder);
}

test("no value from an error is obeyed by a shell", () => {
  const scripts = PAYLOADS.flatMap((payload) =>
    FAILURE_KINDS.flatMap((kind) =>
      [["run_bash", "read_dir", "read_file", "write_file"], ["shell"]].flatMap((tools) =>
        scriptsOf(
          planFor(
            kind,
            { stderr: textWith(payload), exitCode: 126 },
            { tools, sandboxRoot: `/x${payload}` },
          ),
        ),
      ),
    ),
  );
  assert.ok(scripts.length > 150, `${scripts.length} scripts`);
  assert.ok(scripts.some((script) => script.includes("pwned")));
  assert.deepEqual(filesAfterRunning(scripts), []);
});

test("a command that quotes its words keeps them quoted when it is taken apart or run again", () => {
  const harmless = PAYLOADS.filter((payload) => !payload.includes("'"));
  const commands = harmless.map((payload, index) => {
    const forms = [
      `cat 'a/${payload}' 'b/${payload}'`,
      `timeout 1 wc -l 'c.${payload}' d.txt`,
      `echo '${payload}' && curl 'https://a.example/${payload}'; true`,
    ];
    return forms[index % forms.length] ?? "";
  });
  const scripts = commands.flatMap((command) =>
    FAILURE_KINDS.flatMap((kind) =>
      scriptsOf(planFor(kind, { command, stderr: textWith("word") })),
    ),
  );
  assert.ok(scripts.length > 200, `${scripts.length} scripts`);
  assert.deepEqual(filesAfterRunning(scripts), []);
});

test("the check above can fail: an unquoted value is obeyed", () => {
  assert.deepEqual(filesAfterRunning(["ls $(:>pwned)"]), ["pwned"]);
  rmSync(join(folder, "pwned"));
});

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...PAYLOADS,
        "ENOENT: open '",
        "'",
        ": No such file or directory",
        "Unknown tool: ",
        "https://",
        "\0",
        "\u001b[2J",
        "\u202e",
        "\ud800",
        "\r\n",
        "  ",
        "-",
      ),
      anyText(6),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

const evidence: fc.Arbitrary<Evidence> = fc.record(
  {
    tool: fc.oneof(fc.constantFrom("run_bash", "Bash", "llm", "tool_call", "web"), hostile),
    command: hostile,
    stderr: hostile,
    message: hostile,
    stdout: hostile,
    exitCode: fc.integer(),
  },
  { requiredKeys: [] },
);

test("every plan keeps its promises, whatever the evidence and the tools", () => {
  const tools = fc.subarray([
    "run_bash",
    "Bash",
    "read_file",
    "Read",
    "read_dir",
    "LS",
    "write_file",
    "shell",
    "web",
  ]);
  fc.assert(
    fc.property(
      fc.constantFrom(...FAILURE_KINDS),
      evidence,
      tools,
      fc.constantFrom("suggest", "run"),
      (kind, given, names, mode) => {
        const plan = planFor(kind, given, { tools: names, mode });
        const repairs = repairsOf(plan);
        const strategies = repairs.map(({ strategy }) => strategy);
        assert.equal(strategies.at(-1), "ask_user");
        assert.equal(new Set(strategies).size, strategies.length);
        assert.ok(strategies.length <= 5);
        repairs.forEach(({ fallbackChain, steps, estimatedIterations }, index) => {
          assert.deepEqual(fallbackChain, strategies.slice(index + 1));
          assert.equal(estimatedIterations, steps.length);
          for (const { tool, action, expectedOutcome, needsPermission } of steps) {
            assert.ok(tool === null || names.includes(tool));
            assert.ok(mode === "suggest" || needsPermission === undefined);
            for (const text of [action, expectedOutcome])
              assert.ok(
                text !== "" &&
                  text.length < 1000 &&
                  !/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/.test(text),
              );
          }
        });
        const risky = repairs.map(({ steps }) =>
          steps.some((step) => step.needsPermission !== undefined),
        );
        assert.ok(!risky.slice(0, -1).join(",").includes("true,false"));
        assert.ok(JSON.stringify(plan).length < 60_000);
      },
    ),
    { numRuns: 1000 },
  );
});
