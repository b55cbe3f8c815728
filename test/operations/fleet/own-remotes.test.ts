// proves: U24
import assert from "node:assert/strict";
import { test } from "node:test";
import { remoteKey } from "../../../src/operations/fleet/own-remotes.ts";

const SAME = [
  "https://git.example.com/team/app.git",
  "https://git.example.com/team/app/",
  "https://ada:secret@git.example.com/team/app",
  "ssh://git@Git.Example.com/team/app.git",
  "git@git.example.com:team/app.git",
  "git.example.com:team/app",
  "git@git.example.com:/team/app.git",
];
const OTHERS = [
  "https://git.example.com/team/App",
  "https://git.example.com/team/app2",
  "https://git.example.org/team/app",
  "https://git.example.com:8443/team/app",
  "/srv/team/app",
  "",
];

test("the forms of one address are one remote, and another repository is not", () => {
  const keys = new Set(SAME.map(remoteKey));
  assert.deepEqual([...keys], ["git.example.com/team/app"]);
  for (const url of OTHERS) assert.ok(!keys.has(remoteKey(url)), url);
  assert.equal(remoteKey("file:///srv/app.git"), remoteKey("/srv/app"));
});
