// proves: C1, C2, C3, C6
import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf, namesOf, planFor, ROOT, stepsOf } from "./request.ts";

const questionsOf = (plan: ReturnType<typeof planFor>): unknown =>
  stepsOf(plan, "ask_user")[0]?.args["questions"];

test("command_not_found: a program with the same arguments stands in", () => {
  const plan = planFor("command_not_found", {
    command: "pip list 'a b'",
    stderr: "sh: 1: pip: not found",
  });
  assert.deepEqual(stepsOf(plan, "alternative_command"), [
    {
      action: "Run `pip3` or `python3 -m pip` instead of `pip` with the same arguments",
      tool: "run_bash",
      args: {
        script:
          "if command -v pip3 >/dev/null 2>&1; then pip3 'list' 'a b'; exit; fi\n" +
          "if command -v python3 >/dev/null 2>&1; then python3 -m pip 'list' 'a b'; exit; fi\n" +
          "exit 127",
      },
      expectedOutcome: "The command ends with exit code 0",
    },
  ]);
});

test("command_not_found: a project's own program is looked for in the project", () => {
  const plan = planFor("command_not_found", {
    command: "tsc -p .",
    stderr: "sh: 1: tsc: not found",
  });
  assert.deepEqual(callsOf(plan, "alternative_command"), [
    [
      "run_bash",
      {
        script:
          "ls -d -- './tsc' './node_modules/.bin/tsc' './.venv/bin/tsc' './venv/bin/tsc' './vendor/bin/tsc' './bin/tsc' 2>/dev/null | grep .",
      },
    ],
    [
      "run_bash",
      {
        script:
          "PATH=\"$PATH:$PWD:$PWD/node_modules/.bin:$PWD/.venv/bin:$PWD/venv/bin:$PWD/vendor/bin:$PWD/bin\" bash -c 'tsc -p .'",
      },
    ],
  ]);
  assert.deepEqual(
    stepsOf(plan, "alternative_command").map(({ action, expectedOutcome }) => [
      action,
      expectedOutcome,
    ]),
    [
      ["Look for `tsc` in the project's own folders", "At least one path is printed"],
      [
        "Run `tsc -p .` with those folders on the search path",
        "The command is found and ends with exit code 0",
      ],
    ],
  );
});

test("command_not_found: an inner command is never replaced in the outer one's arguments", () => {
  const inner = planFor("command_not_found", {
    command: "bash ci.sh",
    stderr: "ci.sh: line 4: pip: command not found",
  });
  assert.match(String(inner.steps[0]?.args["script"]), /^ls -d -- '\.\/pip'/);
  const alone = planFor("command_not_found", { stderr: "ci.sh: line 4: helm: command not found" });
  assert.equal(alone.steps.length, 1);
  assert.deepEqual(namesOf(planFor("command_not_found", { stderr: "?" })), ["ask_user"]);
  assert.deepEqual(questionsOf(planFor("command_not_found", { stderr: "?" })), [
    "Can you install the missing command on this machine?",
    "If not: what may be used instead of the missing command for the failed call?",
  ]);
});

test("command_not_found: installation by the system, by the manifest, or not at all", () => {
  const jq = { stderr: "sh: 1: jq: not found" };
  const on = (platform: string): readonly unknown[] =>
    callsOf(planFor("command_not_found", jq, { platform }), "manual_installation");
  const check = ["run_bash", { script: "command -v 'jq'" }];
  const linux = [
    "if command -v apt-get >/dev/null 2>&1; then apt-get update && apt-get install -y 'jq'",
    "elif command -v apk >/dev/null 2>&1; then apk add --no-cache 'jq'",
    "elif command -v dnf >/dev/null 2>&1; then dnf install -y 'jq'",
    "else exit 1; fi",
  ].join("\n");
  assert.deepEqual(on("linux"), [["run_bash", { script: linux }], check]);
  assert.deepEqual(on("darwin"), [["run_bash", { script: "brew install 'jq'" }], check]);
  assert.deepEqual(on("win32"), []);
  const rg = planFor(
    "command_not_found",
    { stderr: "sh: 1: rg: not found" },
    { platform: "darwin" },
  );
  assert.deepEqual(callsOf(rg, "manual_installation")[0], [
    "run_bash",
    { script: "brew install 'ripgrep'" },
  ]);
  assert.equal(
    stepsOf(rg, "manual_installation")[0]?.action,
    "Install the system package `ripgrep`",
  );
  const named = planFor(
    "command_not_found",
    { stderr: "sh: 1: eslint: not found" },
    { manifestNames: ["eslint"] },
  );
  const [install, look] = stepsOf(named, "manual_installation");
  assert.equal(install?.action, "Install what the project's manifest names, `eslint` among it");
  assert.deepEqual(String(install?.args["script"]).split("\n"), [
    "if [ -f package-lock.json ]; then npm ci",
    "elif [ -f package.json ]; then npm install",
    "elif [ -f requirements.txt ]; then python3 -m pip install -r requirements.txt",
    "elif [ -f Gemfile ]; then bundle install",
    "elif [ -f Cargo.toml ]; then cargo fetch",
    "elif [ -f go.mod ]; then go mod download",
    "else exit 1; fi",
  ]);
  assert.equal(look?.action, "Check that `eslint` is there now");
  assert.deepEqual(look?.args, {
    script:
      "command -v 'eslint' || ls './node_modules/.bin/eslint' 2>/dev/null || ls './.venv/bin/eslint'",
  });
  assert.deepEqual(
    namesOf(planFor("command_not_found", { stderr: "sh: 1: constructor: not found" })),
    ["alternative_command", "ask_user"],
  );
});

