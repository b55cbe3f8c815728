/**
 * Word families that commands use for their errors, for tools no table knows. Hints only: any rule that
 * knows the wording is believed first. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const SHELL_HINTS: readonly Rule[] = [
  {
    id: "hint-arguments",
    kind: "invalid_arguments",
    level: "hint",
    confidence: 0.62,
    settings: ["shell", "call"],
    words: ["accepted", "allowed", "ambiguous", "argument", "arguments", "bad", "cannot", "context", "contexts", "could", "defined", "destination", "destinations", "environment", "environments", "expected", "expression", "expressions", "illegal", "input", "inputs", "interpret", "invalid", "known", "label", "labels", "listed", "malformed", "multiple", "must", "mutually", "name", "names", "operand", "operands", "option", "options", "parameter", "parameters", "parse", "pattern", "patterns", "profile", "profiles", "recognise", "recognised", "recognize", "recognized", "required", "requireds", "requires", "scheme", "schemes", "source", "sources", "subject", "subjects", "supported", "table", "target", "targets", "too", "understand", "unknown", "unrecognised", "unrecognized", "unsupported", "valid", "value", "values", "wrong"],
    pattern:
      /\b(?:unknown|unrecogni[sz]ed|unsupported|illegal|ambiguous|malformed) (?!error|exception|reason|host|failure|symbol|type|module|tool)['"`(<\w-]|\binvalid (?!api|token|cred|json|syntax|pointer|memory|instruction|argument exception)['"`(<\w-]|\bmust (?:specify|provide|supply|pass|give|include|have (?:a|an|at|exactly)|be (?:a|an|one|either|set|used|given|specified|supplied|in|of|at|greater|less|positive|non|valid|unique|between|followed))\b|\b(?:is|are) not supported\b|\bnot supported (?:by|for|on|in|or)\b|\bmutually exclusive\b|\brequires (?:a|an|the|at least|one|exactly|that|you|--|`|'|")|\bcannot (?:be used|be combined|specify|use|mix|parse|convert|handle|set)\b|\bcould(?:n't| not) (?:parse|understand|interpret|recogni[sz]e)\b|\b(?:is|was|are) not (?:a )?(?:defined|valid|known|recogni[sz]ed|allowed|accepted|an option)\b|\b(?:missing|no) (?:value|argument|name|parameter|input|operand|target|subject|destination|source|pattern|expression|label|required)s?\b|\bno (?:bin|example|test|bench|such|matching) (?:target|profile|scheme|environment|context|option)s?\b|\bexpected (?:a|an|one|at least|exactly|`|'|"|\d)|\bwrong (?:type|format|number|value)\b|\btoo (?:many|few|short|long)\b|\bbad (?:option|argument|value|number|format|regex|pattern)|\bmultiple (?:apps|matches|targets|candidates|remotes)\b|\bambiguous\b|\bcould be:|\barguments? must\b|\bno (?:\w{1,12} )?files? listed\b|\bis unknown\b|\bno `\w{1,20}` table\b|\boption .{1,40}: /i,
    except: /\bTraceback\b|\bTypeError\b|\bRuntimeError\b|\bValueError\b|\btoo many (?:open files|requests|redirects|connections|levels)|\bexpected (?:a|an) .{0,30}\b(?:instance|object)\b|\bwarning\b/i,
    example: "cartctl: unknown predicate `-heavy'",
    nearMiss: "cartctl: unknown error",
  },
  {
    id: "hint-file",
    kind: "file_not_found",
    level: "hint",
    confidence: 0.6,
    settings: ["shell", "call"],
    words: ["cd", "exist", "find", "found", "load", "locate", "located", "missing", "no", "open", "opened", "read"],
    pattern:
      /\b(?:was|were|is|are|could) not (?:be )?(?:found|located|opened)\b|\bnot found\b|\b(?:does not|doesn't|do not|don't) exist\b|\b(?:cannot|can't|could not|couldn't|unable to|failed to) (?:find|open|locate|load|read|cd to)\b|\bno (?:such|files?|matches|sources?|inputs?|entry|recipe|tests?) (?:found|match|in|were|was|for|or|listed)\b|\bis missing\b|\bmissing (?:file|directory|folder)\b/i,
    except: /\b(?:method|function|symbol|class|variable|attribute|property|keyerror|column|table|relation)\b|\bCannot read propert/i,
    example: "the ledger page 12 was not found",
    nearMiss: "the ledger was found",
  },
  {
    id: "hint-permission",
    kind: "permission_denied",
    level: "hint",
    confidence: 0.66,
    settings: ["shell", "call"],
    words: ["access", "accesss", "admin", "administrator", "denied", "interactive", "permission", "permissions", "privilege", "privileges", "protected", "read", "rights", "root", "superuser", "writeprotected"],
    pattern:
      /\b(?:don't|do not|doesn't|does not|no|not enough|insufficient|lacks?|without) (?:have )?(?:\w{1,12} ){0,2}(?:access|permissions?|rights|privileges?)\b|\b(?:permission|access|privilege)s? (?:is |was |were )?(?:denied|refused|required|needed|problem|error|violation)\b|\b(?:root|admin|administrator|superuser)\b.{0,30}\b(?:required|only|needed|privileges|rights|access|mode)\b|\b(?:need|needs|requires?|only|as) (?:\w{1,12} ){0,2}(?:root|admin|administrator|superuser)\b|\binteractive authentication required\b|\b(?:is|are) (?:write-?)?protected\b|\bread-?only\b.{0,30}(?:file|variable|database|mode|file ?system)|\bdenied\b/i,
    example: "You don't have access to the cart database.",
    nearMiss: "a permission slip",
  },
  {
    id: "hint-network",
    kind: "network_error",
    level: "hint",
    confidence: 0.62,
    settings: ["shell", "call"],
    words: ["access", "after", "connect", "connection", "contact", "download", "fetch", "host", "network", "proxy", "reach", "remote", "socket", "url"],
    pattern:
      /\b(?:failed|unable|cannot|could not|couldn't|can't|error) (?:to )?(?:connect|reach|contact|download|fetch|access (?:the )?(?:url|host|server|network|remote))\b|\b(?:connection|network|socket|proxy|download|fetch) (?:\w{1,12} ){0,2}(?:failed|failure|error|problem|issue|closed|lost|down|unavailable)\b|\b(?:request|fetch|download) failed after \d{1,3} retr/i,
    except: /\b(?:password|credential|unauthori[sz]ed|404|403|401)\b/i,
    example: "cartctl: error fetching the list: download failed",
    nearMiss: "the network of carts",
  },
  {
    id: "hint-dependency",
    kind: "dependency_error",
    level: "hint",
    confidence: 0.6,
    settings: ["shell"],
    words: ["broken", "bundle", "cargo", "composer", "conflicting", "dependencies", "dependency", "determine", "extra", "extras", "incompatible", "install", "installed", "lock", "lockfile", "missing", "mix", "mod", "module", "modules", "node", "npm", "package", "packages", "pip", "plugin", "plugins", "pnpm", "poetry", "python", "requirement", "requirements", "resolve", "sdk", "toolchain", "unmet", "unsatisfied", "uv", "version", "versions", "yarn"],
    pattern:
      /\b(?:dependenc(?:y|ies)|requirements?|packages?|versions?|lock ?file|extras?|python|node|toolchain|sdk|plugins?|modules?)\b.{0,60}\b(?:incompatible|conflict(?:s|ing)?|unsatisf\w{1,8}|not satisfied|mismatch|unavailable|not (?:be )?(?:installed|available|present|resolved|compatible)|out of (?:date|sync)|missing|broken)\b|\b(?:incompatible|conflicting|unsatisfied|missing|unmet|broken) (?:\S{1,20} ){0,3}(?:dependenc(?:y|ies)|requirements?|packages?|versions?|modules?|plugins?)\b|\bunsatisfied!|\bplease install\b|\bis not installed\b|\brun `?(?:npm|yarn|pnpm|pip|bundle|composer|mix deps\.get|cargo|go mod|uv|poetry) ?(?:install|get|sync|tidy|update|fetch)?\b|\bfailed to (?:install|resolve|determine installation)\b/i,
    except: /\bcommand\b|\bBUILD FAILED\b/,
    example: "CartRequirement unsatisfied! You can install it by hand",
    nearMiss: "a package of goods arrived",
  },
  {
    id: "hint-syntax",
    kind: "syntax_error",
    level: "hint",
    confidence: 0.62,
    settings: ["shell"],
    words: ["expression", "near", "parse", "parsing", "position", "syntax", "unbalanced", "unclosed", "unexpected", "unterminated"],
    pattern:
      /\bsyntax\b|\b(?:parse|parsing) error\b|\bunterminated\b|\bunclosed\b|\bunbalanced\b|\bunexpected (?:token|character|symbol|end|eof|indent|keyword|identifier|operator|string|newline)\b|\bmissing .{1,6} near\b|\bcannot parse\b.{0,120}\b(?:json|ya?ml|toml|xml)\b|\b(?:in JSON at position|expression #\d)|\b(?:error|failed|failure|problem) (?:while )?(?:to )?pars(?:e|ing)\b/i,
    example: "awk: line 2: missing } near end of file",
    nearMiss: "the end of the file",
  },
  {
    id: "hint-timeout",
    kind: "timeout",
    level: "hint",
    confidence: 0.62,
    words: ["deadline", "hung", "out", "stalled", "timeout", "timeouts", "unresponsive"],
    pattern: /\btimed?[ -]out\b|\btimeouts?\b|\bstalled\b|\bunresponsive\b|\bhung\b|\bdeadline\b/i,
    except: /\btimeout (?:option|value|must|setting|config)|--\w{0,20}timeout|\btimeout[:=]\s?\d|\bsetTimeout\b/i,
    example: "gave up: timeout",
    nearMiss: "the timeout option is set",
  },
  {
    id: "hint-tests",
    kind: "verification_failed",
    level: "hint",
    confidence: 0.62,
    words: ["expected", "fail", "failed", "failing", "failure", "failures"],
    pattern:
      /^(?:FAIL|FAILED)\b|\b\d{1,6} (?:failed|failures?|failing)\b|\b(?:[Aa]ssert|[Cc]heck|[Tt]est|[Ss]pec|[Vv]alidation|[Vv]erification)\w{0,4} (?:has |have )?failed\b|\b[Ee]xpected\b.{1,80}\b(?:but )?(?:got|was|received|actual)\b/,
    except: /\b0 (?:failed|failures?)\b|\b(?:auth|login|connection|key|token|host)\w{0,12} (?:validation|verification|check)/i,
    example: "total of the cart: 2 failed",
    nearMiss: "5 passed, 0 failed",
  },
];
