// proves: J12
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { countMemoryKills } from "../../../src/agents/process/memory-kills.ts";
import { inFolder } from "../../cli/command.ts";

function countIn(files: Readonly<Record<string, string>>): number | undefined {
  return inFolder((root) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return countMemoryKills(root);
  });
}

const EVENTS = (kills: number): string =>
  `low 0\nhigh 0\nmax 9\noom 4\noom_kill ${kills}\noom_group_kill 7\n`;
const VMSTAT = "nr_free_pages 1\noom_kill 5\n";

test("the kernel's count of processes killed for memory, from where it is readable", () => {
  const own = "sys/fs/cgroup/user.slice/a.scope/memory.events";
  for (const [files, count] of [
    [
      { "proc/self/cgroup": "0::/user.slice/a.scope\n", [own]: EVENTS(2), "proc/vmstat": VMSTAT },
      2,
    ],
    [{ "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.events": EVENTS(3) }, 3],
    [
      {
        "proc/self/cgroup": "4:cpu,memory:/box/1\n0::/\n",
        "sys/fs/cgroup/memory/box/1/memory.oom_control": "oom_kill_disable 0\noom_kill 8\n",
      },
      8,
    ],
    [
      {
        "proc/self/cgroup": "4:memory:/box/1\n",
        "sys/fs/cgroup/memory/memory.oom_control": "under_oom 0\noom_kill 6\n",
      },
      6,
    ],
    [{ "proc/self/cgroup": "0::/\n", "proc/vmstat": VMSTAT }, 5],
    [{ "proc/vmstat": VMSTAT }, 5],
    [{ "proc/vmstat": "nr_free_pages 1\n" }, undefined],
    [{}, undefined],
  ] as const)
    assert.equal(countIn(files), count, JSON.stringify(files));
  assert.doesNotThrow(() => countMemoryKills());
});
