/**
 * Failures that are known to be none of the kinds: a program's own exceptions, busy ports, states of tools. They
 * keep weak hints from forcing a kind.
 */
import type { Rule } from "../classify/rule.ts";

export const ORDINARY: readonly Rule[] = [
  {
    id: "port-in-use",
    kind: "unknown",
    level: "verdict",
    confidence: 0.9,
    lines: String.raw`
      eaddrinuse => \bEADDRINUSE\b
      already => \b[Aa]ddress already in use\b
      port => \b[Pp]ort \d{1,5} is (?:already )?(?:in use|being used|occupied)
      port => \b[Pp]ort \d{1,5} is (?:already )?(?:taken|allocated|not available)
      allocated => \bport is already allocated\b
      each => \bOnly one usage of each socket address
      listen => \bFailed to listen on\b.{0,60}in use
    `,
    example: "Error: listen EADDRINUSE: address already in use :::8080",
    nearMiss: "the port of Genoa",
  },
  {
    id: "container-or-lock-busy",
    kind: "unknown",
    level: "typed",
    confidence: 0.82,
    lines: String.raw`
      container => \bcontainer name ".{1,80}" is already in use
      conflict => \bconflict: unable to (?:delete|remove)
      being => \bimage is being used by
      lock => \bCould not get lock\b
      lock => \b(?:index|HEAD|config|shallow|packed-refs)\.lock': File exists
      lock => \bUnable to create '.{1,200}\.lock': File exists
      another => \bAnother (?:git|app|process|instance) .{0,60}running
      already => \bis already (?:running|locked|checked out|installed|mounted|
      ... used by worktree)\b
      locked => \bdatabase is locked\b
      acquiring => \bError acquiring the state lock
      busy => \b(?:resource|device|text file) (?:or resource )?(?:is )?busy\b
      ebusy => \bEBUSY\b
      etxtbsy => \bETXTBSY\b
      being => \bbeing used by another process\b
      empty => \b[Dd]irectory not empty\b
      exists => \bFile exists\b
      eexist => \bEEXIST\b
      already => \balready exists\b
      such => \bNo such process\b
      process => \bno process found\b
      inappropriate => \bInappropriate ioctl for device\b
      hook => \bInvalid hook call\b
      react => \bas a React child\b
    `,
    unless: String.raw`
      \bmerge\b
      \bLayer already exists\b
    `,
    example: 'Error: The container name "/cart" is already in use by container 4f1c',
    nearMiss: "already in the shop",
  },
  {
    id: "not-a-repository",
    kind: "unknown",
    level: "typed",
    confidence: 0.75,
    lines: String.raw`
      repository => \b[Nn]ot a git repository\b
      repository => \bno repository found in\b
      git => Kein Git-Repository
      ceci => ni ceci ni aucun de ses (?:parents|répertoires)
      repositorio => no es un repositorio git
      repository => non è un repository git
      repositório => não é um repositório git
      найден => не найден git репозиторий
      репозитори => не (?:является )?(?:git )?репозитори
      仓库 => 不是 ?(?:一个 )?git 仓库
      リポ => git リポジトリではありません
      copy => \bnot a working copy\b
      svn => ^svn: E155007
      hg,mercurial => \bnot a (?:hg|mercurial) repository
    `,
    example: "fatal: not a git repository (or any of the parent directories): .git",
    nearMiss: "a repository of stories",
  },
  {
    id: "git-states",
    kind: "unknown",
    level: "exact",
    confidence: 0.7,
    lines: String.raw`
      nothing => \bnothing to commit\b
      added => \bno changes added to commit
      added => \bnothing added to commit
      ignored => \bpaths are ignored by one of your
      merged => \bis not fully merged\b
      delete => \bCannot delete branch\b
      changes,local,staged => \bfile has (?:local modifications|changes staged|staged content)
      tell => \bPlease tell me who you are
      dubious => \bdetected dubious ownership
      forget => \bNo changes - did you forget to use 'git add'
      entries => \bNo stash entries found
      commits => \bdoes not have any commits yet\b
      aborting => \bAborting commit due to empty commit message
      already => \bA branch named '.{1,120}' already exists
      tag => \btag '.{1,120}' already exists
      already => \bremote \S{1,60} already exists
    `,
    example: "nothing to commit, working tree clean",
    nearMiss: "nothing changes",
  },
  {
    id: "own-exception",
    kind: "unknown",
    level: "phrase",
    confidence: 0.85,
    settings: ["shell", "call"],
    lines: String.raw`
      argumenterror,attributeerror,evalerror,implemented,indexerror,iteration,keyerror,
      ... nameerror,nomethoderror,overflowerror,rangeerror,recursionerror,referenceerror,
      ... runtimeerror,typeerror,unboundlocalerror,unicodedecodeerror,valueerror,
      ... zero => ^(?:\S{0,100}[.:|] ?)?(?:Uncaught )?(?:TypeError|ReferenceError|RangeError|
      ... AttributeError|KeyError|ValueError|NameError|IndexError|ZeroDivisionError|
      ... RuntimeError|NotImplementedError|RecursionError|UnboundLocalError|OverflowError|
      ... StopIteration|UnicodeDecodeError|NoMethodError|ArgumentError|EvalError)\b
      arithmetic,arrayindexoutofboundsexception,cast,illegalargumentexception,
      ... illegalstateexception,indexoutofboundsexception,invalidoperationexception,
      ... nullreferenceexception,numberformatexception,pointer => \b(?:NullPointer|
      ... NullReference|IllegalArgument|IllegalState|IndexOutOfBounds|ArrayIndexOutOfBounds|
      ... ClassCast|Arithmetic|NumberFormat|InvalidOperation)Exception\b
      stackoverflowerror => \bStackOverflowError\b
      panicked => ^thread '[^']{1,60}' (?:\(\d{1,9}\) )?panicked at
      panic => ^panic:\s
      goroutine => ^goroutine \d{1,9} \[
      attempt => \battempt to (?:index|call|perform|compare|concatenate)\b
      uncaught => \bUncaught Error: (?:Call to|Class)
      clause,undefinedfunctionerror => \*\* \((?:UndefinedFunctionError|FunctionClauseError)\)
      matcherror => \*\* \(MatchError\)
      argumenterror,keyerror,runtimeerror => \*\* \((?:ArgumentError|RuntimeError|KeyError)\)
      method => \bundefined method ['\`]
      uncaught => \bFatal error: Uncaught\b
      uncaught => \bUncaught (?:Type|Value|Range|Reference|Argument\w{0,10})Error\b
      uncaught => \bFatal error: Uncaught\b
    `,
    example: "TypeError: Cannot read properties of undefined (reading 'total')",
    nearMiss: "a type error in the book",
  },
];
