// proves: P10, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  comparePage,
  webRepository,
  withoutCredentials,
} from "../../../src/operations/pulls/remotes.ts";
import { bodyOf } from "../../../src/operations/pulls/report-body.ts";

test("the page of a remote is told by its address, and by nothing that only looks like one", () => {
  const github = { host: "github.com", path: "me/app", kind: "github" };
  const rows: readonly (readonly [url: string, web: unknown])[] = [
    ["https://github.com/me/app.git", github],
    ["https://github.com/me/app", github],
    ["https://github.com/me/app/", github],
    ["https://me:secret@github.com/me/app.git", github],
    ["git@github.com:me/app.git", github],
    ["ssh://git@github.com:22/me/app.git", github],
    ["git@git.example.org:me/app.git", { ...github, host: "git.example.org" }],
    ["https://gitlab.com/a/b/c.git", { host: "gitlab.com", path: "a/b/c", kind: "gitlab" }],
    ["git@gitlab.example.org:a/b.git", { host: "gitlab.example.org", path: "a/b", kind: "gitlab" }],
    ["../origin.git", undefined],
    ["/srv/git/me/app.git", undefined],
    ["file:///srv/git/me/app.git", undefined],
    ["C:/work/app.git", undefined],
    ["server:me/app.git", undefined],
    ["https://github.com/app.git", undefined],
    ["https://github.com/a/b/c", undefined],
    ["https://github.com/../app", undefined],
    ["https://github.com/me/app?x=1", undefined],
    ["", undefined],
  ];
  for (const [url, web] of rows) assert.deepEqual(webRepository(url), web, url);
});

test("the page that opens a pull request names both branches, whatever is in them", () => {
  const github = { host: "github.com", path: "me/app", kind: "github" } as const;
  assert.equal(
    comparePage(github, "main", "unstuck/1 #?"),
    "https://github.com/me/app/compare/main...unstuck/1%20%23%3F?expand=1",
  );
  assert.equal(
    comparePage({ ...github, host: "gitlab.com", kind: "gitlab" }, "main", "a/b&c"),
    "https://gitlab.com/me/app/-/merge_requests/new?merge_request%5Bsource_branch%5D=a%2Fb%26c&merge_request%5Btarget_branch%5D=main",
  );
});

test("no password of an address is shown", () => {
  assert.equal(withoutCredentials("https://me:secret@h.org/a/b"), "https://h.org/a/b");
  assert.equal(withoutCredentials("https://token@h.org/a/b"), "https://h.org/a/b");
  assert.equal(withoutCredentials("https://h.org/a/b@c"), "https://h.org/a/b@c");
  assert.equal(withoutCredentials("git@h.org:a/b"), "git@h.org:a/b");
});

test("a report that is too long is cut at a line, with no code block left open", () => {
  assert.equal(bodyOf("# short\n", "r"), "# short\n");
  const line = fc.oneof(
    fc.constantFrom("```text", "```", "````", "# a"),
    fc.string({ maxLength: 90 }),
  );
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), (lines) => {
      const long = `${lines.join("\n")}\n`.repeat(
        Math.ceil(70_000 / (lines.join("\n").length + 1)),
      );
      const body = bodyOf(long, "r");
      assert.ok(body.length <= 60_300);
      assert.match(body, /\n\n\(The rest is left out: `unstuck report r` has all of it\.\)\n$/);
    }),
    { numRuns: 30 },
  );
  const fenced = bodyOf(`\`\`\`\`text\n${"x\n".repeat(40_000)}\`\`\`\`\n`, "r");
  assert.match(fenced, /\nx\n````\n\n\(The rest/);
});
