/**
 * What is kept of a failed check's output: the excerpt that prompts, screens, reports and questions show, the failing
 * items as data, whether the code loads at all, and the fingerprint. Invariant: bounded and clean, whatever was printed.
 */
import { signatureOf } from "../classify/signature.ts";
import { cleanText } from "../foreign-text.ts";
import { isBrokenCode } from "./broken-code.ts";
import { excerptOf } from "./excerpt.ts";
import { signatureOfFailures } from "./failure-signature.ts";
import { failingItem, type FailingItem } from "./items.ts";

export interface CheckExcerpt {
  /** What failed and how, in one line. */
  readonly headline: string;
  readonly text: string;
  /** Causes first; at most `MAX_ITEMS`. */
  readonly items: readonly FailingItem[];
  /** The code does not compile or load: nothing was judged. */
  readonly broken?: true;
  readonly signature: string;
}

const MAX_ITEMS = 20;
const MAX_TEXT = 6000;

export interface CheckOutput {
  readonly command?: string;
  readonly stdout?: string;
  readonly stderr?: string;
}

export function checkExcerpt(output: CheckOutput, budget?: number): CheckExcerpt {
  const { headline, text, failures } = excerptOf(output, budget === undefined ? {} : { budget });
  return {
    headline,
    text: cleanText(text, { maxChars: Math.max(MAX_TEXT, budget ?? 0) }),
    items: failures.slice(0, MAX_ITEMS).map(failingItem),
    ...(isBrokenCode(failures, text) ? { broken: true } : {}),
    signature: signatureOfFailures(failures) ?? signatureOf(`${output.command ?? ""}\n${text}`),
  };
}
