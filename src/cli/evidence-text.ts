/**
 * What is piped in, as evidence: JSON that names evidence fields is evidence, anything else is a log. Adds the
 * time and zone of this moment, because "resets 3am" needs them.
 */
import { readEvidence } from "../core/evidence.ts";
import type { EvidenceReading } from "../core/evidence.ts";

const NAMES = [
  "tool",
  "command",
  "exitCode",
  "signal",
  "errno",
  "httpStatus",
  "message",
  "stdout",
  "stderr",
  "providerError",
];

export function evidenceOfText(text: string, more: object = {}): EvidenceReading {
  return evidenceNow({ ...fieldsOf(text), ...more });
}

export function evidenceNow(value: unknown): EvidenceReading {
  const reading = readEvidence(value);
  if (!reading.ok) return reading;
  const now = { observedAt: Date.now(), utcOffsetMinutes: -new Date().getTimezoneOffset() };
  return { ok: true, evidence: { ...now, ...reading.evidence } };
}

function fieldsOf(text: string): object {
  if (text.trimStart().startsWith("{")) {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === "object" && value !== null && NAMES.some((name) => name in value))
        return value;
    } catch {
      // A log that begins with a brace is a log.
    }
  }
  return text === "" ? {} : { stdout: text };
}
