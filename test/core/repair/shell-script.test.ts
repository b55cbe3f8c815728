// proves: C6
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { operand, riskOf, sh } from "../../../src/core/repair/shell-script.ts";
import { anyText } from "./any-text.ts";

/** What a real shell makes of the quoted values: one NUL-separated word each. */
function readBack(values: readonly string[]): readonly string[] {
  const script = sh`printf '%s\\0' ${values}`;
  const { stdout, status } = spawnSync("sh", ["-c", script], { encoding: "buffer" });
  assert.equal(status, 0);
  return stdout.toString("utf8").split("\0").slice(0, -1);
}

const HOSTILE = [
  "",
  "plain",
  "two words",
  "it's",
  "'",
  "''",
  "'; touch x; '",
  "$(touch x)",
  "`touch x`",
  "x;touch${IFS}pwn",
  "a\nb\n",
  "\r\n",
  "-rf",
  "--",
  "\\",
  "\\'",
  '"$HOME"',
  "!!",
  "*",
  "~",
  "{a,b}",
  "&& true || false | cat > x < y &",
  "é漢字😀",
  "\u202e\u0000\u001b[31m",
];

test("a shell reads back every hostile value byte for byte", () => {
  const expected = HOSTILE.map((value) => value.replaceAll("\0", ""));
  assert.deepEqual(readBack(HOSTILE), expected);
});

test("a shell reads back whatever was quoted", () => {
  const character = fc.oneof(
    fc.constantFrom(..."'\"\\$`;&|<>(){}[]*?!#~ \t\n\r-=%^\0"),
    anyText(2, 1),
    fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
  );
  const value = fc.array(character, { maxLength: 40 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), (values) => {
      const expected = values.map((one) => one.replaceAll("\0", "").toWellFormed());
      assert.deepEqual(readBack(values), expected);
    }),
    { numRuns: 30 },
  );
});

test("the template quotes every inserted value and nothing of its own", () => {
  assert.equal(sh`cp -- ${"a b"} ${7}`, "cp -- 'a b' '7'");
  assert.equal(sh`run ${["x", "it's"]}; done`, "run 'x' 'it'\\''s'; done");
  assert.equal(sh`run ${[]}.`, "run .");
  assert.equal(sh`nothing`, "nothing");
});

test("a path that looks like an option is one no more", () => {
  assert.equal(operand("-rf"), "./-rf");
  assert.equal(operand("--help"), "./--help");
  assert.equal(operand("a-b"), "a-b");
  assert.equal(operand("/x"), "/x");
});

for (const [command, risk] of [
  ["sudo ls", "sudo"],
  ["/usr/bin/sudo ls", "sudo"],
  ["bash -c 'sudo ls'", "sudo"],
  ["s\\udo ls", "sudo"],
  ['su"do" ls', "sudo"],
  ["doas ls", "sudo"],
  ["chmod +x a", "sudo"],
  ["chown me a", "sudo"],
  ["sudo rm -rf /", "sudo"],
  ["rm -rf x", "delete"],
  ["/bin/rm x", "delete"],
  ["find . -delete", "delete"],
  ["git clean -fd", "delete"],
  ["git reset --hard", "delete"],
  ["del.exe x", "delete"],
  ["Remove-Item x", "delete"],
  ["npm install left", "install"],
  ["npm i left", "install"],
  ["npm ci", "install"],
  ["pip3 install -r x", "install"],
  ["apt-get -y upgrade", "install"],
  ["brew install x", "install"],
  ["go get x", "install"],
  ["npx -y x", "install"],
  ["npm test", undefined],
  ["make install-docs", undefined],
  ["make install", undefined],
  ["docker run --rm x", undefined],
  ["cat farm.txt", undefined],
  ["cat rm-list.txt", undefined],
  ["ls pseudo", undefined],
  ["", undefined],
] as const)
  test(`${JSON.stringify(command)} needs ${risk ?? "no"} permission`, () => {
    assert.equal(riskOf(command), risk);
  });
