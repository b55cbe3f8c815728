// proves: U10
// The process that sends is killed, as a power cut would: a notice is never lost, and comes at most once more.
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Notice } from "../../../src/core/notify/notice.ts";
import { queued, type Outbox } from "../../../src/core/notify/outbox.ts";
import { systemProcesses } from "../../../src/engines/system.ts";
import { openJournal, type StoredJournal } from "../../../src/journal/journal.ts";
import { changeOutbox } from "../../../src/operations/notify/deliver.ts";
import { sendNotices } from "../../../src/operations/notify/notify.ts";
import { LAUNCHER, QUICK } from "../../cli/command.ts";
import { configFile, repository } from "../../end-to-end/run/repository.ts";
import { receiver, type Receiver } from "./receiver.ts";

const here = repository();
Object.assign(process.env, here.env);
let there: Receiver;
let journal: StoredJournal;
before(async () => {
  there = await receiver();
  journal = await openJournal({
    path: join(here.home, "unstuck.db"),
    processes: systemProcesses(),
  });
  const hook = `webhook: { url: "${there.url}/hook", secret: key-1 }`;
  writeFileSync(configFile(here.home), `answers: unattended\nnotify: { ${hook} }\n`);
});
after(async () => {
  await journal.close();
  await there.close();
  here.remove();
});

const changed = (change: (outbox: Outbox) => Outbox): Promise<void> =>
  changeOutbox(journal, (outbox) => ({ outbox: change(outbox), answer: undefined }));
/** As if minutes had passed: no lease, and no message of the same cause. */
const laterOn = (): Promise<void> =>
  changed((outbox) => ({
    ...outbox,
    sent: [],
    waiting: outbox.waiting.map((item) => ({ ...item, due: 0 })),
  }));
/** Ids of the notices of each message that arrived. */
const arrived = (): readonly string[] =>
  there.requests.flatMap(({ body }) => {
    const { notices } = JSON.parse(body.toString()) as { notices: readonly { id: string }[] };
    return notices.map(({ id }) => id);
  });
async function send(): Promise<unknown> {
  const sent = await sendNotices.run({ cwd: here.path }, {});
  return sent.ok ? sent.value : sent.problem;
}

async function queue(seq: number): Promise<void> {
  const run = "20260101-0000-aaaaaa";
  const notice: Notice = {
    ...{ id: `${run}/${seq}`, run, repository: "project", severity: "info", at: Date.now() },
    ...{ cause: "ended: verified", words: "The run is done" },
  };
  const items = [{ channel: "webhook" as const, notice, due: 0, tries: 0 }];
  await changed((outbox) => queued(outbox, { run, upTo: seq, items }));
}

interface Row {
  readonly name: string;
  /** Runs the process that is killed. */
  readonly killed: () => Promise<unknown>;
  /** How often the notice arrives in all. */
  readonly times: number;
}

/** `unstuck notify send` as a process of its own, until it is dead. */
function sending(env: Readonly<Record<string, string>>): [ChildProcess, Promise<unknown>] {
  const child = spawn(process.execPath, [...QUICK, LAUNCHER, "notify", "send"], {
    ...{ cwd: here.path, env: { ...process.env, ...env }, stdio: "ignore" },
  });
  return [child, new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)))];
}
const crashed = (point: string) => (): Promise<unknown> => sending({ UNSTUCK_CRASH_AT: point })[1];

/** At the moment at which the other side has it, and has not answered. */
function killedMeanwhile(): Promise<unknown> {
  const [child, ended] = sending({});
  there.onRequest = () => child.kill("SIGKILL");
  return ended;
}

const ROWS: readonly Row[] = [
  { name: "before it posts", killed: crashed("notify:before-post"), times: 1 },
  { name: "before it is answered", killed: killedMeanwhile, times: 2 },
  { name: "before it records the answer", killed: crashed("notify:after-post"), times: 2 },
];

for (const [at, { name, killed, times }] of ROWS.entries())
  test(`killed ${name}: it arrives ${times === 1 ? "once" : "twice, by the same id"}`, async () => {
    there.requests.length = 0;
    await queue(at + 1);
    await laterOn();
    assert.equal(await killed(), "SIGKILL");
    there.onRequest = () => undefined;
    assert.equal(arrived().length, times - 1);
    assert.deepEqual(await send(), { sent: 0, waiting: 1 }, "it is still the other's");
    await laterOn();
    assert.deepEqual(await send(), { sent: 1, waiting: 0 });
    const id = `20260101-0000-aaaaaa/${at + 1}`;
    assert.deepEqual(
      arrived(),
      Array.from({ length: times }, () => id),
    );
  });
