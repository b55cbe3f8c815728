// proves: U24
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { restateEngine, type RestateEngine } from "../../src/engines/restate/engine.ts";
import {
  findServer,
  localServer,
  type LocalServer,
} from "../../src/engines/restate/local-server.ts";
import { RUN_OBJECT } from "../../src/engines/restate/messages.ts";
import { loadSdk } from "../../src/engines/restate/sdk.ts";
import { attemptEnded, POLICY, runStarted, scriptedPlan } from "../engines/contract/script.ts";
import { SCALE_FOLDER, WITHOUT_RESTATE } from "./server.ts";

const RUN = "kept";

interface Serving {
  readonly server: LocalServer;
  readonly engine: RestateEngine;
}

async function serving(folder: string): Promise<Serving> {
  const server = await localServer({ program: findServer(SCALE_FOLDER) ?? "", folder });
  await server.start();
  after(() => server.kill());
  const engine = await restateEngine({
    ...{ sdk: loadSdk(SCALE_FOLDER), worker: "w1", policyFor: () => POLICY },
    ...{ ingressUrls: [server.ingressUrl], adminUrls: [server.adminUrl] },
    ...{ identityKeys: [server.identityKey], onProblem: () => undefined },
  });
  after(() => engine.close());
  return { server, engine };
}

test(
  "U24: the folder of a server that was stopped is a backup: restored elsewhere, a run goes on where it stood",
  { skip: WITHOUT_RESTATE },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "unstuck-backup-"));
    after(() => rmSync(folder, { recursive: true, force: true }));
    const [original, restored] = [join(folder, "original"), join(folder, "restored")];
    const source = { url: "https://example.test/app.git", commit: "c", labels: [] };
    const first = await serving(original);
    const named = { repo: "app", title: "t", created: 1, source };
    await first.engine.ingress.call(RUN_OBJECT, RUN, "describe", named);
    await first.engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a", "b"], "row"), 1000));
    const before = await first.engine.read(RUN, 1, 1000);
    assert.ok(before.length > 1);
    first.engine.close();
    await first.server.stop();
    cpSync(original, restored, { recursive: true });
    rmSync(original, { recursive: true });
    const second = await serving(restored);
    assert.deepEqual(await second.engine.read(RUN, 1, 1000), before, "its history is whole");
    const ended = await second.engine.deliver(
      RUN,
      attemptEnded({ subtask: "a", attempt: 1 }, 2000),
    );
    assert.ok(ended.recorded, "it takes the next input");
    assert.ok((await second.engine.read(RUN, 1, 1000)).length > before.length);
  },
);
