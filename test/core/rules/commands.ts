/** What each rule of `commands` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const COMMANDS: Examples = {
  "shell-command-not-found": {
    example: "bash: line 3: cartctl: command not found",
    nearMiss: "the command was not found in the archive",
  },
  "sh-not-found": {
    example: "sh: 1: cartctl: not found",
    nearMiss: "chapter 1: the cart: not found in stores",
  },
  "env-no-program": {
    example: "/usr/bin/env: ‘cartctl’: No such file or directory",
    nearMiss: "env: variable CART is set",
  },
  "spawn-enoent": {
    example: "Error: spawn cartctl ENOENT",
    nearMiss: "Error: spawn cartctl EACCES",
  },
  "go-exec-not-found": {
    example: 'exec: "cartctl": executable file not found in $PATH',
    nearMiss: "the path was found",
  },
  "program-missing-words": {
    example: "Command 'cartctl' not found, but can be installed with:",
    nearMiss: "the command to install was recognized",
  },
  "command-not-found-posix-locales": {
    example: "bash: ligne 1: cartctl : commande introuvable",
    nearMiss: "bash: la commande est connue",
  },
  "command-not-found-windows": {
    example: "'cartctl' is not recognized as an internal or external command,",
    nearMiss: "she is not recognized as a painter",
  },
  "make-missing-program": {
    example: "make: cartlint-v2: No such file or directory",
    nearMiss: "make: src/cart.c: No such file or directory",
  },
};
