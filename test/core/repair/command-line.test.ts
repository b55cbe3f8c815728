// proves: C6
import assert from "node:assert/strict";
import { test } from "node:test";
import { riskOf } from "../../../src/core/repair/command-line.ts";

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
