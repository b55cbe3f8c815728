/**
 * What only a model's service or answer can fail with: context, refusals, unreadable answers.
 * Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const MODEL_ANSWERS: readonly Rule[] = [
  {
    id: "context-window",
    kind: "context_exhausted",
    level: "verdict",
    confidence: 0.97,
    words: ["compact", "compacted", "compaction", "context", "contextlength", "contextlengtherror", "contextlengthexceed", "contextlengthexceeded", "contextlengthexceedederror", "contextlengthexceededexception", "contextlengthexceederror", "contextlengthexceedexception", "contextlengthexception", "contextoverflow", "contextoverflowerror", "contextoverflowexceed", "contextoverflowexceeded", "contextoverflowexceedederror", "contextoverflowexceededexception", "contextoverflowexceederror", "contextoverflowexceedexception", "contextoverflowexception", "contextwindow", "contextwindowerror", "contextwindowexceed", "contextwindowexceeded", "contextwindowexceedederror", "contextwindowexceededexception", "contextwindowexceederror", "contextwindowexceedexception", "contextwindowexception", "conversation", "exceed", "exceeded", "exceeds", "exhausted", "full", "greater", "input", "large", "larger", "length", "llmcontext", "llmcontextlength", "llmcontextlengtherror", "llmcontextlengthexceed", "llmcontextlengthexceeded", "llmcontextlengthexceedederror", "llmcontextlengthexceededexception", "llmcontextlengthexceederror", "llmcontextlengthexceedexception", "llmcontextlengthexception", "llmcontextoverflow", "llmcontextoverflowerror", "llmcontextoverflowexceed", "llmcontextoverflowexceeded", "llmcontextoverflowexceedederror", "llmcontextoverflowexceededexception", "llmcontextoverflowexceederror", "llmcontextoverflowexceedexception", "llmcontextoverflowexception", "llmcontextwindow", "llmcontextwindowerror", "llmcontextwindowexceed", "llmcontextwindowexceeded", "llmcontextwindowexceedederror", "llmcontextwindowexceededexception", "llmcontextwindowexceedexception", "llmcontextwindowexception", "long", "longer", "low", "many", "max", "maximum", "messages", "output", "over", "overflow", "prompt", "reached", "reason", "reduce", "room", "size", "token", "tokens"],
    pattern:
      /\bmaximum context length\b|\bcontext[ _](?:window|length|limit|size)\b.{0,60}\b(?:exceed(?:ed|s)?|full|limit|reached|overflow|too (?:long|large|small)|exhausted|ran out|maxed)|\b(?:exceed(?:ed|s|ing)?|overflow(?:ed|s)?|reached|over|beyond|ran out of room in|longer than|larger than|outgrew|fit in|fits? in(?:to)?|fit within|filled) (?:\S{1,20} ){0,5}context (?:window|length|limit|size)|\b[Pp]rompt (?:is )?too (?:long|large)\b|\b[Pp]rompt exceeds\b|\b[Ii]nput (?:is )?too (?:long|large)\b(?! for (?:column|type))|\b(?:input|prompt|total|request|conversation|message)s?(?: \w{1,12})? (?:token )?(?:count|tokens|length)\b.{0,60}\b(?:exceed(?:s|ed)?|greater than|larger than|longer than|over)\b.{0,60}(?:maximum|limit|max|allowed|tokens)|\b\d{3,9} tokens? ?(?:>|exceeds?|is greater than|were requested|is larger than)|\breduce the length of (?:the|your) (?:messages|prompt|input|conversation)|\bconversation (?:history )?(?:is )?too long\b|\bConversation history longer than\b|\bcontext_length_exceeded\b|\b(?:LLM)?Context(?:Window|Length|Overflow)(?:Exceed(?:ed)?)?(?:Error|Exception)?\b|\btoo many (?:input )?tokens\b|\brequest_too_large\b|\b[Rr]equest (?:size )?(?:exceeds|too large)\b.{0,60}(?:token|context|limit|TPM|bytes|MB)|\b(?:Context|Prompt|Input) (?:low|overflow|exhausted)\b|\bcontext (?:is )?(?:full|exhausted|overflow)\b|\bno room (?:left )?in (?:the )?context|\bmax(?:imum)?_?(?:input|prompt|context)_?(?:tokens|length)\b.{0,40}(?:exceed|less|over)|\bexceeds? (?:the )?(?:model'?s?|maximum|allowed|max) (?:maximum |input |allowed )?(?:number of )?(?:input |prompt )?(?:tokens?|context|length)|\btokens? (?:in|of) (?:the |your )?(?:prompt|input|messages) .{0,40}exceed|\bexceeded the \d{1,9} output token maximum|\breached (?:the |its )?(?:max(?:imum)?|output) (?:output )?token(?:s)?(?: limit)?\b|\breason: max_output_tokens|\bavailable context size\b|\bcannot be compacted\b|\bcompact(?:ion)? failed\b.{0,40}(?:context|long)/i,
    except:
      /\bcontext deadline\b|\btokens per (?:min|day|hour)|\bTPM\b.{0,20}(?:rate|limit reached)|\bRate limit\b|\bundefined\b|\buseContext\b|\bURI too long/i,
    example: "prompt is too long: 214000 tokens > 200000 maximum",
    nearMiss: "context deadline exceeded",
  },
  {
    id: "refused-by-policy",
    kind: "content_refused",
    level: "verdict",
    confidence: 0.96,
    words: ["acceptable", "against", "assist", "blocked", "breach", "comply", "contentfilter", "contentfiltered", "contentfilterederror", "contentfilteredfinishreasonerror", "contentfiltererror", "contentfilterfinishreasonerror", "contentpolicyviolation", "contentpolicyviolationerror", "contentpolicyviolationexception", "continue", "cut", "declined", "filter", "filtered", "filtering", "filters", "finish", "flagged", "guardrail", "guardrails", "harm", "help", "legal", "moderation", "policies", "policy", "potentially", "prompt", "provide", "reason", "refusal", "refused", "rejected", "responsible", "safeguards", "safety", "sorry", "stop", "stopped", "unable", "violate", "violated", "violates", "violation"],
    pattern:
      /\b(?:rejected|blocked|refused|flagged|filtered|stopped|declined|cut off) (?:\S{1,20} ){0,6}(?:our |the |a |its )?(?:safety|content|moderation|usage|acceptable use|responsible ai|guardrail|policy|copyright)\b|\bcontent[ _-](?:management |safety |moderation )?(?:policy|policies|filter(?:ing|ed|s)?)\b|\bsafety (?:system|settings?|filters?|reasons?|policy|policies|guidelines|checks?|classifier|ratings?)\b.{0,80}\b(?:block|reject|not allowed|violat|flag|prevent|refus|may contain|trigger)|\bblock[_ ]?[Rr]eason\b["']?\s?[:=]\s?["']?\w|\bfinish[_ ]?[Rr]eason\b["']?\s?[:=]\s?["']?(?:SAFETY|content_filter|PROHIBITED_CONTENT|RECITATION|BLOCKLIST|SPII|refusal)|\bstop[_ ]?[Rr]eason\b["']?\s?[:=]\s?["']?(?:refusal|content_filtered|guardrail_intervened|safety)|\b(?:violates?|violated|violation of|against|in breach of) (?:\S{1,20} ){0,4}(?:usage|content|safety|acceptable use|terms|policy|policies|guidelines)\b|\b(?:prompt|request|response|output|input|message|content|image|completion|answer) (?:was |has been |is |were |got )(?:\w{1,12} )?(?:blocked|flagged|filtered|refused|rejected by (?:the )?(?:safety|content|moderation))\b|\bsafeguards (?:flagged|blocked)|\bContentFilter(?:ed)?(?:Error|FinishReasonError)?\b|\bContentPolicyViolation(?:Error|Exception)?\b|\bResponsibleAIPolicyViolation|\bguardrail(?:s)? (?:intervened|blocked|triggered|violation)|\bmoderation (?:blocked|flagged|refused|rejected|failed)|\bI(?:'m| am) (?:sorry|unable), but I (?:can't|cannot)|\bI (?:can't|cannot|won't) (?:help|assist|comply|provide|continue) with (?:that|this)|\bAcceptable Use Policy\b|\bUsage Policy\b|\bUsage Policies\b|\blegal\/aup\b|\bmodel refus(?:ed|al)\b|\brefused to (?:answer|respond|generate|complete|comply)\b|\bblocked by (?:Anthropic|OpenAI|Gemini|the model|safety|provider)|\binvalid_prompt\b|\bpotentially (?:harmful|violating)|\bHARM_CATEGORY_\w{1,40}.{0,60}(?:HIGH|blocked|MEDIUM)/i,
    except:
      /\bContent-Security-Policy\b|\bpush protection|\bexecution policy\b|\bretry policy\b|\bCORS\b|\bnetwork policy\b|\bconnection refused\b|\bhook\b/i,
    example: "The response was filtered because it triggered our content management policy.",
    nearMiss: "the retry policy was refused by the editor",
  },
  {
    id: "malformed-answer",
    kind: "malformed_output",
    level: "verdict",
    confidence: 0.9,
    settings: ["model", "agent", "call"],
    words: ["adhere", "answer", "arguments", "bad", "broken", "candidates", "choices", "completed", "completion", "comply", "conform", "content", "control", "corrupt", "corrupted", "decode", "deserialize", "edit", "empty", "end", "ended", "eof", "expected", "expecting", "extra", "extract", "finish", "function", "gave", "generated", "incomplete", "incompleteoutput", "incompleteoutputerror", "incompleteoutputexception", "interpret", "invalid", "json", "jsondecode", "malformed", "match", "noobjectgenerated", "noobjectgeneratederror", "output", "outputparserexception", "parse", "parsed", "position", "produced", "replace", "reply", "response", "returned", "sent", "text", "tool", "truncated", "unparsable", "unparseable", "unterminated", "valid", "validationerror", "value"],
    pattern:
      /\bJSONDecodeError\b|\bJSON (?:Parse|parse|parsing|decode) ?(?:error|failed|failure)|\b(?:in|of) JSON at position\b|\bUnexpected end of JSON input|\bnot valid JSON\b|\b(?:invalid|malformed|unparsable|unparseable|truncated|incomplete|broken|bad|corrupt(?:ed)?) (?:JSON|json|tool[ _]call|tool use|function call|tool arguments|tool input|model (?:output|response|answer)|output|response|XML|structured output|streaming response)\b|\b(?:[Ff]ailed|[Uu]nable|[Cc]ould not|[Cc]ouldn't|[Cc]annot) (?:to )?(?:parse|decode|deserialize|interpret|extract) (?:\S{1,20} ){0,5}(?:JSON|json|output|response|arguments|answer|tool[ _]call|completion|verdict|edit|plan|message|LLM|model|content|reply|XML|stdout)\b|\bUnterminated string\b|\bMALFORMED_(?:FUNCTION|TOOL)_CALL\b|\bmalformed (?:function|tool)\b|\bcould not be parsed\b|\b(?:response|output|answer|reply|completion) (?:did|does) not (?:match|conform|contain|follow|validate|parse|include)\b|\bOutputParserException\b|\bNoObjectGenerated(?:Error)?\b|\bNo object generated\b|\b(?:did not|didn't|failed to) (?:conform|match|adhere|comply)\b.{0,30}(?:format|schema|edit format)|\b(?:model|LLM|assistant|provider) (?:returned|produced|gave|sent|output) (?:an? )?(?:empty|invalid|malformed|no|blank|unexpected|incomplete)\b|\bempty (?:response|answer|output|completion|message|reply)\b|\bno (?:tool call|function call|content|text|choices|candidates|output|response) (?:was |were |in |found|returned|from|generated|received)\b|\bExpecting (?:value|property name|',' delimiter|':' delimiter)|\bInvalid control character at\b|\bExtra data: line \d|\bresponse\.completed\b|\bstream ended without|\bfinish reason\b.{0,20}(?:missing|unknown)|\bnot (?:a )?valid (?:tool|function) call|\btool (?:call )?arguments\b.{0,40}(?:not valid|invalid|could not|parse|JSON)|\bInvalidToolInput|\bSEARCH\/REPLACE\b.{0,40}(?:malformed|invalid|fail)|\bIncompleteOutput(?:Error|Exception)?\b|\bexpected .{1,40} but (?:got|received|found) .{1,40}\bin (?:the )?(?:model|LLM) (?:output|response)|\bValidationError\b.{0,60}(?:output|response|json)|\binvalid edit format\b|\b[Yy]ou did not use a tool\b|\bInvalid JSON: |\bEOF while parsing\b|\bExpected (?:a )?JSON\b|\bno tool (?:use|call)s? (?:in|found|detected)|\bexpected value at line \d/,
    except: /\bcontent_filter\b|\bHTTP\b.{0,12}\b[45]\d\d\b|\bmaximum context\b|\bis too long\b/,
    example: "failed to parse the model response as JSON",
    nearMiss: "the response was a JSON file",
  },
  {
    id: "json-decode-in-shell",
    kind: "malformed_output",
    level: "phrase",
    confidence: 0.62,
    settings: ["shell"],
    words: ["json", "jsondecode", "parse"],
    pattern:
      /\bJSONDecodeError\b|\b(?:failed|unable|could not|couldn't) (?:to )?parse (?:\S{1,16} ){0,4}(?:model|LLM|agent) (?:output|response|answer|reply)|\bFailed to parse (?:the )?(?:JSON|json) (?:response|output)/,
    example: "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
    nearMiss: "the JSON of a cart",
  },
];
