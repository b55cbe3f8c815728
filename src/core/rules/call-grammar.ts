/**
 * Invalid calls, recognised by the structure of the message, whatever program prints it: an option, argument or
 * command, together with the complaint that it is missing, one too many, not understood or not allowed.
 */
import { rule, type Rule } from "../classify/rule.ts";

export const CALL_GRAMMAR: readonly Rule[] = [
  rule("dashed-option-refused", "invalid_arguments", "typed", 0.94, {
    ignoreCase: true,
    lines: String.raw`
      exist,exists => \b(?:the )?(?:option|flag|switch|argument|parameter) ["'\`]?-{1,2}[a-z][\w-]{0,
      ... 60}["'\`]? (?:does not|doesn't) exist\b
      exist,exists => ["'\`]-{1,2}[a-z][\w-]{0,60}["'\`] (?:option|flag|switch|argument|parameter) (?:does not|doesn't) exist\b
      understood => \b(?:option|flag|switch|argument) ["'\`]?-{1,2}[a-z][\w-]{0,60}["'\`]? (?:is|was) not understood\b
      required,missing,mandatory => (?:^|[\s"'\`(])-{1,2}[a-z][\w-]{0,60}["'\`]?(?: (?:option|flag|argument|
      ... parameter))? (?:is|are|was) (?:required|missing|mandatory)\b
      named => \b(?:no|could not find an?) (?:option|flag) named ["'\`]?-
      missing => \b(?:option|flag) ["'\`]-{1,2}[\w-]{1,60}[^"'\`]{0,60}["'\`] (?:argument|value) (?:is )?missing\b
      args => \bERR_PARSE_ARGS_\w{3,40}
      possible => ^\s{1,12}\[possible values: \S
      valid => \b(?:isn't|is not) a valid value for ["'\`]?-
    `,
  }),
  rule("argument-counts", "invalid_arguments", "exact", 0.9, {
    ignoreCase: true,
    lines: String.raw`
      argument,value,parameter,arguments,values,parameters => \b(?:option|flag|switch|argument|command|
      ... parameter)s? (?:\S{1,60} )?(?:expects?|needs?|takes?|requires?|(?:does not|doesn't) (?:take|accept|
      ... expect)) (?:an?|no|any|a single|exactly \w{1,8}|at (?:least|most) \w{1,8}|\d{1,3}) (?:argument|value|
      ... parameter)s?\b
      required => \brequired (?:argument|command|option|parameter|flag|operand)s? (?:is |are |was |were )?(?:missing|
      ... (?:was |were )?not (?:provided|given|set|specified))
      missing => \b(?:argument|parameter|operand|option value) (?:is |was )?missing\b
      extra => \bextra (?:positional )?(?:argument|operand|parameter)s?\b
      expected => \bexpected (?:at least |exactly |at most )?(?:\d{1,3}|one|two|three|no) (?:arguments?|args?|
      ... parameters?|operands?|values?|files?|paths?|names?)\b
      command,commands => \bno (?:such )?commands? (?:are )?(?:defined|named|called)\b
      command,script,task,subcommand,target,option => \b(?:could not|couldn't|cannot|can't) find (?:an? |the )?(?:command|subcommand|
      ... script|task|target|option) (?:named |called )?["'\`]
      commands,options,subcommands,targets,tasks,scripts => \bAvailable (?:commands|subcommands|options|targets|tasks|scripts):
      must => \bmust (?:either )?(?:provide|specify|supply|give) (?:an?|one|at least|exactly|either)\b
      precede => \bpaths must precede expression\b
      port => \bBad port ['"‘]
    `,
    unless: String.raw`
      \.(?:py|ts|tsx|js|java|rs|c|cpp|go|kt|swift|cs)[:(]\d{1,6}
      \berror (?:TS|CS|C)\d
      \berror\[E\d
      \bTypeError\b
      \bArgumentError\b
      \b(?:token|key|credential|password|login|auth\w{0,12})\b
    `,
  }),
  rule("compiler-option-grammar", "invalid_arguments", "typed", 0.9, {
    lines: String.raw`
      ts6044,expects => \berror TS6044: Compiler option '\S{1,60}' expects an argument
      needs => \bflag needs an argument: -
    `,
  }),
  rule("nothing-to-work-on", "invalid_arguments", "phrase", 0.8, {
    lines: String.raw`
      input,source => \b(?:error|ERROR): no (?:input|source) files?\b
      input => ^[\w.+-]{1,40}: no input files?\b
    `,
  }),
  rule("edit-finds-no-place", "invalid_arguments", "typed", 0.9, {
    sources: ["call"],
    ignoreCase: true,
    lines: String.raw`
      match,matches,occurrence,occurrences => \bno (?:match|matches|occurrences?) (?:was |were )?found for (?:the )?["'\`]?(?:old|search|string|text|
      ... pattern|provided|snippet)
      beyond,past => \b(?:offset|line|start|range)\b.{0,40}\b(?:is )?(?:beyond|past) (?:the )?(?:end|length|last line)\b
      directory => \bpath is not a directory\b
      parse => \bfailed to parse (?:function |tool )?arguments\b
    `,
  }),
  rule("model-argument", "invalid_arguments", "exact", 0.88, {
    sources: ["model", "agent"],
    ignoreCase: true,
    lines: String.raw`
      model => \bno such model\b
      schema => \b(?:json )?schema is (?:invalid|not valid)\b
      should => \binput should be \S
      models => \bavailable models:
    `,
  }),
];
