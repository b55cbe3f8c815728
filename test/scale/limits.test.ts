// proves: U24, C9, U4
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { typedOutput } from "../end-to-end/run/agent-words.ts";
import { openFleet, planOf, until, type Fleet, type Worker } from "./fleet.ts";
import { WITHOUT_RESTATE } from "./server.ts";

const skip = WITHOUT_RESTATE;
const POST = { method: "POST" };
let fleet: Fleet;
let workers: readonly Worker[] = [];

async function open(): Promise<void> {
  fleet = await openFleet();
  const all = ["w1", "w2", "w3"].map((name) => {
    const label = name === "w3" ? ["--label", "gpu", "arm"] : [];
    return fleet.worker(name, ["--slots", "2", ...label]);
  });
  workers = await Promise.all(all);
}

// Once, by the first test that runs: where a name picked others, nothing is opened.
let opened: Promise<void> | undefined;
beforeEach(() => (opened ??= open()));
after(async () => {
  if (opened === undefined) return;
  await opened;
  await fleet.close();
});

const logs = (): string => workers.map((one) => `${one.name}:\n${one.log()}`).join("\n");
const fileOf = (name: string): string => join(fleet.folder, name);

/** What an agent does to be counted: a line when it begins and one when it ends. */
const counted = (marks: string, work: string): string =>
  `echo "+ $UNSTUCK_RUN $UNSTUCK_SUBTASK" >> ${marks}; ${work}; echo - >> ${marks}`;

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];

/** How many agents were at work at the same time. */
function mostAtOnce(marks: string): number {
  let [now, most] = [0, 0];
  for (const line of linesOf(marks)) {
    now += line.startsWith("+") ? 1 : -1;
    most = Math.max(most, now);
  }
  return most;
}

async function limit(...words: string[]): Promise<string> {
  const { code, out, err } = await fleet.laptop("limit", ...words);
  assert.equal(code, 0, err);
  return out;
}

const workersOf = (run: string): readonly string[] =>
  workers.filter((one) => one.log().includes(`${run}/`)).map(({ name }) => name);

test(
  "U24: a provider is limited over all workers and runs; taken away, the rest begins",
  { skip },
  async () => {
    const marks = fileOf("limited");
    assert.match(await limit("provider", "writer", "2"), /provider writer {2}2 at once/);
    const plan = planOf(3, counted(marks, "sleep 1"), 3);
    const runs = [await fleet.submit(plan), await fleet.submit(plan)];
    for (const run of runs) assert.deepEqual(await fleet.ended(run), { kind: "verified" });
    assert.equal(linesOf(marks).filter((line) => line.startsWith("+")).length, 6);
    assert.equal(mostAtOnce(marks), 2);
    assert.match(await limit("provider", "writer", "none"), /there are no limits/);
    const free = fileOf("free");
    // Ends only once three are at work: with the limit they would wait for ever.
    const together = `while [ $(grep -c + ${free}) -lt 3 ]; do sleep 0.1; done`;
    const run = await fleet.submit(planOf(3, counted(free, together), 3));
    assert.deepEqual(await fleet.ended(run), { kind: "verified" });
  },
);

test(
  "C9: a service that turns one run down is tried by one attempt at a time, whatever run and worker",
  { skip },
  async () => {
    const marks = fileOf("outage-marks");
    const outage = fileOf("outage");
    writeFileSync(outage, "");
    const turnedDown = `if [ -e ${outage} ]; then sleep 1; echo - >> ${marks}; echo "429 Too Many Requests: rate limit reached" >&2; exit 1; fi`;
    const plan = (count: number): string => planOf(count, counted(marks, turnedDown), count);
    const first = await fleet.submit(plan(1));
    await until(() => linesOf(marks).length >= 2, logs);
    const second = await fleet.submit(plan(3));
    const held = async (): Promise<readonly string[]> =>
      (await fleet.events(second)).flatMap((event) =>
        event["kind"] === "failure-classified" &&
        JSON.stringify(event).includes("nothing was started")
          ? [String(event["subtask"])]
          : [],
      );
    await until(async () => new Set(await held()).size === 3, logs);
    assert.ok(workersOf(second).length > 1, `several workers had it: ${workersOf(second).join()}`);
    assert.equal(mostAtOnce(marks), 1);
    rmSync(outage);
    for (const run of [first, second])
      assert.deepEqual(await fleet.ended(run), { kind: "verified" });
  },
);

test(
  "C9: a login that has run out is asked for once in a run, and one answer is for all runs",
  { skip },
  async () => {
    const loggedIn = fileOf("logged-in");
    const work = `[ -e ${loggedIn} ] || { echo "Invalid API key. Please run /login" >&2; exit 1; }`;
    const runs = [await fleet.submit(planOf(3, work, 3)), await fleet.submit(planOf(3, work, 3))];
    const questions = async (): Promise<
      readonly { id: string; run: string; also?: string[] }[]
    > => {
      const { out } = await fleet.laptop("inbox", "--all", "--json");
      const lines = out.split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line) as { id: string; run: string; also?: string[] });
    };
    await until(async () => {
      const asked = await questions();
      return asked.length === 2 && asked.every(({ also = [] }) => also.length === 2);
    }, logs);
    const asked = await questions();
    assert.deepEqual(
      asked.map(({ run }) => run).sort(),
      [...runs].sort(),
      "one question of each run",
    );
    writeFileSync(loggedIn, "");
    const [{ id, run } = { id: "", run: "" }] = asked;
    const { code, out, err } = await fleet.laptop("resolve", id, "--run", run, "--retry");
    assert.equal(code, 0, err);
    assert.match(out, new RegExp(`the same for .* of run ${runs.find((one) => one !== run)}`));
    for (const one of runs) assert.deepEqual(await fleet.ended(one), { kind: "verified" });
  },
);

