// proves: U14
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { accessOf, grant } from "../../../src/operations/serve/access.ts";
import { servedAt, keepServed, signInLink } from "../../../src/operations/serve/served.ts";
import { createToken, listTokens, revokeToken } from "../../../src/operations/tokens/tokens.ts";

const folder = mkdtempSync(join(tmpdir(), "unstuck-tokens-"));
const home = join(folder, "home");
Object.assign(process.env, { UNSTUCK_HOME: home, HOME: folder, XDG_CONFIG_HOME: "" });
delete process.env["UNSTUCK_ATTEMPT"];
mkdirSync(join(folder, ".config", "unstuck"), { recursive: true });
writeFileSync(join(folder, ".config", "unstuck", "config.yaml"), "answers: unattended\n");
after(() => rmSync(folder, { recursive: true }));

const context = { cwd: folder };
const create = async (name: string, days?: number) => {
  const made = await createToken.run(context, { name, days });
  return made.ok ? made.value : made.problem;
};

test("a token works until it is revoked or its time is over, and its name is taken until then", async () => {
  const made = await create("ci", 2);
  assert.ok("token" in made);
  const now = Date.now();
  assert.equal(accessOf(made.token, now)?.name, "ci");
  assert.equal(accessOf(made.token, now + 3 * 86_400_000), undefined);
  const again = await create("ci");
  assert.ok("token" in again, "an expired one is gone, and its name is free");
  assert.match(JSON.stringify(await create("ci")), /unstuck token revoke ci/);

  const revoked = await revokeToken.run(context, { name: "ci" });
  assert.deepEqual(revoked, { ok: true, value: { name: "ci", revoked: 1 } });
  assert.equal(accessOf(again.token, now), undefined);
  assert.match(
    JSON.stringify(await revokeToken.run(context, { name: "ci" })),
    /unstuck token list/,
  );
});

test("names that could be taken for something else are refused", async () => {
  for (const name of ["", "a b", "../x", "x".repeat(41), "a\nb", "ci (browser)", "é"])
    assert.ok("code" in (await create(name)), name);
});

test("links are not listed, files are the user's own, and nonsense in the folder is passed over", async () => {
  const link = grant({ kind: "link", name: "x", created: 1 });
  writeFileSync(join(home, "access", "nonsense.json"), "{");
  await create("bot");
  const listed = await listTokens.run(context, {});
  assert.ok(listed.ok);
  assert.deepEqual(
    listed.value.tokens.map(({ name }) => name),
    ["bot"],
  );
  assert.equal(accessOf(link, Date.now())?.kind, "link");
  for (const name of readdirSync(join(home, "access")).filter((one) => one !== "nonsense.json"))
    assert.equal(statSync(join(home, "access", name)).mode & 0o077, 0, name);
  for (const secret of ["", "unstuck_", "../../trust", `unstuck_${"/".repeat(43)}`])
    assert.equal(accessOf(secret, Date.now()), undefined);
});

test("where a home is served is known while the server lives, and no longer", () => {
  assert.equal(servedAt(), undefined);
  const forget = keepServed("http://127.0.0.1:1");
  assert.equal(servedAt(), "http://127.0.0.1:1");
  forget();
  assert.equal(servedAt(), undefined);
  const dead = { pid: 2 ** 22 - 1, bootId: "another start of the machine", startTime: "1" };
  writeFileSync(
    join(home, "serve.json"),
    JSON.stringify({ url: "http://127.0.0.1:1", owner: dead }),
  );
  assert.equal(servedAt(), undefined);
});

test("none of it is done inside an attempt", async () => {
  process.env["UNSTUCK_ATTEMPT"] = "20260101-0000-abcdef/goal/1";
  try {
    // A run that this home does not know is another home's.
    assert.ok("token" in (await create("outside")));
    process.env["UNSTUCK_ATTEMPT"] = "mine/goal/1";
    assert.match(JSON.stringify(await create("inside")), /may not decide for its person/);
    assert.throws(() => signInLink("http://127.0.0.1:1", Date.now()), /inside an attempt/);
  } finally {
    delete process.env["UNSTUCK_ATTEMPT"];
  }
});
