/**
 * Keys that are known by their looks: those of providers, as data (what stands first, what follows, and how much of
 * it), and private keys in PEM and its kin, over many lines or in one text with `\n` in it. Invariants: a provider's
 * key is found by its first two characters, so that a look at a word that is no key costs next to nothing; a row of
 * one repeated character is a placeholder; of PEM what is public stays, a key that is never closed ends where its
 * lines no longer look like one, and a quote or another key ends it, so that JSON stays JSON.
 */

interface Format {
  readonly prefix: string;
  /** What may follow; `least` of them have to. */
  readonly alphabet: "word" | "dashed" | "dotted" | "upper" | "hex";
  readonly least: number;
  /** Exactly `least`: anything longer is something else. */
  readonly exact?: boolean;
  /** Has to hold a digit: without one it may be a name made of words. */
  readonly digit?: boolean;
}

const ALPHABETS: { readonly [name in Format["alphabet"]]: RegExp } = {
  word: /[A-Za-z0-9_]*/y,
  dashed: /[A-Za-z0-9_-]*/y,
  dotted: /[A-Za-z0-9_.=~+/-]*/y,
  upper: /[A-Z0-9]*/y,
  hex: /[0-9a-f]*/y,
};

const rows = (
  alphabet: Format["alphabet"],
  least: number,
  prefixes: string,
  more: Pick<Format, "exact" | "digit"> = {},
): Format[] => prefixes.split(" ").map((prefix) => ({ prefix, alphabet, least, ...more }));

const FORMATS: readonly Format[] = [
  ...rows("dashed", 16, "sk-ant- sk-proj- sk-or- sk-svcacct- sk-admin- sk-lf- csk- nvapi- xai-"),
  ...rows("dashed", 16, "sk- pk-lf- pa-", { digit: true }),
  ...rows("word", 20, "gsk_ hf_ r8_ fw_ pplx- tvly- lsv2_pt_ lsv2_sk_ pcsk_ e2b_ npm_ lin_api_"),
  ...rows("word", 16, "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ rubygems_ figd_ ntn_ lin_oauth_"),
  ...rows("word", 20, "npm- hf- r8- gsk- fw-", { digit: true }),
  ...rows(
    "dashed",
    16,
    "glpat- glcbt- gldt- glrt- glptt- glft- glimt- glagent- gloas- glsoat- feed_",
  ),
  ...rows("dashed", 10, "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xapp- xoxe."),
  ...rows("upper", 16, "AKIA ASIA ABIA ACCA", { exact: true }),
  ...rows("upper", 12, "AKCp LTAI"),
  ...rows("dashed", 30, "AIza"),
  ...rows("dotted", 20, "ya29. GOCSPX- atlasv1. sntrys_ sl. dp.pt. dp.st. dp.ct. dp.sa."),
  ...rows("word", 16, "sk_live_ sk_test_ rk_live_ rk_test_ whsec_ sntryu_ sbp_ sb_secret_ phx_"),
  ...rows(
    "dashed",
    16,
    "sq0atp- sq0csp- sq0idp- pypi- dckr_pat_ dckr_oat_ PMAK- CFPAT- NRAK- NRII-",
  ),
  ...rows("word", 16, "shpat_ shpss_ shpca_ shppa_ dop_v1_ doo_v1_ dor_v1_ glsa_ glc_ bkua_ rnd_"),
  ...rows(
    "dashed",
    16,
    "SG. hvs. hvb. hvr. CCIPAT_ CCIPRJ_ nfp_ fo1_ fm2_ fm1r_ pul- ops_ duffel_",
  ),
  ...rows("dashed", 16, "pscale_tkn_ pscale_pw_ pscale_oauth_ EZAK EZTK tfp_ ATATT3 ATCTT3 ATBB"),
  ...rows("dashed", 20, "pat-na1- pat-eu1- ddp_ ddapi_ vercel_ vck_ secret_", { digit: true }),
  ...rows("upper", 40, "AGE-SECRET-KEY-1"),
  ...rows("hex", 32, "dapi SK key-", { exact: true }),
];

const byStart = new Map<string, Format[]>();
for (const format of FORMATS) {
  const start = format.prefix.slice(0, 2);
  byStart.set(start, [...(byStart.get(start) ?? []), format]);
}

const JWT = /eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,1000}/y;
const TELEGRAM = /\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])/y;

/** Where the key that begins at `at` ends; 0 where none begins there. */
export function providerKeyEnd(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === 101) return matchEnd(JWT, text, at);
  if (first >= 48 && first <= 57) return matchEnd(TELEGRAM, text, at);
  for (const format of byStart.get(text.slice(at, at + 2)) ?? []) {
    const end = formatEnd(format, text, at);
    if (end > 0) return end;
  }
  return 0;
}

