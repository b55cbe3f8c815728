// proves: E8, U12, U14, C2, J19, J31
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HOOK_AGENTS } from "../../../src/agents/registry.ts";
import { hookCommand } from "../../../src/agents/hooks/hook-target.ts";
import { inFolder, LAUNCHER, unstuck, type Ran } from "../../cli/command.ts";
import { FULL } from "../../large-form.ts";

interface Place {
  readonly home: string;
  readonly state: string;
  readonly work: string;
  readonly run: (
    args: readonly string[],
    input?: string | Buffer,
    env?: Record<string, string>,
  ) => Ran;
}

function inPlace(body: (place: Place) => void): void {
  inFolder((folder) => {
    const [home, state, work] = ["home", "state", "work"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const one of [home, work]) mkdirSync(one);
    const own = {
      HOME: home,
      UNSTUCK_HOME: state,
      UNSTUCK_RUN: "",
      XDG_CONFIG_HOME: "",
      CLAUDE_CONFIG_DIR: "",
      CODEX_HOME: "",
    };
    const run: Place["run"] = (args, input = "", env = {}) => {
      const { UNSTUCK_ATTEMPT: _, ...clean } = process.env;
      const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, ...args], {
        ...{ input, cwd: work, encoding: "utf8", timeout: 600_000 },
        env: { ...clean, NODE_OPTIONS: "", ...own, ...env },
      });
      return { code: status, out: stdout, err: stderr };
    };
    body({ home, state, work, run });
  });
}

const FAILED = JSON.stringify({
  ...{ session_id: "s", cwd: "/w", hook_event_name: "PostToolUseFailure", tool_name: "Bash" },
  ...{
    tool_input: { command: "frobnicate" },
    error: "Exit code 127\nsh: 1: frobnicate: not found",
  },
});

test("a payload on standard input, the agent's answer on standard output", () => {
  inPlace(({ run }) => {
    const { code, out, err } = run(["hook", "claude"], FAILED);
    assert.deepEqual([code, err], [0, ""]);
    const { hookSpecificOutput: said } = JSON.parse(out) as {
      hookSpecificOutput: Record<string, string>;
    };
    assert.equal(said["hookEventName"], "PostToolUseFailure");
    assert.match(said["additionalContext"] ?? "", /command_not_found/);
  });
});

test("an agent that goes on with a refused call is ended, and the person is told why", () => {
  inPlace(({ run }) => {
    const common = {
      ...{ session_id: "s", cwd: "/w", tool_name: "Bash", tool_use_id: "" },
      tool_input: { command: "git status" },
    };
    const told: { readonly continue?: boolean; readonly stopReason?: string }[] = [];
    for (let turn = 0; turn < 7; turn += 1) {
      const about = { ...common, tool_use_id: `t${turn}` };
      const payload = { ...about, hook_event_name: "PreToolUse" };
      const { out } = run(["hook", "claude"], JSON.stringify(payload));
      if (out !== "") told.push(JSON.parse(out) as (typeof told)[number]);
      else {
        const after = { ...about, hook_event_name: "PostToolUse", tool_response: "clean" };
        run(["hook", "claude"], JSON.stringify(after));
      }
    }
    assert.deepEqual(
      told.slice(0, 3).map((answer) => answer.continue),
      [undefined, undefined, false],
    );
    assert.match(told[2]?.stopReason ?? "", /^Unstuck ended this turn: .*2 refusals.*Bash called/);
  });
});

test("below a run it says nothing and keeps nothing", () => {
  inPlace(({ run, state }) => {
    assert.deepEqual(run(["hook", "claude"], FAILED, { UNSTUCK_RUN: "r1" }), {
      code: 0,
      out: "",
      err: "",
    });
    assert.ok(!existsSync(join(state, "hooks")));
  });
});

test("hostile payloads: exit code 0, no output, and its own faults in its log", () => {
  const deep = `{"hook_event_name":"PostToolUse","tool_name":"x","tool_response":${'{"a":'.repeat(60_000)}1${"}".repeat(60_001)}`;
  const payloads: readonly (string | Buffer)[] = [
    ...["", "not json", "null", "[]", "3", '"PreToolUse"', '{"hook_event_name":"PreToolUse"', deep],
    Buffer.from([0, 0xff, 0xfe, 0x7b, 0x00]),
    `{"hook_event_name":"PreToolUse","session_id":"../../../x\\u0000","tool_name":"\\u0000","tool_input":{}}`,
    JSON.stringify({
      hook_event_name: "PostToolUse",
      tool_name: "x",
      tool_response: "a".repeat(3_000_000),
    }),
  ];
  inPlace(({ run, state }) => {
    for (const payload of payloads) {
      const { code, out, err } = run(["hook", "claude"], payload);
      assert.deepEqual([code, out, err], [0, "", ""], String(payload).slice(0, 60));
    }
    assert.match(readFileSync(join(state, "hooks", "hook.log"), "utf8"), /JSON/);
    const files = readdirSync(join(state, "hooks", "sessions"));
    assert.ok(files.length > 0 && files.every((name) => /^claude-[0-9a-f]{16}\.jsonl$/.test(name)));
    assert.deepEqual(run(["hook", "no-such-agent"], FAILED), { code: 0, out: "", err: "" });
  });
});

