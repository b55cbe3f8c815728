/**
 * Evidence from the text of an agent's error event: the HTTP status and the provider's own error object. Invariants:
 * never throws; bounded and linear, whatever the text; a number that is not an HTTP error status is never taken for
 * one.
 */
import { defined } from "../../core/defined.ts";
import type { Evidence } from "../../core/evidence.ts";
import { cutMiddle } from "../../core/foreign-text.ts";
import { fieldsOf, listOf, parseFields, textOf, type Fields } from "./json.ts";

const MAX_TEXT = 16_000;
/** `429 Too many`, `unexpected status 502 Bad`, `last status: 429`, `API Error: 529`, `(429)`. */
const STATUS = /(?:^|\bstatus(?: code)?:? |\berror:? |\bfailed: |\()([45]\d\d)(?=[\s:,.)]|$)/i;

type ErrorBody = Pick<Evidence, "httpStatus" | "providerError" | "retryAfter">;

/** Everything that the form of an error text reveals; its wording is left to `classify`. */
export function evidenceOfText(text: string): Evidence {
  const message = cutMiddle(text.trim(), MAX_TEXT);
  const status = STATUS.exec(message.slice(0, 400))?.[1];
  return {
    tool: "agent_cli",
    message,
    ...(status === undefined ? {} : { httpStatus: Number(status) }),
    ...bodyIn(message),
  };
}

/** A model's answer that ended early, with a provider's name for the reason. */
export const brokenOff = (type: string, message: string): Evidence => ({
  tool: "agent_cli",
  origin: "provider",
  providerError: { type },
  message,
});

/** A provider's error object inside a text, whatever surrounds it. */
export function bodyIn(text: string): ErrorBody {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  const value = start < 0 || end < start ? undefined : parseFields(text.slice(start, end + 1));
  return value === undefined ? {} : bodyOf(value);
}

export function bodyOf(value: Fields): ErrorBody {
  const error = value["error"] === undefined ? value : fieldsOf(value["error"]);
  const inner = parseFields(textOf(error["message"]));
  if (inner !== undefined && Object.keys(inner).length > 0) return bodyOf(inner);
  const details = listOf(error["details"]).map(fieldsOf);
  const status = [error["code"], error["status"], error["statusCode"], value["status"]].find(
    isErrorStatus,
  );
  const type = firstText(error["type"], error["status"], error["name"]);
  const code = firstText(error["code"], ...details.map(({ reason }) => reason));
  const message = firstText(error["message"]);
  const delay = firstText(...details.map(({ retryDelay }) => retryDelay));
  const providerError = defined({ type, code, message: message && cutMiddle(message, MAX_TEXT) });
  return {
    ...(status === undefined ? {} : { httpStatus: status }),
    ...(Object.keys(providerError).length === 0 ? {} : { providerError }),
    ...secondsOf(delay),
  };
}

export const isErrorStatus = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 400 && value < 600;

const firstText = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === "string" && value !== "");

function secondsOf(delay: string | undefined): { readonly retryAfter?: string } {
  const seconds = delay === undefined ? undefined : /^(\d{1,7})(?:\.\d{1,9})?s$/.exec(delay)?.[1];
  return seconds === undefined ? {} : { retryAfter: seconds };
}
