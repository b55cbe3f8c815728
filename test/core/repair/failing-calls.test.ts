// proves: C1, C2, C3
import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf, namesOf, planFor, stepsOf } from "./request.ts";

const questionsOf = (plan: ReturnType<typeof planFor>): unknown =>
  stepsOf(plan, "ask_user")[0]?.args["questions"];

test("timeout: smaller lots of what the command was given", () => {
  const plan = planFor("timeout", {
    command: "wc -l a.txt b.txt c.txt",
    message: "timed out after 2 s",
  });
  assert.deepEqual(stepsOf(plan, "reduce_scope"), [
    {
      action: "Run it on 2 of 3 items, part 1",
      tool: "run_bash",
      args: { script: "'wc' '-l' 'a.txt' 'b.txt'" },
      expectedOutcome: "This part ends within 2 s",
    },
    {
      action: "Run it on 1 of 3 items, part 2",
      tool: "run_bash",
      args: { script: "'wc' '-l' 'c.txt'" },
      expectedOutcome: "This part ends within 2 s",
    },
  ]);
  assert.deepEqual(callsOf(plan, "stream_results"), [
    ["run_bash", { script: "printf '%s\\0' 'a.txt' 'b.txt' 'c.txt' | xargs -0 -n 1 'wc' '-l'" }],
  ]);
});

test("timeout: ten items instead of a hundred, and never more than ten lots", () => {
  const lots = (count: number): readonly number[] => {
    const files = Array.from({ length: count }, (_, n) => `f${n}.c`);
    const plan = planFor("timeout", { command: `A=1 lint ${files.join(" ")}` });
    const scripts = stepsOf(plan, "reduce_scope").map(({ args }) => String(args["script"]));
    assert.ok(scripts.every((script) => script.startsWith("env 'A=1' 'lint' 'f")));
    const items = scripts.flatMap((script) => script.split(" ").slice(3));
    assert.deepEqual(
      items,
      files.map((file) => `'${file}'`),
    );
    return scripts.map((script) => script.split(" ").length - 3);
  };
  assert.deepEqual(lots(2), [1, 1]);
  assert.deepEqual(lots(20), [10, 10]);
  assert.deepEqual(lots(25), [10, 10, 5]);
  assert.deepEqual(
    lots(100),
    Array.from({ length: 10 }, () => 10),
  );
  assert.deepEqual(lots(205), [...Array.from({ length: 9 }, () => 21), 16]);
});

test("timeout: options stay with the program, also those that hold a path; a program is no setting", () => {
  const scripts = (command: string): readonly unknown[] =>
    stepsOf(planFor("timeout", { command }), "reduce_scope").map(({ args }) => args["script"]);
  assert.deepEqual(scripts("lint --out=build/x -I./h a.c b.c"), [
    "'lint' '--out=build/x' '-I./h' 'a.c'",
    "'lint' '--out=build/x' '-I./h' 'b.c'",
  ]);
  assert.deepEqual(scripts("./a=1 x.c y.c"), ["'./a=1' 'x.c'", "'./a=1' 'y.c'"]);
});

test("timeout: without a list of items the agent is told to do less", () => {
  for (const command of ["npm test", "lint a.c", "lint a.c b.c --fix", "lint a.c | wc"]) {
    const [step, ...more] = stepsOf(planFor("timeout", { command }), "reduce_scope");
    assert.deepEqual(more, []);
    assert.deepEqual(step, {
      action: `Give \`${command}\` less to do: at most 10 files, tests or records at a time, part after part`,
      tool: null,
      args: { maxItems: 10 },
      expectedOutcome: "This part ends within 15 s",
    });
  }
});

test("timeout: the limit is doubled, the command's own too", () => {
  const doubled = (command: string, message?: string): unknown =>
    callsOf(
      planFor("timeout", { command, ...(message !== undefined && { message }) }),
      "increase_timeout",
    )[0];
  assert.deepEqual(doubled("make", "timeout_ms: 15000"), [
    "run_bash",
    { script: "bash -c 'make'", timeout_ms: 30_000 },
  ]);
  assert.deepEqual(doubled("make"), ["run_bash", { script: "bash -c 'make'", timeout_ms: 30_000 }]);
  assert.deepEqual(doubled("timeout 1 npm test"), [
    "run_bash",
    { script: "bash -c 'timeout 2 npm test'", timeout_ms: 2000 },
  ]);
  assert.deepEqual(doubled("timeout -k 5 90s make x"), [
    "run_bash",
    { script: "bash -c 'timeout -k 5 180 make x'", timeout_ms: 180_000 },
  ]);
  assert.deepEqual(doubled("make", "timed out after 20 h"), [
    "run_bash",
    { script: "bash -c 'make'", timeout_ms: 86_400_000 },
  ]);
  const step = stepsOf(
    planFor("timeout", { command: "make", message: "timed out after 1500 ms" }),
    "increase_timeout",
  )[0];
  assert.equal(step?.action, "Run `make` again with 3 s instead of 1.5 s");
  assert.equal(step?.expectedOutcome, "It ends within 3 s");
});

