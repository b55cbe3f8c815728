/** What agent harnesses, MCP servers and SDKs say about tool calls. */
import type { Rule } from "../classify/rule.ts";

export const TOOL_CALLS: readonly Rule[] = [
  {
    id: "unknown-tool",
    kind: "tool_not_found",
    level: "verdict",
    confidence: 0.96,
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
    example: "Error: Unknown tool: count_carts",
    nearMiss: "Invalid tool input: missing field 'path'",
  },
  {
    id: "unknown-tool-in-registry",
    kind: "tool_not_found",
    level: "typed",
    confidence: 0.9,
    settings: ["call", "agent", "model"],
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
    unless: String.raw`
      \bold_?string\b
    `,
    example: "count_carts is not an available tool; call another",
    nearMiss: "the tool wrote a file",
  },
  {
    id: "tool-input-invalid",
    kind: "invalid_arguments",
    level: "typed",
    confidence: 0.93,
    settings: ["call", "agent", "model"],
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
    example: "InputValidationError: Read failed: The required parameter `file_path` is missing",
    nearMiss: "the required reading is missing",
  },
  {
    id: "edit-not-applicable",
    kind: "invalid_arguments",
    level: "typed",
    confidence: 0.85,
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
    example: "String to replace not found in file.",
    nearMiss: "replace the string of lights",
  },
];
