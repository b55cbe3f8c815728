/**
 * The text rules, prepared at build time as a file: the word index and all numbers are stored in the form in which they
 * are used, and a rule is parsed only when one of its patterns is tried. Invariant: the opened book finds exactly what
 * the packed book finds (a test compares them).
 */
import { readFileSync } from "node:fs";
import { refusedDestruction } from "../../core/classify/refused-command.ts";
import type { Rule } from "../../core/classify/rule.ts";
import { buildRuleBook, type RuleBook } from "../../core/classify/rule-book.ts";

const INT = Int32Array.BYTES_PER_ELEMENT;
/** Numbers are stored little-endian on every machine. */
const IS_SWAPPED = new Uint8Array(Int32Array.of(1).buffer)[0] !== 1;

/** The length of each column, then the columns, then the rules as ASCII JSON. */
export function packRules(rules: readonly Rule[]): Buffer {
  const { index, ruleOf, startOf, endOf, levelOf, sourcesOf } = buildRuleBook(rules);
  const texts = rules.map((rule) => ascii(JSON.stringify(rule)));
  const textAt = [0];
  for (const { length } of texts) textAt.push((textAt.at(-1) ?? 0) + length);
  const { keys, heads, patterns, next } = index;
  const columns = [keys, heads, patterns, next, ruleOf, startOf, endOf, levelOf, sourcesOf, textAt];
  const lengths = columns.map(({ length }) => length);
  const numbers = Int32Array.from([...lengths, ...columns.flatMap((column) => Array.from(column))]);
  return Buffer.concat([lowestFirst(Buffer.from(numbers.buffer)), Buffer.from(texts.join(""))]);
}

let book: RuleBook | undefined;

/**
 * The rules next to the bundle. Only a bundle has this folder: when running from source, the standard rules are built.
 */
export const packedRules = (): RuleBook => (book ??= openPackedRules(`${__dirname}/rules.bin`));

export function openPackedRules(file: string): RuleBook {
  const bytes = readFileSync(file);
  let at = 0;
  const numbers = (count: number): Int32Array => {
    const part = lowestFirst(bytes.subarray(at, (at += count * INT)));
    return new Int32Array(part.buffer, part.byteOffset, count);
  };
  const lengths = numbers(10);
  const column = (number: number): Int32Array => numbers(lengths[number] ?? 0);
  const index = { keys: column(0), heads: column(1), patterns: column(2), next: column(3) };
  const patterns = { ruleOf: column(4), startOf: column(5), endOf: column(6) };
  const ofRules = { levelOf: column(7), sourcesOf: column(8) };
  const textAt = column(9);
  const rules: Rule[] = [];
  const ruleAt = (number: number): Rule => {
    const [start = 0, end = 0] = textAt.subarray(number, number + 2);
    return (rules[number] ??= JSON.parse(bytes.toString("latin1", at + start, at + end)) as Rule);
  };
  const seenIn = new Int32Array(patterns.ruleOf.length);
  const scratch = { needed: [], compiled: [], unless: [], after: [] };
  const readers = { ruleAt, readRefusal: refusedDestruction };
  return {
    ...patterns,
    ...ofRules,
    ...scratch,
    index: { ...index, seenIn, pieces: 0 },
    ...readers,
  };
}

const lowestFirst = (numbers: Buffer): Buffer => (IS_SWAPPED ? numbers.swap32() : numbers);

const ascii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
