// proves: B1, U15
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inFolder, unstuck } from "./command.ts";

const LOG = "collecting\nError: 429 Too Many Requests\nretry-after: 12\n";

test("a log piped in just works", () => {
  const { code, out, err } = unstuck(["classify"], { input: LOG });
  assert.equal(code, 0);
  assert.match(out, /^rate_limited /);
  assert.match(out, /line 2: Error: 429 Too Many Requests/);
  assert.match(out, /retry in {3}12 s/);
  assert.equal(err, "");
});

test("--json gives one object with every field", () => {
  const { out } = unstuck(["classify", "--json"], { input: LOG });
  const failure = JSON.parse(out) as Record<string, unknown>;
  assert.deepEqual(
    [failure["kind"], failure["category"], failure["origin"], failure["retryAfterMs"]],
    ["rate_limited", "transient", "tool", 12_000],
  );
  assert.ok(typeof failure["confidence"] === "number" && Array.isArray(failure["because"]));
  assert.match(String(failure["signature"]), /^[0-9a-f]{16}$/);
});

test("evidence as JSON and as flags, from a file and from standard input", () => {
  inFolder((folder) => {
    const file = join(folder, "evidence.json");
    writeFileSync(
      file,
      JSON.stringify({ exitCode: 127, command: "gti status", stderr: "sh: gti: not found" }),
    );
    assert.match(unstuck(["classify", file]).out, /^command_not_found/);
  });
  assert.match(
    unstuck(["classify", "--exit-code", "127", "--command", "gti"], { input: "" }).out,
    /^command_not_found/,
  );
  assert.match(unstuck(["classify", "--errno", "ENOSPC"], { input: "" }).out, /^disk_full/);
});

test("--jsonl answers each line with its id", () => {
  const lines = [
    { id: "a", stderr: "bash: line 1: foo: command not found", exitCode: 127 },
    { id: 2, tool: "llm", httpStatus: 529, message: "Overloaded" },
    { id: null, message: "something odd" },
  ];
  const { code, out } = unstuck(["classify", "--jsonl"], {
    input: lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  assert.equal(code, 0);
  const answers = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: unknown; kind: string });
  assert.deepEqual(
    answers.map(({ id, kind }) => [id, kind]),
    [
      ["a", "command_not_found"],
      [2, "server_overloaded"],
      [null, "unknown"],
    ],
  );
});

const BAD: readonly (readonly [string[], string, RegExp])[] = [
  [["classify", "--jsonl"], '{"id":1,"stderr":"x"\n', /line 1 is not JSON/],
  [["classify", "--jsonl"], "[1]\n", /line 1: expected a JSON object/],
  [["classify", "--jsonl"], '{"exitCode":"many"}\n', /line 1, field exitCode: expected a number/],
  [["classify", "--exit-code", "many"], "x", /field exitCode: expected a number/],
  [["classify", "/no/such/file"], "", /cannot read \/no\/such\/file: no such file/],
  [["classify", "--nonsense"], "", /unknown option '--nonsense'/],
  [["clasify"], "", /unknown command 'clasify'\. Did you mean classify\?/],
];

test("bad input: a clear error with its place, exit code 2, nothing written", () => {
  for (const [args, input, message] of BAD) {
    const { code, out, err } = unstuck(args, { input });
    assert.equal(code, 2, args.join(" "));
    assert.match(err, message);
    assert.equal(out, "");
  }
});

test("hostile bytes and sizes are answered, tamed", () => {
  const invalid = Buffer.concat([
    Buffer.from([0xff, 0xfe, 0x00, 0x1b]),
    Buffer.from("]0;pwned\x07 No space left on device\n"),
  ]);
  const { code, out } = unstuck(["classify"], { input: invalid });
  assert.equal(code, 0);
  assert.ok(!/[\x00-\x08\x0b-\x1f\x7f]/.test(out), "no control character reaches the terminal");
  const deep = `{"id":1,"message":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  assert.equal(unstuck(["classify", "--jsonl"], { input: deep }).code, 2);
  assert.equal(unstuck(["classify"], { input: "a!".repeat(2_000_000) }).code, 0);
});

test("a closed pipe is no error", async () => {
  const { spawn } = await import("node:child_process");
  const { LAUNCHER } = await import("./command.ts");
  const child = spawn(process.execPath, [LAUNCHER, "classify", "--jsonl"], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdout.destroy();
  child.stdin.on("error", () => undefined);
  const line = `${JSON.stringify({ id: 1, message: "x".repeat(1000) })}\n`;
  for (let count = 0; count < 500; count += 1) child.stdin.write(line);
  child.stdin.end();
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const code = await new Promise((resolve) => child.on("exit", resolve));
  assert.equal(err, "");
  assert.equal(code, 0);
});
