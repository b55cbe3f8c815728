// proves: P11
// What a person is told when a run starts and when it is applied: other changes, but not the plan; unsigned commits.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repository } from "./repository.ts";

/** Signs like gpg, as far as git looks. */
const SIGNER = `#!/bin/sh
cat > /dev/null
echo '[GNUPG:] SIG_CREATED D' >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'
`;

test("the plan is no uncommitted change; who signs commits is told that the run's are not, and how to sign them", () => {
  const here = repository();
  try {
    const agent = here.agent({ goal: [{ write: { "value.txt": "2\n" }, print: "done" }] });
    const plan = { goal: "make the value 2", agent, checks: ["sh check.sh"] };
    writeFileSync(join(here.path, "unstuck.yaml"), JSON.stringify(plan));
    writeFileSync(join(here.path, "other.txt"), "mine\n");
    const signer = join(here.home, "..", "signer");
    writeFileSync(signer, SIGNER, { mode: 0o755 });
    here.git("config", "commit.gpgsign", "yes");
    here.git("config", "gpg.program", signer);
    const ran = here.unstuck("run", "--trust");
    assert.equal(ran.code, 0, ran.err + ran.out);
    assert.match(ran.err, /1 uncommitted change is not part of this run/);
    assert.match(ran.err, /note: you sign your commits \(commit\.gpgsign\), this run's commits are/);
    const applied = here.unstuck("apply");
    const [, command = ""] = /^note: the new commits are not signed; to sign them: (.+)$/m.exec(
      applied.out,
    ) ?? [];
    assert.match(command, /^git rebase [\w -]+ [0-9a-f]{12}$/, applied.out + applied.err);
    assert.doesNotMatch(here.git("cat-file", "commit", "HEAD"), /^gpgsig /m);
    execFileSync("sh", ["-c", command], {
      cwd: here.path,
      env: { ...process.env, ...here.env },
      stdio: "pipe",
    });
    assert.match(here.git("cat-file", "commit", "HEAD"), /^gpgsig /m);
    assert.doesNotMatch(here.git("cat-file", "commit", "HEAD~1"), /^gpgsig /m);
  } finally {
    here.remove();
  }
});
