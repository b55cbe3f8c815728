/**
 * A run with markup in every text that somebody else writes: goal, prompts, branch, file, error, failing test, command,
 * transcript, diff, answer, an agent's own question. It has ended up with questions, and nobody works on it.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeLines, says } from "../end-to-end/questions/typed-agent.ts";
import { repository, type Repository } from "../end-to-end/run/repository.ts";
import { askPerson } from "../../src/operations/notes/notes.ts";
import type { Script } from "../../src/testing/scripted-agent.ts";

/** Becomes an element, and says so in `window.attacked`, wherever a text is taken for markup. */
export const HOSTILE = `<hostile-text>x</hostile-text><img src=x onerror="window.attacked=1"><script>window.attacked=1</script><svg onload=window.attacked=1>`;
const IN_A_NAME = "<hostile-text>";

const step = (facts: object): string => JSON.stringify(facts);

export interface HostileProject {
  readonly here: Repository;
  readonly run: string;
}

export async function hostileProject(): Promise<HostileProject> {
  const failing = `not ok 1 - ${HOSTILE}\n  ---\n  expected: "2 ${HOSTILE}"\n  actual: "1"\n  ...\n1..1\n`;
  const here = repository({
    "value.txt": "1\n",
    "failing.tap": failing,
    "check.sh": 'grep -q "^2$" value.txt && exit 0\ncat failing.tap\nexit 1\n',
  });
  here.git("checkout", "-qb", `of/${IN_A_NAME}onload=window.attacked=1`);
  const called = { tool: "Bash", args: { command: `ls ${HOSTILE}` } };
  const refused = { command: `npm install ${HOSTILE}` };
  const script: Script = {
    error: [{ error: `Error: ${HOSTILE}`, exit: 1 }],
    red: [
      {
        write: { "value.txt": `3 ${HOSTILE}\n`, [`new ${IN_A_NAME}.txt`]: `${HOSTILE}\n` },
        print: [
          step({ kind: "message", text: HOSTILE }),
          step({ kind: "tool_call", ...called }),
          step({ kind: "tool_result", tool: "Bash", output: HOSTILE }),
          step({ kind: "message", text: `<approach>${HOSTILE}</approach>` }),
        ].join("\n"),
      },
    ],
    gated: [{ print: refusedLines(refused) }],
    done: [{ write: { "value.txt": "2\n" }, print: HOSTILE }],
  };
  const command = here.agent(script);
  const plan = join(here.path, "..", "plan.yaml");
  const subtask = (id: string, more: object = {}) => ({
    ...{ id, prompt: `${id} ${HOSTILE}`, checks: [`sh check.sh # ${HOSTILE}`], ...more },
  });
  writeFileSync(
    plan,
    JSON.stringify({
      ...{ goal: HOSTILE, agent: "plain", grounding: false, policy: "hierarchical" },
      agents: {
        plain: { command },
        gated: { adapter: "claude", command: command.replace(" {prompt}", "") },
      },
      models: [
        { agent: "plain", model: HOSTILE, tier: 1 },
        { agent: "gated", tier: 2 },
      ],
      subtasks: [subtask("error"), subtask("red"), subtask("gated", { tier: 2 }), subtask("done")],
    }),
  );
  here.unstuck("run", plan, "--trust");
  Object.assign(process.env, here.env);
  delete process.env["UNSTUCK_ATTEMPT"];
  const asked = { question: HOSTILE, options: [HOSTILE, "no"], waitSeconds: 0 };
  await askPerson.run({ cwd: here.path }, asked);
  return { here, run: here.runs()[0] ?? "" };
}

/** What Claude Code prints when its gate refuses a command. */
function refusedLines(input: { readonly command: string }): string {
  const call = { type: "tool_use", id: "t1", name: "Bash", input };
  const content = `This command requires approval ${HOSTILE}`;
  const result = { type: "tool_result", tool_use_id: "t1", is_error: true, content };
  const denial = { tool_name: "Bash", tool_use_id: "t1", tool_input: input };
  const told = claudeLines([call, result, says(HOSTILE)], {
    result: { permission_denials: [denial] },
  });
  return told.map((line) => JSON.stringify(line)).join("\n");
}
