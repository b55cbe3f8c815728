/** Whether and how telemetry is requested by the standard OpenTelemetry variables. Off if they are not set. */

type Environment = Readonly<Record<string, string | undefined>>;

export interface TelemetryWanted {
  readonly traces: boolean;
  readonly metrics: boolean;
  readonly protocol: "http/json" | "http/protobuf";
}

/** Undefined if it is off; a sentence if the requested configuration is not supported. */
export function telemetryWanted(env: Environment): TelemetryWanted | string | undefined {
  const of = (name: string): string => env[`OTEL_${name}`]?.trim() ?? "";
  if (of("SDK_DISABLED").toLowerCase() === "true") return undefined;
  const everywhere = of("EXPORTER_OTLP_ENDPOINT") !== "";
  const wants = (signal: "TRACES" | "METRICS"): boolean => {
    const exporter = of(`${signal}_EXPORTER`);
    if (exporter !== "") return exporter === "otlp";
    return everywhere || of(`EXPORTER_OTLP_${signal}_ENDPOINT`) !== "";
  };
  const [traces, metrics] = [wants("TRACES"), wants("METRICS")];
  if (!traces && !metrics) return undefined;
  const protocol = of("EXPORTER_OTLP_PROTOCOL") || "http/protobuf";
  if (protocol !== "http/json" && protocol !== "http/protobuf")
    return "no telemetry is sent: set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf or http/json; others are not supported";
  return { traces, metrics, protocol };
}
