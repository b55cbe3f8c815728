/**
 * Checks other than tests that ran and said no: linters, formatters, type checkers of scripts, coverage,
 * checksums, hooks. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const LINT_CHECKS: readonly Rule[] = [
  {
    id: "eslint-problems",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.97,
    words: ["problem", "problems"],
    pattern: /\b[1-9]\d{0,6} problems? \(\d{1,6} errors?|✖ (?:found )?[1-9]\d{0,6} problems?\b/,
    example: "✖ 4 problems (3 errors, 1 warning)",
    nearMiss: "there were 4 problems with the order",
  },
  {
    id: "eslint-row",
    kind: "verification_failed",
    level: "exact",
    confidence: 0.88,
    words: ["error", "warning"],
    pattern:
      /^\s{0,6}\d{1,6}:\d{1,5}\s{1,6}(?:✖\s{1,4})?(?:error|Error:|warning|Warning:)\s{1,6}\S.{1,300}\s{2,80}[@\w/-]{3,80}\s{0,4}$/,
    example: "  12:7   error  'total' is assigned a value but never used  no-unused-vars",
    nearMiss: "  12:7 error in clock setting",
  },
  {
    id: "formatter-differs",
    kind: "verification_failed",
    level: "typed",
    confidence: 0.94,
    words: ["diff", "following", "formatted", "incorrectly", "issues", "mix", "need", "reformat", "would"],
    evenInWarnings: true,
    pattern:
      /\bCode style issues (?:found|were found)|\b[1-9]\d{0,5} files? would be reformatted|^would reformat|^Would reformat:|^Diff in \S{1,300}:\d|\bfiles? (?:is|are) not formatted\b|^The following files? (?:had|have) formatting|\bfile\(s\) need formatting|^\*\* \(Mix\) mix format failed|\bimports are incorrectly sorted|\bFormatting issues\b|^error: .{0,80}not formatted\b/i,
    example: "[warn] Code style issues found in 2 files. Run Prettier with --write to fix.",
    nearMiss: "the style issues of the magazine",
  },
  {
    id: "python-linters",
    kind: "verification_failed",
    level: "typed",
    confidence: 0.92,
    words: ["found", "py", "pyi", "rated", "warning", "warnings"],
    pattern:
      /^Found [1-9]\d{0,6} errors?(?: in \d{1,6} files?)?(?: \(checked \d{1,6} source files?\)|\.$|, \d)|^Your code has been rated at|^\S{1,300}\.pyi?:\d{1,6}:(?:\d{1,5}:)? [A-Z]{1,4}\d{3,4}:? \S|^\S{1,300}\.pyi?:\d{1,6}: error: .{1,300}\s\[[a-z-]{3,40}\]|^\d{1,6} errors?, \d{1,6} warnings?, \d{1,6} (?:informations?|notes?)/,
    example: "Found 3 errors in 2 files (checked 9 source files)",
    nearMiss: "Found 3 files",
  },
  {
    id: "other-linters",
    kind: "verification_failed",
    level: "typed",
    confidence: 0.9,
    words: ["checked", "found", "information", "inspected", "issues", "line", "lint", "sc", "svelte"],
    pattern:
      /\b\d{1,6} files? inspected, [1-9]\d{0,6} offenses? detected|^\d{1,6} issues:$|\(SC\d{4}\b|^In \S{1,200} line \d{1,6}:$|^For more information:$|\bsvelte-check found [1-9]|^Found \d{1,6} (?:issues|violations)|\b\d{1,6} lint (?:errors?|problems?|issues?)\b|^Checked \d{1,6} files? in .{1,20}Found [1-9]/,
    example: "7 files inspected, 2 offenses detected",
    nearMiss: "7 files inspected, no offenses detected",
  },
  {
    id: "coverage-threshold",
    kind: "verification_failed",
    level: "summary",
    confidence: 0.95,
    words: ["coverage"],
    pattern:
      /\bcoverage threshold for \w{1,20} \(.{1,12}\) not met|\bRequired test coverage of .{1,12} not reached|\bCoverage for \w{1,20} \(.{1,12}\) does not meet|\bcoverage .{0,40}below (?:the )?(?:threshold|minimum)|^Coverage failure: total of/i,
    example: 'Jest: "global" coverage threshold for lines (80%) not met: 61%',
    nearMiss: "coverage of the cart is 81%",
  },
  {
    id: "checksum-differs",
    kind: "verification_failed",
    level: "typed",
    confidence: 0.85,
    words: ["computed", "differ", "failed", "signature", "verify"],
    evenInWarnings: true,
    pattern:
      /\b\d{1,6} computed checksums? did NOT match|^\S{1,200}: FAILED$|\bBAD signature from\b|^\S{1,200} \S{1,200} differ: (?:byte|char) \d|\bcould not verify (?:the )?signature|^Files \S{1,200} and \S{1,200} differ$/,
    example: "sha256sum: WARNING: 1 computed checksum did NOT match",
    nearMiss: "the checksum did match",
  },
  {
    id: "git-hook-refused",
    kind: "verification_failed",
    level: "exact",
    confidence: 0.82,
    words: ["hook", "husky", "pre"],
    pattern:
      /^- hook id: \w|\bhusky - (?:pre-commit|commit-msg|pre-push) (?:hook|script) (?:exited|failed)|\bpre-commit hook (?:failed|exited)/,
    example: "husky - pre-commit script failed (code 1)",
    nearMiss: "installed the pre-commit hook",
  },
  {
    id: "check-says-failed",
    kind: "verification_failed",
    level: "phrase",
    confidence: 0.78,
    words: ["acceptance", "assertion", "assertions", "check", "checks", "expectation", "expectations", "integration", "lint", "quality", "regression", "smoke", "snapshot", "snapshots", "spec", "specs", "suite", "test", "tests", "typecheck", "unit", "verification"],
    pattern:
      /\b(?:verification|acceptance|smoke|integration|unit|regression) (?:tests? |checks? )?(?:has |have )?failed\b|\b[1-9]\d{0,5} (?:checks?|tests?|specs?|assertions?|snapshots?|expectations?) (?:have |has )?failed\b|^\s{0,4}(?:tests?|checks?|specs?) failed\b|\btest suite failed\b(?! to)|\bquality gate (?:has )?failed|\b(?:typecheck|type check|lint) failed\b/i,
    except:
      /\b(?:key|certificate|signature|account|email|host key|token|auth\w{0,20}|identity) (?:verification|validation)|Hostkey/i,
    example: "smoke test failed: 2 checks failed",
    nearMiss: "Host key verification failed.",
  },
];
