/**
 * Keys that are known by how they begin, as data: what stands first, what follows, and how much of it. Invariants:
 * an entry is found by its first two characters, so that a look at a word that is no key costs next to nothing; a
 * row of one repeated character is a placeholder, not a key.
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
  return isOneCharacter(value) ? 0 : end;
}

const isOneCharacter = (value: string): boolean => /^(.)\1*$/.test(value);

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}