test("a home that cannot be written is no fault of the agent's", () => {
  inPlace(({ run, work }) => {
    const file = join(work, "a-file");
    writeFileSync(file, "");
    assert.deepEqual(run(["hook", "claude"], FAILED, { UNSTUCK_HOME: file }), {
      code: 0,
      out: "",
      err: "",
    });
  });
});

test("the installed command is silent when unstuck is gone, and passes a failing one over", () => {
  inPlace(({ work }) => {
    const sh = (PATH: string): unknown => {
      const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", hookCommand("claude")], {
        env: { PATH },
        encoding: "utf8",
      });
      return [status, stdout, stderr];
    };
    assert.deepEqual(sh(work), [0, "", ""]);
    writeFileSync(join(work, "unstuck"), "#!/bin/sh\nexit 7\n", { mode: 0o755 });
    assert.deepEqual(sh(work), [0, "", ""]);
    writeFileSync(join(work, "unstuck"), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    assert.deepEqual(sh(work), [0, "hook claude\n", ""]);
  });
});

const STOP = (cwd: string): string =>
  JSON.stringify({ session_id: "s", cwd, hook_event_name: "Stop", stop_hook_active: false });

test("a stop with failing checks is sent back with the failures, at most as often as told", () => {
  inPlace(({ run, work }) => {
    const check = "echo 'not ok 1 - adds numbers'; exit 1";
    assert.equal(
      run(["hook", "install", "claude", "--yes", "--check", check, "--send-backs", "2"]).code,
      0,
    );
    for (const time of [1, 2]) {
      const { decision, reason } = JSON.parse(run(["hook", "claude"], STOP(work)).out) as Record<
        string,
        string
      >;
      assert.equal(decision, "block");
      assert.match(reason ?? "", /adds numbers/);
      assert.match(reason ?? "", new RegExp(`${time} of 2`));
    }
    assert.equal(run(["hook", "claude"], STOP(work)).out, "");
    assert.equal(run(["hook", "claude"], STOP("/elsewhere")).out, "", "only in that folder");
  });
});

test("a check that could not run, or passes, lets the stop go", () => {
  for (const check of ["true", "no-such-program-here"])
    inPlace(({ run, work }) => {
      run(["hook", "install", "claude", "--yes", "--check", check]);
      assert.deepEqual(run(["hook", "claude"], STOP(work)), { code: 0, out: "", err: "" });
    });
});

test("checks of the checkout run only after its plan was trusted, by its hash", () => {
  inPlace(({ run, state, work }) => {
    const plan = "goal: x\nagent: claude\nchecks: ['touch ran; exit 1']\n";
    writeFileSync(join(work, "unstuck.yaml"), plan);
    mkdirSync(state);
    writeFileSync(join(state, "trust.json"), JSON.stringify({ trusted: ["0".repeat(64)] }));
    assert.equal(run(["hook", "claude"], STOP(work)).out, "");
    assert.ok(!existsSync(join(work, "ran")), "nothing of it was run");
    const mark = createHash("sha256").update(plan).digest("hex");
    writeFileSync(join(state, "trust.json"), JSON.stringify({ trusted: [mark] }));
    assert.match(run(["hook", "claude"], STOP(work)).out, /"decision":"block"/);
    assert.ok(existsSync(join(work, "ran")));
  });
});

test("a call that does not fit the tools that are known is refused before it runs", () => {
  inPlace(({ run, work }) => {
    const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
    writeFileSync(join(work, "tools.json"), JSON.stringify([{ name: "read_file", schema }]));
    assert.equal(run(["hook", "install", "gemini", "--yes", "--tools", "tools.json"]).code, 0);
    const call = (tool_name: string, tool_input: object): string =>
      run(
        ["hook", "gemini"],
        JSON.stringify({
          session_id: "s",
          cwd: work,
          hook_event_name: "BeforeTool",
          tool_name,
          tool_input,
        }),
      ).out;
    assert.equal(call("read_file", { path: "a" }), "");
    assert.match(call("read_file", { path: 3 }), /"decision":"deny".*read_file/);
    assert.match(call("readfile", { path: "a" }), /Unknown tool: readfile.*Did you mean read_file/);
  });
});

