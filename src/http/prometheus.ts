/** Metrics in the Prometheus text format. Invariant: a label's value cannot break out of its quotes. */
import type { Figures } from "../operations/serve/measure.ts";

export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

type Sample = readonly [value: number, labels?: Readonly<Record<string, string>>];

export function prometheusText(figures: Figures): string {
  const stages = Object.entries(figures.stage_success);
  return [
    family("recovery_triggers_total", "counter", "Times recovery began", [
      [figures.recovery_triggers],
    ]),
    family("recovery_success_total", "counter", "Subtasks that recovery led to a verified end", [
      [figures.recovery_success],
    ]),
    family(
      "stage_success_total",
      "counter",
      "Verified subtasks by the stage of recovery that did it",
      stages.map(([stage, value]) => [value, { stage }]),
    ),
    family("recovery_iterations_total", "counter", "Attempts that recovery started", [
      [figures.recovery_iterations],
    ]),
    family(
      "runs",
      "gauge",
      "Runs by state",
      [...figures.runs].map(([state, value]) => [value, { state }]),
    ),
    family("open_questions", "gauge", "Questions that wait for a person", [[figures.questions]]),
    family("cost_usd", "gauge", "What the listed runs cost, as far as agents told", [
      [figures.usd],
    ]),
  ].join("");
}

function family(
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: readonly Sample[],
): string {
  const full = `unstuck_${name}`;
  const lines = samples.map(([value, labels = {}]) => `${full}${labelText(labels)} ${value}`);
  return `${[`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines].join("\n")}\n`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
