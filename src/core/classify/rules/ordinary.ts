/**
 * Failures that are known to be none of the kinds: a program's own exceptions, busy ports, states of
 * tools. They keep weak hints from forcing a kind. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const ORDINARY: readonly Rule[] = [
  {
    id: "port-in-use",
    kind: "unknown",
    level: "verdict",
    confidence: 0.9,
    words: ["allocated", "already", "each", "eaddrinuse", "listen", "port"],
    pattern:
      /\bEADDRINUSE\b|\b[Aa]ddress already in use\b|\b[Pp]ort \d{1,5} is (?:already )?(?:in use|being used|occupied|taken|allocated|not available)|\bport is already allocated\b|\bOnly one usage of each socket address|\bFailed to listen on\b.{0,60}in use/,
    example: "Error: listen EADDRINUSE: address already in use :::8080",
    nearMiss: "the port of Genoa",
  },
  {
    id: "container-or-lock-busy",
    kind: "unknown",
    level: "typed",
    confidence: 0.82,
    words: ["acquiring", "already", "another", "being", "busy", "conflict", "container", "ebusy", "eexist", "empty", "etxtbsy", "exists", "lock", "locked"],
    pattern:
      /\bcontainer name ".{1,80}" is already in use|\bconflict: unable to (?:delete|remove)|\bimage is being used by|\bCould not get lock\b|\b(?:index|HEAD|config|shallow|packed-refs)\.lock': File exists|\bUnable to create '.{1,200}\.lock': File exists|\bAnother (?:git|app|process|instance) .{0,60}running|\bis already (?:running|locked|checked out|installed|mounted|used by worktree)\b|\bdatabase is locked\b|\bError acquiring the state lock|\b(?:resource|device|text file) (?:or resource )?(?:is )?busy\b|\bEBUSY\b|\bETXTBSY\b|\bbeing used by another process\b|\b[Dd]irectory not empty\b|\bFile exists\b|\bEEXIST\b|\balready exists\b/,
    except: /\bmerge\b|\bLayer already exists\b/i,
    example: 'Error: The container name "/cart" is already in use by container 4f1c',
    nearMiss: "already in the shop",
  },
  {
    id: "not-a-repository",
    kind: "unknown",
    level: "typed",
    confidence: 0.75,
    words: ["ceci", "copy", "git", "hg", "mercurial", "repositorio", "repository", "repositório", "svn", "найден", "репозитори", "リポ", "仓库"],
    pattern:
      /\b[Nn]ot a git repository\b|\bno repository found in\b|Kein Git-Repository|ni ceci ni aucun de ses (?:parents|répertoires)|no es un repositorio git|non è un repository git|não é um repositório git|не найден git репозиторий|не (?:является )?(?:git )?репозитори|不是 ?(?:一个 )?git 仓库|git リポジトリではありません|\bnot a working copy\b|^svn: E155007|\bnot a (?:hg|mercurial) repository/,
    example: "fatal: not a git repository (or any of the parent directories): .git",
    nearMiss: "a repository of stories",
  },
  {
    id: "git-states",
    kind: "unknown",
    level: "exact",
    confidence: 0.7,
    words: ["aborting", "added", "already", "changes", "commits", "delete", "dubious", "entries", "forget", "ignored", "local", "merged", "nothing", "staged", "tag", "tell"],
    pattern:
      /\bnothing to commit\b|\bno changes added to commit|\bnothing added to commit|\bpaths are ignored by one of your|\bis not fully merged\b|\bCannot delete branch\b|\bfile has (?:local modifications|changes staged|staged content)|\bPlease tell me who you are|\bdetected dubious ownership|\bNo changes - did you forget to use 'git add'|\bNo stash entries found|\bdoes not have any commits yet\b|\bAborting commit due to empty commit message|\bA branch named '.{1,120}' already exists|\btag '.{1,120}' already exists|\bremote \S{1,60} already exists/,
    example: "nothing to commit, working tree clean",
    nearMiss: "nothing changes",
  },
  {
    id: "own-exception",
    kind: "unknown",
    level: "phrase",
    confidence: 0.85,
    settings: ["shell", "call"],
    words: ["argumenterror", "arithmetic", "arrayindexoutofboundsexception", "attempt", "attributeerror", "cast", "clause", "evalerror", "goroutine", "illegalargumentexception", "illegalstateexception", "implemented", "indexerror", "indexoutofboundsexception", "invalidoperationexception", "iteration", "keyerror", "matcherror", "method", "nameerror", "nomethoderror", "nullreferenceexception", "numberformatexception", "overflowerror", "panic", "panicked", "pointer", "rangeerror", "recursionerror", "referenceerror", "runtimeerror", "stackoverflowerror", "typeerror", "unboundlocalerror", "uncaught", "undefinedfunctionerror", "unicodedecodeerror", "valueerror", "zero"],
    pattern:
      /^(?:\S{0,100}[.:|] ?)?(?:Uncaught )?(?:TypeError|ReferenceError|RangeError|AttributeError|KeyError|ValueError|NameError|IndexError|ZeroDivisionError|RuntimeError|NotImplementedError|RecursionError|UnboundLocalError|OverflowError|StopIteration|UnicodeDecodeError|NoMethodError|ArgumentError|EvalError)\b|\b(?:NullPointer|NullReference|IllegalArgument|IllegalState|IndexOutOfBounds|ArrayIndexOutOfBounds|ClassCast|Arithmetic|NumberFormat|InvalidOperation)Exception\b|\bStackOverflowError\b|^thread '[^']{1,60}' (?:\(\d{1,9}\) )?panicked at|^panic: |^goroutine \d{1,9} \[|\battempt to (?:index|call|perform|compare|concatenate)\b|\bUncaught Error: (?:Call to|Class)|\*\* \((?:UndefinedFunctionError|FunctionClauseError|MatchError|ArgumentError|RuntimeError|KeyError)\)|\bundefined method ['`]|\bFatal error: Uncaught\b/,
    example: "TypeError: Cannot read properties of undefined (reading 'total')",
    nearMiss: "a type error in the book",
  },
];