test("tool_not_found: the nearest tool there is, else list and read", () => {
  const near = planFor("tool_not_found", { tool: "tool_call", message: "Unknown tool: readfile" });
  assert.deepEqual(stepsOf(near, "use_available_alternative"), [
    {
      action: "Repeat the call with the available tool `read_file` in place of `readfile`",
      tool: null,
      args: { tool: "read_file" },
      expectedOutcome: "`read_file` returns a result",
    },
  ]);
  const far = planFor("tool_not_found", {
    tool: "tool_call",
    message: "Unknown tool: repo_browser",
  });
  assert.deepEqual(stepsOf(far, "use_available_alternative"), [
    {
      action: "List the folder with read_dir instead of calling `repo_browser`",
      tool: "read_dir",
      args: { dir: ROOT },
      expectedOutcome: "The listing shows which files there are",
    },
    {
      action: "Read what is needed with read_file instead of calling `repo_browser`",
      tool: null,
      args: {},
      expectedOutcome: "The content of the file",
    },
  ]);
  assert.deepEqual(callsOf(far, "decompose_into_basic_tools"), [
    [
      "run_bash",
      { script: `cd -- '${ROOT}' && find . -maxdepth 2 -not -path './.git/*' | head -n 200` },
    ],
  ]);
  assert.equal(
    stepsOf(far, "decompose_into_basic_tools")[0]?.action,
    "Do what `repo_browser` was meant for with shell commands: list the files first",
  );
  assert.deepEqual(questionsOf(far), [
    "Can you add `repo_browser` to the tools this agent may use?",
    "If not: which of the available tools should do the work of `repo_browser`?",
  ]);
  const noName = planFor("tool_not_found", { message: "no tool" });
  assert.match(String(questionsOf(noName)), /add the missing tool to/);
});

test("tool_not_found: a known file inside the sandbox is read", () => {
  const text = "Unknown tool: repo_browser\npath: 'src/a.ts'";
  const plan = planFor("tool_not_found", { tool: "tool_call", message: text });
  assert.deepEqual(callsOf(plan, "use_available_alternative")[1], [
    "read_file",
    { file: `${ROOT}/src/a.ts` },
  ]);
  assert.deepEqual(callsOf(plan, "decompose_into_basic_tools")[1], [
    "run_bash",
    { script: `head -c 20000 -- '${ROOT}/src/a.ts'` },
  ]);
  const outside = planFor("tool_not_found", { message: "Unknown tool: x\npath: '/etc/passwd'" });
  assert.ok(!JSON.stringify(outside.steps).includes("passwd"));
});

test("permission_denied: what was meant for outside goes into the sandbox", () => {
  const plan = planFor("permission_denied", {
    tool: "write_file",
    message: "EACCES: permission denied, open '/etc/config.txt'",
  });
  assert.deepEqual(namesOf(plan), ["try_sandbox_directory", "ask_user"]);
  assert.deepEqual(plan.steps, [
    {
      action: `Check the sandbox \`${ROOT}\`, where writing is allowed`,
      tool: "read_dir",
      args: { dir: ROOT },
      expectedOutcome: "The sandbox folder can be listed",
    },
    {
      action: `Write what was meant for \`/etc/config.txt\` to \`${ROOT}/etc/config.txt\` instead`,
      tool: "write_file",
      args: { file: `${ROOT}/etc/config.txt` },
      expectedOutcome: `\`${ROOT}/etc/config.txt\` is written`,
    },
  ]);
  assert.deepEqual(questionsOf(plan), [
    "May the agent have access to `/etc/config.txt`, and will you change its permissions or run the failed call yourself (with sudo if it must be)?",
    "If not: where else may the result be written instead of `/etc/config.txt`?",
  ]);
});

