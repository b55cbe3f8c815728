/**
 * Known failures that belong to none of the kinds: a program's own exceptions, busy ports, locks. They keep weak hints
 * from forcing a kind.
 */
import { rule, type Rule } from "../classify/rule.ts";

export const ORDINARY: readonly Rule[] = [
  rule("port-in-use", "unknown", "verdict", 0.9, {
    lines: String.raw`
      eaddrinuse => \bEADDRINUSE\b
      already => \b[Aa]ddress already in use\b
      port => \b[Pp]ort \d{1,5} is (?:already )?(?:in use|being used|occupied)
      port => \b[Pp]ort \d{1,5} is (?:already )?(?:taken|allocated|not available)
      allocated => \bport is already allocated\b
      each => \bOnly one usage of each socket address
      listen => \bFailed to listen on\b.{0,60}in use
    `,
  }),
  rule("container-or-lock-busy", "unknown", "typed", 0.82, {
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
  }),
  rule("own-exception", "unknown", "phrase", 0.85, {
    sources: ["shell", "call"],
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
      uncaught => \bUncaught (?:Type|Value|Range|Reference|Argument\w{0,10})Error\b
      uncaught => \bFatal error: Uncaught\b
    `,
  }),
];
