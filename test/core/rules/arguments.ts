/** What each rule of `arguments` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const ARGUMENTS: Examples = {
  "unknown-option": {
    example: "ls: unrecognized option '--colour-by-mood'",
    nearMiss: "stock options are an argument for joining",
  },
  "clap-argparse": {
    example: "error: invalid value 'soon' for '--timeout <SECONDS>': invalid digit found in string",
    nearMiss: "she required a choice of value",
  },
  "bad-value": {
    example: "cartctl: invalid number of 'items': 'many'",
    nearMiss: "Invalid API key provided",
  },
  "posix-locale-options": {
    example: "ls : option non reconnue '--humeur'",
    nearMiss: "une option de plus",
  },
  "powershell-parameter": {
    example: "Get-Cart : A parameter cannot be found that matches parameter name 'Total'.",
    nearMiss: "the parameter of the curve",
  },
  "unknown-subcommand": {
    example: "git: 'psuh' is not a git command. See 'git --help'.",
    nearMiss: "a performance by command",
  },
  "did-you-mean": { example: "Did you mean this?", nearMiss: "what did you mean by that" },
  "usage-line": {
    example: "usage: cartctl [-h] {list,total} ...",
    nearMiss: "memory usage: 14 MB",
  },
  "try-help": {
    example: "Try 'cartctl --help' for more information.",
    nearMiss: "people need help",
  },
};
