/**
 * The official OpenTelemetry SDK behind two calls. Loaded only if telemetry is on. A run is one trace, whichever
 * processes work on it: trace and span ids derive from the run and from what a span describes. The SDK itself reads the
 * exporters' addresses, headers and limits from the standard variables.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
} from "@opentelemetry/api";
import { OTLPMetricExporter as JsonMetrics } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPMetricExporter as ProtoMetrics } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter as JsonTraces } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtoTraces } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import {
  METRIC_DEFINITIONS,
  type Measured,
  type MeasureName,
} from "../../core/telemetry/run-metrics.ts";
import type { RunSpan } from "../../core/telemetry/run-spans.ts";
import { VERSION } from "../version.ts";
import type { TelemetryWanted } from "./wanted.ts";

export interface TelemetrySdk {
  readonly tracesAreWanted: boolean;
  span(span: RunSpan): void;
  measure(measured: Measured): void;
  /** Sends what is queued. */
  close(): Promise<void>;
}

const idOf = (run: string, key: string, chars: number): string =>
  createHash("sha256").update(`${run}\n${key}`).digest("hex").slice(0, chars);

export function openSdk(run: string, { traces, metrics, protocol }: TelemetryWanted): TelemetrySdk {
  const resource = resourceFromAttributes({
    "service.name": "unstuck",
    "service.version": VERSION,
    "service.instance.id": randomUUID(),
  }).merge(detectResources({ detectors: [envDetector] }));
  const isJson = protocol === "http/json";
  const traceId = idOf(run, "trace", 32);
  let spanId = "";
  const tracing = new TracerProvider({
    resource,
    spanProcessors: traces
      ? [new BatchSpanProcessor({ exporter: isJson ? new JsonTraces() : new ProtoTraces() })]
      : [],
    idGenerator: { generateTraceId: () => traceId, generateSpanId: () => spanId },
  });
  const metering = new MeterProvider({
    resource,
    readers: metrics
      ? [
          new PeriodicExportingMetricReader({
            exporter: isJson ? new JsonMetrics() : new ProtoMetrics(),
          }),
        ]
      : [],
  });
  const tracer = tracing.getTracer("unstuck", VERSION);
  const meter = metering.getMeter("unstuck", VERSION);
  const instruments = new Map<MeasureName, (value: number, attributes: Attributes) => void>();
  const instrumentOf = (name: MeasureName) => {
    const known = instruments.get(name);
    if (known !== undefined) return known;
    const [kind, unit, description] = METRIC_DEFINITIONS[name];
    const counter =
      kind === "counter" ? meter.createCounter(name, { unit, description }) : undefined;
    const histogram =
      counter === undefined ? meter.createHistogram(name, { unit, description }) : undefined;
    const made = (value: number, attributes: Attributes): void => {
      counter?.add(value, attributes);
      histogram?.record(value, attributes);
    };
    instruments.set(name, made);
    return made;
  };
  return {
    tracesAreWanted: traces,
    span({ key, parent, name, startedAt, endedAt, attributes, failed, happenings }) {
      spanId = idOf(run, key, 16);
      const above = { traceId, traceFlags: TraceFlags.SAMPLED };
      const context =
        parent === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, { ...above, spanId: idOf(run, parent, 16) });
      const told = attributes as Attributes;
      const span = tracer.startSpan(name, { startTime: startedAt, attributes: told }, context);
      for (const { name: what, at, attributes: more } of happenings) span.addEvent(what, more, at);
      if (failed !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failed });
      span.end(endedAt);
    },
    measure: ({ name, value, attributes }) => instrumentOf(name)(value, attributes),
    async close() {
      await Promise.allSettled([tracing.shutdown(), metering.shutdown()]);
    },
  };
}
