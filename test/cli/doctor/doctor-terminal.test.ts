// proves: P4
// What a person sees of the doctor: nothing but a command to copy is wider than the terminal, whatever its width.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { repository } from "../../end-to-end/run/repository.ts";
import { onTerminal, WITHOUT_TERMINAL } from "../terminal/pseudo-terminal.ts";

const here = repository();
after(() => here.remove());
const bin = join(here.home, "..", "bin");
mkdirSync(bin);
writeFileSync(join(bin, "claude"), "#!/bin/sh\necho 2.1.325\n", { mode: 0o755 });
writeFileSync(join(here.path, "unstuck.yaml"), "goal: g\nagent: claude\n");
const env = { ...here.env, PATH: `${bin}:/usr/bin:/bin`, ANTHROPIC_API_KEY: "k" };

async function seen(columns: number, rows: number, more: Readonly<Record<string, string>> = {}) {
  const terminal = onTerminal(["doctor"], {
    cwd: here.path,
    env: { ...env, ...more },
    columns,
    rows,
  });
  assert.equal(await terminal.ended(), 0, terminal.text());
  return terminal;
}

for (const [columns, rows] of [
  [80, 24],
  [40, 24],
  [200, 50],
] as const)
  test(`the doctor on ${columns} columns`, { skip: WITHOUT_TERMINAL }, async () => {
    const terminal = await seen(columns, rows);
    const text = terminal.text();
    assert.match(text, /claude\s+2\.1\.325, logged in\s+\(ANTHROPIC_API_KEY\)/);
    assert.match(text, /editor\s+unstuck\.yaml names no schema/);
    assert.match(text, new RegExp(`terminal\\s+${columns} columns, colours`));
    assert.match(text, /A run can start: unstuck "make the tests\s+pass"/);
    assert.match(terminal.raw(), /\x1b\[32mok/);
    const wide = terminal.wrapped().filter((line) => !line.includes("fix: "));
    assert.deepEqual(wide, []);
  });

test("without colours: the marks say it all", { skip: WITHOUT_TERMINAL }, async () => {
  for (const more of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
    const terminal = await seen(80, 24, more);
    assert.doesNotMatch(terminal.raw(), /\x1b\[\d/);
    assert.match(terminal.text(), /^ok {2}node/m);
    assert.match(terminal.text(), /terminal {4}80 columns, no colours/);
  }
});
