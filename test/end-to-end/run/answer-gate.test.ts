// proves: U14
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { LAUNCHER } from "../../cli/command.ts";
import { WITHOUT_TERMINAL } from "../../cli/terminal/pseudo-terminal.ts";
import { configFile, repository, type Repository } from "./repository.ts";
import { owner, planFile, untilSo } from "./runs.ts";

/** Ways in which an agent might answer for its person; `$u` is the command, `$clean` an environment without marks. */
const WAYS: Readonly<Record<string, string>> = {
  plain: "$u resolve asks/c1 --skip",
  unset: "env -u UNSTUCK_ATTEMPT $u resolve asks/c1 --skip",
  cleared: "$clean $u resolve asks/c1 --skip",
  "own session": "$clean setsid -w $u resolve asks/c1 --skip",
  stop: "$clean $u stop",
  clean: "$clean $u clean --force",
  apply: "$clean $u apply",
  undo: "$clean $u undo",
  resume: "$clean $u resume",
  trust: "$clean $u run plan.yaml --trust",
  permissions: "$clean $u run --goal g --full-permissions",
  hook: "$clean $u hook install claude --yes",
  service: "$clean $u service install",
};

/** Those that go on by themselves after whoever started them is gone: at once, or after it was seen. */
const LEFT: Readonly<Record<string, string>> = {
  "young orphan": "sleep 0.3; $u resolve asks/c1 --skip",
  "old orphan": "sleep 3.5; $u resolve asks/c1 --skip",
  ...(WITHOUT_TERMINAL === false
    ? { terminal: 'sleep 3.5; script -qec "$u resolve asks/c1 --skip" /dev/null' }
    : {}),
};

const slug = (name: string): string => name.replaceAll(" ", "-");

/** An agent that asks for a login in one subtask and in the other tries to answer for its person, until it is told to end. */
function agentScript(here: Repository, said: string): string {
  const file = join(here.path, "..", "agent.sh");
  const { UNSTUCK_HOME = "", HOME = "" } = here.env;
  const tried = (name: string, way: string): string =>
    `( ${way} ) > "${said}/${slug(name)}" 2>&1 < /dev/null; echo "exit $?" >> "${said}/${slug(name)}"`;
  const inner = (name: string, way: string): string =>
    `${tried(name, way)}; touch "${said}/${slug(name)}.over"`;
  const left = Object.entries(LEFT).map(([name, way]) => {
    const script = join(here.path, "..", `left-${slug(name)}.sh`);
    writeFileSync(script, `${VARIABLES(HOME, UNSTUCK_HOME)}\n${inner(name, way)}\n`);
    return `$clean sh -c 'setsid nohup sh "${script}" > /dev/null 2>&1 & sleep ${name === "young orphan" ? 0 : 2.5}' &`;
  });
  writeFileSync(
    file,
    [
      VARIABLES(HOME, UNSTUCK_HOME),
      'if [ "$UNSTUCK_SUBTASK" = asks ]; then echo "Error: Invalid API key. Please run /login" >&2; exit 1; fi',
      "until $u inbox --all | grep -q asks/c1; do sleep 0.1; done",
      ...left,
      ...Object.entries(WAYS).map(([name, way]) => tried(name, way)),
      tried("another home", `$clean env UNSTUCK_HOME="${HOME}/other" $u clean`),
      `touch "${said}/tried"`,
      `until [ -e "${said}/end" ]; do sleep 0.1; done`,
      "",
    ].join("\n"),
  );
  return file;
}

const VARIABLES = (home: string, unstuckHome: string): string =>
  [
    `export u='${process.execPath} ${LAUNCHER}'`,
    `export clean='env -i PATH=${process.env["PATH"]} HOME=${home} UNSTUCK_HOME=${unstuckHome}'`,
    `export HOME=${home} UNSTUCK_HOME=${unstuckHome}`,
  ].join("\n");

async function untilThere(file: string): Promise<void> {
  await untilSo(
    () => existsSync(file),
    () => `${file} never came`,
  );
}

test("V11: an agent cannot answer for its person, whatever it does to its environment, session or parent", async () => {
  const here = repository();
  const config = configFile(here.home);
  rmSync(config);
  const said = join(here.path, "..", "said");
  mkdirSync(said);
  writeFileSync(join(here.path, "plan.yaml"), "agent: true\nsubtasks: [{ id: a, prompt: a }]\n");
  const plan = planFile(
    here,
    `sh "${agentScript(here, said)}" {prompt}`,
    ["id: asks, prompt: a", "id: tries, prompt: b"],
    ["grounding: false", "concurrency: 2"],
  );
  const running = owner(here.start("run", plan, "--trust"));
  try {
    await untilThere(join(said, "tried"));
    for (const name of Object.keys(LEFT)) await untilThere(join(said, `${slug(name)}.over`));
    const words = (name: string): string => readFileSync(join(said, slug(name)), "utf8");
    for (const name of Object.keys(WAYS))
      assert.match(words(name), /refuses to run inside an attempt[^]*exit 2\n$/, name);
    for (const name of Object.keys(LEFT))
      assert.match(words(name), /refuses to run [^]*exit 2\r?\n$/, name);
    assert.match(words("another home"), /exit 0\n$/);
    assert.match(here.unstuck("inbox").out, /asks\/c1/, "nobody has answered");
    writeFileSync(config, "answers: unattended\n");
    assert.equal(here.unstuck("resolve", "asks/c1", "--skip").code, 0, "its person can");
    assert.ok(readdirSync(join(here.home, "runs")).length === 1);
  } finally {
    writeFileSync(join(said, "end"), "");
    await running.ended;
    here.remove();
  }
});
