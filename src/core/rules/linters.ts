/** Findings of linters, formatters and type checkers for scripting languages: their totals, rows and codes. */
import { rule, type Rule } from "../classify/rule.ts";

export const LINTERS: readonly Rule[] = [
  rule("eslint-problems", "verification_failed", "summary", 0.97, {
    lines: String.raw`
      problem,problems => \b[1-9]\d{0,6} problems? \(\d{1,6} errors?
      problem,problems => ✖ (?:found )?[1-9]\d{0,6} problems?\b
    `,
  }),
  rule("eslint-row", "verification_failed", "exact", 0.88, {
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
  }),
  rule("formatter-differs", "verification_failed", "typed", 0.94, {
    ignoreCase: true,
    evenInWarnings: true,
    lines: String.raw`
      issues => \bCode style issues (?:found|were found)
      would => \b[1-9]\d{0,5} files? would be reformatted
      would => ^would reformat
      diff => ^Diff in \S{1,300}:\d
      formatted => \bfiles? (?:is|are) not formatted\b
      following => ^The following files? (?:had|have) formatting
      need => \bfile\(s\) need formatting
      mix => ^\*\* \(Mix\) mix format failed
      incorrectly => \bimports are incorrectly sorted
      issues => \bFormatting issues\b
      formatted => ^error: .{0,80}not formatted\b
    `,
  }),
  rule("python-linters", "verification_failed", "typed", 0.92, {
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
  }),
  rule("other-linters", "verification_failed", "typed", 0.9, {
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
  }),
  rule("lint-codes", "verification_failed", "typed", 0.95, {
    evenInWarnings: true,
    lines: String.raw`
      a,ann,arg,b,ble,c,com,d,dl,dtz,e,em,era,f,fbt,furb,g,i,inp,md,n,npy,pd,perf,pgh,pie,pl,plc,
      ... ple,plr,plw,pt,pth,q,r,ret,ruf,s,sa,sim,st,t,tch,tid,try,up,
      ... w => ^[^\s:]{1,300}:\d{1,6}(?::\d{1,5})?:? [A-Z]{1,4}\d{3,4}(?:[:/ ]|$)
      fixable => ^\[\*\] \d{1,6} fixable with the
      lint => ^\S{1,300}:\d{1,6}:\d{1,5} lint\/\w
      violation,violations => \bFound [1-9]\d{0,6} violations?, \d
      checkstyle => \bYou have [1-9]\d{0,6} Checkstyle violations?
      found => ^\s{0,4}[1-9]\d{0,6} issues? found\.
    `,
    unless: String.raw`\b(?:TS|NG|CS|FS|BC|LNK|GHC)-?\d{3,5}\b`,
  }),
  rule("lint-places", "verification_failed", "exact", 0.85, {
    lines: String.raw`
      error => ^\S{1,200}:\d{1,6}(?::\d{1,6})? error [A-Z]{2}\d{3}/
      error => ^\s{1,8}\d{1,6}:\d{1,6}\s{1,8}error\s{1,8}\S
      fail => ^Fail:\s{1,24}[1-9]\d{0,5}\s{0,4}$
    `,
  }),
];
