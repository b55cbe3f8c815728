/** Commands, tasks and targets a tool does not have, and the help it offers instead. */
import type { Rule } from "../classify/rule.ts";

export const SUBCOMMANDS: readonly Rule[] = [
  {
    id: "unknown-subcommand",
    kind: "invalid_arguments",
    level: "typed",
    confidence: 0.94,
    ignoreCase: true,
    lines: String.raw`
      command,known,recognised,recognized,subcommand,task,valid => \b(?:is|are) not an? (?:\w{1,
      ... 20} )?(?:command|task|subcommand|valid command|known command|
      ... recogni[sz]ed command)\b\.?(?: See| in|\s|$)
      unknown => \bunknown (?:sub-?)?command:?(?: line)? ["'\`]?\S{1,60}["'\`]? (?:for|of|to)\b
      such => \bno such (?:sub-?)?command\b
      unknown => \bunknown (?:sub-?command|lifecycle phase|operation|verb|task|action)\b
      unknown => \b(?:ERROR|Error|error): [Uu]nknown command\b
      unknown => ^\S{1,40}(?: \S{1,40})?: [Uu]nknown command\b
      command => \bCommand "[^"]{1,60}" (?:is not defined|not found)
      command => \bcommand ["'\`]?[\w:-]{1,60}["'\`]? (?:is ambiguous|does not exist)
      command => \bcommand ["'\`]?[\w:-]{1,60}["'\`]? is not (?:defined|known|valid)
      ambiguous => \bambiguous command\b
      operation => \bInvalid operation \S
      script => \b[Mm]issing script:?\s
      task => \bTask ['"]\S{1,80}['"] (?:not found|is not in your|is ambiguous)
      know => \bDon't know how to build task
      task => \bThe task "\S{1,80}" could not be found
      goals => \bNo goals have been specified
      has => \bhas no command named
      command => \bis not in the '[^']{1,80}' command group
      commandnotfounderror => \bCommandNotFoundError: No command '
      command => \bCommand\(s\) not found:\s
      rule => \bNo rule to make target '[^']{1,120}'\.\s{1,3}Stop
      unrecognised,unrecognized => \bUnrecogni[sz]ed command\b
      such => \bNo such command\b
      these => \bDid you mean one of these\?
      replaced => \bhas been replaced with \`?\w
      unknown => \bunknown command "
      similar => \bThe most similar (?:choice|commands?)\b
      pnpm => \bERR_PNPM_NO_SCRIPT
      script => \berror: Script not found
      valid => \bnot a valid (?:sub)?command\b
      take => \bThis command .{0,60}does not take\b
      perhaps => \bPerhaps you meant\b
      mean => \bdid you mean one of\b
      command => \bCommand\(s\) not found
      misspelled => \bmisspelled a built-in\b
      specified => \bspecified command or file was not found\b
      resource => \bthe server doesn't have a resource type
      such => \bno such (?:task|target|goal|script|recipe)\b
    `,
    unless: String.raw`
      ^fish: Unknown command
    `,
    example: "git: 'psuh' is not a git command. See 'git --help'.",
    nearMiss: "a performance by command",
  },
  {
    id: "did-you-mean",
    kind: "invalid_arguments",
    level: "phrase",
    confidence: 0.75,
    ignoreCase: true,
    lines: String.raw`
      mean => ^\s{0,8}(?:\()?(?:did|do) you mean (?:this|one of|\`|'|")
      meant => \bmaybe you meant\b
      mean => \bdid you mean \`--
    `,
    example: "Did you mean this?",
    nearMiss: "what did you mean by that",
  },
  {
    id: "usage-line",
    kind: "invalid_arguments",
    level: "phrase",
    confidence: 0.78,
    ignoreCase: true,
    lines: String.raw`
      aufruf,usage,utilisation => ^\s{0,6}(?:\S{1,60}: )?(?:usage|utilisation|aufruf)\s?[:：] ?\S
      uso,verwendung => ^\s{0,6}(?:\S{1,60}: )?(?:verwendung|uso)\s?[:：] ?\S
      использование,使い,用法,사용 => ^\s{0,6}(?:\S{1,60}: )?(?:использование|用法|使い方|사용법)\s?[:：] ?\S
      see => ^See '?\S{1,40} (?:--help|help)
      usage => ^\s{0,4}Usage:$
    `,
    unless: String.raw`
      \b(?:cpu|memory|disk|token|storage|data) usage
      "usage"
      usage_
    `,
    example: "usage: cartctl [-h] {list,total} ...",
    nearMiss: "memory usage: 14 MB",
  },
  {
    id: "try-help",
    kind: "invalid_arguments",
    level: "phrase",
    confidence: 0.72,
    ignoreCase: true,
    lines: String.raw`
      h,help => \b(?:try|see|run) ['"\`‘]?.{1,60}(?:--help|-h|\bhelp)\b.{0,40}(?:for |to see)
      h,help => \b(?:use|type) ['"\`‘]?.{1,60}(?:--help|-h|\bhelp)\b.{0,40}(?:for |to see)
      h,help => \b(?:try|see|run) ['"\`‘]?.{1,60}(?:--help|-h|\bhelp)\b.{0,40}(?:to show|$)
      h,help => \b(?:use|type) ['"\`‘]?.{1,60}(?:--help|-h|\bhelp)\b.{0,40}(?:to show|$)
      usage => \bfor usage\.?$
      information => ^For more information,? try '?--help
    `,
    unless: String.raw`
      \bnpm help ci\b
    `,
    example: "Try 'cartctl --help' for more information.",
    nearMiss: "people need help",
  },
];
