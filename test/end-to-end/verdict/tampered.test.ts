// proves: U5
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { assertVerified, inProject, judged, logged } from "./judged.ts";

const SETUP = `workspace: { setup: ['echo run >> "$HOME/setups"; mkdir -p made && echo tool > made/tool'] }`;
const right = { write: { "value.txt": "2\n" }, print: "done" };

test("what set-up made and a check tree then holds otherwise is made anew, checked again and said", () =>
  inProject(
    {
      ".gitignore": "made/\n",
      "value.txt": "1\n",
      "check.sh": [
        'echo "$(cat made/tool)" >> "$HOME/log"',
        'if grep -q ^2$ value.txt && ! test -e "$HOME/once"; then touch "$HOME/once"; echo fool > made/tool; fi',
        "grep -q ^2$ value.txt",
        "",
      ].join("\n"),
    },
    (here) => {
      const plan = ['checks: ["sh check.sh"]', SETUP];
      const ended = judged(here, { script: { a: [right] }, plan });
      assertVerified(ended);
      const note = ended.notes().find(({ kind }) => kind === "tree-changed");
      assert.ok(note?.kind === "tree-changed", JSON.stringify(ended.notes()));
      assert.deepEqual(note.files, ["made/tool"]);
      assert.ok(!logged(here).includes("fool"), "no check ran with the changed tool");
      assert.match(
        here.unstuck("status", ended.run).out,
        /made anew and checked again: made\/tool/,
      );
    },
  ));

test(
  "a check that itself changes what set-up made, each time, is said to, and set-up is not blamed",
  inLargeForm("verdict"),
  () =>
    inProject(
      {
        ".gitignore": "made/\n",
        "value.txt": "1\n",
        "check.sh": "echo more >> made/tool\ngrep -q ^2$ value.txt\n",
      },
      (here) => {
        const plan = ['checks: ["sh check.sh"]', SETUP];
        const ended = judged(here, { script: { a: [right] }, plan });
        assertVerified(ended);
        const note = ended.notes().find(({ kind }) => kind === "check-wrote");
        assert.ok(note?.kind === "check-wrote", JSON.stringify(ended.notes()));
        assert.deepEqual(note.files, ["made/tool"]);
      },
    ),
);
