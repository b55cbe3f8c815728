/** Programs that a small process starts for a large one: what they write, how they end, and who ends them when somebody dies. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startBySmallProcess, type Program } from "../../../src/workspace/base/starter.ts";

const { PATH = "" } = process.env;

interface Told {
  readonly program: Program;
  readonly output: () => string;
  readonly errors: () => string;
}

async function shell(script: string, input = ""): Promise<Told> {
  const [output, errors]: [Buffer[], Buffer[]] = [[], []];
  const program = await startBySmallProcess({
    ...{ file: "sh", args: ["-c", script], cwd: "/", env: { PATH }, input },
    onOutput: (chunk) => void output.push(chunk),
    onErrors: (chunk) => void errors.push(chunk),
  });
  assert.ok(program !== undefined);
  const text = (chunks: Buffer[]) => (): string => Buffer.concat(chunks).toString();
  return { program, output: text(output), errors: text(errors) };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function gone(pid: number): Promise<void> {
  for (let waited = 0; isAlive(pid); waited += 20) {
    assert.ok(waited < 10_000, `${pid} is still there`);
    await sleep(20);
  }
}

test("all of input, output, errors and exit code come through", async () => {
  const input = "0123456789abcdef\n".repeat(100_000);
  const { program, output, errors } = await shell("cat; echo no >&2; exit 3", input);
  assert.deepEqual(await program.ended, { code: 3, signal: null });
  assert.equal(output(), input);
  assert.equal(errors(), "no\n");
});

test("of many at once each is told of its own", async () => {
  const all = Array.from({ length: 40 }, async (_, number) => {
    const { program, output } = await shell(`cat; sleep 0.0${number % 7}; echo ${number}`, "in ");
    await program.ended;
    return output();
  });
  assert.deepEqual(
    await Promise.all(all),
    all.map((_, number) => `in ${number}\n`),
  );
});

test("what cannot be started is an error that says so", async () => {
  const started = startBySmallProcess({
    ...{ file: "there-is-no-such-program", args: [], cwd: "/", env: { PATH } },
    ...{ onOutput: () => undefined, onErrors: () => undefined },
  });
  await assert.rejects(started, { code: "ENOENT" });
});

test("a program that writes too much can be asked to end, and its group can be signalled", async () => {
  const wrote = await new Promise<number>((resolve) => {
    let size = 0;
    void startBySmallProcess({
      ...{ file: "sh", args: ["-c", "while :; do echo more; done"], cwd: "/", env: { PATH } },
      onOutput(chunk, end) {
        size += chunk.length;
        end();
      },
      onErrors: () => undefined,
    }).then((program) => program?.ended.then(() => resolve(size)));
  });
  assert.ok(wrote > 0);
  const { program } = await shell("sleep 60 & wait");
  process.kill(-program.pid, "SIGKILL");
  assert.deepEqual(await program.ended, { code: null, signal: "SIGKILL" });
});

test("when the small process dies, its programs are ended and count as hung up; the next start makes another", async () => {
  const { program, output } = await shell("echo $PPID; exec sleep 60");
  while (!output().includes("\n")) await sleep(10);
  const small = Number(output());
  assert.notEqual(small, process.pid);
  process.kill(small, "SIGKILL");
  assert.deepEqual(await program.ended, { code: null, signal: "SIGHUP" });
  await gone(program.pid);
  const next = await shell("echo $PPID");
  await next.program.ended;
  assert.notEqual(Number(next.output()), small);
});

test("when the large process is killed, its programs end with it", async () => {
  const starter = join(import.meta.dirname, "../../../src/workspace/base/starter.ts");
  const script = `
    const { startBySmallProcess } = await import(${JSON.stringify(starter)});
    const plan = { file: "sh", args: ["-c", "echo $$ $PPID; exec sleep 60"], cwd: "/", env: process.env };
    await startBySmallProcess({ ...plan, onOutput: (chunk) => process.stdout.write(chunk), onErrors() {} });
  `;
  const large = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [chunk] = (await once(large.stdout, "data")) as [Buffer];
  const [program = 0, small = 0] = chunk.toString().split(" ").map(Number);
  assert.ok(isAlive(program) && isAlive(small));
  large.kill("SIGKILL");
  await gone(program);
  await gone(small);
});
