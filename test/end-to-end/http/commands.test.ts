import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { onTerminal, WITHOUT_TERMINAL } from "../../cli/terminal/pseudo-terminal.ts";
import { inLargeForm } from "../../large-form.ts";
import { inRepository } from "../run/repository.ts";
import { untilSo } from "../run/runs.ts";
import { serve } from "./served.ts";

test("tokens are made and listed; open leads a browser to the server that runs", () =>
  inRepository(async (here) => {
    const server = await serve(here);
    try {
      assert.match(server.link, /^http:\/\/127\.0\.0\.1:\d+\/sign-in#unstuck_[\w-]{43}$/);
      const made = here.unstuck("token", "create", "ci", "--days", "2");
      assert.match(made.out, /^unstuck_[\w-]{43}\n$/);
      assert.match(made.err, /not shown again/);

      const again = here.unstuck("serve");
      assert.equal(again.code, 2);
      assert.match(again.err, /served already, at http:\/\/127\.0\.0\.1:\d+: unstuck open/);

      const bin = join(here.path, "..", "bin");
      const opened = join(here.path, "..", "opened");
      mkdirSync(bin);
      writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > "${opened}"\n`);
      writeFileSync(join(bin, "open"), `#!/bin/sh\nprintf %s "$1" > "${opened}"\n`);
      for (const name of ["xdg-open", "open"]) chmodSync(join(bin, name), 0o755);
      const path = `${bin}:${process.env["PATH"] ?? ""}`;
      const { out, code } = here.unstuckWith({ PATH: path }, "open");
      assert.equal(code, 0);
      await untilSo(
        () => existsSync(opened) && readFileSync(opened, "utf8") !== "",
        () => "nothing was opened",
      );
      const link = readFileSync(opened, "utf8");
      assert.ok(out.includes(link));
      assert.ok(link.startsWith(`${server.url}/sign-in#`));
      const answer = await fetch(`${server.url}/api/sign-in`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-unstuck": "1" },
        body: JSON.stringify({ code: link.split("#")[1] }),
      });
      assert.equal(answer.status, 200);

      assert.match(
        here.unstuck("token", "list").out,
        /^ci {7}token, since \d{4}-\d\d-\d\d, until \d{4}-\d\d-\d\d\nbrowser {2}browser, since .*\n$/,
      );
    } finally {
      assert.equal(await server.stop(), 0);
    }
  }));

test(
  "run --serve shows the run while it goes on, and nothing is left of the server after it",
  inLargeForm("http"),
  () =>
    inRepository(async (here) => {
      const done = { write: { "value.txt": "2\n" }, print: "done" };
      const { code, err, out } = here.unstuck(
        ...["run", "--goal", "make it 2", "--agent", here.agent({ goal: [done] })],
        ...["--check", "sh check.sh", "--no-grounding", "--serve", "--json"],
      );
      assert.equal(code, 0, err);
      assert.match(err, /with this link, once:\n {2}http:\/\/127\.0\.0\.1:\d+\/sign-in#unstuck_/);
      for (const line of out.trim().split("\n")) JSON.parse(line);
      await untilSo(
        () => !existsSync(join(here.home, "serve.json")),
        () => "the server is still there",
      );
      assert.match(
        here.unstuck("run", "--goal", "x", "--serve", "--detach").err,
        /--serve does not go with --detach/,
      );
    }),
);

for (const { columns, env, bold } of [
  { columns: 80, env: {}, bold: true },
  { columns: 40, env: { NO_COLOR: "1" }, bold: false },
  { columns: 200, env: { TERM: "dumb" }, bold: false },
])
  test(
    `serve on a terminal of ${columns} columns: the link can be copied whole, Ctrl-C ends it`,
    WITHOUT_TERMINAL === false && columns === 40
      ? {}
      : { skip: WITHOUT_TERMINAL || inLargeForm("http").skip },
    () =>
      inRepository(async (here) => {
        const terminal = onTerminal(["serve", "--port", "0"], {
          ...{ cwd: here.path, columns },
          env: { ...here.env, ...env },
        });
        await terminal.shows(/Ctrl-C stops/);
        assert.match(terminal.raw(), /http:\/\/127\.0\.0\.1:\d+\/sign-in#unstuck_[\w-]{43}/);
        assert.equal(terminal.raw().includes("\u001b[1m"), bold);
        const tooWide = terminal.wrapped().filter((line) => !line.includes("unstuck_"));
        assert.deepEqual(tooWide, []);
        terminal.type("\u0003");
        assert.equal(await terminal.ended(), 0);
      }),
  );
