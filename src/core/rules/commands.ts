/** Missing programs, as reported by shells on any system and in any language. */
import { rule, type Rule } from "../classify/rule.ts";

export const COMMANDS: readonly Rule[] = [
  rule("shell-command-not-found", "command_not_found", "exact", 0.96, {
    ignoreCase: true,
    lines: String.raw`
      command => : command not found\b
      command => \bcommand not found: \S
      unknown => ^(?:fish: )?Unknown command:? ['"]?\S
      sudo => \bsudo: \S{1,80}: command not found
      external => \bnu::shell::external_command
      command => ^\S{1,60}: Command not found\.?$
      sudo => ^sudo: [\w.+-]{1,80}: command not found
      command => ^command not found\.?$
    `,
    unless: String.raw`
      ^(?:Error: )?Unknown command:? .{1,120}(?:\bDid you mean|usage|help|--)
      ^(?:brew|ERROR|Error|npm)\b
    `,
  }),
  rule("sh-not-found", "command_not_found", "exact", 0.94, {
    lines: String.raw`
      found => ^(?:\/\S{0,80}\/)?(?:-?(?:sh|bash|dash|ash|ksh|mksh|zsh)|\S{1,120}\.sh|\S{1,
      ... 80}): (?:line )?\d{1,6}: (?:exec: )?[^\s:]{1,120}: not found$
      ash,dash,sh => ^(?:\/\S{0,80}\/)?-?(?:sh|dash|ash): (?:exec: )?[^\s:]{1,120}: not found$
      busybox,ksh => ^(?:\/\S{0,80}\/)?-?(?:ksh|busybox): (?:exec: )?[^\s:]{1,120}: not found$
      sh => \bsh: \d{1,5}: \S{1,120}: not found
      found => ^'?[\w.-]{1,60}'?: (?:inaccessible or )?not found$
    `,
  }),
  rule("env-no-program", "command_not_found", "typed", 0.93, {
    lines: String.raw`
      chroot,env,nice,nohup,setsid,stdbuf,strace,time,xargs => ^(?:\/usr\/bin\/)?(?:env|xargs|
      ... nohup|nice|time|strace|setsid|stdbuf|chroot)(?:\.exe)?: (?:failed to run command )?['‘
      ... "\`«]?[^'’"\`»:]{1,120}['’"\`»]?: (?:No such file or directory|Datei oder|
      ... Aucun fichier|No existe)
      timeout => ^timeout: failed to run command
      exec,exece,execvp,execvpe => \bexec(?:vp)?e?\(?\)?[: ].{0,80}No such file or directory
      executable => \bexec(?:vp)?e?\(?\)?[: ].{0,80}executable file not found
      interpreter => \bbad interpreter: No such file
    `,
  }),
  rule("spawn-enoent", "command_not_found", "typed", 0.93, {
    lines: String.raw`
      spawn,spawnsync => \bspawn(?:Sync)? (?!.{0,200}(?:EACCES|ETIMEDOUT|EPERM)).{1,
      ... 200} ENOENT\b
      spawn => \bFailed to spawn:? \`?.{1,120}\`?
    `,
    unless: String.raw`
      EACCES
      ETIMEDOUT
      EPERM
      Permission
      permission
    `,
  }),
  rule("go-exec-not-found", "command_not_found", "typed", 0.94, {
    ignoreCase: true,
    lines: String.raw`
      executable => \bexecutable file not found in (?:\$PATH|%PATH%)
      path => \bnot found in \$?PATH\b
      could => \bno '?\w{1,40}'? command could be found in your PATH
      unknown => \bno such file or directory: unknown: .{0,80}exec
      executable => \bcould not find executable\b
      path => \bis not (?:on|in) (?:your |the )?PATH\b
    `,
  }),
  rule("program-missing-words", "command_not_found", "exact", 0.88, {
    ignoreCase: true,
    lines: String.raw`
      program => \bThe program '[^']{1,80}' is currently not installed
      program => \bThe program '[^']{1,80}' can be found in the following
      command => \bCommand '[^']{1,80}' not found, (?:but|did you mean)
      name,recognised,recognized => \b(?:is|are) not (?:recogni[sz]ed as|
      ... the name of) an internal
      recognised,recognized => \b(?:is|are) not recogni[sz]ed as a (?:cmdlet|name)
      name => \b(?:is|are) not the name of a (?:cmdlet|name)
      createprocess => \bCreateProcess(?:\(\))?:? .{0,80}(?:failed|cannot find the file)
      binary,command,executable,program => ^(?:ERROR: |Error: |error: )?(?:the )?(?:program|
      ... executable|binary|command) ['"\`]?[\w./-]{1,80}['"\`]? (?:is |was |could |
      ... can )?not (?:be )?(?:found|installed|available)
      such => \b(?:make|gmake)(?:\[\d\])?: [\w./+-]{1,80}: No such file or directory$
      gmake,make => \b(?:make|gmake)(?:\[\d\])?: [\w./+-]{1,80}: Command not found$
      linker => \blinker \`\w{1,30}\` not found
      such => \bNo such file or directory: '(?:git|node|npm|python3?|docker|ffmpeg|java)'
      such => \bNo such file or directory: '(?:make|gcc|cargo|go|curl|claude|codex)'
      installed => \bis not installed\. Please install
      installed => \bcommand .{0,40}is not installed\b
      executable => \b[Ee]xecutable not found\b
      ensure => \bEnsure that \w{1,20} is installed and available\b
      python => \bNo Python at '
      executable => \bexecutable named \`[^\`]{1,60}\` is not provided\b
    `,
  }),
  rule("command-not-found-posix-locales", "command_not_found", "exact", 0.96, {
    ignoreCase: true,
    lines: String.raw`
      befehl,kommando => : (?:Kommando|Befehl) nicht gefunden
      commande => : commande (?:introuvable|non trouvée|inconnue)
      comando,instrucción,orden => : (?:orden|comando|instrucción) no encontrad[ao]
      encontró => : no se encontró la orden
      comando => \bcomando non trovato
      não => \bcomando não encontrado
      opdracht => : opdracht niet gevonden
      znaleziono => nie znaleziono polecenia
      polecenie => polecenie nieodnalezione
      не => команда не найдена
      не => команду не знайдено
      е => командата не е (?:открита|намерена)
      komut => : komut (?:yok|bulunamadı)
      kommando,kommandot => : kommandot? (?:finns inte|hittades inte|ikke funnet)
      kommando,kommandot => : kommandot? (?:ikke fundet|saknas)
      ikke => kommandoen (?:blev )?ikke (?:fundet|funnet)
      ei => komentoa ei (?:löytynyt|löydy)
      příkaz => příkaz nenalezen
      nem => parancs nem található
      comandă => comandă negăsită
      príkaz => príkaz nenájdený
      trobat => no s'ha trobat l'ordre
      未找 => 未找到命令
      指令 => 未找到指令
      無此 => 無此(?:指令|命令)
      找不,指令 => 找不到(?:指令|命令)
      コマ => コマンドが見つかりません
      찾을 => 명령(?:어)?를? ?(?:을 )?찾을 수 없
      introuvable => command introuvable
      introuvable => ^\S{1,60}\s?: introuvable$
    `,
  }),
  rule("command-not-found-windows", "command_not_found", "exact", 0.97, {
    ignoreCase: true,
    lines: String.raw`
      external => \bis not recogni[sz]ed as an internal or external command
      recognised,recognized => \bis not recogni[sz]ed as the name of a cmdlet
      recognised,recognized => \bis not recogni[sz]ed as a name of a cmdlet
      fullyqualifiederrorid => \bFullyQualifiedErrorId : CommandNotFoundException
      string => \(.{1,200}:String\) \[\], CommandNotFoundException
      entweder => ist entweder falsch geschrieben oder
      als => wurde nicht als Name eines Cmdlet
      reconnu => n[’']est pas reconnu (?:en tant que commande|comme nom d)
      reconoce => no se reconoce como (?:un comando|nombre de un cmdlet)
      riconosciuto => non è riconosciuto come (?:comando|nome)
      reconhecido => não é reconhecido como (?:um comando|nome)
      reconhecido => não reconhecido como nome de cmdlet
      является => не является внутренней или внешней
      распознано => не распознано как имя командлета
      olarak => olarak tanınmıyor
      herkend => wordt niet herkend als
      rozpoznawana => nie jest rozpoznawana jako
      是内 => 不是内部或外部命令
      项识 => 项识别为 ?cmdlet
      是內 => 不是內部或外部命令
      辨識 => 辨識為 ?Cmdlet
      とし => として認識され(?:ていません|ません)
      내부 => 내부 또는 외부 명령
      프로 => 프로그램 이름으로 인식되지
    `,
  }),
  rule("make-missing-program", "command_not_found", "typed", 0.93, {
    lines: String.raw`
      make,gmake => ^g?make(?:\[\d{1,3}\])?: [\w+-]{1,60}: No such file or directory$
      make,gmake => ^g?make(?:\[\d{1,3}\])?: [\w+-]{1,60}: Command not found$
    `,
  }),
];