test("timeout: streamed and in the background", () => {
  const plan = planFor("timeout", { command: "make all", message: "timed out after 120 s" });
  assert.deepEqual(callsOf(plan, "stream_results"), [
    [
      "run_bash",
      {
        script: `set -o pipefail; log=$(mktemp); echo "output: $log"; bash -c 'make all' 2>&1 | tee -- "$log"`,
      },
    ],
  ]);
  const [start, look] = stepsOf(plan, "background_execution").map(({ args }) =>
    String(args["script"]),
  );
  const folder = /'(unstuck-[0-9a-f]{16})'/.exec(start ?? "")?.[1];
  assert.equal(
    start,
    `dir="\${TMPDIR:-/tmp}"/'${folder}'; mkdir -m 700 -- "$dir" && { nohup sh -c 'bash -c "$1" >"$2/output" 2>&1; echo $? >"$2/exit"' sh 'make all' "$dir" >/dev/null 2>&1 & }`,
  );
  assert.equal(
    look,
    `dir="\${TMPDIR:-/tmp}"/'${folder}'; left='60'; while [ ! -f "$dir/exit" ] && [ "$left" -gt 0 ]; do sleep 1; left=$((left - 1)); done; tail -n 50 -- "$dir/output"; exit "$(cat -- "$dir/exit")"`,
  );
  const other = planFor("timeout", { command: "make all" }, { sandboxRoot: "/elsewhere" });
  assert.ok(
    !String(stepsOf(other, "background_execution")[0]?.args["script"]).includes(String(folder)),
  );
  const polls = (message: string): unknown =>
    /left='(\d+)'/.exec(
      String(
        stepsOf(planFor("timeout", { command: "x", message }), "background_execution")[1]?.args[
          "script"
        ],
      ),
    )?.[1];
  assert.equal(polls("timed out after 2 s"), "5");
  assert.equal(polls("timed out after 1 h"), "300");
  assert.deepEqual(namesOf(planFor("timeout", { message: "timed out" })), [
    "reduce_scope",
    "increase_timeout",
    "ask_user",
  ]);
  assert.deepEqual(questionsOf(plan), [
    "Is it normal that `make all` takes longer than 120 s? How long may it take?",
    "Which part of the work of `make all` is really needed?",
  ]);
});

test("invalid_arguments: the suggested word, the help text, fewer arguments", () => {
  const stderr =
    "gcc: error: unrecognized command-line option ‘-std=c99999’; did you mean ‘-std=c99’?";
  const plan = planFor("invalid_arguments", { command: "gcc -std=c99999 a.c", stderr });
  assert.deepEqual(stepsOf(plan, "fix_parameter_types"), [
    {
      action: "Call `gcc -std=c99999 a.c` again with `-std=c99` instead of `-std=c99999`",
      tool: "run_bash",
      args: { script: "'gcc' '-std=c99' 'a.c'" },
      expectedOutcome: "The arguments are accepted",
    },
  ]);
  assert.deepEqual(stepsOf(plan, "check_schema"), [
    {
      action: "Read how `gcc` is called",
      tool: "run_bash",
      args: { script: "'gcc' --help 2>&1 | head -n 80" },
      expectedOutcome: "The arguments that are required and their types",
    },
  ]);
  assert.deepEqual(stepsOf(plan, "simplify_arguments"), [
    {
      action: "Run it again without `-std=c99999`",
      tool: "run_bash",
      args: { script: "'gcc' 'a.c'" },
      expectedOutcome: "The call works with the arguments that are left",
    },
  ]);
  assert.deepEqual(questionsOf(plan), ["What should `-std=c99999` be in `gcc -std=c99999 a.c`?"]);
});

test("invalid_arguments: a tool call is corrected by the agent, told what is wrong", () => {
  const plan = planFor("invalid_arguments", {
    tool: "tool_call",
    message: "Parameter 'limit' should be number, got string",
  });
  assert.deepEqual(
    ["fix_parameter_types", "check_schema", "simplify_arguments"].flatMap((name) =>
      callsOf(plan, name),
    ),
    [
      [
        "Call the failed call again with `limit` given as type number",
        { parameter: "limit", type: "number" },
      ],
      ["Read the parameter schema of the failed call and give every required field", {}],
      ["Call the failed call again with the required arguments only", {}],
    ],
  );
  const bare = planFor("invalid_arguments", { tool: "web", message: "?" }, { tools: ["web"] });
  assert.deepEqual(callsOf(bare, "fix_parameter_types"), [
    ["Call the failed call again with arguments of the types it asks for", {}],
  ]);
  assert.deepEqual(questionsOf(bare), ["Which arguments should the failed call be called with?"]);
  const tool = planFor("invalid_arguments", {
    tool: "tool_call",
    message: "tool 'grep_all' is not happy",
  });
  assert.match(String(stepsOf(tool, "check_schema")[0]?.action), /schema of `grep_all` and/);
});

