/**
 * What agent harnesses, MCP servers and SDKs say about tool calls. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const TOOL_CALLS: readonly Rule[] = [
  {
    id: "unknown-tool",
    kind: "tool_not_found",
    level: "verdict",
    confidence: 0.96,
    words: ["allowlist", "find", "function", "mcp", "nosuchtoolerror", "tool", "tried", "unsupported"],
    pattern:
      /\b(?:unknown|unavailable|nonexistent|non-existent|unsupported|unregistered|undefined|invalid|unrecogni[sz]ed) tool\b(?! (?:call|input|arg|param|use|result|version|id|schema|choice))|\bNo such tool\b|\bNo tool (?:named|called|with name|found|registered)|\btool ["'`]?[\w.:/-]{1,100}["'`]? (?:is |was |does |has )?(?:not|n't) (?:found|exist|available|registered|supported|known|recogni[sz]ed|in (?:the )?(?:allow|list|registry|tool)|enabled|been registered|defined|a valid|valid|one of)|\btool (?:does not exist|not found|is not (?:found|available|registered))|\bTool ["'`]?[\w.:/-]{1,100}["'`]? (?:doesn't exist|does not exist|isn't available)|\b(?:Could not|Couldn't|Cannot|Can't|Unable to) find (?:a )?tool\b|\bNoSuchToolError\b|\btried to call (?:an? )?(?:unavailable|unknown|nonexistent) tool|\bunsupported call: \w|\bnot in (?:the )?(?:tool )?allowlist\b|\bfunction ["'`]?[\w.-]{1,80}["'`]? (?:is )?not (?:found|defined|registered|declared) (?:in|for) (?:the )?(?:registry|tools|request|toolset)|\btool_not_found\b|\bMCP error -32601\b|\bthere is no tool\b|\bno tool by (?:that|the) name/i,
    example: "Error: Unknown tool: count_carts",
    nearMiss: "Invalid tool input: missing field 'path'",
  },
  {
    id: "unknown-tool-in-registry",
    kind: "tool_not_found",
    level: "typed",
    confidence: 0.9,
    settings: ["call", "agent", "model"],
    words: ["available", "disabled", "found", "function", "mcp", "method", "name", "tool", "unsupported", "valid"],
    pattern:
      /\btool\b.{0,60}\bnot (?:found|available|exist)|\bnot found in (?:the )?(?:tool )?registry|\bAvailable tools(?: are)?:|\bMethod not found\b|\btool .{0,60}\bdisabled for this session|\bis not an available tool|\b[Uu]nsupported call: \w|\b(?:is )?not a valid tool\b|\btool that is not available|\bFunction ["\'`]?[\w.-]{1,80}["\'`]? (?:is |was |does )?not (?:found|exist|defined|registered)|\bMCP server "?[\w.-]{1,60}"? (?:is )?not found|\bInvalid tool name\b/i,
    except: /\bold_?string\b/,
    example: "count_carts is not an available tool; call another",
    nearMiss: "the tool wrote a file",
  },
  {
    id: "tool-input-invalid",
    kind: "invalid_arguments",
    level: "typed",
    settings: ["call", "agent", "model"],
    confidence: 0.93,
    words: ["absolute", "additional", "args", "argument", "arguments", "field", "got", "input", "inputvalidationerror", "keyword", "match", "mcp", "param", "parameter", "parameters", "params", "path", "positional", "received", "required", "validation", "without", "zoderror"],
    pattern:
      /\bInputValidationError\b|\brequired (?:parameter|argument|property|field) ['"`]?[\w.-]{1,80}['"`]? (?:is |was |not |missing)|\b[Mm]issing (?:a )?required (?:parameter|argument|property|field|key|input)|\b(?:invalid|bad|incorrect|wrong) (?:tool )?(?:parameters?|arguments?|args|params|input)(?: for| to| provided| in|:|\.)|\bMCP error -32602\b(?!.{0,80}(?:[Tt]ool .{0,60}not found|Unknown tool))|\bInvalid params\b|\bZodError\b|\bvalidation errors? for \w|\bField required\b|\bdoes not match (?:the )?(?:input |expected |tool )?schema|\bmust have required property|\bmust NOT have additional properties|\bshould be .{1,60}\bgot\b|\bExpected (?:string|number|array|object|boolean), received\b|\bUnexpected keyword argument\b|\bparams must (?:have|be|NOT)\b|\bunexpected parameter\b|\barguments? (?:did|do|does) not (?:match|conform)|\bPARAM '|\bwithout value for required parameter|\bmissing \d{1,2} required (?:positional|keyword-only) arguments?|\bgot an unexpected keyword argument|\bpath must be\b|\bmust be absolute\b/i,
    except: /\b(?:API key|api_key|token)\b|\bunsupported_country|\bInvalid JSON\b|\bnot valid JSON\b/,
    example: "InputValidationError: Read failed: The required parameter `file_path` is missing",
    nearMiss: "the required reading is missing",
  },
  {
    id: "edit-not-applicable",
    kind: "invalid_arguments",
    level: "typed",
    confidence: 0.85,
    words: ["changes", "context", "edit", "find", "matches", "occurrences", "old", "oldstring", "oldtext", "patch", "read", "replace", "search", "searchreplacenoexactmatch", "since", "str", "verification"],
    pattern:
      /\bString to replace not found\b|\b(?:old_?string|old_str|oldText|search block|SEARCH block|search text|search string)\b.{0,80}(?:not found|no match|did not (?:match|appear)|must be (?:unique|different)|multiple|was not|identical|matches)|\bFound \d{1,5} (?:matches|occurrences) of the (?:string|text)|\bFile has not been read yet|\bhas been (?:modified|unexpectedly modified) since\b|\bmust read (?:the )?file (?:first|before)|\bNo changes to (?:make|apply)\b|\bfailed to find (?:expected|context) lines?|\bInvalid (?:patch|context|Context)\b|\bFailed to edit, (?:could not|0 occurrences|expected)|\bapply_patch verification failed|\bSearchReplaceNoExactMatch\b|\bSEARCH\/REPLACE block failed|\bCould not find (?:the )?(?:old|exact|oldString|old_str)/i,
    example: "String to replace not found in file.",
    nearMiss: "replace the string of lights",
  },
];
