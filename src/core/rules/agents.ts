/** Agent CLIs that crash, and the wording of their own requests. */
import type { Rule } from "../classify/rule.ts";

export const AGENTS: readonly Rule[] = [
  {
    id: "runtime-crash",
    kind: "agent_crash",
    level: "verdict",
    confidence: 0.93,
    ignoreCase: true,
    lines: String.raw`
      bun => \boh no: Bun has crashed
      panic => \bpanic\((?:main thread|thread \d{1,8})\)
      bug => \bThis indicates a bug in Bun\b
      fatal => ^# Fatal error in\s
      check => \bCheck failed: .{0,60}v8
      fatal => \bFATAL ERROR: v8::
      crashed,panicked => \b(?:agent|CLI|claude|codex|gemini|opencode|goose|aider|copilot|
      ... cursor-agent|qwen|amp|assistant|worker|extension host|language server|backend process|
      ... subprocess|child process) (?:process )?(?:has |have |
      ... was )?(?:unexpectedly )?(?:crashed|panicked)\b
      crashed => \b(?:has|have) crashed unexpectedly
      crash,crashed => \bcrash(?:ed)? (?:report|dump)\b
      crashed => \b[Cc]rashed:\s
      crashed => \bhas crashed\b
    `,
    unless: String.raw`
      \bheap out of memory\b
      \bReached heap limit\b
    `,
    example: "oh no: Bun has crashed while it counted carts",
    nearMiss: "the market crashed in a panic",
  },
  {
    id: "agent-unhandled",
    kind: "agent_crash",
    level: "exact",
    confidence: 0.82,
    settings: ["agent"],
    lines: String.raw`
      panicked => \bthread '[^']{1,60}' (?:\(\d{1,9}\) )?panicked at\b
      panic => ^panic:\s
      goroutine => \bgoroutine \d{1,9} \[running\]
      recent => ^Traceback \(most recent call last\)
      unhandled => \b[Uu]nhandled (?:[Pp]romise )?(?:rejection|exception|error|promise)\b
      unhandledpromiserejection => \bUnhandledPromiseRejection\b
      uncaught => \b[Uu]ncaught (?:exception|\w{0,30}Error)\b
      referenceerror,typeerror => ^(?:Uncaught )?(?:TypeError|ReferenceError):\s
      rangeerror => ^(?:Uncaught )?RangeError:\s
      attributeerror,keyerror => ^(?:Uncaught )?(?:AttributeError|KeyError):\s
      runtimeerror,valueerror => ^(?:Uncaught )?(?:RuntimeError|ValueError):\s
      indexerror => ^(?:Uncaught )?IndexError:\s
      internalerror,nameerror => ^(?:Uncaught )?(?:NameError|InternalError):\s
      died,exited,quit,stopped,terminated => \b(?:process|agent|CLI|claude|codex|gemini|
      ... opencode) (?:process )?(?:exited|terminated|quit|died|stopped) (?:unexpectedly|
      ... with (?:code|signal|status|exit code)|abnormally|by signal)
      unexpected => \bAn unexpected (?:critical )?error occurred\b
      size => \bMaximum call stack size exceeded
      exit => \bCommand failed with exit code \d{1,3}\b
      runtime => \bfatal runtime error\b
      overflow => \bstack overflow\b
      critical => \bUnexpected critical error
      goroutines => \ball goroutines are asleep
      fatal => \bfatal error:\s
      exited,terminated => \b(?:[Pp]rocess|process) (?:\w{1,12} ){0,3}(?:exited|terminated)\b
      crashed,died => \b(?:[Pp]rocess|process) (?:\w{1,12} ){0,3}(?:died|crashed)\b
      exited => \bexited with code [1-9]
    `,
    example: "thread 'main' panicked at src/agent.rs:12:5:",
    nearMiss: "a thread of panic ran through the town",
  },
  {
    id: "agent-invalid-request",
    kind: "invalid_arguments",
    level: "exact",
    confidence: 0.8,
    settings: ["agent", "model"],
    lines: String.raw`
      model => \b[Mm]odel ["'\`]?[\w.:/-]{1,100}["'\`]? (?:is |was |does |has )?(?:not|
      ... n't) (?:exist|found|supported|available|a valid|recogni[sz]ed|been found|valid)
      model => \b[Tt]he model .{1,100}(?:does not exist|not found|is not available)
      model => \b[Tt]he model .{1,100}(?:is not supported|not supported)
      selected => \bissue with the selected model
      model,models => \bmodels?\/[\w.-]{1,80} is not found\b
      model => \bmodel[_ ]not[_ ]found\b
      model => \binvalid model\b
      model => \bInvalid model\b
      unknown => \b[Uu]nknown model\b
      unsupported => \bunsupported (?:value|parameter|model)\b
      unsupported => \bUnsupported (?:value|parameter|model)\b
      invalid => \bInvalid (?:value|type|parameter|request|schema|'messages|'tools)\b
      invalid => \binvalid_request_error\b
      argument => \bINVALID_ARGUMENT\b
      badrequesterror => \bBadRequestError\b
      bad => \bbad request\b
      bad => \bBad Request\b
      comes => \bfunction response turn comes immediately after
      concurrency => \btool use concurrency issues
      ids => \btool_use\`? ids were found without
      tool => \btool_call_id
      message,messages => \bmessages?[.:]\s?\d{0,3}\.?\S{0,40}:\s
      roles => \broles must alternate
      identifier => \bmodel identifier is invalid
      identifier => \bprovided model identifier\b
      deploymentnotfound => \bDeploymentNotFound\b
      additional => \bAdditional properties are not allowed
      followed => \bmust be followed by tool messages
      validationexception => \bValidationException\b
      supported => \bis not supported (?:with|by|for|in) (?:this|the) (?:model|endpoint|API)
      max => \bmax_tokens\b.{0,60}(?:must be|greater than|too large)
      unknown => \bUnknown name "
      unprocessable => \bUnprocessable Entity\b
      support => \bdoes not support (?:tools|function|images|thinking|streaming)
      support => \bdoes not support (?:parameters|system|assistant|this)
      model => \b[Mm]odel not found\b
      modelnotfound,modelnotfounderror,modelnotfoundexception => \bModelNotFound(?:Error|
      ... Exception)?\b
      providermodelnotfounderror => \bProviderModelNotFoundError\b
      provider => \bprovider (?:not|is not) (?:found|configured|supported)
      endpoints => \bNo endpoints found for\b
      provider,providers => \bNo (?:allowed )?providers? (?:are |is )?available for\b
      llm => \bLLM Provider NOT provided\b
    `,
    example: "The model `cart-large` does not exist or you do not have access to it.",
    nearMiss: "the model wore a dress",
  },
];
