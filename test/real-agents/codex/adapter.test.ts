// proves: U3, U5
import assert from "node:assert/strict";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { say, write } from "../../../src/testing/model-server/scenario.ts";
import { agentCases } from "../agent-cases.ts";
import { withAgent } from "../agent-place.ts";

agentCases("codex", { model: ["large-model", /^large-model$/] });

test("codex: it works where it is told to, through links and in resumed sessions, and trusts nothing for good", () =>
  withAgent(
    "codex",
    ({ number }) => (number % 2 === 1 ? write(`made-${number}.txt`, "x\n") : say("Done.")),
    async (here) => {
      const place = dirname(here.cwd);
      const settings = join(place, "home", ".codex", "config.toml");
      const before = readFileSync(settings, "utf8");
      const link = join(place, "link");
      symlinkSync(here.cwd, link);
      const { report } = await here.attempt({ cwd: place });
      assert.ok(existsSync(join(place, "made-1.txt")) && report.session !== undefined);
      await here.attempt({ cwd: link, session: report.session });
      assert.ok(existsSync(join(here.cwd, "made-3.txt")));
      assert.equal(readFileSync(settings, "utf8"), before);
    },
  ));
