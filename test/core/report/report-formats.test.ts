// proves: U15
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { reportPage } from "../../../src/core/report/html/report-page.ts";
import { junitReport } from "../../../src/core/report/junit-report.ts";
import { timeSpans } from "../../../src/core/report/time-spans.ts";
import { diffBlock } from "../../../src/core/report/html/diff-block.ts";
import { dispatched, started, T0 } from "../../cli/terminal/events.ts";
import { pageOf, waits } from "./page-fixture.ts";

const HTML_TAGS: ReadonlySet<string> = new Set(
  (
    "html head meta title style body header main footer section article figure figcaption p h1 h2 h3 dl div dt dd span " +
    "strong code pre ul ol li br details summary table thead tbody tr th td svg defs pattern line rect text"
  ).split(" "),
);
const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    "lang charset name content http-equiv class scope width height viewBox role aria-label id patternUnits " +
    "patternTransform x y x1 x2 y1 y2 rx text-anchor"
  ).split(" "),
);

/** Every `<` begins one of these tags, with attributes in double quotes and none beside these; `<!doctype html>` apart. */
function assertOnlyTags(text: string, tags: ReadonlySet<string>, names: ReadonlySet<string>): void {
  for (const [, rest = ""] of text.matchAll(/<([^<]*)/g)) {
    if (/^(?:!doctype html|\?xml version="1.0" encoding="UTF-8"\?)>/.test(rest)) continue;
    const tag = /^\/?([a-z0-9]+)((?:\s+[a-zA-Z0-9-]+="[^"<>]*")*)\s*\/?>/.exec(rest);
    assert.ok(tag !== null && tags.has(tag[1] ?? ""), `<${rest.slice(0, 100)}`);
    for (const [, name = ""] of (tag[2] ?? "").matchAll(/([a-zA-Z0-9-]+)="/g))
      assert.ok(names.has(name), `${tag[1]} has ${name}`);
    assert.doesNotMatch(rest.slice(tag[0].length).replace(/&(?:amp|lt|gt|quot|#39);/g, ""), /&/);
  }
}

const HOSTILE = [
  "<script>alert(1)</script>",
  `"><img src=x onerror=alert(1)>`,
  "' onmouseover='x",
  "</title></style></pre><svg onload=x>",
  "]]><!--",
  "&lt;script&gt; &#60;script",
  "javascript:alert(1)",
  "${x} `x`",
  "\u0000\u001b[2J\u202e\ufffe\uffff\ud800",
  "@import url(http://e.vil)",
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary", maxLength: 20 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(" "));

test("no text can make markup in the HTML report, whatever field it stands in", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const page = reportPage(pageOf(text));
      assertOnlyTags(page, new Set([...HTML_TAGS, "title"]), ATTRIBUTES);
      assert.doesNotMatch(page, /<script|<img|<iframe|<a\s|\son\w+="/i);
      assert.doesNotMatch(page, /[\u0000\u001b\u202e]/);
    }),
    { numRuns: 60 },
  );
});

test("no text can make markup in the JUnit report, and it holds no character that XML lacks", () => {
  const tags = new Set(["testsuites", "testsuite", "testcase", "failure", "error", "skipped"]);
  const names = new Set(
    "name tests failures errors skipped time timestamp classname type message".split(" "),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const { run } = pageOf(text);
      const report = junitReport(run, T0);
      assertOnlyTags(report, tags, names);
      assert.doesNotMatch(report, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
      assert.ok(report.isWellFormed());
    }),
    { numRuns: 60 },
  );
});

test("the HTML report needs nothing from elsewhere and says what it shows", () => {
  const page = reportPage(pageOf("wrong sum", { subtask: "add" }));
  assert.match(page, /Content-Security-Policy" content="default-src &#39;none&#39;/);
  assert.doesNotMatch(page, /https?:|url\((?!#wait\))|src=|href=/);
  for (const words of ["Needs you", "Timeline", "Figures", "Checks", "Subtasks", "What changed"])
    assert.ok(page.includes(`<h2>${words}</h2>`), words);
  assert.match(page, /1\. checks failed/);
  assert.match(page, /2\. checks failed · sent the failing output back/);
  assert.match(page, /<title>attempt 1: checks failed<\/title>/);
  assert.match(page, /<title>waits for: wrong sum<\/title>/);
  assert.match(page, /<title>asks you: wrong sum<\/title>/);
  assert.match(page, /<span class="d">-1<\/span>/);
  assert.match(page, /The diff is cut here/);
  assert.match(page, /unstuck resolve/);
});

const verdictOf = (
  phase:
    | "verified"
    | "answered"
    | "unverified"
    | "stuck"
    | "asking"
    | "skipped"
    | "pending"
    | "blocked"
    | "running",
): string => {
  const { run } = pageOf("wrong sum", { subtask: "add" });
  const subtasks = run.subtasks.slice(0, 1).map((subtask) => ({ ...subtask, phase }));
  const report = junitReport({ ...run, subtasks }, T0);
  return /<(failure|error|skipped) [^>]*message="([^"]*)"/.exec(report)?.slice(1).join(": ") ?? "";
};

test("JUnit: what is proven passes; what is given up or unproven fails; what needs a person is an error", () => {
  assert.equal(verdictOf("verified"), "");
  assert.equal(verdictOf("answered"), "");
  assert.equal(verdictOf("unverified"), "failure: done, but nothing verifies it");
  assert.equal(verdictOf("stuck"), "failure: wrong sum");
  assert.equal(verdictOf("asking"), "error: wrong sum");
  assert.equal(verdictOf("blocked"), "skipped: it waits for a subtask that is not done");
  assert.equal(verdictOf("pending"), "skipped: it is not done yet");
  const { run } = pageOf("wrong sum", { subtask: "add" });
  const report = junitReport(run, T0);
  assert.match(report, /<testsuites name="unstuck" tests="2" failures="0" errors="1" skipped="0"/);
  assert.match(report, /timestamp="2026-01-01T12:00:00"/);
  assert.match(report, /type="verification_failed" message="wrong sum">wrong sum<\/error>/);
});

test("a wait ends when its subtask goes on, and never before it began", () => {
  const times = timeSpans();
  times.add(started("a"));
  times.add(waits("a", "rate limit"));
  times.add(waits("a", "rate limit, longer"));
  assert.deepEqual(
    times.spans().map(({ to }) => to),
    [undefined],
  );
  times.add(dispatched("a", 1, T0 - 5000));
  assert.deepEqual(
    times.spans().map(({ from, to }) => [from, to]),
    [[T0, T0]],
  );
});

test("a diff is bounded, and one without changes says so", () => {
  const long = diffBlock({ text: "+x\n".repeat(5000), cut: false }).text;
  assert.equal(long.match(/<span/g)?.length, 3000);
  assert.match(long, /The diff is cut here/);
  assert.match(diffBlock({ text: "", cut: false }).text, /Nothing was changed/);
  assert.doesNotMatch(diffBlock({ text: "+x\n", cut: false }).text, /cut here/);
});
