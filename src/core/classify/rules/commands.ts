/**
 * Programs that are not there, in shells of any system and language. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const COMMANDS: readonly Rule[] = [
  {
    id: "shell-command-not-found",
    kind: "command_not_found",
    level: "exact",
    confidence: 0.96,
    words: ["command", "external", "sudo", "unknown"],
    pattern:
      /: command not found\b|\bcommand not found: \S|^(?:fish: )?Unknown command:? ['"]?\S|\bsudo: \S{1,80}: command not found|\bnu::shell::external_command|^\S{1,60}: Command not found\.?$|^sudo: [\w.+-]{1,80}: command not found/i,
    except:
      /^(?:Error: )?Unknown command:? .{1,120}(?:\bDid you mean|usage|help|--)|^(?:brew|ERROR|Error|npm)\b/,
    example: "bash: line 3: cartctl: command not found",
    nearMiss: "the command was not found in the archive",
  },
  {
    id: "sh-not-found",
    kind: "command_not_found",
    level: "exact",
    confidence: 0.94,
    words: ["ash", "busybox", "dash", "found", "ksh", "sh"],
    pattern:
      /^(?:\/\S{0,80}\/)?(?:-?(?:sh|bash|dash|ash|ksh|mksh|zsh)|\S{1,120}\.sh|\S{1,80}): (?:line )?\d{1,6}: (?:exec: )?[^\s:]{1,120}: not found$|^(?:\/\S{0,80}\/)?-?(?:sh|dash|ash|ksh|busybox): (?:exec: )?[^\s:]{1,120}: not found$|\bsh: \d{1,5}: \S{1,120}: not found|^'?[\w.-]{1,60}'?: (?:inaccessible or )?not found$/,
    example: "sh: 1: cartctl: not found",
    nearMiss: "chapter 1: the cart: not found in stores",
  },
  {
    id: "env-no-program",
    kind: "command_not_found",
    level: "typed",
    confidence: 0.93,
    words: ["chroot", "env", "exec", "exece", "execvp", "execvpe", "interpreter", "nice", "nohup", "setsid", "stdbuf", "strace", "time", "timeout", "xargs"],
    pattern:
      /^(?:\/usr\/bin\/)?(?:env|xargs|nohup|nice|time|strace|setsid|stdbuf|chroot)(?:\.exe)?: (?:failed to run command )?['‘"`«]?[^'’"`»:]{1,120}['’"`»]?: (?:No such file or directory|Datei oder|Aucun fichier|No existe)|^timeout: failed to run command|\bexec(?:vp)?e?\(?\)?[: ].{0,80}(?:No such file or directory|executable file not found)|\bbad interpreter: No such file/,
    example: "/usr/bin/env: ‘cartctl’: No such file or directory",
    nearMiss: "env: variable CART is set",
  },
  {
    id: "spawn-enoent",
    kind: "command_not_found",
    level: "typed",
    confidence: 0.93,
    words: ["spawn", "spawnsync"],
    pattern:
      /\bspawn(?:Sync)? (?!.{0,200}(?:EACCES|ETIMEDOUT|EPERM)).{1,200} ENOENT\b|\bFailed to spawn:? `?.{1,120}`?/,
    except: /EACCES|ETIMEDOUT|EPERM|Permission|permission/,
    example: "Error: spawn cartctl ENOENT",
    nearMiss: "Error: spawn cartctl EACCES",
  },
  {
    id: "go-exec-not-found",
    kind: "command_not_found",
    level: "typed",
    confidence: 0.94,
    words: ["could", "executable", "path", "unknown"],
    pattern:
      /\bexecutable file not found in (?:\$PATH|%PATH%)|\bnot found in \$?PATH\b|\bno '?\w{1,40}'? command could be found in your PATH|\bno such file or directory: unknown: .{0,80}exec|\bcould not find executable\b|\bis not (?:on|in) (?:your |the )?PATH\b/i,
    example: 'exec: "cartctl": executable file not found in $PATH',
    nearMiss: "the path was found",
  },
  {
    id: "program-missing-words",
    kind: "command_not_found",
    level: "exact",
    confidence: 0.88,
    words: ["binary", "command", "createprocess", "executable", "gmake", "installed", "linker", "make", "name", "program", "recognised", "recognized", "such"],
    pattern:
      /\bThe program '[^']{1,80}' (?:is currently not installed|can be found in the following)|\bCommand '[^']{1,80}' not found, (?:but|did you mean)|\b(?:is|are) not (?:recogni[sz]ed as|the name of) (?:an internal|a (?:cmdlet|name))|\bCreateProcess(?:\(\))?:? .{0,80}(?:failed|cannot find the file)|^(?:ERROR: |Error: |error: )?(?:the )?(?:program|executable|binary|command) ['"`]?[\w./-]{1,80}['"`]? (?:is |was |could |can )?not (?:be )?(?:found|installed|available)|\b(?:make|gmake)(?:\[\d\])?: [\w./+-]{1,80}: (?:No such file or directory|Command not found)$|\blinker `\w{1,30}` not found|\bNo such file or directory: '(?:git|node|npm|python3?|docker|ffmpeg|java|make|gcc|cargo|go|curl|claude|codex)'|\bis not installed\. Please install|\bcommand .{0,40}is not installed\b/i,
    example: "Command 'cartctl' not found, but can be installed with:",
    nearMiss: "the command to install was recognized",
  },
  {
    id: "command-not-found-posix-locales",
    kind: "command_not_found",
    level: "exact",
    confidence: 0.96,
    words: ["befehl", "comando", "comandă", "commande", "ei", "encontró", "ikke", "instrucción", "introuvable", "kommando", "kommandot", "komut", "nem", "não", "opdracht", "orden", "polecenie", "príkaz", "příkaz", "trobat", "znaleziono", "е", "не", "コマ", "找不", "指令", "未找", "無此", "찾을"],
    pattern:
      /: (?:Kommando|Befehl) nicht gefunden|: commande (?:introuvable|non trouvée|inconnue)|: (?:orden|comando|instrucción) no encontrad[ao]|: no se encontró la orden|\bcomando non trovato|\bcomando não encontrado|: opdracht niet gevonden|nie znaleziono polecenia|polecenie nieodnalezione|команда не найдена|команду не знайдено|командата не е (?:открита|намерена)|: komut (?:yok|bulunamadı)|: kommandot? (?:finns inte|hittades inte|ikke funnet|ikke fundet|saknas)|kommandoen (?:blev )?ikke (?:fundet|funnet)|komentoa ei (?:löytynyt|löydy)|příkaz nenalezen|parancs nem található|comandă negăsită|príkaz nenájdený|no s'ha trobat l'ordre|未找到命令|未找到指令|無此(?:指令|命令)|找不到(?:指令|命令)|コマンドが見つかりません|명령(?:어)?를? ?(?:을 )?찾을 수 없|command introuvable|^\S{1,60}\s?: introuvable$/i,
    example: "bash: ligne 1: cartctl : commande introuvable",
    nearMiss: "bash: la commande est connue",
  },
  {
    id: "command-not-found-windows",
    kind: "command_not_found",
    level: "exact",
    confidence: 0.97,
    words: ["als", "entweder", "fullyqualifiederrorid", "herkend", "olarak", "recognised", "recognized", "reconhecido", "reconnu", "reconoce", "riconosciuto", "rozpoznawana", "string", "распознано", "является", "とし", "是內", "是内", "辨識", "项识", "내부", "프로"],
    pattern:
      /\bis not recogni[sz]ed as (?:an internal or external command|the name of a cmdlet|a name of a cmdlet)|\bFullyQualifiedErrorId : CommandNotFoundException|\(.{1,200}:String\) \[\], CommandNotFoundException|ist entweder falsch geschrieben oder|wurde nicht als Name eines Cmdlet|n[’']est pas reconnu (?:en tant que commande|comme nom d)|no se reconoce como (?:un comando|nombre de un cmdlet)|non è riconosciuto come (?:comando|nome)|não é reconhecido como (?:um comando|nome)|não reconhecido como nome de cmdlet|не является внутренней или внешней|не распознано как имя командлета|olarak tanınmıyor|wordt niet herkend als|nie jest rozpoznawana jako|不是内部或外部命令|项识别为 ?cmdlet|不是內部或外部命令|辨識為 ?Cmdlet|として認識され(?:ていません|ません)|내부 또는 외부 명령|프로그램 이름으로 인식되지/i,
    example: "'cartctl' is not recognized as an internal or external command,",
    nearMiss: "she is not recognized as a painter",
  },
];
