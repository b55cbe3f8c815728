/**
 * JUnit XML printed as text: `<testcase>` elements with a `<failure>` or `<error>` and without `<skipped>`. A
 * scan, not a parser: one pass over the tags; comments and CDATA (where a test's own output stands) are jumped
 * over.
 */

const NAMED = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

const LONGEST_TAG = 20_000;

export function* readJunitXml(lines: readonly string[]): Iterable<string> {
  if (!lines.some((line) => line.includes("<testsuite"))) return;
  const text = lines.join("\n");
  let open: { readonly name: string; failed: boolean; skipped: boolean } | undefined;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const end = tagEnd(text, at);
    const tag = text.slice(at + 1, end);
    at = end + 1;
    if (/^testcase[\s/>]/.test(tag))
      open = tag.endsWith("/") ? undefined : { name: nameOf(tag), failed: false, skipped: false };
    else if (open !== undefined && /^(?:failure|error)(?:[\s/]|$)/.test(tag)) open.failed = true;
    else if (open !== undefined && /^skipped(?:[\s/]|$)/.test(tag)) open.skipped = true;
    else if (open !== undefined && tag === "/testcase") {
      if (open.failed && !open.skipped) yield open.name;
      open = undefined;
    }
  }
}

/** Where the markup that starts at `at` ends; quoted `>` do not end a tag. */
function tagEnd(text: string, at: number): number {
  if (text.startsWith("<!--", at)) return endOf(text, "-->", at);
  if (text.startsWith("<![CDATA[", at)) return endOf(text, "]]>", at);
  if (!/[A-Za-z/]/.test(text.charAt(at + 1))) return at;
  let quote: string | undefined;
  const limit = Math.min(text.length, at + LONGEST_TAG);
  for (let index = at; index < limit; index += 1) {
    const char = text.charAt(index);
    if (quote !== undefined) quote = char === quote ? undefined : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === ">") return index;
  }
  return limit;
}

function endOf(text: string, stop: string, at: number): number {
  const found = text.indexOf(stop, at);
  return found < 0 ? text.length : found + stop.length - 1;
}

function nameOf(tag: string): string {
  const name = attribute(tag, "name");
  const group = attribute(tag, "classname");
  return group === "" || group === name ? name : `${group} > ${name}`;
}

function attribute(tag: string, name: string): string {
  const start = tag.search(name === "name" ? /\sname=["']/ : /\sclassname=["']/);
  if (start < 0) return "";
  const from = start + name.length + 3;
  const end = tag.indexOf(tag.charAt(from - 1), from);
  return tag
    .slice(from, end < 0 ? tag.length : end)
    .replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(lt|gt|amp|quot|apos));/g, decode);
}

function decode(whole: string, decimal?: string, hex?: string, named?: string): string {
  if (named !== undefined) return NAMED.get(named) ?? whole;
  const point = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
}
