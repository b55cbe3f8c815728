// proves: C2, C3, C6, E8, E9
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inFolder, unstuck } from "./command.ts";

const GIT_MISSING = JSON.stringify({
  tool: "run_bash",
  command: "git clone https://example.com/team/thing",
  exitCode: 127,
  stderr: "bash: git: command not found",
});

test("suggest: the plan of the source's example, with real values", () => {
  const { code, out } = unstuck(["suggest", "--json"], { input: GIT_MISSING });
  assert.equal(code, 0);
  const plan = JSON.parse(out) as {
    priority: number;
    strategy: string;
    steps: { tool: string; args: { script?: string } }[];
    fallbackChain: string[];
  };
  assert.deepEqual([plan.priority, plan.strategy], [1, "alternative_command_curl_tar"]);
  assert.match(plan.steps[0]?.args.script ?? "", /curl .*example\.com\/team\/thing/);
  assert.equal(plan.fallbackChain.at(-1), "ask_user");
});

test("suggest: a tool that is not there is never used", () => {
  const { out } = unstuck(["suggest", "--json", "--tools", "read_file,write_file"], {
    input: GIT_MISSING,
  });
  assert.ok(!out.includes("run_bash"));
  assert.match(out, /ask_user/);
});

test("suggest: steps to follow for people, questions last", () => {
  const { out } = unstuck(["suggest"], { input: GIT_MISSING });
  assert.match(out, /^command_not_found: what to try/);
  assert.match(out, /\$ curl -fL/);
  assert.match(out.trim().split("\n\n").at(-1) ?? "", /ask user/);
});

test("suggest: shell metacharacters from an error stay data", () => {
  const hostile = JSON.stringify({
    command: "git clone https://h/x;touch${IFS}pwn",
    exitCode: 127,
    stderr: "git: command not found",
  });
  const { out } = unstuck(["suggest", "--json"], { input: hostile });
  const plan = JSON.parse(out) as {
    steps: { args: { script?: string } }[];
    alternatives: { steps: { args: { script?: string } }[] }[];
  };
  for (const { steps } of [plan, ...plan.alternatives])
    for (const { args } of steps)
      assert.ok(!/;touch\$\{IFS\}pwn(?![^']*')/.test(args.script ?? ""), args.script);
});

test("validate --schema: valid, repaired, invalid, bad schema", () => {
  inFolder((folder) => {
    const schema = join(folder, "s.json");
    writeFileSync(
      schema,
      JSON.stringify({ type: "object", required: ["n"], properties: { n: { type: "number" } } }),
    );
    const good = unstuck(["validate", "--schema", schema], { input: '```json\n{"n": 1}\n```' });
    assert.deepEqual([good.code, JSON.parse(good.out)], [0, { n: 1 }]);
    const mended = unstuck(["validate", "--schema", schema], { input: "{'n': 1,}" });
    assert.deepEqual([mended.code, JSON.parse(mended.out)], [0, { n: 1 }]);
    assert.match(mended.err, /repaired/);
    const wrong = unstuck(["validate", "--schema", schema], { input: '{"n": "one"}' });
    assert.equal(wrong.code, 1);
    assert.equal(wrong.out, "");
    assert.match(wrong.err, /suggestion: Make "\/n" of type "number"/);
    writeFileSync(schema, '{"type": "nonsense"}');
    assert.equal(unstuck(["validate", "--schema", schema], { input: "{}" }).code, 2);
    writeFileSync(schema, "{");
    assert.equal(unstuck(["validate", "--schema", schema], { input: "{}" }).code, 2);
  });
});

test("validate --tools: invented tools and wrong arguments are caught, --json says so", () => {
  inFolder((folder) => {
    const tools = join(folder, "tools.json");
    const schema = { type: "object", required: ["path"], properties: { path: { type: "string" } } };
    writeFileSync(tools, JSON.stringify([{ name: "read_file", input_schema: schema }]));
    const call = (name: string, args: object): string => JSON.stringify({ name, arguments: args });
    assert.equal(
      unstuck(["validate", "--tools", tools], { input: call("read_file", { path: "a" }) }).code,
      0,
    );
    const invented = unstuck(["validate", "--tools", tools, "--json"], {
      input: call("readfile", { path: "a" }),
    });
    assert.equal(invented.code, 1);
    assert.match(
      (JSON.parse(invented.out) as { suggestion: string }).suggestion,
      /Did you mean read_file/,
    );
    assert.equal(unstuck(["validate", "--tools", tools], { input: call("read_file", {}) }).code, 1);
    writeFileSync(tools, JSON.stringify([{ nam: "x" }]));
    const bad = unstuck(["validate", "--tools", tools], { input: "{}" });
    assert.equal(bad.code, 2);
    assert.match(bad.err, /\[0\]\.name: expected a tool name/);
  });
});

test("policy show, check, schema", () => {
  const shown = unstuck(["policy", "show", "hierarchical"]);
  assert.match(shown.out, /name: hierarchical/);
  assert.equal(
    (JSON.parse(unstuck(["policy", "show", "--json"]).out) as { name: string }).name,
    "adaptive",
  );
  inFolder((folder) => {
    const file = join(folder, "p.yaml");
    writeFileSync(file, shown.out);
    assert.equal(unstuck(["policy", "check", file]).code, 0);
    writeFileSync(file, "extends: standard\nrungs:\n  - id: a\n    do: retri\n");
    const wrong = unstuck(["policy", "check", file]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /p\.yaml:4:9: rungs\.0\.do/);
    assert.equal(unstuck(["policy", "show", file]).code, 2);
    const json = JSON.parse(unstuck(["policy", "check", "--json", file]).out) as {
      ok: boolean;
      problems: { line: number }[];
    };
    assert.deepEqual([json.ok, json.problems[0]?.line], [false, 4]);
  });
  assert.match(unstuck(["policy", "schema"]).out, /"Unstuck policy"/);
});

// proves: J22
test("suggest: a first useful step for what has no chain, before the question", () => {
  for (const [input, words] of [
    [
      "Error: listen EADDRINUSE: address already in use :::3000",
      /See which process listens on port 3000/,
    ],
    [
      "ModuleNotFoundError: No module named 'requests'",
      /See whether the project's manifest names `requests`/,
    ],
    ["src/a.ts(3,7): error TS2304: Cannot find name 'x'.", /Look at `src\/a\.ts` around line 3/],
  ] as const) {
    const { code, out } = unstuck(["suggest"], { input });
    assert.equal(code, 0);
    assert.match(out, words);
    assert.ok(out.search(words) < out.indexOf("ask_user") || !out.includes("ask_user"), out);
  }
});
