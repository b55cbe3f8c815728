// proves: A10, U12, U15
// One run, told in every form: traces and metrics, HTML, JUnit XML, the summary of a GitHub Actions step.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Context } from "../../../src/operations/operation.ts";
import { addStepSummary } from "../../../src/operations/report/step-summary.ts";
import { reportRun } from "../../../src/operations/report/report.ts";
import { startRun } from "../../../src/operations/runs/start.ts";
import { measureRecovery } from "../../../src/operations/runs/history.ts";
import { openSdk } from "../../../src/operations/telemetry/sdk.ts";
import { telemetryWanted } from "../../../src/operations/telemetry/wanted.ts";
import { session } from "../../cli/logs/recorded-agent.ts";
import { repository } from "../../end-to-end/run/repository.ts";
import { receiver, type Receiver } from "../notify/receiver.ts";

/** As OTLP's JSON has it. */
interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly Value[] };
}
interface Attribute {
  readonly key: string;
  readonly value: Value;
}
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number; readonly message?: string };
  readonly events?: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[];
}
interface Metric {
  readonly name: string;
  readonly sum?: {
    readonly dataPoints: readonly { readonly asDouble?: number; readonly asInt?: number }[];
  };
  readonly histogram?: { readonly dataPoints: readonly { readonly count: number }[] };
}

const plain = ({ value }: Attribute): unknown =>
  value.stringValue ??
  value.doubleValue ??
  value.boolValue ??
  value.arrayValue?.values.map((one) => one.stringValue) ??
  Number(value.intValue);
const attributesOf = (list: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(list.map((one) => [one.key, plain(one)]));

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

const here = repository();
Object.assign(process.env, here.env);
const context: Context = { cwd: here.path };
let there: Receiver;
let spans: readonly Span[] = [];
let metrics: readonly Metric[] = [];
let resource: Record<string, unknown> = {};

before(async () => {
  there = await receiver();
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: there.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_HEADERS: "x-team=blue",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=ci",
  });
  const agent = here.agent({
    goal: [
      {
        write: { "value.txt": "3\n", "notes.txt": `<b>bold</b>\ntoken = "${SECRET}"\n` },
        print: session("Done."),
      },
      { write: { "value.txt": "2\n" }, print: session("Now it is two.") },
    ],
  });
  const goal = { goal: "make it <2>", checks: ["sh check.sh"], agent, grounding: false };
  const started = await startRun.run(context, goal);
  assert.ok(started.ok, JSON.stringify(started));
  for (const name of Object.keys(process.env))
    if (name.startsWith("OTEL_")) delete process.env[name];
  const posted = (path: string) =>
    there.requests
      .filter((request) => request.path === path)
      .map(({ body }) => JSON.parse(body.toString()) as Record<string, never[]>);
  type Scoped<K extends string, T> = { resource: { attributes: Attribute[] } } & {
    [key in `scope${K}`]: Record<Lowercase<K>, T[]>[];
  };
  const traced = posted("/v1/traces").flatMap(
    (body) => body["resourceSpans"] as unknown as Scoped<"Spans", Span>[],
  );
  spans = traced.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  resource = attributesOf(traced[0]?.resource.attributes ?? []);
  const metered = posted("/v1/metrics").flatMap(
    (body) => body["resourceMetrics"] as unknown as Scoped<"Metrics", Metric>[],
  );
  metrics = metered.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
});
after(async () => {
  await there.close();
  here.remove();
});

const named = (name: string): Span[] => spans.filter((span) => span.name === name);

test("a run is one trace: run, subtask, attempts, tools, each below the one it belongs to", () => {
  const [run] = named("invoke_workflow unstuck");
  const [subtask] = named("subtask goal");
  const attempts = named("invoke_agent agent");
  assert.ok(run !== undefined && subtask !== undefined);
  assert.equal(attempts.length, 2);
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
  assert.ok((run.parentSpanId ?? "") === "");
  assert.equal(subtask.parentSpanId, run.spanId);
  for (const { parentSpanId } of attempts) assert.equal(parentSpanId, subtask.spanId);
  for (const attempt of attempts)
    assert.deepEqual(
      spans.filter(({ parentSpanId }) => parentSpanId === attempt.spanId).map(({ name }) => name),
      ["execute_tool Bash", "execute_tool Read", "execute_tool Edit"],
    );
  for (const span of spans)
    assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano));
});

test("attributes are those of the conventions; what failed says of what, and what was done about it", () => {
  const [first, second] = named("invoke_agent agent").map(({ attributes }) =>
    attributesOf(attributes),
  );
  assert.equal(first?.["gen_ai.operation.name"], "invoke_agent");
  assert.equal(first["gen_ai.agent.name"], "agent");
  assert.equal(first["error.type"], "verification_failed");
  assert.equal(first["unstuck.usage.usd"], 0.01);
  assert.equal(second?.["recovery.kind"], "feedback");
  assert.equal(second["unstuck.attempt.outcome"], "passed");
  const [chosen] = named("subtask goal")[0]?.events ?? [];
  assert.equal(chosen?.name, "recovery.chosen");
  assert.deepEqual(attributesOf(chosen.attributes)["recovery.kinds"], ["feedback"]);
  const [tool] = named("execute_tool Bash");
  assert.deepEqual(tool?.status, { code: 2, message: "tool_error" });
  const run = attributesOf(named("invoke_workflow unstuck")[0]?.attributes ?? []);
  assert.equal(run["unstuck.run.outcome"], "verified");
  assert.equal(resource["service.name"], "unstuck");
  assert.equal(resource["deployment.environment.name"], "ci");
  assert.ok(there.requests.every(({ headers }) => headers["x-team"] === "blue"));
});

