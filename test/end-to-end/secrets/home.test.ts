// proves: U12
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { NEAR_MISSES } from "../../core/redact/near-misses.ts";
import { piecesOf, SHAPES } from "../../core/redact/shapes.ts";
import { unstuck } from "../../cli/command.ts";
import { repository, type Repository } from "../run/repository.ts";

const PRINTED = SHAPES.map(({ text }) => text).join("\n\n");
const NEAR = NEAR_MISSES.join("\n");
/** Not known by their looks: only the environment says that they are secrets. */
const OWN = {
  MY_SERVICE_TOKEN: "quite-own-passphrase-of-mine",
  APP_DB_PASS: 'say "plum\\pudding" 4 times',
  DEPLOY_CREDENTIALS: "øre-og-krone-17",
} as const;
const CARRIED = "carried-and-kept-99";

const found = (where: string, bytes: string): string[] => {
  const pieces = [...SHAPES.flatMap(piecesOf), ...Object.values(OWN), CARRIED];
  const forms = pieces.flatMap((one) => [one, Buffer.from(one).toString("latin1")]);
  const known = forms.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)]);
  return [...new Set(known)].filter((one) => bytes.includes(one)).map((one) => `${where}: ${one}`);
};

/** All that Unstuck keeps but for what the docs name: the pinned plan, working trees and snapshots. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "workspace" ? [] : filesOf(path);
    return entry.isFile() && entry.name !== "plan.json" ? [path] : [];
  });
}

let here: Repository;
const said: string[] = [];
const tell = ({ out, err }: { out: string; err: string }): string => {
  said.push(out, err);
  return out;
};

before(() => {
  here = repository({
    "value.txt": "1\n",
    "check.sh": "grep -q '^2$' value.txt\n",
    ".gitignore": ".env\n",
  });
  const outside = join(here.path, "..", "printed.txt");
  writeFileSync(outside, `${PRINTED}\n${Object.values(OWN).join("\n")}\n${NEAR}\n`);
  writeFileSync(join(here.path, ".env"), `CARRIED_SECRET=${CARRIED}\n`);
  const all = readFileSync(outside, "utf8");
  const lines = SHAPES.map(({ text }) => JSON.stringify({ type: "x", text })).join("\n");
  const printed = `${all}\n${lines}\n${CARRIED}\n`;
  const last = `It failed with ${PRINTED.slice(0, 3000)}`;
  const agent = here.agent({
    goal: [
      { print: printed, error: `${all}\n${last}`, exit: 2 },
      { print: `<approach>${SHAPES[70]?.text}</approach>\n${printed}` },
      { write: { "value.txt": "2\n" }, print: `done\n${NEAR}` },
    ],
  });
  const check = `cat '${outside}'; cat .env; env | grep -a -e TOKEN -e PASS -e CRED; sh check.sh`;
  const words = ["--agent", agent, "--check", check, "--carry", ".env"];
  tell(here.unstuckWith(OWN, "run", "--goal", `make it two\n${PRINTED}\n${NEAR}`, ...words));
  for (const args of [["status"], ["explain"], ["report"], ["inbox"], ["metrics"], ["events"]])
    tell(here.unstuckWith(OWN, ...args));
  for (const args of [
    ["status", "--json"],
    ["events", "--json"],
    ["export"],
    ["export", "--episodes"],
  ])
    tell(here.unstuckWith(OWN, ...args));
});
after(() => here.remove());

test("V7: no secret of an agent, a check, a prompt or the environment is in the home", () => {
  const raw = filesOf(here.home).flatMap((file) => found(file, readFileSync(file, "latin1")));
  assert.deepEqual(raw.slice(0, 5), [], `${raw.length} found`);
});

test("V7: none is in what was printed", () => {
  const raw = said.flatMap((text) => found("terminal", text));
  assert.deepEqual(raw.slice(0, 5), [], `${raw.length} found`);
  assert.ok(said.some((text) => text.includes("[secret ")));
});

test("V7: near misses are in the transcript as they were, and its lines of JSON are JSON", () => {
  const [transcript = ""] = filesOf(here.home).filter((file) => file.endsWith("/1/transcript"));
  const text = readFileSync(transcript, "utf8");
  for (const one of NEAR_MISSES) assert.ok(text.includes(one), one);
  const lines = text.split("\n").filter((line) => line.startsWith('{"type":"x"'));
  assert.equal(lines.length, SHAPES.length);
  for (const line of lines) JSON.parse(line);
});

test("V7: equal secrets have equal marks in transcript, prompt and journal, different ones different marks", () => {
  const [transcript = ""] = filesOf(here.home).filter((file) => file.endsWith("/1/transcript"));
  const text = readFileSync(transcript, "utf8");
  const marks = SHAPES.map(({ text: shape }) => shape.split("\n")[0] ?? "")
    .filter((line) => line.startsWith("X_KEY=") || line.startsWith("export STRIPE"))
    .map((line) => line.slice(0, line.indexOf("=")));
  const markIn = (all: string, name: string): string =>
    new RegExp(`${name}=\\W{0,3}(\\[secret \\d+\\])`).exec(all)?.[1] ?? "";
  const events = said.find((one) => one.includes('"run-started"')) ?? "";
  for (const name of marks) {
    assert.notEqual(markIn(text, name), "", name);
    assert.equal(markIn(events, name), markIn(text, name), name);
  }
  assert.equal(new Set(marks.map((name) => markIn(text, name))).size, marks.length);
});

test("V7: what is kept is the user's alone", () => {
  const [run = ""] = readdirSync(join(here.home, "runs"));
  const mode = (name: string): number => statSync(join(here.home, "runs", run, name)).mode & 0o777;
  assert.equal(mode("plan.json"), 0o600);
});

test("V7: hooks and MCP keep no secret and answer with none", () => {
  const env = { ...here.env, ...OWN, UNSTUCK_RUN: "" };
  for (const [name, more] of [
    ["PreToolUse", {}],
    [
      "PostToolUseFailure",
      { error: `Exit code 127\n${PRINTED}\n${Object.values(OWN).join("\n")}` },
    ],
  ] as const)
    for (const { text } of SHAPES.slice(0, 3)) {
      const call = {
        tool_name: "Bash",
        tool_input: { command: `${text}; ${OWN.MY_SERVICE_TOKEN}` },
      };
      const input = { session_id: "s", cwd: here.path, hook_event_name: name, ...call, ...more };
      tell(unstuck(["hook", "claude"], { cwd: here.path, env, input: JSON.stringify(input) }));
    }
  const calls = [
    { method: "initialize", params: { protocolVersion: "2025-06-18" } },
    {
      method: "tools/call",
      params: {
        name: "record_attempt",
        arguments: {
          approach: PRINTED.slice(0, 3900),
          success: false,
          error: PRINTED.slice(-9000),
        },
      },
    },
    {
      method: "tools/call",
      params: {
        name: "ask_human",
        arguments: { question: `${PRINTED.slice(200, 3000)}?`, waitSeconds: 0 },
      },
    },
    { method: "tools/call", params: { name: "classify_failure", arguments: { message: PRINTED } } },
    { method: "resources/read", params: { uri: "unstuck://attempts" } },
  ].map((call, id) => JSON.stringify({ jsonrpc: "2.0", id, ...call }));
  const answers = tell(unstuck(["mcp"], { cwd: here.path, env, input: `${calls.join("\n")}\n` }));
  for (const line of answers.trim().split("\n")) JSON.parse(line);
  tell(unstuck(["mcp", "questions"], { cwd: here.path, env }));
  const kept = filesOf(here.home).flatMap((file) => found(file, readFileSync(file, "latin1")));
  assert.deepEqual(kept.slice(0, 5), [], `${kept.length} found`);
  const raw = said.flatMap((text) => found("terminal", text));
  assert.deepEqual(raw.slice(0, 5), [], `${raw.length} found`);
});
