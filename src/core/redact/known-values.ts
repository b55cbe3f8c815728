/**
 * Finds secrets by value: those of the user's environment, also in their URL, JSON and base64 forms. Invariants: one
 * pass over a text finds all of them, however many; of two that begin at the same place, the longer one is found; every
 * form maps to the same secret.
 */
import { isSecretVariable } from "./names.ts";
import type { FoundSecret } from "./values.ts";
import { isKnownSecret } from "./placeholders.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The values of variables with secret names; for an address with credentials, only those. */
export function secretsOf(environment: Environment): string[] {
  return Object.entries(environment).flatMap(([name, value = ""]) =>
    isSecretVariable(name) ? secretsIn(value) : [],
  );
}

function secretsIn(value: string): string[] {
  const address = /^[a-z][a-z0-9+.-]{1,20}:\/\/(?:([^\s/:@]{0,500})(?::([^\s/@]{1,500}))?@)?/i.exec(
    value,
  );
  const parts = address === null ? value.split(/\r?\n/) : [address[2] ?? address[1] ?? ""];
  return parts.map((part) => part.trim()).filter(isKnownSecret);
}

/** Parses the `NAME=value` lines of .env files, without quotes and comments. */
export function variablesIn(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const line of text.slice(0, ENV_FILE_MAX).split(/\r?\n/)) {
    const [, name, value = ""] = /^\s*(?:export\s+)?([\w.-]{1,100})\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const [, , inQuotes] = /^(["'])(.*?)\1(?:\s*#.*)?$/.exec(value.trim()) ?? [];
    found[name] = inQuotes ?? value.replace(/\s#.*$/, "").trim();
  }
  return found;
}

const ENV_FILE_MAX = 256 * 1024;
const FORMS_LEAST = 8;

export interface KnownValues {
  /** The first secret that begins in [from, to) and ends before `limit`. */
  next(text: string, from: number, to: number, limit: number): FoundSecret | undefined;
}

export function knownValues(secrets: readonly string[]): KnownValues {
  const forms = new Map<string, string>();
  for (const secret of new Set(secrets))
    for (const form of formsOf(secret)) forms.set(form, secret);
  if (forms.size === 0) return { next: () => undefined };
  const starts = new Map<string, string[]>();
  const seen = new Uint8Array(1 << 16);
  for (const form of [...forms.keys()].sort((a, b) => b.length - a.length)) {
    const start = form.slice(0, 4);
    starts.set(start, [...(starts.get(start) ?? []), form]);
    seen[markOf(start)] = 1;
  }
  return {
    next(text, from, to, limit) {
      let mark = 0;
      const last = Math.min(to + 3, limit);
      for (let at = from; at < last; at += 1) {
        mark = ((mark << 4) ^ text.charCodeAt(at)) & 0xffff;
        if (seen[mark] === 0 || at < from + 3) continue;
        const start = at - 3;
        const form = starts
          .get(text.slice(start, at + 1))
          ?.find((one) => text.startsWith(one, start));
        if (form !== undefined && start + form.length <= limit)
          return { start, end: start + form.length, secret: forms.get(form) ?? form };
      }
      return undefined;
    },
  };
}

function markOf(start: string): number {
  let mark = 0;
  for (let at = 0; at < 4; at += 1) mark = ((mark << 4) ^ start.charCodeAt(at)) & 0xffff;
  return mark;
}

/** The secret itself, as UTF-8 bytes, URL-encoded, JSON-escaped, in base64. */
function formsOf(secret: string): string[] {
  const bytes = unescape(encodeAddress(secret));
  const base64 = btoa(bytes).replace(/=+$/, "");
  return [
    ...[secret, bytes, encodeAddress(secret), JSON.stringify(secret).slice(1, -1)],
    ...[JSON.stringify(bytes).slice(1, -1), base64, base64.replace(/\+/g, "-").replace(/\//g, "_")],
  ]
    .map((form) => form.replace(/\\+$/, ""))
    .filter((form) => form.length >= FORMS_LEAST);
}

const encodeAddress = (secret: string): string =>
  encodeURIComponent(secret.replace(/[\ud800-\udfff]/g, ""));

const unescape = (encoded: string): string =>
  encoded.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