test("the counters are those of the run itself", async () => {
  const measured = await measureRecovery.run(context, {});
  assert.ok(measured.ok);
  const sum = (name: string): number =>
    metrics
      .filter((metric) => metric.name === name)
      .flatMap((metric) => metric.sum?.dataPoints ?? [])
      .reduce((all, { asDouble, asInt }) => all + Number(asDouble ?? asInt), 0);
  assert.equal(sum("recovery.triggers"), measured.value.recovery_triggers);
  assert.equal(sum("recovery.success"), measured.value.recovery_success);
  assert.equal(sum("recovery.iterations"), measured.value.recovery_iterations);
  assert.equal(sum("recovery.success"), 1);
  assert.equal(sum("unstuck.attempts"), 2);
  assert.equal(sum("unstuck.failures"), 1);
  assert.ok(
    metrics.some(({ name, histogram }) => name === "unstuck.attempt.duration" && histogram),
  );
});

test("no word of prompts, agents, tools or errors leaves the machine", () => {
  const all = there.requests.map(({ body }) => body.toString()).join("\n");
  assert.ok(all.length > 1000);
  assert.doesNotMatch(all, /make it|npm test|a line|value\.txt|The check wants|Now it is two/);
});

test("where nobody asks for JSON, it is protocol buffers", async () => {
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = there.url;
  const sdk = openSdk("r1", { traces: true, metrics: false, protocol: "http/protobuf" });
  delete process.env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  sdk.span({
    ...{ key: "run", name: "a", startedAt: 1, endedAt: 2, attributes: {}, happenings: [] },
  });
  const before = there.requests.length;
  await sdk.close();
  const [posted, ...others] = there.requests.slice(before);
  assert.equal(others.length, 0);
  assert.equal(posted?.path, "/v1/traces");
  assert.equal(posted.headers["content-type"], "application/x-protobuf");
});

test("off by default; on by the standard variables, each signal by its own", () => {
  const at = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://x" };
  const both = { traces: true, metrics: true, protocol: "http/protobuf" };
  assert.equal(telemetryWanted({}), undefined);
  assert.equal(telemetryWanted({ OTEL_SERVICE_NAME: "x" }), undefined);
  assert.equal(telemetryWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: " " }), undefined);
  assert.deepEqual(telemetryWanted(at), both);
  assert.equal(telemetryWanted({ ...at, OTEL_SDK_DISABLED: "TRUE" }), undefined);
  assert.deepEqual(telemetryWanted({ ...at, OTEL_METRICS_EXPORTER: "none" }), {
    ...both,
    metrics: false,
  });
  assert.deepEqual(telemetryWanted({ OTEL_TRACES_EXPORTER: "otlp" }), { ...both, metrics: false });
  assert.equal(telemetryWanted({ OTEL_TRACES_EXPORTER: "console" }), undefined);
  assert.deepEqual(telemetryWanted({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://x" }), {
    ...{ ...both, traces: false },
  });
  const grpc = telemetryWanted({ ...at, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" });
  assert.ok(typeof grpc === "string" && grpc.startsWith("no telemetry is sent: set"));
});

test("html: the timeline, both attempts, the failed attempt's diff and the result's, without the secret", async () => {
  const reported = await reportRun.run(context, { format: "html" });
  assert.ok(reported.ok);
  (await reportRun.schemas()).output.parse(reported.value);
  const { html = "", junit } = reported.value;
  assert.equal(junit, undefined);
  assert.match(html, /<h1>make it &lt;2&gt;<\/h1>/);
  assert.match(html, /1\. checks failed/);
  assert.match(html, /2\. passed/);
  assert.match(html, /<span class="a">\+3<\/span>/);
  assert.match(html, /<span class="a">\+2<\/span>/);
  assert.match(html, /\+&lt;b&gt;bold/);
  assert.ok(!html.includes(SECRET));
});

test("junit: one case for each subtask, and the Markdown stays as it is", async () => {
  const reported = await reportRun.run(context, { format: "junit" });
  assert.ok(reported.ok);
  assert.match(
    reported.value.junit ?? "",
    /<testsuite name="make it &lt;2&gt;" tests="1" failures="0"/,
  );
  assert.match(reported.value.junit ?? "", /name="goal" time="\d+\.\d{3}"\/>/);
  const plain = await reportRun.run(context, {});
  assert.ok(plain.ok && plain.value.html === undefined && plain.value.junit === undefined);
  assert.equal(plain.value.markdown, reported.value.markdown);
});

test("a step's summary: added to what is there, kept below GitHub's limit, refused elsewhere", async () => {
  const file = join(here.home, "summary.md");
  delete process.env["GITHUB_STEP_SUMMARY"];
  const elsewhere = await addStepSummary.run(context, {});
  assert.ok(!elsewhere.ok && /GITHUB_STEP_SUMMARY is not set/.test(elsewhere.problem.message));
  process.env["GITHUB_STEP_SUMMARY"] = file;
  writeFileSync(file, "# mine\n");
  const added = await addStepSummary.run(context, {});
  assert.ok(added.ok && added.value.added && !added.value.cut);
  (await addStepSummary.schemas()).output.parse(added.value);
  assert.match(readFileSync(file, "utf8"), /^# mine\n# Run [\s\S]*## Summary/);
  writeFileSync(file, "x".repeat(999_700));
  const cut = await addStepSummary.run(context, {});
  assert.ok(cut.ok && cut.value.cut);
  assert.ok(readFileSync(file).length <= 1_000_000);
  delete process.env["GITHUB_STEP_SUMMARY"];
});
