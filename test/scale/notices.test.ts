// proves: U24, U10
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { receiver } from "../operations/notify/receiver.ts";
import { newFleet, planOf, until, type Fleet, type Worker } from "./fleet.ts";
import { WITHOUT_RESTATE } from "./server.ts";

test(
  "U24: of all workers one tells a person of the fleet's runs, each notice once, also when it dies",
  { skip: WITHOUT_RESTATE },
  async () => {
    const there = await receiver();
    after(() => there.close());
    const fleet = await newFleet();
    const joined = async (name: string): Promise<Worker> => {
      const config = join(fleet.folder, name, ".config", "unstuck");
      mkdirSync(config, { recursive: true });
      const hook = `webhook: { url: "${there.url}/hook", secret: key-1 }`;
      writeFileSync(join(config, "config.yaml"), `notify: { ${hook} }\n`);
      return fleet.worker(name, ["--slots", "1"]);
    };
    const arrived = (): readonly string[] =>
      there.requests.flatMap(({ body }) => {
        const { notices } = JSON.parse(body.toString()) as {
          notices: readonly { run: string; words: string }[];
        };
        return notices.map(({ run, words }) => `${run}: ${words}`);
      });
    const first = await joined("w1");
    await until(
      async () => (await notifierOf(fleet)) === "w1",
      () => first.log(),
    );
    const second = await joined("w2");
    const log = (): string => `${arrived().join("\n")}\n${first.log()}\n${second.log()}`;
    const failing = planOf(1, "exit 1", 1).replace("policy: standard", "policy: hierarchical");
    const asking = await fleet.submit(failing);
    await until(() => arrived().length === 1, log);
    assert.match(arrived()[0] ?? "", /s1 needs you/);
    await first.kill();
    const { code, err } = await fleet.laptop("resolve", "s1/c1", "--run", asking, "--skip");
    assert.equal(code, 0, err);
    const verified = await fleet.submit(planOf(1, "true", 1));
    await fleet.ended(asking);
    await fleet.ended(verified);
    await until(() => arrived().length === 3, log);
    assert.equal(await notifierOf(fleet), "w2");
    const ends = arrived().slice(1);
    assert.ok(
      ends.some((words) => words.startsWith(`${asking}: The run `)),
      ends.join("\n"),
    );
    assert.ok(ends.includes(`${verified}: The run is done, and its checks pass`), ends.join("\n"));
    await second.stop();
    assert.equal(arrived().length, 3, "nothing was told twice");
  },
);

/** Whose turn the fleet says it is. */
async function notifierOf(fleet: Fleet): Promise<string | undefined> {
  const url = `${fleet.server.ingressUrl}/unstuck-incident/notifier/text`;
  const response = await fetch(url, { method: "POST" });
  const text = response.ok ? ((await response.json()) as string | null) : null;
  return text === null ? undefined : (JSON.parse(text) as { worker: string }).worker;
}
