// proves: U7
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isRemote } from "../../../src/operations/home.ts";
import { newPlace, otherUser, RUN, smallDisk, type Place } from "./place.ts";
import { assertSnapshot, type Said } from "./snapshot.ts";

const PAYLOAD = `'{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}'`;

/** With each home: what a reading command, a run and the hook say. */
async function withHomes(
  place: Place,
  homes: readonly string[],
  as: readonly string[] = [],
): Promise<Said[]> {
  const said: Said[] = [];
  for (const home of homes)
    for (const command of ["unstuck status", RUN, `echo ${PAYLOAD} | unstuck hook claude`]) {
      const started = performance.now();
      said.push(
        await place.shell(
          `UNSTUCK_HOME=${home} ${command}`.replace(/^(\S+) (echo .*\| )/, "$2$1 "),
          { as },
        ),
      );
      assert.ok(performance.now() - started < 300_000, `${home}: ${command}`);
    }
  for (const { err } of said) assert.doesNotMatch(err, /a bug in Unstuck|\n {4}at /);
  return said;
}

test(
  "V19: a home under a pseudo file system is one line, at once, also for the hook",
  { skip: existsSync("/proc/self") ? false : "there is no /proc here" },
  async () => {
    const place = newPlace();
    assertSnapshot(
      "pseudo-home",
      await withHomes(place, ["/proc/nope", "/proc/self"]),
      place.masks,
    );
  },
);

test("V19: a home that is a file, or below one", async () => {
  const place = newPlace();
  writeFileSync(join(place.folder, "file"), "");
  const homes = ["file", "file/below"].map((name) => join(place.folder, name));
  assertSnapshot("file-home", await withHomes(place, homes), place.masks);
});

const other = process.getuid?.() === 0 ? otherUser() : { as: [], uid: 0 };

test(
  "V19: a home that may not be written",
  { skip: other === undefined ? "root may write everywhere, and setpriv is missing" : false },
  async () => {
    const place = newPlace();
    const home = join(place.folder, "closed");
    mkdirSync(home);
    for (const folder of [place.folder, place.repository]) chmodSync(folder, 0o755);
    chmodSync(home, 0o555);
    const own = {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
    };
    const said = [
      await place.shell(`UNSTUCK_HOME=${home} unstuck status`, { as: other?.as ?? [], env: own }),
      await place.shell("HOME=/proc unstuck status", {
        as: other?.as ?? [],
        env: { ...own, UNSTUCK_HOME: "", XDG_STATE_HOME: home },
      }),
    ];
    assertSnapshot("closed-home", said, place.masks);
  },
);

test("V19: a journal that was emptied is not taken for a new one beside the runs it had", async () => {
  const place = newPlace();
  assert.equal((await place.shell(RUN)).code, 0);
  truncateSync(join(place.home, "unstuck.db"));
  const said = [
    await place.shell("unstuck status"),
    await place.shell(RUN),
    await place.shell("rm $UNSTUCK_HOME/unstuck.db; unstuck status"),
    await place.shell("mv $UNSTUCK_HOME/runs $UNSTUCK_HOME/runs.old; unstuck status"),
  ];
  assertSnapshot("emptied-journal", said, place.masks);
});

test("V19: a full disk and SIGTERM: let go of in seconds, with one line", async (context) => {
  const place = newPlace();
  const disk = join(place.folder, "disk");
  if (!smallDisk(disk, "64m")) return context.skip("this user may not mount a small disk");
  const hangs = RUN.replace("echo 2", "touch ../started; sleep 3600; echo 2").replaceAll(
    "../started",
    join(place.folder, "started"),
  );
  const script = `exec ${hangs}`;
  const ending = place.shell(`echo $$ > ${place.folder}/pid; ${script}`, {
    env: { UNSTUCK_HOME: join(disk, "home") },
    shown: RUN,
  });
  while (!existsSync(join(place.folder, "started")))
    await new Promise((resolve) => setTimeout(resolve, 50));
  spawnSync("dd", ["if=/dev/zero", `of=${join(disk, "fill")}`, "bs=1M"]);
  const started = performance.now();
  spawnSync("sh", ["-c", `kill -TERM $(cat ${place.folder}/pid)`]);
  const said = await ending;
  assert.ok(performance.now() - started < 300_000);
  assertSnapshot("full-disk-stop", [said], { ...place.masks, [join(disk, "home")]: "<home>" });
});

/** A mount of FUSE that nobody serves: whoever touches it waits until it is killed. In a mount space of its own. */
const DEAD_MOUNT =
  "exec 9<>/dev/fuse && mount -i -t fuse -o fd=9,rootmode=40000,user_id=0,group_id=0 none $DEAD && ";

test("V19: a home that does not answer: the hook stays within its limit, other commands say so", async (context) => {
  const place = newPlace();
  const dead = join(place.folder, "dead");
  mkdirSync(dead);
  const as = ["unshare", "-m"];
  const env = { DEAD: dead, UNSTUCK_HOME: join(dead, "home") };
  const tried = await place.shell(`${DEAD_MOUNT}echo mounted`, { as, env });
  if (tried.out !== "mounted\n") return context.skip("this user may not make a mount of FUSE");
  const said: Said[] = [];
  for (const command of [`echo ${PAYLOAD} | unstuck hook claude`, "unstuck status", RUN]) {
    const started = performance.now();
    said.push(await place.shell(DEAD_MOUNT + command, { as, env, shown: command }));
    assert.ok(performance.now() - started < 300_000, command);
  }
  assertSnapshot("dead-home", said, { ...place.masks, [env.UNSTUCK_HOME]: "<home>" });
});

test("V19: only a home that answers over a network or through a program is asked first", () => {
  const mounts = [
    "/dev/vda / ext4 rw 0 0",
    "tmpfs /home tmpfs rw 0 0",
    "server:/h /home/a\\040b nfs4 rw 0 0",
    "x /srv fuse.sshfs rw 0 0",
    "y /srv ext4 rw 0 0",
    "z /data fuse.sshfs rw 0 0",
  ].join("\n");
  for (const [folder, remote] of [
    ["/var/state", false],
    ["/home/c", false],
    ["/home/a b/state", true],
    ["/home/a bc", false],
    ["/srv/x", false],
    ["/data/x", true],
  ] as const)
    assert.equal(isRemote(folder, mounts), remote, folder);
  assert.equal(isRemote("/any", ""), false);
});
