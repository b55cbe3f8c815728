// proves: U16
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { WITHOUT_TERMINAL } from "../../cli/terminal/pseudo-terminal.ts";
import { newPlace, RUN, type Place } from "./place.ts";
import { assertSnapshot } from "./snapshot.ts";

const FULL = existsSync("/dev/full") ? false : "there is no /dev/full here";

const outcomes = async (place: Place): Promise<string[]> => {
  const { out } = await place.shell("unstuck status --all --json || unstuck status --json");
  const { runs } = JSON.parse(out) as { runs: { outcome?: { kind: string } }[] };
  return runs.map(({ outcome }) => outcome?.kind ?? "");
};

test("V29: a closed pipe ends no run and never makes one a success", async () => {
  const place = newPlace();
  const failing = RUN.replace("grep -q 2 value.txt", "false");
  const said = [
    await place.shell(`{ ${RUN}; echo "exit $?" >&2; } | true`),
    await place.shell(`{ ${failing} --recovery-budget 1; echo "exit $?" >&2; } | true`),
    await place.shell('{ unstuck status; echo "exit $?" >&2; } | true'),
  ];
  const codes = said.map(({ err }) => /exit (\d+)/.exec(err)?.[1]);
  assert.equal(codes[0], "0");
  assert.notEqual(codes[1], "0");
  assert.equal((await outcomes(place)).at(-1), "verified");
  assertSnapshot("closed-pipe", said, place.masks);
});

test(
  "V29: a full output ends no run; what only reads says so in one line",
  { skip: FULL },
  async () => {
    const place = newPlace();
    const said = [
      await place.shell(`${RUN} > /dev/full`),
      await place.shell(`${RUN} > /dev/full 2> /dev/full`),
      await place.shell("unstuck status > /dev/full"),
      await place.shell("unstuck --help > /dev/full"),
      await place.shell("echo ENOSPC | unstuck classify > /dev/full"),
    ];
    assert.deepEqual(await outcomes(place), ["verified", "verified"]);
    assertSnapshot("full-output", said, place.masks);
  },
);

test("V29: a run goes on when its terminal is gone", { skip: WITHOUT_TERMINAL }, async () => {
  const place = newPlace();
  const slow = RUN.replace("echo 2", "sleep 1; echo 2");
  const terminal = spawn("script", ["-qfec", `${slow}; echo $? > code`, "/dev/null"], {
    cwd: place.repository,
    env: { ...place.env, TERM: "xterm", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  await new Promise<void>((resolve) => {
    let seen = "";
    terminal.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes("goal")) resolve();
    });
  });
  terminal.kill("SIGKILL");
  for (let look = 0; look < 1000; look += 1) {
    if ((await outcomes(place))[0] === "verified") return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { out } = await place.shell("unstuck status; unstuck events --json | tail -n 3");
  assert.fail(`the run never came to its end: ${out}`);
});

test("V29: what a closed terminal ends before its first line is started again", async () => {
  const place = newPlace();
  for (const name of ["git", "mkfifo"]) {
    const real = execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    const shim = `#!/bin/sh\n[ -e "$0.hit" ] || { : > "$0.hit"; kill -HUP $$; }\nexec ${real} "$@"\n`;
    writeFileSync(join(place.folder, "bin", name), shim, { mode: 0o755 });
  }
  const { code, err } = await place.shell(RUN);
  assert.equal(code, 0, err);
  for (const name of ["git", "mkfifo"])
    assert.ok(existsSync(join(place.folder, "bin", `${name}.hit`)), `${name} was never ended`);
});
