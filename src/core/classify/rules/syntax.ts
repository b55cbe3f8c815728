/**
 * Text that a shell, an interpreter or a config reader cannot parse. Code that a compiler refuses is a
 * broken build instead. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const SYNTAX: readonly Rule[] = [
  {
    id: "shell-syntax",
    kind: "syntax_error",
    level: "typed",
    confidence: 0.96,
    words: ["arithmetic", "closing", "delimited", "end", "eof", "event", "fish", "math", "near", "substitution", "syntax", "unexpected", "unmatched", "unterminated"],
    pattern:
      /\bsyntax error near unexpected token|\bsyntax error: (?:unexpected|unterminated|operand|invalid|bad|missing|missing operand|redirection)|\bunexpected EOF while looking for matching|\bSyntax error: |: syntax error in (?:conditional|expression|arithmetic)|\bparse error near\b|\bunmatched ["'`(]|\bUnmatched ["'`(]|\bbad substitution\b|\bbad math expression\b|\bunexpected end of (?:file|string|input|line)\b|\bsyntax error: |\bwas unexpected at this time\b|\bhere-document at line .{1,20} delimited by end-of-file|: arithmetic syntax error|\bunterminated (?:quoted string|here-doc)|\bMissing (?:end|a closing) .{0,40}(?:to balance|block|quote)|\bfish: (?:Expected|Unexpected|Missing|Unsupported)\b|\bcommand substitution: line \d|: event not found\b/,
    except: /\.(?:c|cc|cpp|java|rs|swift|kt|zig|hs):\d{1,7}:\d/,
    example: "bash: -c: line 2: syntax error near unexpected token `done'",
    nearMiss: "the end of the file was expected",
  },
  {
    id: "script-syntax",
    kind: "syntax_error",
    level: "exact",
    confidence: 0.9,
    words: ["indentation", "mismatcheddelimitererror", "parseerror", "syntax", "syntaxerror", "taberror", "tokenmissingerror"],
    pattern:
      /^(?:\S{0,60}: )?(?:Uncaught |\S{0,40}[.:] ?)?(?:SyntaxError|IndentationError|TabError|ParseError|TokenMissingError|MismatchedDelimiterError)\b|^\*\* \((?:SyntaxError|TokenMissingError|MismatchedDelimiterError)\)|^E\s{2,10}(?:SyntaxError|IndentationError)\b|\bsyntax error, unexpected\b|\(SyntaxError\)$/,
    except:
      /\bJSON\b|not valid JSON|\bnot provide an export|import statement outside|Unexpected end of JSON/,
    example: "SyntaxError: invalid syntax",
    nearMiss: "SyntaxErrorHandler was called",
  },
  {
    id: "interpreter-syntax",
    kind: "syntax_error",
    level: "exact",
    confidence: 0.93,
    words: ["awk", "compile", "expected", "malformed", "parse", "php", "regex", "sed", "symbol", "syntax", "unfinished", "unterminated"],
    pattern:
      /\bPHP Parse error:|\bParse error: syntax error|\bsyntax error at \S{1,200} line \d|^syntax error\b|^\S{0,60}: \S{1,200}:\d{1,7}: .{0,120}(?:expected near|unexpected symbol near|unfinished string near|expected \(to close|malformed number near)|\bunterminated (?:`\w'|string|regexp|regex|comment|address regex)|^sed: .{0,60}(?:char \d|expression)|\bsyntax error, unexpected\b|\bsyntax error on line \d|\bsyntax error:? (?:at|in|on|before)\b|\bERR: Bad regex!|: parse error: |\bjq: \d{1,3} compile error|\bSyntax error (?:at|in|on)\b|\bawk: .{0,80}syntax error|\bsyntax error:? unexpected\b|\bparse error (?:on|at|in) line\b|\bparse error: /i,
    except: /\.(?:c|cc|cpp|java|rs|swift|kt|zig|hs):\d{1,7}:\d/,
    example: "lua: cart.lua:3: unexpected symbol near '='",
    nearMiss: "the symbol near the door",
  },
  {
    id: "sql-syntax",
    kind: "syntax_error",
    level: "typed",
    confidence: 0.95,
    words: ["end", "incorrect", "near", "ora", "sql", "syntax"],
    pattern:
      /\bERROR:\s{1,3}syntax error at or near|\bYou have an error in your SQL syntax|\bnear "[^"]{0,60}": syntax error|\bORA-0093[36]|\bIncorrect syntax near\b|\bSQL syntax error\b|\bsyntax error at end of input|\bcode: 62\b.{0,30}Syntax error/i,
    example: 'ERROR:  syntax error at or near "FORM"',
    nearMiss: "the syntax of SQL is near to English",
  },
  {
    id: "config-syntax",
    kind: "syntax_error",
    level: "exact",
    confidence: 0.88,
    words: ["categoryinfo", "cmake", "converting", "definition", "dockerfile", "ejsonparse", "emerg", "expression", "extraneous", "formed", "input", "instruction", "invalid", "json", "malformed", "mapping", "missing", "msb4025", "newline", "parse", "parseable", "parsed", "parsererror", "parsing", "resource", "start", "template", "toml", "tomldecode", "unclosed", "xmlsyntax", "yaml", "yamlexception", "yml"],
    pattern:
      /\bEJSONPARSE\b|\bYAMLException\b|\b(?:yaml|yml): (?:line \d|unmarshal|did not find)|\byaml\.(?:scanner|parser)\.\w{1,30}Error|\berror (?:converting YAML to JSON|parsing \S{0,80}(?:ya?ml|toml|json|xml|config))|\bmapping values are not allowed|\bTOML parse error|\bTOMLDecodeError|\bcould not parse input as TOML|\bfailed to parse (?:manifest|lock ?file|`?\S{0,120}\.(?:toml|json|ya?ml|xml)`?)|\bDockerfile parse error|\bdockerfile parse error|\bunknown instruction: |\*\*\* missing separator|\bNon-parseable POM|\bMalformed POM\b|\bUnclosed configuration block|\bArgument or block definition required|\bInvalid expression\b$|\bError: Invalid (?:block definition|character|multi-line string|legacy provider)|\bnot well-formed \(invalid token\)|\bXMLSyntaxError|\bMSB4025\b|\bFailed to parse:? (?:`|"|')?\S{1,120}\.(?:toml|json|ya?ml|xml|lock)|\bCMake Error.{0,60}Parse error|^\s{0,2}Parse error\.|\bInvalid (?:JSON|YAML|TOML) in\b|\bcould not be parsed as (?:JSON|YAML|TOML)|\bparse error: (?:Invalid|Expected|Unfinished|Objects)|\bnginx: \[emerg\] (?:unexpected|unknown directive)|\bParserError\b: |\+ CategoryInfo\s{1,12}: ParserError|\bError: (?:Missing name for resource|Invalid resource name|Extraneous label|Missing newline|Unterminated template|Invalid template)\b|\bExpected the start of an expression|\b[Cc]annot parse .{1,200} as (?:JSON|YAML|TOML)\b|\bin JSON at position \d{1,9}.{0,40} while parsing\b|\bwhile parsing .{1,80} in \S{1,200}\.(?:json|ya?ml|toml)\b/,
    example: "npm error code EJSONPARSE",
    nearMiss: "a yaml file was written",
  },
  {
    id: "json-parse-in-shell",
    kind: "syntax_error",
    level: "phrase",
    confidence: 0.6,
    settings: ["shell"],
    words: ["character", "end", "json", "jsonerror", "parsererror", "syntaxerror", "valid"],
    pattern:
      /^(?:\S{0,60}: )?SyntaxError: .{0,200}\bJSON\b|\bUnexpected end of JSON input|\bnot valid JSON\b|\bJSON(?:\.parse|Error|::ParserError)\b|\binvalid character '.{1,4}' (?:looking for|after|in)/,
    example: "SyntaxError: Expected ',' or '}' after property value in JSON at position 14",
    nearMiss: "JSON is a format",
  },
  {
    id: "syntax-locales",
    kind: "syntax_error",
    level: "typed",
    confidence: 0.95,
    words: ["błąd", "de", "erro", "errore", "fichier", "sintáctico", "suchen", "syntaxe", "syntaxfehler", "syntaxfel", "syntaxfout", "sözdizimi", "синтаксическая", "синтаксична", "構文", "語法", "语法", "구문", "문법"],
    pattern:
      /\bSyntaxfehler\b|\berreur de syntaxe\b|\berror (?:sintáctico|de sintaxis)|\berrore di sintassi|\berro de sintaxe|синтаксическая ошибка|синтаксична помилка|\bsyntaxfout\b|\bbłąd składni|\bsyntaxfel\b|\bsözdizimi hatası|Dateiende beim Suchen nach|fin de fichier .{0,20}prématurée|语法错误|構文エラー|문법 오류|구문 오류|語法錯誤/i,
    example: "bash: ligne 4: erreur de syntaxe près du symbole inattendu « fi »",
    nearMiss: "la syntaxe est simple",
  },
  {
    id: "powershell-parse",
    kind: "syntax_error",
    level: "typed",
    confidence: 0.92,
    words: ["closing", "fullyqualifiederrorid", "gültiges", "incorrect", "missing", "parameter", "separador", "separator", "syntaktisch", "séparateur", "unexpected", "volume"],
    pattern:
      /\bUnexpected token '.{1,60}' in expression or statement|\bThe string is missing the terminator|\bMissing closing '.' in (?:statement|expression)|\bMissing argument in parameter list|\bFullyQualifiedErrorId : (?:UnexpectedToken|MissingEndCurlyBrace|TerminatorExpected|ExpectedExpression|InvalidEndOfLine)|\bnot a valid statement separator\b|\bno es un separador de instrucciones válido|kein gültiges Anweisungstrennzeichen|pas un séparateur d.instruction valide|\bFullyQualifiedErrorId : (?:MissingOpenParenthesis\w{0,30}|MissingCloseParenthesis\w{0,30}|IncompleteString)\b|syntaktisch falsch|\bsyntax of the command is incorrect\b|\bThe filename, directory name, or volume label syntax is incorrect/,
    example: "Unexpected token '}' in expression or statement.",
    nearMiss: "a token of thanks",
  },
];