for (const [message, change, args] of [
  ["Missing required parameter: file", "a value for `file` that it accepts", { parameter: "file" }],
  ["head: invalid number of lines: ‘ten’", "something else than `ten`", { parameter: "ten" }],
  ["no such task\n\nDid you mean `build`?", "`build` instead of what was refused", {}],
  [
    "'stauts' is not in the list.\nThe most similar choice to 'stauts' is:\n    status",
    "`status` instead of `stauts`",
    { parameter: "stauts" },
  ],
] as const)
  test(`invalid_arguments: ${JSON.stringify(message)} says what to change`, () => {
    const plan = planFor("invalid_arguments", { tool: "llm", message });
    assert.deepEqual(callsOf(plan, "fix_parameter_types"), [
      [`Call the failed call again with ${change}`, args],
    ]);
  });

test("invalid_arguments: only a whole word is replaced, and no local script is called for help", () => {
  const typo = planFor("invalid_arguments", {
    command: "git sttus",
    stderr: "git: 'sttus' is not a git command.\nThe most similar command is\n\tstatus",
  });
  assert.deepEqual(callsOf(typo, "fix_parameter_types"), [
    ["run_bash", { script: "'git' 'status'" }],
  ]);
  assert.equal(stepsOf(typo, "simplify_arguments")[0]?.tool, null);
  const first = planFor("invalid_arguments", {
    command: "sttus x",
    stderr: "invalid word 'sttus', did you mean 'status'?",
  });
  assert.equal(first.steps[0]?.tool, null);
  const local = planFor("invalid_arguments", {
    command: "./deploy.sh --nope",
    stderr: "unknown option: --nope",
  });
  assert.equal(stepsOf(local, "check_schema")[0]?.tool, null);
  assert.deepEqual(callsOf(local, "simplify_arguments"), [
    ["run_bash", { script: "'./deploy.sh'" }],
  ]);
});

test("syntax_error: find, split, and try as POSIX", () => {
  const command = "cat a | | sort && echo x; [[ a ]]";
  const plan = planFor("syntax_error", {
    command,
    stderr: "bash: -c: line 1: syntax error near unexpected token `|'",
  });
  const correct = `Correct the syntax of \`${command}\`: close quotes and brackets, escape special characters, fix pipes, then run it again`;
  assert.deepEqual(callsOf(plan, "fix_syntax"), [
    ["run_bash", { script: `bash -n -c '${command}' 2>&1; true` }],
    [correct, {}],
  ]);
  assert.deepEqual(stepsOf(plan, "use_simpler_command")[0], {
    action: "Run part 1 of 3 on its own: `cat a | | sort`",
    tool: "run_bash",
    args: { script: "bash -c 'cat a | | sort'" },
    expectedOutcome: "This part is accepted, or is the one with the mistake",
  });
  assert.deepEqual(callsOf(plan, "use_simpler_command").slice(1), [
    ["run_bash", { script: "bash -c 'echo x'" }],
    ["run_bash", { script: "bash -c '[[ a ]]'" }],
  ]);
  assert.deepEqual(callsOf(plan, "try_alternative_syntax"), [
    ["run_bash", { script: `sh -n -c '${command}'` }],
    ["run_bash", { script: `sh -c '${command}'` }],
  ]);
  assert.deepEqual(questionsOf(plan), [
    `What is \`${command}\` meant to do? Can you give a form of it that works?`,
  ]);
});

test("syntax_error: a place in a file is looked at", () => {
  const plan = planFor("syntax_error", { command: "go build", stderr: "./a.go:5:1: syntax error" });
  assert.deepEqual(callsOf(plan, "fix_syntax")[0], [
    "run_bash",
    { script: "sed -n '2,8p' -- './a.go'" },
  ]);
  assert.equal(plan.steps[0]?.action, "Look at `./a.go` around line 5");
  assert.match(plan.steps[1]?.action ?? "", /^Correct the syntax of `\.\/a\.go`:/);
  assert.deepEqual(questionsOf(plan), ["What is line 5 of `./a.go` meant to say?"]);
  const top = planFor("syntax_error", {
    command: "make",
    stderr: "Makefile:2: *** missing separator",
  });
  assert.deepEqual(callsOf(top, "fix_syntax")[0], [
    "run_bash",
    { script: "sed -n '1,5p' -- 'Makefile'" },
  ]);
});

test("syntax_error: what cannot be split or is no shell command is left to the agent", () => {
  const guided = (command: string): unknown =>
    callsOf(planFor("syntax_error", { command }), "use_simpler_command");
  for (const command of ["jq '.a['", "if a; then b", "a;b;c;d;e;f;g"])
    assert.deepEqual(guided(command), [
      [`Say \`${command}\` in several simple commands, one after the other`, {}],
    ]);
  assert.equal((guided("a;b;c;d;e;f") as readonly unknown[]).length, 6);
  const query = planFor(
    "syntax_error",
    { tool: "sql", message: "syntax error" },
    { tools: ["sql", "run_bash"] },
  );
  assert.deepEqual(namesOf(query), ["fix_syntax", "use_simpler_command", "ask_user"]);
  assert.equal(query.steps.length, 1);
  assert.equal(query.steps[0]?.tool, null);
});