interface Told {
  readonly kind: string;
  readonly subtask?: string;
  readonly attempt?: number;
  readonly cap?: { readonly usd: number };
  readonly input?: {
    readonly kind: string;
    readonly subtask: string;
    readonly attempt: number;
    readonly remains?: { readonly used: { readonly usd?: number } };
  };
}

test(
  "U4: a budget holds over workers: what is spent and reserved never exceeds it; beyond it is only what was in flight",
  { skip },
  async () => {
    const [budget, cap, used] = [2, 0.4, 0.5];
    const words = fileOf("words.json");
    writeFileSync(words, `${typedOutput({ words: "Done.", usd: used })}\n`);
    const money = `budget: { usd: ${budget} }\nattempt: { usd: ${cap} }\n`;
    const run = await fleet.submit(`${planOf(12, `sleep 1; cat ${words}`, 6)}${money}`);
    const asks = async (): Promise<boolean> =>
      (await fleet.laptop("inbox", "--all", "--json")).out.includes(run);
    await until(asks, logs);
    let spent = 0;
    let most = 0;
    const reserved = new Map<string, number>();
    const held = (): number => [...reserved.values()].reduce((sum, usd) => sum + usd, 0);
    for (const event of (await fleet.events(run)) as readonly unknown[] as readonly Told[]) {
      const { kind, subtask, attempt, cap: granted, input } = event;
      if (kind === "attempt-dispatched") {
        reserved.set(`${subtask}/${attempt}`, granted?.usd ?? 0);
        assert.ok(spent + held() <= budget + 1e-9, `${spent} spent, ${held()} reserved`);
      }
      if (input?.kind === "attempt-ended") {
        reserved.delete(`${input.subtask}/${input.attempt}`);
        spent += input.remains?.used.usd ?? 0;
      }
      most = Math.max(most, reserved.size);
    }
    assert.ok(most > 2, `more at once than one worker has slots: ${most}`);
    assert.equal(new Set(workersOf(run)).size, 3, "all workers spent");
    assert.ok(spent > 0 && spent <= budget + most * (used - cap) + 1e-9, `${spent} spent`);
    const { code, err } = await fleet.laptop("cancel", run);
    assert.equal(code, 0, err);
  },
);

test("U24: a label leads to the worker that has it, and its slots hold", { skip }, async () => {
  const marks = fileOf("labelled");
  const run = await fleet.submit(
    planOf(4, counted(marks, "sleep 0.5"), 4),
    "--label",
    "gpu",
    "arm",
  );
  assert.deepEqual(await fleet.ended(run), { kind: "verified" });
  assert.deepEqual(workersOf(run), ["w3"]);
  assert.equal(mostAtOnce(marks), 2, "as many as it has slots");
});

interface Listed {
  readonly id: string;
  readonly version: string;
  readonly labels: readonly string[];
  readonly slots: number;
  readonly busy: number;
  readonly draining: boolean;
  readonly heardAt: number;
}

async function listed(): Promise<readonly Listed[]> {
  const { code, out, err } = await fleet.laptop(
    "workers",
    "--url",
    fleet.server.ingressUrl,
    "--json",
  );
  assert.equal(code, 0, err);
  const { workers: all } = JSON.parse(out) as { workers: readonly Listed[] };
  return all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

test(
  "U24: workers are listed with version, labels, slots and a heartbeat; one that drains finishes and leaves",
  { skip },
  async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    const before = await listed();
    assert.deepEqual(
      before.map(({ id, labels, slots, draining }) => ({ id, labels, slots, draining })),
      [
        { id: "w1", labels: [], slots: 2, draining: false },
        { id: "w2", labels: [], slots: 2, draining: false },
        { id: "w3", labels: ["gpu", "arm"], slots: 2, draining: false },
      ],
    );
    assert.ok(before.every((one) => one.version === version));
    await until(
      async () =>
        (await listed()).every(({ heardAt }, place) => heardAt > (before[place]?.heardAt ?? 0)),
      logs,
    );
    const marks = fileOf("drained");
    const go = fileOf("go");
    const work = counted(marks, `while ! [ -e ${go} ]; do sleep 0.1; done`);
    const run = await fleet.submit(planOf(8, work, 8));
    await until(() => linesOf(marks).length === 6, logs);
    assert.ok(
      (await listed()).every(({ busy }) => busy === 2),
      "as many as they have slots",
    );
    const [first] = workers;
    assert.ok(first !== undefined);
    const gone = first.stop();
    await until(
      async () => (await listed()).some(({ id, draining }) => id === "w1" && draining),
      logs,
    );
    writeFileSync(go, "");
    await gone;
    const state = await fetch(`${fleet.server.ingressUrl}/unstuck-fleet/only/state`, POST);
    const left = Object.keys(((await state.json()) as { workers: object }).workers).sort();
    assert.deepEqual(left, ["w2", "w3"], "it said that it leaves: nobody had to find out");
    assert.deepEqual(await fleet.ended(run), { kind: "verified" });
    const begun = first.log().match(new RegExp(`${run}/s\\d/1 began`, "g")) ?? [];
    assert.equal(begun.length, 2, "it began nothing more");
    const lost = (await fleet.events(run)).filter((event) =>
      JSON.stringify(event).includes('"lost"'),
    );
    assert.deepEqual(lost, []);
  },
);
