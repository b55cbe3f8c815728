/**
 * Checks other than tests that ran and said no: linters, formatters, type checkers of scripts, coverage,
 * checksums, hooks.
 */
import type { Rule } from "../classify/rule.ts";

export const LINT_CHECKS: readonly Rule[] = [
  {
    id: "eslint-problems",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.97,
    lines: String.raw`
      problem,problems => \b[1-9]\d{0,6} problems? \(\d{1,6} errors?
      problem,problems => ✖ (?:found )?[1-9]\d{0,6} problems?\b
    `,
  },
  {
    id: "eslint-row",
    kind: "verification_failed",
    level: "exact",
    confidence: 0.88,
    lines: String.raw`
      error => ^\s{0,6}\d{1,6}:\d{1,5}\s{1,6}(?:✖\s{1,4})?error\s{1,6}\S.{1,300}\s{2,
      ... 80}[@\w/-]{3,80}\s{0,4}$
      error => ^\s{0,6}\d{1,6}:\d{1,5}\s{1,6}(?:✖\s{1,4})?Error:\s{1,6}\S.{1,300}\s{2,
      ... 80}[@\w/-]{3,80}\s{0,4}$
      warning => ^\s{0,6}\d{1,6}:\d{1,5}\s{1,6}(?:✖\s{1,4})?warning\s{1,6}\S.{1,300}\s{2,
      ... 80}[@\w/-]{3,80}\s{0,4}$
      warning => ^\s{0,6}\d{1,6}:\d{1,5}\s{1,6}(?:✖\s{1,4})?Warning:\s{1,6}\S.{1,300}\s{2,
      ... 80}[@\w/-]{3,80}\s{0,4}$
    `,
  },
  {
    id: "formatter-differs",
    kind: "verification_failed",
    level: "typed",
    confidence: 0.94,
    ignoreCase: true,
    evenInWarnings: true,
    lines: String.raw`
      issues => \bCode style issues (?:found|were found)
      would => \b[1-9]\d{0,5} files? would be reformatted
      would => ^would reformat
      reformat => ^Would reformat:
      diff => ^Diff in \S{1,300}:\d
      formatted => \bfiles? (?:is|are) not formatted\b
      following => ^The following files? (?:had|have) formatting
      need => \bfile\(s\) need formatting
      mix => ^\*\* \(Mix\) mix format failed
      incorrectly => \bimports are incorrectly sorted
      issues => \bFormatting issues\b
      formatted => ^error: .{0,80}not formatted\b
    `,
  },
  {
    id: "python-linters",
    kind: "verification_failed",
    level: "typed",
    confidence: 0.92,
    lines: String.raw`
      checked => ^Found [1-9]\d{0,6} errors?(?: in \d{1,6} files?)? \(checked \d{1,
      ... 6} source files?\)
      found => ^Found [1-9]\d{0,6} errors?(?: in \d{1,6} files?)?\.$
      found => ^Found [1-9]\d{0,6} errors?(?: in \d{1,6} files?)?, \d
      rated => ^Your code has been rated at
      py,pyi => ^\S{1,300}\.pyi?:\d{1,6}:(?:\d{1,5}:)? [A-Z]{1,4}\d{3,4}:? \S
      py,pyi => ^\S{1,300}\.pyi?:\d{1,6}: error: .{1,300}\s\[[a-z-]{3,40}\]
      warning,warnings => ^\d{1,6} errors?, \d{1,6} warnings?, \d{1,6} (?:informations?|notes?)
    `,
  },
  {
    id: "other-linters",
    kind: "verification_failed",
    level: "typed",
    confidence: 0.9,
    lines: String.raw`
      inspected => \b\d{1,6} files? inspected, [1-9]\d{0,6} offenses? detected
      issues => ^\d{1,6} issues:$
      sc => \(SC\d{4}\b
      line => ^In \S{1,200} line \d{1,6}:$
      information => ^For more information:$
      svelte => \bsvelte-check found [1-9]
      found => ^Found \d{1,6} (?:issues|violations)
      lint => \b\d{1,6} lint (?:errors?|problems?|issues?)\b
      checked => ^Checked \d{1,6} files? in .{1,20}Found [1-9]
    `,
  },
  {
    id: "coverage-threshold",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.95,
    ignoreCase: true,
    lines: String.raw`
      coverage => \bcoverage threshold for \w{1,20} \(.{1,12}\) not met
      coverage => \bRequired test coverage of .{1,12} not reached
      coverage => \bCoverage for \w{1,20} \(.{1,12}\) does not meet
      coverage => \bcoverage .{0,40}below (?:the )?(?:threshold|minimum)
      coverage => ^Coverage failure: total of
    `,
  },
  {
    id: "checksum-differs",
    kind: "verification_failed",
    level: "typed",
    confidence: 0.85,
    evenInWarnings: true,
    lines: String.raw`
      computed => \b\d{1,6} computed checksums? did NOT match
      failed => ^\S{1,200}: FAILED$
      signature => \bBAD signature from\b
      differ => ^\S{1,200} \S{1,200} differ: (?:byte|char) \d
      verify => \bcould not verify (?:the )?signature
      differ => ^Files \S{1,200} and \S{1,200} differ$
    `,
  },
  {
    id: "git-hook-refused",
    kind: "verification_failed",
    level: "exact",
    confidence: 0.82,
    lines: String.raw`
      hook => ^- hook id: \w
      husky => \bhusky - (?:pre-commit|commit-msg|pre-push) (?:hook|script) (?:exited|failed)
      pre => \bpre-commit hook (?:failed|exited)
    `,
  },
  {
    id: "check-says-failed",
    kind: "verification_failed",
    level: "phrase",
    confidence: 0.78,
    ignoreCase: true,
    lines: String.raw`
      verification => \bverification (?:tests? |checks? )?(?:has |have )?failed\b
      acceptance => \bacceptance (?:tests? |checks? )?(?:has |have )?failed\b
      smoke => \bsmoke (?:tests? |checks? )?(?:has |have )?failed\b
      integration,unit => \b(?:integration|unit) (?:tests? |checks? )?(?:has |have )?failed\b
      regression => \bregression (?:tests? |checks? )?(?:has |have )?failed\b
      check,checks,test,tests => \b[1-9]\d{0,5} (?:checks?|tests?) (?:have |has )?failed\b
      spec,specs => \b[1-9]\d{0,5} specs? (?:have |has )?failed\b
      assertion,assertions => \b[1-9]\d{0,5} assertions? (?:have |has )?failed\b
      snapshot,snapshots => \b[1-9]\d{0,5} snapshots? (?:have |has )?failed\b
      expectation,expectations => \b[1-9]\d{0,5} expectations? (?:have |has )?failed\b
      check,checks,spec,specs,test,tests => ^\s{0,4}(?:tests?|checks?|specs?) failed\b
      suite => \btest suite failed\b(?! to)
      quality => \bquality gate (?:has )?failed
      check,lint,typecheck => \b(?:typecheck|type check|lint) failed\b
      lint => \blint: [1-9]\d{0,5} errors?\b
      vulnerabilities,vulnerability => \b[1-9]\d{0,5} (?:\w{1,10} severity )?vulnerabilit(?:y|
      ... ies)\b
    `,
    unless: String.raw`
      \b(?:key|certificate|signature|account|email|host key|token|auth\w{0,20}|
      ... identity) (?:verification|validation)
      Hostkey
    `,
  },
  {
    id: "lint-places",
    kind: "verification_failed",
    level: "exact",
    confidence: 0.85,
    lines: String.raw`
      error => ^\S{1,200}:\d{1,6}(?::\d{1,6})? error [A-Z]{2}\d{3}/
      error => ^\s{1,8}\d{1,6}:\d{1,6}\s{1,8}error\s{1,8}\S
      fail => ^Fail:\s{1,24}[1-9]\d{0,5}\s{0,4}$
    `,
  },
];
