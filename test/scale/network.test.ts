// proves: U24
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { inLargeForm } from "../large-form.ts";
import { lostIn, newFleet, planOf, until } from "./fleet.ts";
import { WITHOUT_RESTATE } from "./server.ts";

const NAMESPACE = `unstuck-${process.pid}`;
const [HERE, THERE] = ["10.231.7.1", "10.231.7.2"];
const [OUTER, INNER] = [`ua${process.pid % 100_000}`, `ub${process.pid % 100_000}`];

const ip = (...args: string[]): boolean => spawnSync("ip", args, { stdio: "ignore" }).status === 0;
const inside = (...args: string[]): boolean => ip("netns", "exec", NAMESPACE, "ip", ...args);

/** A network of two places with one wire between them, gone after the test. */
function wired(): boolean {
  after(() => {
    ip("link", "del", OUTER);
    ip("netns", "del", NAMESPACE);
  });
  return (
    ip("netns", "add", NAMESPACE) &&
    ip("link", "add", OUTER, "type", "veth", "peer", "name", INNER) &&
    ip("link", "set", INNER, "netns", NAMESPACE) &&
    ip("addr", "add", `${HERE}/24`, "dev", OUTER) &&
    ip("link", "set", OUTER, "up") &&
    inside("addr", "add", `${THERE}/24`, "dev", INNER) &&
    inside("link", "set", INNER, "up") &&
    inside("link", "set", "lo", "up")
  );
}

const WITHOUT_ROOT = process.getuid?.() !== 0 && "network namespaces need root";

test(
  "U24: the network to a worker is cut: it ends its agents by itself, and only then its attempt is lost",
  inLargeForm("scale", WITHOUT_RESTATE || WITHOUT_ROOT),
  async () => {
    assert.ok(wired(), "the network could not be made");
    const fleet = await newFleet({ host: HERE });
    const marks = join(fleet.folder, "marks");
    const work = `echo $$ >> ${marks}; [ $(wc -l < ${marks}) -gt 1 ] || exec sleep 600`;
    const reach = (host: string): string[] => ["--slots", "1", "--host", host];
    const far = await fleet.worker("far", reach(THERE), ["ip", "netns", "exec", NAMESPACE]);
    const run = await fleet.submit(planOf(1, work, 1));
    await until(
      () => existsSync(marks),
      () => far.log(),
    );
    const near = await fleet.worker("near", reach(HERE));
    ip("link", "set", OUTER, "down");
    const cutAt = Date.now();
    const agents = (): readonly string[] => readFileSync(marks, "utf8").trim().split("\n");
    const [first = ""] = agents();
    await until(
      () => !existsSync(`/proc/${first}`) || agents().length > 1,
      () => far.log(),
      120_000,
    );
    assert.equal(agents().length, 1, "the agent that was cut off is gone before another begins");
    const gone = Date.now() - cutAt;
    await until(
      () => agents().length > 1,
      () => near.log(),
      120_000,
    );
    const again = Date.now() - cutAt;
    console.log(`cut off: its agent was gone after ${gone} ms, the run went on after ${again} ms`);
    assert.ok(gone >= 25_000, `not before its lease: ${far.log()} ${near.log()}`);
    assert.deepEqual(await fleet.ended(run), { kind: "verified" });
    assert.equal(lostIn(await fleet.events(run)).length, 1);
  },
);
