// proves: U24
import assert from "node:assert/strict";
import { renameSync, rmSync, statSync, utimesSync, writeFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { mirrorOf } from "../../../src/workspace/replica/mirror.ts";
import { openReplica, sharedRules } from "../../../src/workspace/replica/open-replica.ts";
import { requireAddress } from "../../../src/workspace/replica/remote-address.ts";
import {
  pushResult,
  remoteCheckout,
  resolveRemote,
} from "../../../src/workspace/replica/remote.ts";
import type { Result } from "../../../src/workspace/base/refusal.ts";
import { AT, folder, git, kindOf, repository, value, write } from "../fixture.ts";
import { answer, attempt, mergeIn, place, portsOn } from "./replicas.ts";

const detailOf = (result: Result<unknown>): string => (result.ok ? "" : result.refusal.detail);

const upstream = repository();
const first = git(upstream, "rev-parse", "HEAD");
git(upstream, "tag", "-a", "v1", "-m", "one");
write(upstream, { "later.ts": "later\n" });
git(upstream, "add", "-A");
git(upstream, "commit", "-q", "-m", "second");
const second = git(upstream, "rev-parse", "HEAD");
const url = `file://${encodeURI(upstream)}`;
const cacheFolder = folder("cache");

test("where a ref stands now", async () => {
  const at = async (ref?: string): Promise<unknown> => value(await resolveRemote(upstream, ref));
  assert.deepEqual(await at(), { commit: second, branch: "main" });
  assert.deepEqual(await at("main"), { commit: second, branch: "main" });
  assert.deepEqual(await at("v1"), { commit: first, branch: null });
  assert.deepEqual(await at("refs/tags/v1"), { commit: first, branch: null });
  assert.deepEqual(await at(first), { commit: first, branch: null });
  for (const ref of ["nowhere", "ma*", "-x", "main^", "ma in", "../main", ""])
    assert.equal(kindOf(await resolveRemote(upstream, ref)), "no-such-commit", ref);
  const gone = await resolveRemote(join(folder(), "gone"));
  assert.equal(kindOf(gone), "remote-failed");
  assert.match(detailOf(gone), /git ls-remote/);
});

test("addresses that may be used, and those that hold a secret or start a program", () => {
  const taken = [
    ...["https://example.org/a/b.git", "https://org@dev.example.org/a/_git/b", "/srv/git/a b.git"],
    ...["http://git.internal:3000/a/b", "ssh://git@example.org:2222/a/b.git", "file:///srv/a.git"],
    ...["git@example.org:a/b.git", "example.org:b.git", "https://example.org/a/b@c.git"],
  ];
  for (const each of taken) assert.doesNotThrow(() => requireAddress(each), each);
  const refused = [
    ...["https://ada:hunter2hunter2@example.org/a.git", "https://x-access-token:t@example.org/a"],
    ...["https://ghp_16C7e42F292c6912E7710c838347Ae178B4a@example.org/a/b.git"],
    ...[
      "https://example.org/a.git?private_token=hunter2hunter2",
      "ssh://git:hunter2@example.org/a",
    ],
    ...["ext::sh -c touch% /tmp/x", "fd::7", "--upload-pack=touch x", "-x@host:path"],
    ...["ftp://example.org/a", "git://example.org/a", "a/b", "", "https://exa\nmple.org/a"],
    ...["ada:hunter2@example.org:a.git", "https://", `https://example.org/${"a".repeat(3000)}`],
  ];
  for (const each of refused)
    assert.throws(
      () => requireAddress(each),
      (error: Error) =>
        /unusable-address/.test(error.message) && !/hunter2|ghp_16C7|touch/.test(error.message),
      each,
    );
});

test("a checkout of one commit: from the cache, beside others, and whole without the cache", async () => {
  const plan = { url, cacheFolder, commit: first, ref: "main" };
  const lock = `${mirrorOf(cacheFolder, url).gitDir}.lock`;
  writeFileSync(lock, "");
  utimesSync(lock, new Date(0), new Date(0)); // of a process that is gone
  const [one, two] = [join(folder(), "one"), join(folder(), "two")];
  const made = await Promise.all([one, two].map((to) => remoteCheckout({ ...plan, folder: to })));
  for (const each of made) assert.deepEqual(value(each), { commit: first, branch: "main" });
  assert.deepEqual(readdirSync(cacheFolder).length, 1, "one mirror, no lock left");
  assert.equal(git(one, "rev-parse", "HEAD"), first);
  assert.equal(git(one, "status", "--porcelain"), "");
  assert.equal(git(one, "describe"), "v1");
  assert.equal(git(one, "config", "remote.origin.url"), url);
  const [pack = ""] = readdirSync(join(one, ".git/objects/pack")).filter((name) =>
    /pack$/.test(name),
  );
  if (pack !== "") assert.ok(statSync(join(one, ".git/objects/pack", pack)).nlink > 1, "shared");

  // The remote is away: what the cache has needs it no more, and a repeated call finds its folder.
  renameSync(upstream, `${upstream} away`);
  const three = join(folder(), "three");
  assert.equal(kindOf(await remoteCheckout({ ...plan, commit: second, folder: three })), "ok");
  assert.equal(kindOf(await remoteCheckout({ ...plan, folder: one })), "ok");
  assert.equal(
    kindOf(await remoteCheckout({ ...plan, commit: second, folder: one })),
    "worktree-replaced",
  );
  renameSync(`${upstream} away`, upstream);
  const nowhere = { ...plan, commit: "1".repeat(40), folder: join(folder(), "x") };
  assert.equal(kindOf(await remoteCheckout(nowhere)), "no-such-commit");

  rmSync(cacheFolder, { recursive: true });
  git(one, "fsck", "--full");
  const { rules, run } = await opened(one, first);
  assert.deepEqual(sharedRules((await opened(two, first, rules)).run), sharedRules(run));
  const replica = portsOn(run);
  await attempt(replica, place("one", 1), { kind: "keep" }, { "one.ts": "1\n" });
  answer(await replica.workspace.publish());

  // Back to the remote: its own branch, forward, and nothing else.
  const commit = await mergeIn(replica, place("one", 1));
  const push = { url, commit: run.base, branch: "unstuck/r1" };
  assert.deepEqual(value(await pushResult(run, push)), { moved: true });
  assert.deepEqual(value(await pushResult(run, { ...push, commit })), { moved: true });
  assert.deepEqual(value(await pushResult(run, { ...push, commit })), { moved: false });
  assert.equal(git(upstream, "show", "unstuck/r1:one.ts"), "1");
  assert.equal(git(upstream, "tag"), "v1");
  for (const branch of [
    "main",
    "unstuck/../main",
    "unstuck/r1:refs/heads/main",
    "unstuck/",
    "+unstuck/r1",
  ])
    assert.equal(kindOf(await pushResult(run, { ...push, branch })), "branch-in-the-way", branch);
  assert.equal(kindOf(await pushResult(run, { ...push, commit: second })), "not-an-ancestor");
  git(upstream, "update-ref", "refs/heads/unstuck/r1", second);
  const theirs = await pushResult(run, { ...push, commit });
  assert.equal(kindOf(theirs), "ref-moved");
  assert.equal(git(upstream, "rev-parse", "unstuck/r1"), second);
});

async function opened(repository: string, commit: string, rules?: ReturnType<typeof sharedRules>) {
  const plan = { id: "r1", repository, commit, runDir: folder("run"), at: AT };
  const run = value(await openReplica({ ...plan, ...(rules === undefined ? {} : { rules }) }));
  assert.equal(run.base, commit);
  return { run, rules: sharedRules(run) };
}

test("credentials come from git's own helpers, nobody is asked, and none is told", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    asked.push(authorization);
    const isKnown = authorization === `Basic ${Buffer.from("ada:hunter2").toString("base64")}`;
    if (!isKnown) response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
    else if (request.url?.startsWith("/r/HEAD")) response.end("ref: refs/heads/main\n");
    else if (request.url?.startsWith("/r/info/refs")) response.end(`${first}\trefs/heads/main\n`);
    else response.writeHead(404).end();
  });
  after(() => server.close());
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const web = `http://127.0.0.1:${(server.address() as AddressInfo).port}/r`;
  const refused = await resolveRemote(web, "main");
  assert.equal(kindOf(refused), "remote-failed");
  const helper = "!f() { echo username=ada; echo password=hunter2; }; f";
  Object.assign(process.env, {
    ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "credential.helper" },
    GIT_CONFIG_VALUE_0: helper,
  });
  try {
    assert.equal(value(await resolveRemote(web, "main")).commit, first);
    assert.ok(asked.some((header) => header !== undefined));
    const gone = await resolveRemote(`${web}/nowhere`, "main");
    assert.equal(kindOf(gone), "remote-failed");
    assert.doesNotMatch(detailOf(gone) + detailOf(refused), /hunter2/);
    // A setting of the user's that puts the password into the address that git uses, and complains of.
    process.env["GIT_CONFIG_KEY_0"] = `url.${web.replace("//", "//bob:hunter2@")}/.insteadOf`;
    process.env["GIT_CONFIG_VALUE_0"] = "http://short.invalid/";
    const wrong = await resolveRemote("http://short.invalid/nowhere", "main");
    assert.equal(kindOf(wrong), "remote-failed");
    assert.doesNotMatch(detailOf(wrong), /hunter2|bob/);
  } finally {
    for (const name of ["COUNT", "KEY_0", "VALUE_0"]) delete process.env[`GIT_CONFIG_${name}`];
  }
});
