/**
 * Wrong options, values, subcommands, targets and parameters. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const ARGUMENTS: readonly Rule[] = [
  {
    id: "unknown-option",
    kind: "invalid_arguments",
    level: "exact",
    confidence: 0.95,
    words: ["accepted", "argument", "arguments", "come", "flag", "flags", "long", "option", "options", "parameter", "parameters", "requires", "shorthand", "switch", "switchs", "unexpected", "unknown", "used", "valid"],
    pattern:
      /\b(?:unknown|unrecogni[sz]ed|invalid|illegal|unsupported|ambiguous|unexpected|bad|no such) (?:command[- ]line )?(?:compiler )?(?:option|flag|switch|argument|parameter)s?\b|\b(?:option|flag|switch|argument) ['"`]?-{0,2}[\w=.-]{1,80}['"`]? (?:is |was )?(?:not (?:recogni[sz]ed|known|supported|allowed|defined|valid)|unknown|unrecogni[sz]ed|invalid|ambiguous|requires|needs|cannot be used|doesn't (?:take|allow)|is deprecated and|was replaced)|\bflag provided but not defined\b|\bno such option\b|\bunknown (?:shorthand|long) flag|\boption requires an argument\b|\b(?:is|are) (?:not (?:a )?(?:valid|known|recogni[sz]ed) (?:command.line )?option)|^Option "\S{1,60}" was replaced|\bcannot be used with '?-|\bUnknown arguments?: |\bError: unknown (?:flag|option)|\bUnknown or unexpected option|\bnot an accepted option\b|\bbad flag '-|\bmust come before non-option arguments|\bNot a valid option\b/i,
    except:
      /\bcannot find name\b|\.(?:py|ts|js|java|rs|c|cpp)[:(]\d{1,6}|\bpassed to\b|\bwarning\b/i,
    example: "ls: unrecognized option '--colour-by-mood'",
    nearMiss: "stock options are an argument for joining",
  },
  {
    id: "clap-argparse",
    kind: "invalid_arguments",
    level: "typed",
    confidence: 0.96,
    words: ["accepts", "argument", "arguments", "choice", "enough", "few", "many", "missing", "operand", "required", "requires", "sign", "such", "unrecognised", "unrecognized", "value", "wrong"],
    pattern:
      /\bthe following (?:required )?arguments (?:are required|were not provided)|\berror: invalid value '.{1,200}' for '|\berror: (?:unexpected|the) argument '|\bargument \S{1,80}: (?:invalid|expected (?:one|at least|\d)|not allowed|Invalid choice|conflicting|can't)|\binvalid choice:|\bInvalid choice\b.{0,40}(?:valid choices|maybe you meant)|\berror: a value is required for '|\berror: unrecogni[sz]ed subcommand|\berror: equal sign is needed|\btoo few arguments\b|\btoo many (?:positional )?arguments\b|\brequires (?:at least |exactly |a minimum of )?(?:\d{1,3}|one|an?|two) (?:positional )?(?:arguments?|args?|values?)\b|\baccepts (?:at most |between )?\d{1,3}.{0,12} arg\(s\)|\bMissing (?:required )?(?:positional )?(?:argument|option|parameter|operand|flag)|\bnot enough (?:non-option )?arguments|\bError: (?:Missing|Invalid value for|No such) (?:argument|option|command|parameter)\b|\bError: Invalid value for\b|\bwrong number of (?:arguments|args)\b(?! \(given \d)|\bextra operand\b|\bmissing (?:file |destination file )?operand\b/i,
    except:
      /\bTypeError\b|\bArgumentError\b|\bat Object\b|\.(?:go|c|cpp|rs|java|ts|zig|swift|kt)[:(]\d/,
    example: "error: invalid value 'soon' for '--timeout <SECONDS>': invalid digit found in string",
    nearMiss: "she required a choice of value",
  },
  {
    id: "unknown-subcommand",
    kind: "invalid_arguments",
    level: "typed",
    confidence: 0.94,
    words: ["ambiguous", "command", "commandnotfounderror", "goals", "has", "know", "known", "mean", "misspelled", "operation", "perhaps", "pnpm", "recognised", "recognized", "replaced", "resource", "rule", "script", "similar", "specified", "subcommand", "such", "take", "task", "these", "unknown", "unrecognised", "unrecognized", "valid"],
    pattern:
      /\b(?:is|are) not an? (?:\w{1,20} )?(?:command|task|subcommand|valid command|known command|recogni[sz]ed command)\b\.?(?: See| in|\s|$)|\bunknown (?:sub-?)?command:?(?: line)? ["'`]?\S{1,60}["'`]? (?:for|of|to)\b|\bno such (?:sub-?)?command\b|\bunknown (?:sub-?command|lifecycle phase|operation|verb|task|action)\b|\b(?:ERROR|Error|error): [Uu]nknown command\b|^\S{1,40}(?: \S{1,40})?: [Uu]nknown command\b|\bCommand "[^"]{1,60}" (?:is not defined|not found)|\bcommand ["'`]?[\w:-]{1,60}["'`]? (?:is ambiguous|does not exist|is not (?:defined|known|valid))|\bambiguous command\b|\bInvalid operation \S|\b[Mm]issing script:? |\bTask ['"]\S{1,80}['"] (?:not found|is not in your|is ambiguous)|\bDon't know how to build task|\bThe task "\S{1,80}" could not be found|\bNo goals have been specified|\bhas no command named|\bis not in the '[^']{1,80}' command group|\bCommandNotFoundError: No command '|\bCommand\(s\) not found: |\bNo rule to make target '[^']{1,120}'\.\s{1,3}Stop|\bUnrecogni[sz]ed command\b|\bNo such command\b|\bDid you mean one of these\?|\bhas been replaced with `?\w|\bunknown command "|\bThe most similar (?:choice|commands?)\b|\bERR_PNPM_NO_SCRIPT|\berror: Script not found|\bnot a valid (?:sub)?command\b|\bThis command .{0,60}does not take\b|\bPerhaps you meant\b|\bdid you mean one of\b|\bCommand\(s\) not found|\bmisspelled a built-in\b|\bspecified command or file was not found\b|\bthe server doesn't have a resource type|\bno such (?:task|target|goal|script|recipe)\b/i,
    example: "git: 'psuh' is not a git command. See 'git --help'.",
    nearMiss: "a performance by command",
  },
  {
    id: "did-you-mean",
    kind: "invalid_arguments",
    level: "phrase",
    confidence: 0.75,
    words: ["mean", "meant"],
    pattern:
      /^\s{0,8}(?:\()?(?:did|do) you mean (?:this|one of|`|'|")|\bmaybe you meant\b|\bdid you mean `--/i,
    example: "Did you mean this?",
    nearMiss: "what did you mean by that",
  },
  {
    id: "usage-line",
    kind: "invalid_arguments",
    level: "phrase",
    confidence: 0.78,
    words: ["aufruf", "see", "usage", "uso", "utilisation", "verwendung", "использование", "使い", "用法", "사용"],
    pattern:
      /^\s{0,6}(?:\S{1,60}: )?(?:usage|utilisation|aufruf|verwendung|uso|использование|用法|使い方|사용법)\s?[:：] ?\S|^See '?\S{1,40} (?:--help|help)|^\s{0,4}Usage:$/i,
    except: /\b(?:cpu|memory|disk|token|storage|data) usage|"usage"|usage_/i,
    example: "usage: cartctl [-h] {list,total} ...",
    nearMiss: "memory usage: 14 MB",
  },
  {
    id: "try-help",
    kind: "invalid_arguments",
    level: "phrase",
    confidence: 0.72,
    words: ["h", "help", "information", "usage"],
    pattern:
      /\b(?:try|see|run|use|type) ['"`‘]?.{1,60}(?:--help|-h|\bhelp)\b.{0,40}(?:for |to see|to show|$)|\bfor usage\.?$|^For more information,? try '?--help/i,
    except: /\bnpm help ci\b/,
    example: "Try 'cartctl --help' for more information.",
    nearMiss: "people need help",
  },
  {
    id: "bad-value",
    kind: "invalid_arguments",
    level: "phrase",
    confidence: 0.72,
    words: ["defined", "invalid", "match", "must", "parse", "required", "unsupported", "url", "valid"],
    pattern:
      /\binvalid (?:value|number|integer|date|format|mode|regular expression|regex|range|url|uri|name|identifier|type|time interval|numeric|size|byte|count|line|context length|user|group|reference|refspec|object name|tag name|branch name|configuration|config|specification|reference format|image reference|port|json schema|input|request|parameter|suffix|character|field|cross-device|magic|digit|model|gem|package name|requirement|version|version specifier)\b|\bis not a valid \w|\bnot a valid (?:identifier|number|integer|value|url|object name|ref|port|hostname|package|repository|version|model)|\bFailed to parse (?:environment variable|option|argument|value)|\bURL (?:using bad\/illegal format|rejected)|\bcould not parse (?:url|option|argument|value|as)\b|\bunsupported (?:protocol|scheme|value|format|version|type)\b|\bmust be (?:a |an |one of |greater|less|at least|between|positive|of type|specified|provided|set)\b|\bhas an unsupported\b|\bdoes not match any\b.{0,40}\b(?:ref|branch|pattern)|\bis required (?:but|when|for|to be)\b|\bis not defined in the project's\b/i,
    except:
      /\b(?:api[ _-]?key|token|credential|password|auth\w{0,16}|certificate|signature|login|license|grant|session|wheel|json|syntax)\b|\.(?:py|ts|tsx|js|go|java|rs|c|cpp|kt):\d|\bmodel output\b/i,
    example: "cartctl: invalid number of 'items': 'many'",
    nearMiss: "Invalid API key provided",
  },
  {
    id: "is-a-directory",
    kind: "invalid_arguments",
    level: "exact",
    confidence: 0.8,
    words: ["adirectory", "directory", "ein", "eisdir", "enotdir", "est", "hard", "is", "omitting", "r", "removing", "un", "una", "é", "это", "リで", "是一"],
    pattern:
      /: (?:[Ii]s a directory|Est un dossier|Ist ein Verzeichnis|Es un directorio|È una directory|É um diretório|Это каталог|是一个目录|ディレクトリです)|\bEISDIR\b|\bomitting directory\b|\b-r not specified|\bnot removing '.{1,120}' recursively without -r|\bhard link not allowed for directory|\bIs a directory \(os error|\bIsADirectoryError\b|\bis a directory, not a file\b|: Not a directory\b|\bENOTDIR\b|\bNotADirectoryError\b|\bNot a directory \(os error/,
    example: "cat: carts: Is a directory",
    nearMiss: "there is a directory of shops",
  },
  {
    id: "posix-locale-options",
    kind: "invalid_arguments",
    level: "exact",
    confidence: 0.94,
    words: ["comando", "erkannte", "falta", "faltando", "fehlender", "geçersiz", "kein", "mehrdeutige", "nepřípustná", "neznámá", "niepoprawna", "nierozpoznana", "não", "ogiltig", "okänd", "onbekende", "ongeldige", "opción", "operando", "option", "opzione", "opção", "opérande", "pas", "tuntematon", "unbekannte", "ungültige", "virheellinen", "érvénytelen", "неверный", "неизвестная", "неизвестный", "неправильная", "нераспознанный", "пропущен", "является", "オプ", "オペ", "ドで", "不明", "不适", "效的", "效选", "是一", "未知", "未识", "無効", "無效", "缺少", "부적", "없는", "인식", "잘못"],
    pattern:
      /\b(?:ungültige|unbekannte|nicht erkannte|mehrdeutige) Option\b|\boption (?:invalide|non reconnue|inconnue|ambiguë)|\bopción (?:inválida|no reconocida|desconocida|incorrecta|ilegal)|\bopzione (?:non valida|.{0,60} non riconosciuta|sconosciuta)|\bopção (?:inválida|não reconhecida|desconhecida|.{0,60}não reconhecida)|\b(?:ongeldige|onbekende) optie|\bniepoprawna opcja|\bnierozpoznana opcja|неверный ключ|нераспознанный (?:параметр|ключ)|неизвестн(?:ый|ая) (?:параметр|ключ|опция)|неправильная опция|ogiltig flagga|okänd flagga|neznámá volba|nepřípustná volba|érvénytelen kapcsoló|tuntematon valitsin|virheellinen valitsin|geçersiz seçenek|\bFehlender (?:\S{0,20})?[Oo]perand|\bopérande(?: de fichier)? manquant|\bfalta (?:un|el|el fichero como) operando|\boperando mancante|\bfalta(?:ndo)? operando|пропущен операнд|无效(?:的)?选项|无效的参数|未识别的选项|不适用的选项|未知选项|缺少(?:了)?(?:操作|要操作|文件)|無效的選項|無効なオプション|不明なオプション|オプション.{0,60}(?:認識できません|不明)|オペランドがありません|부적절한 옵션|잘못된 옵션|알 수 없는 옵션|인식할 수 없는 옵션|\bn'est pas une commande git|\bist kein Git-Befehl|\bno es un comando de git|\bnon è un comando git|\bnão é um comando (?:do )?git|не является командой git|不是一个 git 命令|git コマンドではありません/i,
    example: "ls : option non reconnue '--humeur'",
    nearMiss: "une option de plus",
  },
  {
    id: "powershell-parameter",
    kind: "invalid_arguments",
    level: "typed",
    confidence: 0.93,
    words: ["argument", "matches", "missingargument", "namedparameternotfound", "parameter", "parameterbindingexception", "parameterbindingvalidationexception"],
    pattern:
      /\bA parameter cannot be found that matches parameter name|\bNamedParameterNotFound\b|\bParameterBinding(?:Validation)?Exception\b|\bCannot (?:bind|validate|process) (?:argument|parameter)\b|\bMissingArgument\b/,
    example: "Get-Cart : A parameter cannot be found that matches parameter name 'Total'.",
    nearMiss: "the parameter of the curve",
  },
];