test("the agent's own tools are known: a call that cannot work is refused without a tools file", () => {
  inPlace(({ run, work }) => {
    const call = (agent: string, event: string, tool_name: string, tool_input: object): string => {
      const about = { session_id: "s", cwd: work, hook_event_name: event, tool_name, tool_input };
      return run(["hook", agent], JSON.stringify(about)).out;
    };
    assert.match(call("claude", "PreToolUse", "Bash", { cmd: "ls" }), /deny.*Bash needs command/);
    assert.match(call("codex", "PreToolUse", "bash", { command: "ls" }), /did you mean Bash\?/);
    assert.match(call("gemini", "BeforeTool", "read_fil", { path: "a" }), /did you mean read_file/);
    assert.match(call("pi", "before-tool", "write", { path: "a" }), /refuse.*needs content/);
    assert.equal(call("claude", "PreToolUse", "Bash", { command: "ls", more: 1 }), "");
    assert.equal(call("claude", "PreToolUse", "mcp__db__bash", {}), "");
  });
});

test("failures of the model service are recorded, classified", () => {
  inPlace(({ run, state }) => {
    const failure = {
      session_id: "s",
      cwd: "/w",
      hook_event_name: "StopFailure",
      error: "rate_limit",
    };
    const secret = "opens-door-4711-of-mine";
    const words = { last_assistant_message: `API Error: Request rejected (429) for ${secret}` };
    const env = { SOME_API_KEY: secret };
    assert.equal(run(["hook", "claude"], JSON.stringify({ ...failure, ...words }), env).out, "");
    assert.ok(!readFileSync(join(state, "hooks", "failures.jsonl"), "utf8").includes(secret));
    const line = JSON.parse(readFileSync(join(state, "hooks", "failures.jsonl"), "utf8")) as Record<
      string,
      unknown
    >;
    assert.deepEqual(
      [line["agent"], line["kind"], line["origin"]],
      ["claude", "rate_limited", "provider"],
    );
  });
});

for (const agent of HOOK_AGENTS)
  test(`${agent}: installed and uninstalled, nothing is left behind, in the user's home and in a checkout`, () => {
    const both = [[], ["--project"]];
    for (const more of FULL || agent === "claude" ? both : both.slice(0, 1))
      inPlace(({ run, home, work }) => {
        const all = (): string[] =>
          [home, work].flatMap((one) => readdirSync(one, { recursive: true }).map(String));
        const dry = run(["hook", "install", agent, "--dry-run", ...more]);
        assert.deepEqual([dry.code, all()], [0, []]);
        assert.match(dry.out, /^\+ .*unstuck/m);
        assert.equal(run(["hook", "install", agent, ...more]).code, 2, "not without a yes");
        assert.deepEqual(all(), []);
        assert.equal(run(["hook", "install", agent, "--yes", ...more]).code, 0);
        assert.ok(readdirSync(more.length === 0 ? home : work).length > 0);
        assert.match(run(["hook", "install", agent, "--yes", ...more]).out, /already/);
        assert.equal(run(["hook", "uninstall", agent, "--yes", ...more]).code, 0);
        assert.deepEqual(all(), []);
      });
  });

test("settings behind a link stay behind it, and broken ones are left alone", () => {
  inPlace(({ run, home, work }) => {
    const text = '{ // kept\n  "model": "x"\n}\n';
    const real = join(work, "dotfiles.json");
    mkdirSync(join(home, ".claude"));
    symlinkSync(real, join(home, ".claude", "settings.json"));
    writeFileSync(real, text);
    assert.equal(run(["hook", "install", "claude", "--yes"]).code, 0);
    assert.match(readFileSync(real, "utf8"), /\/\/ kept[^]*unstuck hook claude[^]*"model": "x"/);
    assert.equal(run(["hook", "uninstall", "claude", "--yes"]).code, 0);
    assert.equal(readFileSync(real, "utf8"), text);
    writeFileSync(real, "{ broken");
    const { code, err } = run(["hook", "install", "claude", "--yes"]);
    assert.equal(code, 2);
    assert.match(err, /left as it is: line 1/);
    assert.equal(readFileSync(real, "utf8"), "{ broken");
    assert.equal(
      run(["hook", "install", "claude", "--yes"], "", { UNSTUCK_ATTEMPT: "r/s/1" }).code,
      2,
    );
    rmSync(real);
  });
});

test("codex: hooks that stand in config.toml already are joined there", () => {
  inPlace(({ run, home }) => {
    const text =
      '# mine\nmodel = "x"\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "date"\n';
    mkdirSync(join(home, ".codex"));
    const file = join(home, ".codex", "config.toml");
    writeFileSync(file, text);
    const { out } = run(["hook", "install", "codex", "--yes"]);
    assert.match(out, /trust/);
    const now = readFileSync(file, "utf8");
    assert.ok(now.startsWith(text) && /\[\[hooks\.PreToolUse\]\]/.test(now));
    assert.ok(!existsSync(join(home, ".codex", "hooks.json")));
    run(["hook", "uninstall", "codex", "--yes"]);
    assert.equal(readFileSync(file, "utf8"), text);
  });
});

test("unstuck hook explains itself to a person", () => {
  assert.match(unstuck(["hook", "--help"]).out, /install/);
});
