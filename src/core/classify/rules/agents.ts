/**
 * Agent CLIs that crash, and the wording of their own requests. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const AGENTS: readonly Rule[] = [
  {
    id: "runtime-crash",
    kind: "agent_crash",
    level: "verdict",
    confidence: 0.93,
    words: ["bug", "bun", "check", "crash", "crashed", "fatal", "panic", "panicked"],
    pattern:
      /\boh no: Bun has crashed|\bpanic\((?:main thread|thread \d{1,8})\)|\bThis indicates a bug in Bun\b|^# Fatal error in |\bCheck failed: .{0,60}v8|\bFATAL ERROR: v8::|\b(?:agent|CLI|claude|codex|gemini|opencode|goose|aider|copilot|cursor-agent|qwen|amp|assistant|worker|extension host|language server|backend process|subprocess|child process) (?:process )?(?:has |have |was )?(?:unexpectedly )?(?:crashed|panicked)\b|\b(?:has|have) crashed unexpectedly|\bcrash(?:ed)? (?:report|dump)\b|\b[Cc]rashed: |\bhas crashed\b/i,
    except: /\bheap out of memory\b|\bReached heap limit\b/,
    example: "oh no: Bun has crashed. This indicates a bug in Bun, not your code.",
    nearMiss: "the market crashed in a panic",
  },
  {
    id: "agent-unhandled",
    kind: "agent_crash",
    level: "exact",
    confidence: 0.82,
    settings: ["agent"],
    words: ["attributeerror", "crashed", "critical", "died", "exit", "exited", "fatal", "goroutine", "goroutines", "indexerror", "internalerror", "keyerror", "nameerror", "overflow", "panic", "panicked", "quit", "rangeerror", "recent", "referenceerror", "runtime", "runtimeerror", "size", "stopped", "terminated", "typeerror", "uncaught", "unexpected", "unhandled", "unhandledpromiserejection", "valueerror"],
    pattern:
      /\bthread '[^']{1,60}' (?:\(\d{1,9}\) )?panicked at\b|^panic: |\bgoroutine \d{1,9} \[running\]|^Traceback \(most recent call last\)|\b[Uu]nhandled (?:[Pp]romise )?(?:rejection|exception|error|promise)\b|\bUnhandledPromiseRejection\b|\b[Uu]ncaught (?:exception|\w{0,30}Error)\b|^(?:Uncaught )?(?:TypeError|ReferenceError|RangeError|AttributeError|KeyError|RuntimeError|ValueError|IndexError|NameError|InternalError): |\b(?:process|agent|CLI|claude|codex|gemini|opencode) (?:process )?(?:exited|terminated|quit|died|stopped) (?:unexpectedly|with (?:code|signal|status|exit code)|abnormally|by signal)|\bAn unexpected (?:critical )?error occurred\b|\bMaximum call stack size exceeded|\bCommand failed with exit code \d{1,3}\b|\bfatal runtime error\b|\bstack overflow\b|\bUnexpected critical error|\ball goroutines are asleep|\bfatal error: |\b(?:[Pp]rocess|process) (?:\w{1,12} ){0,3}(?:exited|terminated|died|crashed)\b|\bexited with code [1-9]/,
    example: "thread 'main' panicked at src/agent.rs:12:5:",
    nearMiss: "a thread of panic ran through the town",
  },
  {
    id: "agent-invalid-request",
    kind: "invalid_arguments",
    level: "exact",
    confidence: 0.8,
    settings: ["agent", "model"],
    words: ["additional", "argument", "bad", "badrequesterror", "comes", "concurrency", "deploymentnotfound", "followed", "identifier", "ids", "invalid", "max", "message", "messages", "model", "modelnotfound", "modelnotfounderror", "modelnotfoundexception", "models", "provider", "providermodelnotfounderror", "roles", "selected", "support", "supported", "tool", "unknown", "unprocessable", "unsupported", "validationexception"],
    pattern:
      /\b[Mm]odel ["'`]?[\w.:/-]{1,100}["'`]? (?:is |was |does |has )?(?:not|n't) (?:exist|found|supported|available|a valid|recogni[sz]ed|been found|valid)|\b[Tt]he model .{1,100}(?:does not exist|not found|is not available|is not supported|not supported)|\bissue with the selected model|\bmodels?\/[\w.-]{1,80} is not found\b|\bmodel[_ ]not[_ ]found\b|\binvalid model\b|\bInvalid model\b|\b[Uu]nknown model\b|\bunsupported (?:value|parameter|model)\b|\bUnsupported (?:value|parameter|model)\b|\bInvalid (?:value|type|parameter|request|schema|'messages|'tools)\b|\binvalid_request_error\b|\bINVALID_ARGUMENT\b|\bBadRequestError\b|\bbad request\b|\bBad Request\b|\bfunction response turn comes immediately after|\btool use concurrency issues|\btool_use`? ids were found without|\btool_call_id|\bmessages?[.:]\s?\d{0,3}\.?\S{0,40}: |\broles must alternate|\bmodel identifier is invalid|\bprovided model identifier\b|\bDeploymentNotFound\b|\bAdditional properties are not allowed|\bmust be followed by tool messages|\bValidationException\b|\bis not supported (?:with|by|for|in) (?:this|the) (?:model|endpoint|API)|\bmax_tokens\b.{0,60}(?:must be|greater than|too large)|\bUnknown name "|\bUnprocessable Entity\b|\bdoes not support (?:tools|function|images|thinking|streaming|parameters|system|assistant|this)|\b[Mm]odel not found\b|\bModelNotFound(?:Error|Exception)?\b|\bProviderModelNotFoundError\b|\bprovider (?:not|is not) (?:found|configured|supported)/,
    example: "The model `cart-large` does not exist or you do not have access to it.",
    nearMiss: "the model wore a dress",
  },
];
