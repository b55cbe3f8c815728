import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { systemProcesses } from "../../src/engines/system.ts";
import { openJournal, type StoredJournal } from "../../src/journal/journal.ts";
import type { Claim } from "../../src/journal/owners.ts";
import { eventsFrom, type StreamEvent } from "../end-to-end/http/served.ts";
import { appendOf, numbered } from "../journal/appends.ts";
import { inLargeForm } from "../large-form.ts";
import { bearer, testServer, type TestServer } from "./server.ts";

let server: TestServer;
let journal: StoredJournal;
let headers: Readonly<Record<string, string>>;
before(async () => {
  server = await testServer();
  headers = bearer(await server.token("ci"));
  // Another connection, as that of another process.
  const path = join(server.home, "unstuck.db");
  journal = await openJournal({ path, processes: systemProcesses() });
});
after(async () => {
  await journal.close();
  await server.close();
});

const described = async (run: string): Promise<Claim> => {
  await journal.describe(run, { repo: "/nowhere", title: `title of ${run}`, at: Date.now() });
  return journal.claim(run, Date.now());
};

const SUMMARY = {
  cost: { amount: null, known: false, told: 0, attempts: 0 },
  questions: 1,
  needsPerson: true,
};

const append = async (
  claim: Claim,
  from: number,
  count: number,
  more: Parameters<typeof appendOf>[3] = {},
): Promise<void> => {
  const events = Array.from({ length: count }, (_, at) => numbered(from + at, "<b>&\u202e"));
  const appended = await journal.append(
    appendOf(claim, from - 1, events, { at: Date.now(), summary: SUMMARY, ...more }),
  );
  assert.equal(appended.ok, true);
};

const idsIn = ({ data }: StreamEvent): readonly string[] =>
  ((data["runs"] ?? []) as readonly { id: string }[]).map(({ id }) => id);

test("the list's stream tells what changed, once however often, and catches up with who comes back", async () => {
  const address = `${server.url}/api/events`;
  const one = await described("20260101-0000-aaaaaa");
  const first = eventsFrom(address, headers, (event) => event.data["questions"] === 1);
  // It is open once it has said so, and writes from then on are told.
  await append(one, 1, 3);
  const told = await first;
  const rows = told.filter((event) => event.event === "runs");
  assert.ok(rows.some((event) => idsIn(event).includes(one.run)) || rows.length === 1);
  const lastId = told.at(-1)?.id ?? 0;
  assert.ok(lastId > 0);

  const two = await described("20260101-0001-bbbbbb");
  await append(two, 1, 1, { phase: "ended", outcome: "verified" });
  const back = { ...headers, "last-event-id": String(lastId) };
  const missed = await eventsFrom(address, back, (event) => idsIn(event).includes(two.run));
  const [row] = (missed.at(-1)?.data["runs"] as readonly Record<string, unknown>[]).filter(
    ({ id }) => id === two.run,
  );
  assert.partialDeepStrictEqual(row, { outcome: { kind: "verified" }, repository: "/nowhere" });

  const { promise: isOpen, resolve: opened } = Promise.withResolvers<void>();
  const removed = eventsFrom(address, headers, ({ data }) => {
    opened();
    return ((data["removed"] ?? []) as readonly string[]).includes(two.run);
  });
  await isOpen;
  await journal.remove(two);
  assert.ok((await removed).length > 0);
});

test("an answer that waits for somebody to work on the run is told too", async () => {
  const { run } = await described("20260101-0004-eeeeee");
  const isTold = ({ data }: StreamEvent): boolean =>
    ((data["runs"] ?? []) as readonly { id: string }[]).some(({ id }) => id === run);
  const { promise: isOpen, resolve: opened } = Promise.withResolvers<void>();
  const heard = eventsFrom(`${server.url}/api/events`, headers, (event) => {
    opened();
    return isTold(event);
  });
  await isOpen;
  const answer = { checkpoint: "a/c1", answer: { kind: "skip" }, by: "somebody" } as const;
  await journal.post(run, { kind: "checkpoint-answered", ...answer, at: Date.now(), chance: 0 });
  assert.equal((await heard).at(-1)?.event, "runs");
});

test("a run's stream has each event once, from any place, and of an unknown run nothing", async () => {
  const claim = await described("20260101-0002-cccccc");
  await append(claim, 1, 1200);
  const address = `${server.url}/api/events?run=${claim.run}`;
  const half = await eventsFrom(address, headers, ({ id }) => id === 700);
  await append(claim, 1201, 1, { phase: "ended", outcome: "failed" });
  const rest = await eventsFrom(`${address}&after=700`, headers);
  const ids = [...half, ...rest].flatMap(({ id }) => id ?? []);
  assert.deepEqual(
    ids,
    Array.from({ length: 1201 }, (_, at) => at + 1),
  );
  assert.equal(rest.at(-1)?.event, "end");
  const strange = await fetch(`${server.url}/api/events?run=../../etc`, { headers });
  assert.equal(strange.status, 404);
});

test("500 streams at once hear the same event", inLargeForm("http"), async () => {
  const claim = await described("20260101-0003-dddddd");
  await append(claim, 1, 1);
  const streams = await Promise.all(
    Array.from({ length: 500 }, () => openStream(`/api/events?run=${claim.run}`)),
  );
  const heard = streams.map(
    (stream) =>
      new Promise<void>((resolve) => {
        let text = "";
        stream.on("data", (piece: Buffer) => {
          text += piece.toString();
          if (text.includes("id: 2\n")) resolve();
        });
      }),
  );
  await append(claim, 2, 1);
  await Promise.all(heard);
  const list = await server.send({ path: "/api/list", headers });
  assert.equal(list.status, 200, "and others are answered beside them");
  for (const stream of streams) stream.destroy();
});

test("who opens streams and reads nothing fills no memory", inLargeForm("http"), async () => {
  const claim = await described("20260101-0004-eeeeee");
  const wide = "x".repeat(4000);
  for (let from = 1; from <= 10_000; from += 1000)
    await journal.append(
      appendOf(
        claim,
        from - 1,
        Array.from({ length: 1000 }, (_, at) => numbered(from + at, wide)),
        { summary: SUMMARY },
      ),
    );
  const before = process.memoryUsage();
  const streams = await Promise.all(
    Array.from({ length: 20 }, () => openStream(`/api/events?run=${claim.run}`)),
  );
  for (const stream of streams) stream.pause();
  const list = () => server.send({ path: "/api/list", headers });
  for (let look = 0; look < 20; look += 1) assert.equal((await list()).status, 200);
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  const grown =
    heapUsed + external + arrayBuffers - before.heapUsed - before.external - before.arrayBuffers;
  // All of it would be 800 MB; 20 readers may each hold the rows of one look.
  assert.ok(grown < 150_000_000, `${grown} bytes more`);
  for (const stream of streams) stream.destroy();
});

const openStream = (path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get({ port: server.port, host: "127.0.0.1", path, headers, agent: false }, resolve).on(
      "error",
      reject,
    );
  });
