/** Errors from agents, their harnesses, MCP servers and SDKs: tool calls they cannot make, and their own crashes. */
import { rule, type Rule } from "../classify/rule.ts";

export const AGENTS: readonly Rule[] = [
  rule("unknown-tool", "tool_not_found", "verdict", 0.96, {
    ignoreCase: true,
    lines: String.raw`
      tool => \b(?:unknown|unavailable|nonexistent|non-existent|unsupported|unregistered|
      ... undefined|invalid|unrecogni[sz]ed) tool\b(?! (?:call|input|arg|param|use|result|
      ... version|id|schema|choice))
      tool => \bNo such tool\b
      tool => \bNo tool (?:named|called|with name|found|registered)
      tool => \btool ["'\`]?[\w.:/-]{1,100}["'\`]? (?:is |was |does |has )?(?:not|n't) (?:found|
      ... exist|available|registered|supported|known|recogni[sz]ed|in (?:the )?(?:allow|list|
      ... registry|tool)|enabled|been registered|defined|a valid|valid|one of)
      tool => \btool (?:does not exist|not found|is not (?:found|available|registered))
      tool => \bTool ["'\`]?[\w.:/-]{1,100}["'\`]? (?:doesn't exist|does not exist|
      ... isn't available)
      find => \b(?:Could not|Couldn't|Cannot|Can't|Unable to) find (?:a )?tool\b
      nosuchtoolerror => \bNoSuchToolError\b
      tried => \btried to call (?:an? )?(?:unavailable|unknown|nonexistent) tool
      unsupported => \bunsupported call: \w
      allowlist => \bnot in (?:the )?(?:tool )?allowlist\b
      function => \bfunction ["'\`]?[\w.-]{1,80}["'\`]? (?:is )?not (?:found|defined|registered|
      ... declared) (?:in|for) (?:the )?(?:registry|tools|request|toolset)
      tool => \btool_not_found\b
      mcp => \bMCP error -32601\b
      tool => \bthere is no tool\b
      tool => \bno tool by (?:that|the) name
    `,
  }),
  rule("unknown-tool-in-registry", "tool_not_found", "typed", 0.9, {
    sources: ["call", "agent", "model"],
    ignoreCase: true,
    lines: String.raw`
      tool => \btool\b.{0,60}\bnot (?:found|available|exist)
      found => \bnot found in (?:the )?(?:tool )?registry
      available => \bAvailable tools(?: are)?:
      method => \bMethod not found\b
      disabled => \btool .{0,60}\bdisabled for this session
      available => \bis not an available tool
      unsupported => \b[Uu]nsupported call: \w
      valid => \b(?:is )?not a valid tool\b
      tool => \btool that is not available
      function => \bFunction ["\'\`]?[\w.-]{1,80}["\'\`]? (?:is |was |does )?not (?:found|exist)
      function => \bFunction ["\'\`]?[\w.-]{1,80}["\'\`]? (?:is |was |does )?not defined
      function => \bFunction ["\'\`]?[\w.-]{1,80}["\'\`]? (?:is |was |does )?not registered
      mcp => \bMCP server "?[\w.-]{1,60}"? (?:is )?not found
      name => \bInvalid tool name\b
    `,
    unless: String.raw`\bold_?string\b`,
  }),
  rule("tool-input-invalid", "invalid_arguments", "typed", 0.93, {
    sources: ["call", "agent", "model"],
    ignoreCase: true,
    lines: String.raw`
      inputvalidationerror => \bInputValidationError\b
      required => \brequired (?:parameter|argument) ['"\`]?[\w.-]{1,80}['"\`]? (?:is |was )
      required => \brequired (?:parameter|argument) ['"\`]?[\w.-]{1,80}['"\`]? (?:not |missing)
      required => \brequired (?:property|field) ['"\`]?[\w.-]{1,80}['"\`]? (?:is |was |not |
      ... missing)
      required => \b[Mm]issing (?:a )?required (?:parameter|argument|property|field|key|input)
      args,argument,arguments,input,parameter,parameters,params => \b(?:invalid|bad|incorrect|
      ... wrong) (?:tool )?(?:parameters?|arguments?|args|params|
      ... input)(?: for| to| provided| in|:|\.)
      mcp => \bMCP error -32602\b(?!.{0,80}(?:[Tt]ool .{0,60}not found|Unknown tool))
      params => \bInvalid params\b
      zoderror => \bZodError\b
      validation => \bvalidation errors? for \w
      field => \bField required\b
      match => \bdoes not match (?:the )?(?:input |expected |tool )?schema
      required => \bmust have required property
      additional => \bmust NOT have additional properties
      got => \bshould be .{1,60}\bgot\b
      received => \bExpected (?:string|number|array|object|boolean), received\b
      keyword => \bUnexpected keyword argument\b
      params => \bparams must (?:have|be|NOT)\b
      parameter => \bunexpected parameter\b
      argument,arguments => \barguments? (?:did|do|does) not (?:match|conform)
      param => \bPARAM '
      without => \bwithout value for required parameter
      keyword,positional => \bmissing \d{1,2} required (?:positional|keyword-only) arguments?
      keyword => \bgot an unexpected keyword argument
      path => \bpath must be\b
      absolute => \bmust be absolute\b
    `,
    unless: String.raw`
      \b(?:API key|api_key|token)\b
      \bunsupported_country
      \bInvalid JSON\b
      \bnot valid JSON\b
    `,
  }),
  rule("edit-not-applicable", "invalid_arguments", "typed", 0.85, {
    ignoreCase: true,
    lines: String.raw`
      replace => \bString to replace not found\b
      old,oldstring,oldtext,search,str => \b(?:old_?string|old_str|oldText|search block|
      ... SEARCH block|search text|search string)\b.{0,80}(?:not found|no match|
      ... did not (?:match|appear)|must be (?:unique|different)|multiple|was not|identical|
      ... matches)
      matches,occurrences => \bFound \d{1,5} (?:matches|occurrences) of the (?:string|text)
      read => \bFile has not been read yet
      since => \bhas been (?:modified|unexpectedly modified) since\b
      read => \bmust read (?:the )?file (?:first|before)
      changes => \bNo changes to (?:make|apply)\b
      find => \bfailed to find (?:expected|context) lines?
      context,patch => \bInvalid (?:patch|context|Context)\b
      edit => \bFailed to edit, (?:could not|0 occurrences|expected)
      verification => \bapply_patch verification failed
      searchreplacenoexactmatch => \bSearchReplaceNoExactMatch\b
      replace => \bSEARCH\/REPLACE block failed
      find => \bCould not find (?:the )?(?:old|exact|oldString|old_str)
    `,
  }),
  rule("tool-not-enabled", "tool_not_found", "typed", 0.9, {
    sources: ["call", "agent", "model"],
    ignoreCase: true,
    lines: String.raw`
      tools,functions => \bis not (?:in|part of|one of|among) (?:the )?(?:set of |list of )?(?:the )?
      ... (?:enabled|available|allowed|known|registered|supported|valid) (?:tools|functions)\b
      unrecognised,unrecognized => \bunrecogni[sz]ed (?:tool|function)\b
      tool,function => \bno (?:tool|function) (?:named|called|with the name)\b
      tool => \bhas no tool ['"]
      tool => \bno handler (?:is )?registered for (?:the )?tool\b
    `,
  }),
  rule("runtime-crash", "agent_crash", "verdict", 0.93, {
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
  }),
  rule("agent-unhandled", "agent_crash", "exact", 0.82, {
    sources: ["agent"],
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
  }),
  rule("agent-invalid-request", "invalid_arguments", "exact", 0.8, {
    sources: ["agent", "model"],
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
  }),
];
