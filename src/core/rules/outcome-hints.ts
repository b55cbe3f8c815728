/** Word families for packages, syntax, time and tests, for tools no table knows. Hints only. */
import type { Rule } from "../classify/rule.ts";

export const OUTCOME_HINTS: readonly Rule[] = [
  {
    id: "hint-dependency",
    kind: "dependency_error",
    level: "hint",
    confidence: 0.6,
    settings: ["shell"],
    ignoreCase: true,
    lines: String.raw`
      dependencies,dependency,extra,extras,lock,lockfile,module,modules,node,package,packages,
      ... plugin,plugins,python,requirement,requirements,sdk,toolchain,version,
      ... versions => \b(?:dependenc(?:y|ies)|requirements?|packages?|versions?|lock ?file|
      ... extras?|python|node|toolchain|sdk|plugins?|modules?)\b.{0,60}\b(?:incompatible|
      ... conflict(?:s|ing)?|unsatisf\w{1,8}|not satisfied|mismatch|unavailable|
      ... not (?:be )?(?:installed|available|present|resolved|compatible)|out of (?:date|sync)|
      ... missing|broken)\b
      broken,conflicting,incompatible,missing,unmet,unsatisfied => \b(?:incompatible|
      ... conflicting|unsatisfied|missing|unmet|broken) (?:\S{1,20} ){0,3}(?:dependenc(?:y|ies)|
      ... requirements?|packages?|versions?|modules?|plugins?)\b
      unsatisfied => \bunsatisfied!
      install => \bplease install\b
      installed => \bis not installed\b
      determine,install,resolve => \bfailed to (?:install|resolve|determine installation)\b
      archive,distribution,distributions,hash,hashes,interpreter,lock,lockfile,member,package,
      ... packages,requirement,requirements,sdist,sdists,wheel,wheels => \b(?:wheels?|
      ... source distributions?|sdists?|requirements?|packages?|hash(?:es)?|distributions?|
      ... lock ?file|workspace member|interpreter|archive)\b.{0,100}\b(?:can't|cannot|could not|
      ... couldn't|disabled|unsupported|not (?:allowed|available|installed|provided|defined|
      ... supported|a workspace member|up-to-date)|incompatible|conflicting|mismatch|is invalid|
      ... no hashes)\b
      extract => \bFailed to extract\b
      metadata => \bmetadata\b.{0,40}\b(?:invalid|missing|not found|failed)\b
      distributions => \bBuilding source distributions is disabled
      hash => \bHash-checking is enabled
      add,fetch,get,install,lock,sync,tidy,update => \brun \`?(?:npm|yarn|pnpm|pip|bundle|
      ... composer|cargo|uv|poetry) (?:install|get|sync|tidy|update|fetch|add|lock)\b
      get,mix,tidy => \brun \`?(?:mix deps\.get|go mod tidy|go get)\b
    `,
    unless: String.raw`
      \bcommand\b
      \bBUILD FAILED\b
    `,
    example: "CartRequirement unsatisfied! You can install it by hand",
    nearMiss: "a package of goods arrived",
  },
  {
    id: "hint-syntax",
    kind: "syntax_error",
    level: "hint",
    confidence: 0.62,
    settings: ["shell"],
    ignoreCase: true,
    lines: String.raw`
      syntax => \bsyntax\b
      parse,parsing => \b(?:parse|parsing) error\b
      unterminated => \bunterminated\b
      unclosed => \bunclosed\b
      unbalanced => \bunbalanced\b
      unexpected => \bunexpected (?:token|character|symbol|end|eof|indent)\b
      unexpected => \bunexpected (?:keyword|identifier|operator|string|newline)\b
      near => \bmissing .{1,6} near\b
      parse => \bcannot parse\b.{0,120}\b(?:json|ya?ml|toml|xml)\b
      expression,position => \b(?:in JSON at position|expression #\d)
      parse,parsing => \b(?:error|failed|failure|problem) (?:while )?(?:to )?pars(?:e|ing)\b
      unexpected => \bunexpected ['\"\`‘«]
    `,
    unless: String.raw`
      \bFailed to parse \`?--
      \bparse (?:environment variable|option|argument|value)
    `,
    example: "awk: line 2: missing } near end of file",
    nearMiss: "the end of the file",
  },
  {
    id: "hint-timeout",
    kind: "timeout",
    level: "hint",
    confidence: 0.62,
    ignoreCase: true,
    lines: String.raw`
      out => \btimed?[ -]out\b
      timeout,timeouts => \btimeouts?\b
      stalled => \bstalled\b
      unresponsive => \bunresponsive\b
      hung => \bhung\b
      deadline => \bdeadline\b
    `,
    unless: String.raw`
      \btimeout (?:option|value|must|setting|config)
      --\w{0,20}timeout
      \btimeout[:=]\s?\d
      \bsetTimeout\b
    `,
    example: "gave up: timeout",
    nearMiss: "the timeout option is set",
  },
  {
    id: "hint-tests",
    kind: "verification_failed",
    level: "hint",
    confidence: 0.62,
    lines: String.raw`
      fail,failed => ^(?:FAIL|FAILED)\b
      failed,failing,failure,failures => \b\d{1,6} (?:failed|failures?|failing)\b
      failed => \b(?:[Aa]ssert|[Cc]heck|[Tt]est)\w{0,4} (?:has |have )?failed\b
      failed => \b(?:[Ss]pec|[Vv]alidation|[Vv]erification)\w{0,4} (?:has |have )?failed\b
      expected => \b[Ee]xpected\b.{1,80}\b(?:but )?(?:got|was|received|actual)\b
    `,
    unless: String.raw`
      \b0 (?:failed|failures?)\b
      \b(?:auth|login|connection|key|token|host)\w{0,12} (?:validation|verification|check)
      \b[Tt]ype validation\b
    `,
    example: "total of the cart: 2 failed",
    nearMiss: "5 passed, 0 failed",
  },
];
