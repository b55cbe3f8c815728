/**
 * Text that a shell, an interpreter or a configuration parser cannot parse. Code that a compiler rejects counts as a
 * broken build instead.
 */
import { rule, type Rule } from "../classify/rule.ts";

export const SYNTAX: readonly Rule[] = [
  rule("shell-syntax", "syntax_error", "typed", 0.96, {
    lines: String.raw`
      near => \bsyntax error near unexpected token
      syntax => \bsyntax error: (?:unexpected|unterminated|operand|invalid)
      syntax => \bsyntax error: (?:bad|missing|missing operand|redirection)
      eof => \bunexpected EOF while looking for matching
      syntax => \bSyntax error:\s
      syntax => : syntax error in (?:conditional|expression|arithmetic)
      near => \bparse error near\b
      unmatched => \bunmatched ["'\`(]
      unmatched => \bUnmatched ["'\`(]
      substitution => \bbad substitution\b
      math => \bbad math expression\b
      end => \bunexpected end of (?:file|string|input|line)\b
      syntax => \bsyntax error:\s
      unexpected => \bwas unexpected at this time\b
      delimited => \bhere-document at line .{1,20} delimited by end-of-file
      arithmetic => : arithmetic syntax error
      unterminated => \bunterminated (?:quoted string|here-doc)
      closing,end => \bMissing (?:end|a closing) .{0,40}(?:to balance|block|quote)
      fish => \bfish: (?:Expected|Unexpected|Missing|Unsupported)\b
      substitution => \bcommand substitution: line \d
      event => : event not found\b
    `,
    unless: String.raw`\.(?:c|cc|cpp|java|rs|swift|kt|zig|hs):\d{1,7}:\d`,
  }),
  rule("script-syntax", "syntax_error", "exact", 0.9, {
    lines: String.raw`
      syntaxerror => ^(?:\S{0,60}: )?(?:Uncaught |\S{0,40}[.:] ?)?SyntaxError\b
      indentation => ^(?:\S{0,60}: )?(?:Uncaught |\S{0,40}[.:] ?)?IndentationError\b
      taberror => ^(?:\S{0,60}: )?(?:Uncaught |\S{0,40}[.:] ?)?TabError\b
      parseerror => ^(?:\S{0,60}: )?(?:Uncaught |\S{0,40}[.:] ?)?ParseError\b
      tokenmissingerror => ^(?:\S{0,60}: )?(?:Uncaught |\S{0,40}[.:] ?)?TokenMissingError\b
      mismatcheddelimitererror => ^(?:\S{0,60}: )?(?:Uncaught |\S{0,
      ... 40}[.:] ?)?MismatchedDelimiterError\b
      syntaxerror,tokenmissingerror => ^\*\* \((?:SyntaxError|TokenMissingError)\)
      mismatcheddelimitererror => ^\*\* \(MismatchedDelimiterError\)
      indentation,syntaxerror => ^E\s{2,10}(?:SyntaxError|IndentationError)\b
      syntax => \bsyntax error, unexpected\b
      syntaxerror => \(SyntaxError\)$
    `,
    unless: String.raw`
      \bJSON\b
      not valid JSON
      \bnot provide an export
      import statement outside
      Unexpected end of JSON
    `,
  }),
  rule("interpreter-syntax", "syntax_error", "exact", 0.93, {
    ignoreCase: true,
    lines: String.raw`
      php => \bPHP Parse error:
      syntax => \bParse error: syntax error
      syntax => \bsyntax error at \S{1,200} line \d
      syntax => ^syntax error\b
      expected => ^\S{0,60}: \S{1,200}:\d{1,7}: .{0,120}expected near
      symbol => ^\S{0,60}: \S{1,200}:\d{1,7}: .{0,120}unexpected symbol near
      unfinished => ^\S{0,60}: \S{1,200}:\d{1,7}: .{0,120}unfinished string near
      expected => ^\S{0,60}: \S{1,200}:\d{1,7}: .{0,120}expected \(to close
      malformed => ^\S{0,60}: \S{1,200}:\d{1,7}: .{0,120}malformed number near
      unterminated => \bunterminated (?:\`\w'|string|regexp|regex|comment|address regex)
      sed => ^sed: .{0,60}(?:char \d|expression)
      syntax => \bsyntax error, unexpected\b
      syntax => \bsyntax error on line \d
      syntax => \bsyntax error:? (?:at|in|on|before)\b
      regex => \bERR: Bad regex!
      parse => : parse error:\s
      compile => \bjq: \d{1,3} compile error
      syntax => \bSyntax error (?:at|in|on)\b
      awk => \bawk: .{0,80}syntax error
      syntax => \bsyntax error:? unexpected\b
      parse => \bparse error (?:on|at|in) line\b
      parse => \bparse error:\s
    `,
    unless: String.raw`\.(?:c|cc|cpp|java|rs|swift|kt|zig|hs):\d{1,7}:\d`,
  }),
  rule("sql-syntax", "syntax_error", "typed", 0.95, {
    ignoreCase: true,
    lines: String.raw`
      syntax => \bERROR:\s{1,3}syntax error at or near
      sql => \bYou have an error in your SQL syntax
      near => \bnear "[^"]{0,60}": syntax error
      ora => \bORA-0093[36]
      incorrect => \bIncorrect syntax near\b
      sql => \bSQL syntax error\b
      end => \bsyntax error at end of input
      syntax => \bcode: 62\b.{0,30}Syntax error
    `,
  }),
  rule("config-syntax", "syntax_error", "exact", 0.88, {
    lines: String.raw`
      ejsonparse => \bEJSONPARSE\b
      yamlexception => \bYAMLException\b
      yaml,yml => \b(?:yaml|yml): (?:line \d|unmarshal|did not find)
      yaml => \byaml\.(?:scanner|parser)\.\w{1,30}Error
      converting => \berror converting YAML to JSON
      parsing => \berror parsing \S{0,80}(?:ya?ml|toml|json|xml|config)
      mapping => \bmapping values are not allowed
      toml => \bTOML parse error
      tomldecode => \bTOMLDecodeError
      input => \bcould not parse input as TOML
      parse => \bfailed to parse (?:manifest|lock ?file|\`?\S{0,120}\.(?:toml|json|ya?ml|
      ... xml)\`?)
      dockerfile => \bDockerfile parse error
      dockerfile => \bdockerfile parse error
      instruction => \bunknown instruction:\s
      missing => \*\*\* missing separator
      parseable => \bNon-parseable POM
      malformed => \bMalformed POM\b
      unclosed => \bUnclosed configuration block
      definition => \bArgument or block definition required
      expression => \bInvalid expression\b$
      invalid => \bError: Invalid (?:block definition|character|multi-line string|
      ... legacy provider)
      formed => \bnot well-formed \(invalid token\)
      xmlsyntax => \bXMLSyntaxError
      msb4025 => \bMSB4025\b
      parse => \bFailed to parse:? (?:\`|"|')?\S{1,120}\.(?:toml|json|ya?ml|xml|lock)
      cmake => \bCMake Error.{0,60}Parse error
      parse => ^\s{0,2}Parse error\.
      json,toml,yaml => \bInvalid (?:JSON|YAML|TOML) in\b
      parsed => \bcould not be parsed as (?:JSON|YAML|TOML)
      parse => \bparse error: (?:Invalid|Expected|Unfinished|Objects)
      emerg => \bnginx: \[emerg\] (?:unexpected|unknown directive)
      parsererror => \bParserError\b:\s
      categoryinfo => \+ CategoryInfo\s{1,12}: ParserError
      resource => \bError: (?:Missing name for resource|Invalid resource name)\b
      extraneous => \bError: Extraneous label\b
      newline,template => \bError: (?:Missing newline|Unterminated template|Invalid template)\b
      start => \bExpected the start of an expression
      parse => \b[Cc]annot parse .{1,200} as (?:JSON|YAML|TOML)\b
      parsing => \bin JSON at position \d{1,9}.{0,40} while parsing\b
      parsing => \bwhile parsing .{1,80} in \S{1,200}\.(?:json|ya?ml|toml)\b
    `,
  }),
  rule("json-parse-in-shell", "syntax_error", "phrase", 0.6, {
    sources: ["shell"],
    lines: String.raw`
      syntaxerror => ^(?:\S{0,60}: )?SyntaxError: .{0,200}\bJSON\b
      end => \bUnexpected end of JSON input
      valid => \bnot valid JSON\b
      json,jsonerror,parsererror => \bJSON(?:\.parse|Error|::ParserError)\b
      character => \binvalid character '.{1,4}' (?:looking for|after|in)
    `,
  }),
  rule("syntax-locales", "syntax_error", "typed", 0.95, {
    ignoreCase: true,
    lines: String.raw`
      syntaxfehler => \bSyntaxfehler\b
      syntaxe => \berreur de syntaxe\b
      de,sintáctico => \berror (?:sintáctico|de sintaxis)
      errore => \berrore di sintassi
      erro => \berro de sintaxe
      синтаксическая => синтаксическая ошибка
      синтаксична => синтаксична помилка
      syntaxfout => \bsyntaxfout\b
      błąd => \bbłąd składni
      syntaxfel => \bsyntaxfel\b
      sözdizimi => \bsözdizimi hatası
      suchen => Dateiende beim Suchen nach
      fichier => fin de fichier .{0,20}prématurée
      语法 => 语法错误
      構文 => 構文エラー
      문법 => 문법 오류
      구문 => 구문 오류
      語法 => 語法錯誤
    `,
  }),
  rule("powershell-parse", "syntax_error", "typed", 0.92, {
    lines: String.raw`
      unexpected => \bUnexpected token '.{1,60}' in expression or statement
      missing => \bThe string is missing the terminator
      closing => \bMissing closing '.' in (?:statement|expression)
      parameter => \bMissing argument in parameter list
      fullyqualifiederrorid => \bFullyQualifiedErrorId : (?:UnexpectedToken|
      ... MissingEndCurlyBrace)
      terminator => \bFullyQualifiedErrorId : TerminatorExpected
      fullyqualifiederrorid => \bFullyQualifiedErrorId : (?:ExpectedExpression|InvalidEndOfLine)
      separator => \bnot a valid statement separator\b
      separador => \bno es un separador de instrucciones válido
      gültiges => kein gültiges Anweisungstrennzeichen
      séparateur => pas un séparateur d.instruction valide
      fullyqualifiederrorid => \bFullyQualifiedErrorId : MissingOpenParenthesis\w{0,30}\b
      fullyqualifiederrorid => \bFullyQualifiedErrorId : MissingCloseParenthesis\w{0,30}\b
      incompletestring => \bFullyQualifiedErrorId : IncompleteString\b
      syntaktisch => syntaktisch falsch
      incorrect => \bsyntax of the command is incorrect\b
      volume => \bThe filename, directory name, or volume label syntax is incorrect
    `,
  }),
  rule("configuration-syntax", "syntax_error", "typed", 0.88, {
    lines: String.raw`
      emerg => ^(?:nginx: )?[\d/: ]{0,24}\[emerg\] .{0,24}(?:unexpected|unknown directive|invalid|directive)
      pom => \b(?:Non-parseable|Malformed) POM\b
      expecting => ^\S{1,200}meson\.build:\d{1,6}:\d{1,6}: ERROR: Expecting 
      json => \b(?:config(?:uration)?|file) is not (?:a )?valid JSON\b
      expecting => ^Expecting (?:property name|value|',' delimiter|':' delimiter).{0,60}: line \d
    `,
  }),
];
