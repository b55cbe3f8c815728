/** What each rule of `syntax` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const SYNTAX: Examples = {
  "shell-syntax": {
    example: "bash: -c: line 2: syntax error near unexpected token `done'",
    nearMiss: "the end of the file was expected",
  },
  "script-syntax": {
    example: "SyntaxError: invalid syntax",
    nearMiss: "SyntaxErrorHandler was called",
  },
  "interpreter-syntax": {
    example: "lua: cart.lua:3: unexpected symbol near '='",
    nearMiss: "the symbol near the door",
  },
  "sql-syntax": {
    example: 'ERROR:  syntax error at or near "FORM"',
    nearMiss: "the syntax of SQL is near to English",
  },
  "config-syntax": { example: "npm error code EJSONPARSE", nearMiss: "a yaml file was written" },
  "json-parse-in-shell": {
    example: "SyntaxError: Expected ',' or '}' after property value in JSON at position 14",
    nearMiss: "JSON is a format",
  },
  "syntax-locales": {
    example: "bash: ligne 4: erreur de syntaxe près du symbole inattendu « fi »",
    nearMiss: "la syntaxe est simple",
  },
  "powershell-parse": {
    example: "Unexpected token '}' in expression or statement.",
    nearMiss: "a token of thanks",
  },
  "configuration-syntax": {
    example: 'nginx: [emerg] unexpected end of file, expecting "}" in /etc/nginx/cart.conf:12',
    nearMiss: "the nginx emerg level is for emergencies",
  },
};
