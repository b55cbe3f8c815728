/**
 * Rules that find the typed error names of `provider-codes` and HTTP statuses in text; generated from those tables.
 * Invariant: a name inside a longer identifier does not match.
 */
import { KNOWN_STATUSES, statusMeaning } from "../classify/structured-evidence.ts";
import { PROVIDER_CODES } from "../classify/provider-codes.ts";
import type { Rule, TextSource } from "../classify/rule.ts";

/** Shorter names are too common to search for on their own. */
const MIN_CHARS = 8;

const COMMON_PARTS: ReadonlySet<string> = new Set(
  "error request invalid rate api internal server model token content not missing key".split(" "),
);

const rarestPart = (name: string): string =>
  name.split("_").reduce((best, part) => (weight(part) > weight(best) ? part : best));

const weight = (part: string): number => (COMMON_PARTS.has(part) ? 0 : part.length);

const CONFIDENCE = { typed: 0.94, exact: 0.88, phrase: 0.75 } as const;

function codeRules(): readonly Rule[] {
  const rules: Rule[] = [];
  for (const [name, { kind, level }] of PROVIDER_CODES) {
    const snake = name.includes("_");
    if (name.length < MIN_CHARS || (level === "phrase" && !snake)) continue;
    rules.push({
      id: `code-${name}`,
      kind,
      level,
      confidence: CONFIDENCE[level],
      ignoreCase: true,
      lines: `${rarestPart(name)} => (?<![\\w/-])${name}(?![\\w-]|\\.\\w)`,
      unless: String.raw`terminal_reason["']?\s?:\s?["']api_error`,
      sources: snake ? ["model", "agent", "call", "shell"] : ["model", "agent", "call"],
    });
  }
  return rules;
}

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  407: "Proxy Authentication",
  408: "Request Time-?out",
  413: "(?:Payload|Content|Request Entity) Too Large",
  415: "Unsupported Media",
  422: "Unprocessable",
  429: "Too Many",
  500: "Internal Server",
  502: "Bad Gateway",
  503: "Service (?:Temporarily )?Unavailable",
  504: "Gateway Time-?out",
  529: "Overloaded",
};

/** Contexts in which a number is an HTTP status; a bare number never is. */
const shapesOf = (status: number): readonly string[] => {
  const reason = REASONS[status];
  return [
    `\\b(?:HTTP|http)(?:/\\d(?:\\.\\d)?)?(?: [Ee]rror| [Ss]tatus| [Cc]ode| [Rr]esponse)?` +
      `(?: [Cc]ode)?:?\\s{1,2}${status}\\b`,
    `\\b(?:HTTP|http)${status}\\b`,
    `\\b[Ss]tatus(?:[ _-]?[Cc]ode)?["']?(?: of| is| was|:|=|,)?\\s{0,2}["']?\\(?${status}\\b`,
    `\\b(?:[Ee]rror|[Cc]ode|http_code|statusCode|httpStatus|api_error_status|error_status)["']?` +
      `(?: [Cc]ode)?\\s?[:= ]\\s?["']?${status}\\b`,
    `\\b(?:[Rr]eturned|[Rr]eturned error|[Rr]esponded|replied|received|got|failed|rejected` +
      `|failed with|response)(?: with)?(?: an?)?(?: error| status| code| HTTP| server){0,4}` +
      `:?\\s\\(?${status}\\b`,
    `\\b\\w{0,40}(?:Error|Exception|API Error|error)\\]?: \\(?${status}\\b`,
    `\\((?:HTTP |status:? |code:? |error )?${status}\\)`,
    `\\((?:HTTP |status )?${status} [A-Z]`,
    `\\bcode E${status}\\b`,
    ...(reason === undefined ? [] : [`\\b${status}(?:[,:] ?| )(?:- |\\()?${reason}`]),
  ];
};

/** The first words of a status line after a leading number; "402 items found" is a count. */
const STARTS =
  "(?:[A-Z]|status|error|overloaded|rate|insufficient|quota|payment|invalid|bad|forbidden" +
  "|unauthorized|service|too|internal|not found|prompt|input|request|custom|model|server|api" +
  "|no body|the |your )";

const statusRule = (status: number, ofModel: boolean): Rule | undefined => {
  const meaning = statusMeaning(status, ofModel);
  if (meaning === undefined) return undefined;
  const sources: readonly TextSource[] = ofModel ? ["model", "agent", "call"] : ["shell"];
  const start = `^\\s{0,2}(?:Error: )?${status}(?:$|:|,| - | ?[{<("']| ${STARTS})`;
  const shapes = [...shapesOf(status), ...(ofModel ? [start] : [])];
  return {
    id: `status-${status}-${ofModel ? "model" : "shell"}`,
    kind: meaning[0],
    level: "exact",
    confidence: meaning[1],
    lines: `${status} => ${shapes.join("|")}`,
    sources,
  };
};

export const TYPED_CODES: readonly Rule[] = [
  ...codeRules(),
  ...KNOWN_STATUSES.flatMap((status) => [
    statusRule(status, true),
    statusRule(status, false),
  ]).filter((rule) => rule !== undefined),
];