/** Whether a text holds a key that is known by its looks alone. */
export function holdsProviderKey(text: string): boolean {
  const words = /[A-Za-z0-9_./-]{16,}/g;
  for (const { 0: word, index } of text.matchAll(words))
    for (let at = 0; at < word.length; at += 1)
      if (isKeyStart(text, index + at) && providerKeyEnd(text, index + at) > 0) return true;
  return false;
}

/** A key begins where no letter, digit or underscore stands before it. */
export const isKeyStart = (text: string, at: number): boolean =>
  at === 0 || !isWordCode(text.charCodeAt(at - 1));

const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 95;

function formatEnd(
  { prefix, alphabet, least, exact, digit }: Format,
  text: string,
  at: number,
): number {
  if (!text.startsWith(prefix, at)) return 0;
  const body = at + prefix.length;
  const end = matchEnd(ALPHABETS[alphabet], text, body);
  const length = end - body;
  if (length < least || (exact === true && (length > least || isWordCode(text.charCodeAt(end)))))
    return 0;
  const value = text.slice(body, Math.min(end, body + 300));
  if (digit === true && !/\d/.test(value)) return 0;
  return /^(.)\1*$/.test(value) ? 0 : end;
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

/** A key that has no end within this much is taken for one that was cut off. */
const PEM_MAX = 64 * 1024;

const PEM_BEGIN = /-{4,5} ?BEGIN ([A-Z0-9 ]{0,60}?) ?-{4,5}/y;
const PUBLIC = /PUBLIC KEY|CERTIFICATE|SIGNATURE|SIGNED MESSAGE|X509 CRL|PARAMETERS/;

/** The first private key that begins in [from, to), or -1. */
export function nextPem(text: string, from: number, to: number): number {
  for (let at = from; at < to;) {
    const found = text.indexOf("BEGIN ", at);
    if (found < 0) return -1;
    const start = dashesBefore(text, found);
    if (start >= from && start < to && isPrivate(text, start)) return start;
    at = found + 6;
  }
  return -1;
}

function dashesBefore(text: string, begin: number): number {
  let start = text.charAt(begin - 1) === " " ? begin - 1 : begin;
  const lowest = Math.max(0, start - 5);
  while (start > lowest && text.charCodeAt(start - 1) === 45) start -= 1;
  return start;
}

function isPrivate(text: string, start: number): boolean {
  PEM_BEGIN.lastIndex = start;
  const label = PEM_BEGIN.exec(text)?.[1];
  return label !== undefined && !PUBLIC.test(label);
}

interface Pem {
  readonly end: number;
  /** The key itself, without how it is broken into lines. */
  readonly secret: string;
}

const LONGEST_LINE = 80;

/**
 * The PEM key that begins at `start`; nothing while it cannot be told where it ends. `isAll`: no more text will come.
 * `looked`: nothing ended it before this place when it was looked at last.
 */
export function pemAt(
  text: string,
  start: number,
  isAll: boolean,
  looked: number,
): Pem | undefined {
  const most = Math.min(text.length, start + PEM_MAX);
  if (looked > start + LONGEST_LINE && !isAll && most < start + PEM_MAX)
    if (!/"|-{4}/.test(text.slice(looked - LONGEST_LINE))) return undefined;
  PEM_BEGIN.lastIndex = start;
  PEM_BEGIN.test(text);
  const body = PEM_BEGIN.lastIndex;
  const block = text.slice(body, most);
  const stop = /"|-{4} ?BEGIN /.exec(block)?.index ?? -1;
  const inside = stop < 0 ? block : block.slice(0, stop);
  const close = /-{4,5} ?END [A-Z0-9 ]{0,60}-{4,5}/.exec(inside);
  if (close !== null) {
    const end = body + close.index + close[0].length;
    const mayGoOn = end === text.length && !isAll;
    return mayGoOn ? undefined : pem(text, body, body + close.index, end);
  }
  if (stop < 0 && !isAll && text.length < start + PEM_MAX) return undefined;
  const end = body + bodyLength(inside);
  return pem(text, body, end, end);
}

const pem = (text: string, body: number, bodyEnd: number, end: number): Pem => ({
  end,
  secret: `PEM ${text
    .slice(body, bodyEnd)
    .replace(/\\+[nrt]/g, "")
    .replace(/[^A-Za-z0-9+/=]+/g, "")}`,
});

const PEM_BODY =
  /(?:\s|\\+[nrt]|[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]{1,15}={1,2}|(?:Proc-Type|DEK-Info|Version|Comment|Key-Type):[^\n"\\]{0,200})/y;

/** How much of what follows looks like the inside of a key; the blank before what does not is left. */
function bodyLength(inside: string): number {
  let length = 0;
  let told = 0;
  for (PEM_BODY.lastIndex = 0; PEM_BODY.test(inside);) {
    if (!/[\s\\]/.test(inside.charAt(length))) told = PEM_BODY.lastIndex;
    length = PEM_BODY.lastIndex;
  }
  return told;
}
