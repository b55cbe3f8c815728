/** Invalid options and values; unknown subcommands, tasks and targets, and the suggestions tools print for them. */
import { rule, type Rule } from "../classify/rule.ts";

export const ARGUMENTS: readonly Rule[] = [
  rule("unknown-option", "invalid_arguments", "exact", 0.95, {
    ignoreCase: true,
    lines: String.raw`
      argument,arguments,flag,flags,option,options,parameter,parameters,switch,
      ... switchs => \b(?:unknown|unrecogni[sz]ed|invalid|illegal|unsupported|ambiguous|
      ... unexpected|bad|no such) (?:command[- ]line )?(?:compiler )?(?:option|flag|switch|
      ... argument|parameter)s?\b
      argument,flag,option,switch => \b(?:option|flag|switch|argument) ['"\`]?-{0,2}[\w=.-]{1,
      ... 80}['"\`]? (?:is |was )?(?:not (?:recogni[sz]ed|known|supported|allowed|defined|
      ... valid)|unknown|unrecogni[sz]ed|invalid|ambiguous|requires|needs|cannot be used|
      ... doesn't (?:take|allow)|is deprecated and|was replaced)
      flag => \bflag provided but not defined\b
      option => \bno such option\b
      long,shorthand => \bunknown (?:shorthand|long) flag
      requires => \boption requires an argument\b
      option => \b(?:is|are) (?:not (?:a )?(?:valid|known|
      ... recogni[sz]ed) (?:command.line )?option)
      option => ^Option "\S{1,60}" was replaced
      used => \bcannot be used with '?-
      argument,arguments => \bUnknown arguments?:\s
      unknown => \bError: unknown (?:flag|option)
      unexpected => \bUnknown or unexpected option
      accepted => \bnot an accepted option\b
      flag => \bbad flag '-
      come => \bmust come before non-option arguments
      valid => \bNot a valid option\b
    `,
    unless: String.raw`
      \bcannot find name\b
      \.(?:py|ts|js|java|rs|c|cpp)[:(]\d{1,6}
      \bpassed to\b
      \bwarning\b
      ['"‘].{1,200}['"’]: No such file
    `,
  }),
  rule("clap-argparse", "invalid_arguments", "typed", 0.96, {
    ignoreCase: true,
    lines: String.raw`
      arguments => \bthe following (?:required )?arguments (?:are required|were not provided)
      value => \berror: invalid value '.{1,200}' for '
      argument => \berror: (?:unexpected|the) argument '
      argument => \bargument \S{1,80}: (?:invalid|expected (?:one|at least|\d)|not allowed)
      argument => \bargument \S{1,80}: (?:Invalid choice|conflicting|can't)
      choice => \binvalid choice:
      choice => \bInvalid choice\b.{0,40}(?:valid choices|maybe you meant)
      required => \berror: a value is required for '
      unrecognised,unrecognized => \berror: unrecogni[sz]ed subcommand
      sign => \berror: equal sign is needed
      few => \btoo few arguments\b
      many => \btoo many (?:positional )?arguments\b
      requires => \brequires (?:at least |exactly |a minimum of )?(?:\d{1,3}|one|an?|
      ... two) (?:positional )?(?:arguments?|args?|values?)\b
      accepts => \baccepts (?:at most |between )?\d{1,3}.{0,12} arg\(s\)
      missing => \bMissing (?:required )?(?:positional )?(?:argument|option|parameter)
      missing => \bMissing (?:required )?(?:positional )?(?:operand|flag)
      enough => \bnot enough (?:non-option )?arguments
      missing,value => \bError: (?:Missing|Invalid value for) (?:argument|option)\b
      missing,value => \bError: (?:Missing|Invalid value for) (?:command|parameter)\b
      such => \bError: No such (?:argument|option|command|parameter)\b
      value => \bError: Invalid value for\b
      wrong => \bwrong number of (?:arguments|args)\b(?! \(given \d)
      operand => \bextra operand\b
      operand => \bmissing (?:file |destination file )?operand\b
    `,
    unless: String.raw`
      \bTypeError\b
      \bArgumentError\b
      \bat Object\b
      \.(?:go|c|cpp|rs|java|ts|zig|swift|kt)[:(]\d
    `,
  }),
  rule("bad-value", "invalid_arguments", "phrase", 0.72, {
    ignoreCase: true,
    lines: String.raw`
      invalid => \binvalid (?:value|number|integer|date|format|mode|regular expression|regex|
      ... range|url|uri|name|identifier|type|time interval|numeric|size|byte|count|line|
      ... context length|user|group|reference|refspec|object name|tag name|branch name|
      ... configuration|config|specification|reference format|image reference|port|json schema|
      ... input|request|parameter|suffix|character|field|cross-device|magic|digit|model|gem|
      ... package name|requirement|version|version specifier)\b
      valid => \bis not a valid \w
      valid => \bnot a valid (?:identifier|number|integer|value|url|object name|ref)
      valid => \bnot a valid (?:port|hostname|package|repository|version|model)
      parse => \bFailed to parse (?:environment variable|option|argument|value)
      url => \bURL (?:using bad\/illegal format|rejected)
      parse => \bcould not parse (?:url|option|argument|value|as)\b
      unsupported => \bunsupported (?:protocol|scheme|value|format|version|type)\b
      must => \bmust be (?:a |an |one of |greater|less|at least)\b
      must => \bmust be (?:between|positive|of type|specified|provided|set)\b
      unsupported => \bhas an unsupported\b
      match => \bdoes not match any\b.{0,40}\b(?:ref|branch|pattern)
      required => \bis required (?:but|when|for|to be)\b
      defined => \bis not defined in the project's\b
    `,
    unless: String.raw`
      \b(?:api[ _-]?key|token|credential|password|auth\w{0,16}|certificate|signature|login|
      ... license|grant|session|wheel|json|syntax)\b
      \.(?:py|ts|tsx|js|go|java|rs|c|cpp|kt):\d
      \bmodel output\b
    `,
  }),
  rule("posix-locale-options", "invalid_arguments", "exact", 0.94, {
    ignoreCase: true,
    lines: String.raw`
      unbekannte,ungültige => \b(?:ungültige|unbekannte) Option\b
      erkannte,mehrdeutige => \b(?:nicht erkannte|mehrdeutige) Option\b
      option => \boption (?:invalide|non reconnue|inconnue|ambiguë)
      opción => \bopción (?:inválida|no reconocida|desconocida|incorrecta|ilegal)
      opzione => \bopzione (?:non valida|.{0,60} non riconosciuta|sconosciuta)
      opção => \bopção (?:inválida|não reconhecida|desconhecida|.{0,60}não reconhecida)
      onbekende,ongeldige => \b(?:ongeldige|onbekende) optie
      niepoprawna => \bniepoprawna opcja
      nierozpoznana => \bnierozpoznana opcja
      неверный => неверный ключ
      нераспознанный => нераспознанный (?:параметр|ключ)
      неизвестная,неизвестный => неизвестн(?:ый|ая) (?:параметр|ключ|опция)
      неправильная => неправильная опция
      ogiltig => ogiltig flagga
      okänd => okänd flagga
      neznámá => neznámá volba
      nepřípustná => nepřípustná volba
      érvénytelen => érvénytelen kapcsoló
      tuntematon => tuntematon valitsin
      virheellinen => virheellinen valitsin
      geçersiz => geçersiz seçenek
      fehlender => \bFehlender (?:\S{0,20})?[Oo]perand
      opérande => \bopérande(?: de fichier)? manquant
      falta => \bfalta (?:un|el|el fichero como) operando
      operando => \boperando mancante
      falta,faltando => \bfalta(?:ndo)? operando
      пропущен => пропущен операнд
      效的,效选 => 无效(?:的)?选项
      效的 => 无效的参数
      未识 => 未识别的选项
      不适 => 不适用的选项
      未知 => 未知选项
      缺少 => 缺少(?:了)?(?:操作|要操作|文件)
      無效 => 無效的選項
      無効 => 無効なオプション
      不明 => 不明なオプション
      オプ => オプション.{0,60}(?:認識できません|不明)
      オペ => オペランドがありません
      부적 => 부적절한 옵션
      잘못 => 잘못된 옵션
      없는 => 알 수 없는 옵션
      인식 => 인식할 수 없는 옵션
      pas => \bn'est pas une commande git
      kein => \bist kein Git-Befehl
      comando => \bno es un comando de git
      comando => \bnon è un comando git
      não => \bnão é um comando (?:do )?git
      является => не является командой git
      是一 => 不是一个 git 命令
      ドで => git コマンドではありません
    `,
  }),
  rule("powershell-parameter", "invalid_arguments", "typed", 0.93, {
    lines: String.raw`
      matches => \bA parameter cannot be found that matches parameter name
      namedparameternotfound => \bNamedParameterNotFound\b
      parameterbindingexception,parameterbindingvalidationexception => \bParameterBinding(?:Vali
      ... dation)?Exception\b
      argument,parameter => \bCannot (?:bind|validate|process) (?:argument|parameter)\b
      missingargument => \bMissingArgument\b
    `,
  }),
  rule("unknown-subcommand", "invalid_arguments", "typed", 0.94, {
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
      takes => ^error: '\S{1,80}' takes (?:exactly |at (?:least|most) )?\d
      workspaces => \bNo workspaces found:$
      such => \bno such (?:task|target|goal|script|recipe)\b
    `,
    unless: String.raw`^fish: Unknown command`,
  }),
  rule("did-you-mean", "invalid_arguments", "phrase", 0.75, {
    ignoreCase: true,
    lines: String.raw`
      mean => ^\s{0,8}(?:error:? |\()?(?:did|do) you mean (?:this|one of|\`|'|")
      meant => \bmaybe you meant\b
      mean => \bdid you mean \`--
    `,
  }),
  rule("usage-line", "invalid_arguments", "phrase", 0.78, {
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
  }),
  rule("try-help", "invalid_arguments", "phrase", 0.72, {
    ignoreCase: true,
    lines: String.raw`
      h,help => \b(?:try|see|run) ['"\`‘]?.{1,60}(?:--help|-h|\bhelp)\b.{0,40}(?:for |to see)
      h,help => \b(?:use|type) ['"\`‘]?.{1,60}(?:--help|-h|\bhelp)\b.{0,40}(?:for |to see)
      h,help => \b(?:try|see|run) ['"\`‘]?.{1,60}(?:--help|-h|\bhelp)\b.{0,40}(?:to show|$)
      h,help => \b(?:use|type) ['"\`‘]?.{1,60}(?:--help|-h|\bhelp)\b.{0,40}(?:to show|$)
      usage => \bfor usage\.?$
      information => ^For more information,? try '?--help
    `,
    unless: String.raw`\bnpm help ci\b`,
  }),
];
