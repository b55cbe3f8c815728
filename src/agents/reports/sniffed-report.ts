/**
 * The report of a plain command: made in the format its output turns out to be in. A command that prints words, or
 * steps of our own, has no report: its output and exit code are all there is.
 */
import type { AgentReport, AgentRequest, ProcessEnd } from "../../runtime/ports-agent.ts";
import { createSniffer } from "../transcripts/sniff.ts";
import type { SniffedFormat } from "../transcripts/sniff.ts";
import { REPORT_FORMATS } from "./formats.ts";
import { createReportReader } from "./report.ts";
import type { ReportReader } from "./report.ts";

export interface SniffedReport {
  push(stream: "stdout" | "stderr", text: string): void;
  final(): string | undefined;
  report(end: ProcessEnd): AgentReport | undefined;
}

const MAX_NOTES = 64 * 1024;

export function createSniffedReport(
  named?: SniffedFormat,
  limits?: Pick<AgentRequest, "model" | "cap">,
): SniffedReport {
  const readerFor = (format: SniffedFormat): ReportReader | undefined =>
    format === "steps" ? undefined : createReportReader(REPORT_FORMATS[format], undefined, limits);
  const sniffer = createSniffer();
  let reader = named === undefined ? undefined : readerFor(named);
  let known = named !== undefined;
  let notes = "";
  const sniff = (text: string): void => {
    const told = sniffer.push(text);
    if (told === undefined) return;
    known = true;
    reader = told.format === undefined ? undefined : readerFor(told.format);
    reader?.push("stderr", notes);
    reader?.push("stdout", told.held);
  };
  return {
    push(stream, text) {
      if (known) reader?.push(stream, text);
      else if (stream === "stdout") sniff(text);
      else notes = (notes + text).slice(0, MAX_NOTES);
    },
    final: () => reader?.final(),
    report(end) {
      if (!known) sniff("\n");
      return reader?.report(end);
    },
  };
}
