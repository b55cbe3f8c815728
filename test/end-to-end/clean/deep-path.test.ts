// proves: U6
import assert from "node:assert/strict";
import { test } from "node:test";
import { repository } from "../run/repository.ts";
import { foldersOf, runGoal, shell } from "./places.ts";

/** A path of about 6000 characters, made step by step; below it stands a file. */
const DEEP = shell(
  "n=$(printf %0200d 7); i=0; while [ $i -lt 30 ]; do mkdir $n && cd -P $n || exit 9; i=$((i+1)); done; " +
    'echo deep > file.txt; cd "$OLDPWD_OF_ALL"; echo 2 > value.txt; echo done',
).replace("n=$(", "OLDPWD_OF_ALL=$PWD; n=$(");

test("V35: a path that is too long for the system is said with the result, and clean removes it", () => {
  const here = repository();
  try {
    const run = runGoal(here, DEEP);
    assert.match(here.unstuck("status", run).out, /not part of the result.*too deep.*0000/);
    assert.equal(here.unstuck("apply").code, 0);
    const { out, err } = here.unstuck("clean", run);
    assert.match(out, /removed/, err);
    assert.deepEqual(foldersOf(here), []);
  } finally {
    here.remove();
  }
});
