// proves: A11, B5, D7, E10, U7, U16
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { inRepository, type Repository } from "./repository.ts";
import {
  branchOf,
  eventsOf,
  failuresOf,
  inputsOf,
  isStarted,
  owner,
  pause,
  phasesOf,
  planFile,
  recoveriesOf,
  until,
  untilSo,
} from "./runs.ts";

const IS_TWO = 'checks: ["grep -q ^2$ value.txt"]';
const right = { write: { "value.txt": "2\n" }, print: "done" };
const slowly = { ...right, sleepMs: 1200 };
const KEY = { error: "Error: Invalid API key. Please run /login", exit: 1 };
const BUSY = {
  error: 'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}',
  exit: 1,
};

async function untilEnded(here: Repository): Promise<void> {
  await until(here, (events) => events.at(-1)?.event.kind === "run-ended");
  // The end is recorded before the result is put in its place.
  await untilSo(
    () => isPublished(here),
    () => "the result was never published",
  );
}
const isPublished = (here: Repository): boolean =>
  here.git("branch", "--list", branchOf(here)) !== "";

test("A11: an agent that says the same thing again and again is interrupted, and something else is tried", () =>
  inRepository((here) => {
    const agent = here.agent({ a: [{ repeat: "I will now read the file once more." }, right] });
    const plan = planFile(here, agent, [`id: a, prompt: a, ${IS_TWO}`]);
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 0, ran.out + ran.err);
    assert.deepEqual(failuresOf(here.events()), ["a looping"]);
    assert.deepEqual(recoveriesOf(here.events()), ["mutate"]);
  }));