test("permission_denied: clearly safe is only the owner's own right inside the sandbox", () => {
  const script = {
    command: "./r.sh",
    exitCode: 126,
    stderr: "bash: line 1: ./r.sh: Permission denied",
  };
  const plan = planFor("permission_denied", script);
  assert.deepEqual(namesOf(plan), ["check_permissions", "ask_user"]);
  assert.deepEqual(callsOf(plan, "check_permissions"), [
    ["run_bash", { script: `ls -ld -- '${ROOT}/r.sh'` }],
    ["run_bash", { script: `chmod 'u+x' -- '${ROOT}/r.sh'` }],
    ["run_bash", { script: "bash -c './r.sh'" }],
  ]);
  assert.deepEqual(
    plan.steps.map((step) => step.needsPermission),
    [undefined, "sudo", undefined],
  );
  const read = planFor("permission_denied", { ...script, exitCode: 1 });
  assert.deepEqual(read.steps[1]?.args, { script: `chmod 'u+rwX' -- '${ROOT}/r.sh'` });
  assert.deepEqual(namesOf(planFor("permission_denied", script, { mode: "run" })), ["ask_user"]);
  const gone = planFor("permission_denied", { ...script, tool: "gone" });
  assert.deepEqual(callsOf(gone, "check_permissions")[2], ["Run `./r.sh` again", {}]);
  assert.deepEqual(namesOf(planFor("permission_denied", { stderr: "Permission denied" })), [
    "ask_user",
  ]);
  assert.match(String(questionsOf(planFor("permission_denied", {}))), /access to what was refused/);
});

test("file_not_found: listing, look-alikes, search, creation", () => {
  const plan = planFor("file_not_found", {
    stderr: "cat: conf/App[1].json: No such file or directory",
  });
  assert.deepEqual(stepsOf(plan, "verify_path"), [
    {
      action: "List `conf`, where the file should be",
      tool: "read_dir",
      args: { dir: "conf" },
      expectedOutcome: "The listing shows whether the file is there under another name",
    },
    {
      action: "Look for names like `App[1].json`: other case, a typo, another ending",
      tool: "run_bash",
      args: { script: "ls -a -- 'conf' | grep -i -F -- 'App['" },
      expectedOutcome: "Names that look alike, or none",
    },
    {
      action: "Search the project for `App[1].json`",
      tool: "run_bash",
      args: {
        script:
          "find . -name node_modules -prune -o -name .git -prune -o -iname 'App\\[1\\].json' -print | head -n 20",
      },
      expectedOutcome: "The path where `App[1].json` really is, if it exists",
    },
  ]);
  assert.deepEqual(stepsOf(plan, "create_missing_file"), [
    {
      action: `Create \`${ROOT}/conf/App[1].json\` with default content, if the task is meant to have this file`,
      tool: "write_file",
      args: { file: `${ROOT}/conf/App[1].json`, content: "{}\n" },
      expectedOutcome: `\`${ROOT}/conf/App[1].json\` exists`,
    },
  ]);
  assert.deepEqual(questionsOf(plan), [
    "What is the right path of `conf/App[1].json`?",
    "Should `conf/App[1].json` exist already, or is it to be created?",
  ]);
});

test("file_not_found: where the path is unknown or at the edge", () => {
  const unknown = planFor("file_not_found", { command: "make", stderr: "?" });
  assert.deepEqual(callsOf(unknown, "verify_path"), [["read_dir", { dir: "." }]]);
  assert.match(
    String(questionsOf(unknown)),
    /^What is the right path of the file that `make` needs\?/,
  );
  const folder = (path: string): unknown =>
    planFor("file_not_found", { message: `ENOENT: open '${path}'` }).steps[0]?.args["dir"];
  assert.equal(folder("/x.txt"), "/");
  assert.equal(folder("C:\\a\\x.txt"), "C:\\a");
  assert.equal(folder("x.txt"), ".");
  const option = planFor("file_not_found", { message: "ENOENT: open '-d/-x.txt'" });
  assert.deepEqual(option.steps[1]?.args, { script: "ls -a -- './-d' | grep -i -F -- '-x'" });
});

for (const [path, content] of [
  ["a.json", "{}\n"],
  ["b/a.YAML", ""],
  ["notes.md", ""],
  ["a.csv", ""],
  ["main.ts", undefined],
  ["lib.py", undefined],
  ["Makefile", undefined],
  ["json", undefined],
  ["package.json", undefined],
  ["package-lock.json", undefined],
  ["tsconfig.json", undefined],
  ["Cargo.toml", undefined],
  ["a.constructor", undefined],
  ["../a.json", undefined],
  ["/etc/a.json", undefined],
  [".git/a.txt", undefined],
] as const)
  test(`file_not_found: ${path} is ${content === undefined ? "not created" : "created"}`, () => {
    const plan = planFor("file_not_found", { message: `ENOENT: no such file, open '${path}'` });
    assert.equal(stepsOf(plan, "create_missing_file")[0]?.args["content"], content);
  });
