// proves: U21
import assert from "node:assert/strict";
import { test } from "node:test";
import { destructive } from "../../../src/core/shell/destructive.ts";

const DESTROYS = [
  ...["rm -rf /", "rm -r build", "cd x && rm -f y", "sudo make install", "git push --force"],
  ...[
    "git push origin main -f",
    "git reset --hard HEAD~3",
    "git clean -fdx",
    "dd if=a of=/dev/sda",
  ],
  ...["mkfs.ext4 /dev/sdb", "find . -delete", "chmod -R 777 /", "psql -c 'DROP TABLE users'"],
];
const HARMLESS = [
  ...["npm install", "git push", "git reset", "make clean", "npm run rm-cache", "echo rm -rf /tmp"],
  ...["git branch", "chmod +x run.sh", "rm", "", "cargo build --force-warn"],
];

for (const command of DESTROYS) test(`destroys: ${command}`, () => assert.ok(destructive(command)));
for (const command of HARMLESS)
  test(`does not: ${command}`, () => assert.ok(!destructive(command)));