test("B5, E10: a subtask that is given up is parked with its reason; only what depends on it waits, and it is named", () =>
  inRepository((here) => {
    const agent = here.agent({
      a: [3, 4, 5].map((value) => ({
        write: { "value.txt": `${value}\n` },
        print: `<approach>try ${value}</approach>`,
      })),
      d: [{ write: { "d.txt": "d\n" }, print: "done" }],
    });
    const made = (id: string): string => `checks: ["test -f ${id}.txt"]`;
    const plan = planFile(
      here,
      agent,
      [
        `id: a, prompt: a, ${IS_TWO}`,
        `id: b, prompt: b, dependsOn: [a], ${made("b")}`,
        `id: c, prompt: c, dependsOn: [b], ${made("c")}`,
        `id: d, prompt: d, ${made("d")}`,
      ],
      ["grounding: false", "policy: recovery-actions"],
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    const { a, ...others } = phasesOf(here);
    assert.deepEqual(others, { b: "blocked", c: "blocked", d: "verified" });
    assert.ok(a === "stuck" || a === "asking", a);
    const events = here.events();
    const [parked] = eventsOf(events, "subtask-parked");
    assert.match(String(parked?.["reason"]), /^(?:circular fix|verification failed): /);
    const [blocked] = eventsOf(events, "subtask-blocked");
    assert.equal(blocked?.["subtask"], "a");
    assert.equal(eventsOf(events, "approval-requested").length, 1);
    assert.match(here.unstuck("inbox").out, /Blocks b, c\./);
  }));

test("D7: an answer resumes the run where it stood, days later too; of two answers the first stands", () =>
  inRepository((here) => {
    const agent = here.agent({ a: [KEY, { ...right, expectPrompt: "the first answer" }] });
    const plan = planFile(here, agent, [`id: a, prompt: a, ${IS_TWO}`]);
    assert.equal(here.unstuck("run", plan, "--trust").code, 3);
    assert.equal(here.unstuck("resume").code, 3, "nobody has answered yet");
    assert.equal(here.unstuck("resolve", "a/c1", "--retry", "the first answer").code, 0);
    here.unstuck("resolve", "a/c1", "--skip");
    const ran = here.unstuck("resume");
    assert.equal(ran.code, 0, ran.out + ran.err);
    const closed = eventsOf(here.events(), "checkpoint-closed");
    assert.deepEqual(
      closed.map(({ answer }) => answer),
      [{ kind: "retry", words: "the first answer" }],
    );
    assert.equal(here.unstuck("resolve", "a/c1", "--skip").code, 2);
    assert.deepEqual(phasesOf(here), { a: "verified" });
  }));

test("D7: a person does it by hand; it is checked like everybody's work", inLargeForm("run"), () =>
  inRepository((here) => {
    const agent = here.agent({ a: [KEY] });
    const plan = planFile(here, agent, [`id: a, prompt: a, ${IS_TWO}`]);
    assert.equal(here.unstuck("run", plan, "--trust").code, 3);
    const [run = ""] = here.runs();
    const slot = join(here.home, "runs", run, "workspace", "slots", "1");
    writeFileSync(join(slot, "value.txt"), "2\n");
    assert.equal(here.unstuck("resolve", "a/c1", "--manual", "--done").code, 0);
    const ran = here.unstuck("resume");
    assert.equal(ran.code, 0, ran.out + ran.err);
    assert.equal(here.git("show", `${branchOf(here)}:value.txt`), "2\n");
    assert.equal(eventsOf(here.events(), "attempt-dispatched").length, 1);
  }),
);

test("U16: a detached run goes on by itself, is watched with attach, and ends without anybody", () =>
  inRepository(async (here) => {
    const plan = planFile(here, here.agent({ a: [slowly] }), [`id: a, prompt: a, ${IS_TWO}`]);
    const started = here.unstuck("run", plan, "--trust", "--detach", "--json");
    assert.equal(started.code, 0, started.err);
    const { run, log } = JSON.parse(started.out) as { run: string; log: string };
    await until(here, isStarted);
    const attached = here.unstuck("attach", run);
    assert.match(attached.out, /\[a\] attempt 1 started[^]*\[a\] verified[^]*run verified/);
    await untilEnded(here);
    assert.equal(here.git("show", `unstuck/${run}:value.txt`), "2\n");
    assert.match(readFileSync(log, "utf8"), /"run-ended","outcome":"verified"/);
  }));

test("U16: a closed terminal (SIGHUP) does not end a run", inLargeForm("run"), () =>
  inRepository(async (here) => {
    const plan = planFile(here, here.agent({ a: [slowly] }), [`id: a, prompt: a, ${IS_TWO}`]);
    const run = owner(here.start("run", plan, "--trust"));
    try {
      await until(here, isStarted);
      run.child.kill("SIGHUP");
      assert.equal(await run.ended, 0);
      assert.equal(here.git("show", `${branchOf(here)}:value.txt`), "2\n");
    } finally {
      await run.kill();
    }
  }),
);

test(
  "U16: resume --all takes up what was cut off and leaves what waits for a person alone",
  inLargeForm("run"),
  () =>
    inRepository(async (here) => {
      const asking = planFile(here, here.agent({ a: [KEY] }), [`id: a, prompt: a, ${IS_TWO}`]);
      assert.equal(here.unstuck("run", asking, "--trust").code, 3);
      const plan = planFile(here, here.agent({ a: [slowly] }), [`id: a, prompt: a, ${IS_TWO}`]);
      const run = owner(here.start("run", plan, "--trust"));
      await until(here, () => here.runs().length === 2 && isStarted(here.events())).finally(
        run.kill,
      );
      const [cutOff = "", waiting = ""] = here.runs();
      assert.equal(here.unstuck("resume", "--all").out, `resumed ${cutOff}\n`);
      await untilEnded(here);
      assert.equal(here.git("show", `unstuck/${cutOff}:value.txt`), "2\n");
      assert.deepEqual(failuresOf(here.events(cutOff)), ["a lost"]);
      assert.equal(here.git("branch", "--list", `unstuck/${waiting}`), "");
      assert.equal(here.unstuck("resume", "--all").out, "no run to resume\n");
    }),
);

test(
  "U16: a wait whose time came while nobody was there is over at once, and once",
  inLargeForm("run"),
  () =>
    inRepository(async (here) => {
      const agent = here.agent({ a: [BUSY, right] });
      const plan = planFile(here, agent, [`id: a, prompt: a, ${IS_TWO}`]);
      const run = owner(here.start("run", plan, "--trust"));
      const isWaiting = (events: ReturnType<Repository["events"]>): boolean =>
        eventsOf(events, "wait-scheduled").length > 0;
      await until(here, isWaiting).finally(run.kill);
      const [wait] = eventsOf(here.events(), "wait-scheduled");
      await pause(Math.max(0, Number(wait?.["dueAt"]) - Date.now()) + 200);
      const ran = here.unstuck("resume");
      assert.equal(ran.code, 0, ran.out + ran.err);
      const events = here.events();
      assert.equal(inputsOf(events, "timer-fired").length, 1);
      assert.equal(eventsOf(events, "attempt-dispatched").length, 2);
      assert.deepEqual(failuresOf(events), ["a server_overloaded"]);
    }),
);

test("U16: the service of the user is one file, which resumes what was cut off, and is taken away again", (t) => {
  if (process.platform !== "linux") return t.skip("the service of this system is not systemd");
  return inRepository((here) => {
    const top = join(here.path, "..");
    const bin = join(top, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "systemctl"), `#!/bin/sh\necho "$@" >> '${top}/told'\n`);
    chmodSync(join(bin, "systemctl"), 0o755);
    const env = {
      XDG_CONFIG_HOME: join(top, "config"),
      PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    };
    const file = join(top, "config", "systemd", "user", "unstuck.service");
    assert.match(
      here.unstuckWith(env, "service", "install", "--print").out,
      /unstuck\.service[^]*ExecStart=/,
    );
    assert.equal(existsSync(file), false);
    assert.equal(here.unstuckWith(env, "service", "install").code, 0);
    const text = readFileSync(file, "utf8");
    assert.match(text, /ExecStart=.*"resume" "--all" "--only-cut-off"\n/);
    assert.ok(text.includes(`UNSTUCK_HOME=${here.home}`));
    assert.equal(here.unstuckWith(env, "service", "uninstall").code, 0);
    assert.equal(existsSync(file), false);
    assert.match(readFileSync(join(top, "told"), "utf8"), /--user enable[^]*--user disable/);
  });
});
