// proves: U11
import assert from "node:assert/strict";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { failuresOf } from "../run/runs.ts";
import { assertVerified, inProject, judged, startsOf } from "./judged.ts";

/** Listens on the port for a while, then says whether the work is there. */
const LISTENS = (port: number): string =>
  `import { createServer } from "node:net";
import { existsSync } from "node:fs";
const server = createServer().listen(${port}, "127.0.0.1", () =>
  setTimeout(() => {
    server.close();
    process.exitCode = existsSync(process.argv[2]) ? 0 : 1;
  }, 700),
);
`;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test(
  "V25: two checks that listen on one port run one after the other, and nobody is blamed",
  inLargeForm("verdict"),
  async () => {
    const port = await freePort();
    inProject({ "listen.mjs": LISTENS(port) }, (here) => {
      const work = (id: string) => [{ write: { [`${id}.txt`]: "there\n" }, print: "done" }];
      const subtask = (id: string): string =>
        `id: ${id}, prompt: ${id}, checks: ["node listen.mjs ${id}.txt"]`;
      const ended = judged(here, {
        script: { a: work("a"), b: work("b") },
        subtasks: ["a", "b"].map(subtask),
        plan: ["concurrency: 2"],
      });
      assertVerified(ended, ["a", "b"]);
      assert.deepEqual(failuresOf(here.events()), []);
      assert.equal(startsOf(here), 2);
    });
  },
);
