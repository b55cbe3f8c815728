// proves: U24
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { LAUNCHER, unstuck } from "../cli/command.ts";
import { eventsFrom } from "../end-to-end/http/served.ts";
import { planOf, until } from "./fleet.ts";
import { SCALE_FOLDER, WITHOUT_RESTATE } from "./server.ts";

/** Processes whose command line or folder names this one. */
const processesOf = (folder: string): readonly string[] =>
  readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      return environment.includes(folder) || line.includes(folder) ? [`${pid} ${line}`] : [];
    } catch {
      return [];
    }
  });

test(
  "U24: unstuck dev: a server, a worker and the page with one command, and nothing is left of it",
  { skip: WITHOUT_RESTATE },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "unstuck-dev-"));
    after(() => rmSync(folder, { recursive: true, force: true }));
    const repository = join(folder, "app");
    mkdirSync(repository);
    const author = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
    const git = (...args: string[]): void =>
      void execFileSync("git", [...author, ...args], { cwd: repository, stdio: "ignore" });
    git("init", "-q", "-b", "main");
    git("commit", "-q", "--allow-empty", "-m", "start");
    const env = {
      ...{ HOME: folder, UNSTUCK_HOME: join(folder, "home"), XDG_CONFIG_HOME: "", NO_COLOR: "1" },
      ...{ GIT_AUTHOR_NAME: "t", GIT_AUTHOR_EMAIL: "t@localhost", GIT_CONFIG_GLOBAL: "/dev/null" },
      ...{ GIT_COMMITTER_NAME: "t", GIT_COMMITTER_EMAIL: "t@localhost", GIT_CONFIG_NOSYSTEM: "1" },
    };
    const child = spawn(process.execPath, [LAUNCHER, "dev", "--any-port", "--slots", "1"], {
      ...{ cwd: SCALE_FOLDER, env: { ...process.env, ...env, NODE_TEST_CONTEXT: undefined } },
      stdio: ["ignore", "pipe", "pipe"],
    });
    after(() => child.kill("SIGKILL"));
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    const found = async (words: RegExp): Promise<string> => {
      await until(
        () => words.test(text),
        () => text,
      );
      return words.exec(text)?.[1] ?? "";
    };
    const fleet = await found(/UNSTUCK_FLEET=(\S+)\n/);
    const link = new URL(await found(/(http\S+\/sign-in#\S+)/));
    await found(/(joined) the fleet/);

    const page = { "content-type": "application/json", "x-unstuck": "1" };
    const signIn = await fetch(`${link.origin}/api/sign-in`, {
      ...{ method: "POST", headers: page, body: JSON.stringify({ code: link.hash.slice(1) }) },
    });
    const cookie = signIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const headers = { ...page, cookie };
    const ask = async <T>(name: string, input: object = {}): Promise<T> => {
      const body = JSON.stringify(input);
      const response = await fetch(`${link.origin}/api/${name}`, { method: "POST", headers, body });
      assert.equal(response.status, 200, `${name}: ${await response.clone().text()}`);
      return (await response.json()) as T;
    };
    const plan = join(folder, "plan.yaml");
    const failing = planOf(1, "echo half > half.txt; exit 1", 1);
    writeFileSync(plan, failing.replace("policy: standard", "policy: hierarchical"));
    const asking = eventsFrom(
      `${link.origin}/api/events`,
      headers,
      ({ data }) => data["questions"] === 1,
    );
    const { out, err } = unstuck(
      ["submit", plan, "--repo", repository, "--url", fleet, "--trust", "--json"],
      { cwd: folder, env },
    );
    assert.notEqual(out, "", err);
    const { run } = JSON.parse(out) as { run: string };
    await asking;
    const { runs } = await ask<{ runs: { id: string; state: string }[] }>("list", { all: true });
    assert.deepEqual(
      runs.map(({ id, state }) => ({ id, state })),
      [{ id: run, state: "needs you" }],
    );
    const [question] = await ask<{ checkpoint: { id: string }; diff: string }[]>("review", { run });
    assert.match(question?.diff ?? "", /\+half/);
    const told = eventsFrom(`${link.origin}/api/events?run=${run}`, headers);
    await ask("answer", { run, question: question?.checkpoint.id, answer: { kind: "skip" } });
    const last = (await told).at(-1);
    assert.equal(last?.event, "end", "what was recorded after the answer arrived by itself");
    const logs = await ask<object>("logs", { run, at: "s1" });
    assert.match(JSON.stringify(logs), /s1/);

    child.kill("SIGINT");
    assert.equal(await ended, 0, text);
    assert.deepEqual(processesOf(folder), []);
  },
);
