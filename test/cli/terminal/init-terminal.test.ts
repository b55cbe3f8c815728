// proves: P11, U17
// `init` on a terminal: what it found, where, what the checks say on the last commit, and the next command.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { repository } from "../../end-to-end/run/repository.ts";
import { onTerminal, WITHOUT_TERMINAL } from "./pseudo-terminal.ts";

const skip = WITHOUT_TERMINAL;
const here = repository({
  "package.json": JSON.stringify({
    scripts: {
      typecheck: "sh green.sh",
      test: "sh red.sh",
      lint: "no-such-linter-here",
      dev: "vite",
    },
  }),
  "green.sh": "exit 0\n",
  "red.sh": "echo 'FAIL src/a.test.js'; exit 1\n",
});
after(() => here.remove());
const env = { ...here.env, PATH: `${process.env["PATH"] ?? ""}` };

const init = async (columns: number, more: Readonly<Record<string, string>>, ...args: string[]) => {
  const terminal = onTerminal(["init", "--force", ...args], {
    ...{ cwd: here.path, columns, rows: 24, env: { ...env, ...more } },
  });
  assert.equal(await terminal.ended(), 0, terminal.text());
  return terminal;
};

test(
  "--try: each check says how it stands today, and what cannot run is left out",
  { skip },
  async () => {
    const terminal = await init(40, { NO_COLOR: "1" }, "--try");
    const text = terminal.text();
    assert.match(text, /^Trying on your last commit: npm run\ntypecheck$/m);
    assert.match(
      text,
      /^check {5}npm run typecheck\n {10}passes today; from\n {10}package\.json$/m,
    );
    assert.match(text, /^check {5}npm run lint\n {10}left out, it cannot run: sh:/m);
    assert.match(text, /^check {5}npm test\n {10}fails today \(1 failure\): FAIL\n/m);
    assert.deepEqual(terminal.wrapped(), []);
    assert.match(text, /^Next: write your goal into unstuck\.yaml,\nthen run: unstuck run$/m);
    assert.doesNotMatch(text, /vite|dev/);
    const plan = readFileSync(join(here.path, "unstuck.yaml"), "utf8");
    assert.match(plan, /^ {2}- npm run typecheck # from package\.json$/m);
    assert.match(plan, /^ {2}- npm test # from package\.json; red today$/m);
    assert.match(plan, /^# Left out: npm run lint: .*not found\.$/m);
    assert.doesNotMatch(plan, /^ {2}- npm run lint/m);
  },
);

test("at 80 and at 200 columns, and on a terminal that knows no colour", { skip }, async () => {
  const wide = await init(200, {});
  assert.match(wide.raw(), /\u001b\[2mcheck/);
  const dumb = await init(80, { TERM: "dumb" });
  assert.doesNotMatch(dumb.raw().replace(/\r/g, ""), /\u001b/);
  assert.equal(dumb.text(), wide.text());
  assert.deepEqual([wide.wrapped(), dumb.wrapped()], [[], []]);
});
