/** Failures that only a model service or its answer can have: context overflow, refusals, unreadable answers. */
import { rule, type Rule } from "../classify/rule.ts";

export const MODEL_ANSWERS: readonly Rule[] = [
  rule("context-window", "context_exhausted", "verdict", 0.97, {
    ignoreCase: true,
    lines: String.raw`
      maximum => \bmaximum context length\b
      context => \bcontext[ _](?:window|length|limit|size)\b.{0,60}\b(?:exceed(?:ed|s)?|full)
      context => \bcontext[ _](?:window|length|limit|size)\b.{0,60}\blimit
      context => \bcontext[ _](?:window|length|limit|size)\b.{0,60}\b(?:reached|overflow)
      too => \bcontext[ _](?:window|length|limit|size)\b.{0,60}\btoo (?:long|large|small)
      context => \bcontext[ _](?:window|length|limit|size)\b.{0,60}\bexhausted
      context => \bcontext[ _](?:window|length|limit|size)\b.{0,60}\b(?:ran out|maxed)
      context => \b(?:exceed(?:ed|s|ing)?|overflow(?:ed|s)?|reached|over|beyond|
      ... ran out of room in|longer than|larger than|outgrew|fit in|fits? in(?:to)?|fit within|
      ... filled) (?:\S{1,20} ){0,5}context (?:window|length|limit|size)
      large,long => \b[Pp]rompt (?:is )?too (?:long|large)\b
      exceeds => \b[Pp]rompt exceeds\b
      large,long => \b[Ii]nput (?:is )?too (?:long|large)\b(?! for (?:column|type))
      exceed,exceeded,exceeds,greater,larger,longer,over => \b(?:input|prompt|total|request|
      ... conversation|message)s?(?: \w{1,12})? (?:token )?(?:count|tokens|length)\b.{0,
      ... 60}\b(?:exceed(?:s|ed)?|greater than|larger than|longer than|over)\b.{0,60}(?:maximum|
      ... limit|max|allowed|tokens)
      reduce => \breduce the length of (?:the|your) (?:messages|prompt|input|conversation)
      conversation => \bconversation (?:history )?(?:is )?too long\b
      conversation => \bConversation history longer than\b
      length => \bcontext_length_exceeded\b
      many => \btoo many (?:input )?tokens\b
      large => \brequest_too_large\b
      exceeds,large => \b[Rr]equest (?:size )?(?:exceeds|too large)\b.{0,60}(?:token|context)
      exceeds,large => \b[Rr]equest (?:size )?(?:exceeds|too large)\b.{0,60}limit
      exceeds,large => \b[Rr]equest (?:size )?(?:exceeds|too large)\b.{0,60}(?:TPM|bytes|MB)
      exhausted,low,overflow => \b(?:Context|Prompt|Input) (?:low|overflow|exhausted)\b
      exhausted,full,overflow => \bcontext (?:is )?(?:full|exhausted|overflow)\b
      room => \bno room (?:left )?in (?:the )?context
      exceed,exceeds => \bexceeds? (?:the )?(?:model'?s?|maximum|allowed|max) (?:maximum |
      ... input |allowed )?(?:number of )?(?:input |prompt )?(?:tokens?|context|length)
      input,prompt => \btokens? (?:in|of) (?:the |your )?(?:prompt|input) .{0,40}exceed
      messages => \btokens? (?:in|of) (?:the |your )?messages .{0,40}exceed
      output => \bexceeded the \d{1,9} output token maximum
      reached => \breached (?:the |its )?max(?:imum)? (?:output )?token(?:s)?(?: limit)?\b
      reached => \breached (?:the |its )?output (?:output )?token(?:s)?(?: limit)?\b
      reason => \breason: max_output_tokens
      size => \bavailable context size\b
      compacted => \bcannot be compacted\b
      compact,compaction => \bcompact(?:ion)? failed\b.{0,40}(?:context|long)
      contextlengthexceed,contextlengthexceeded,contextlengthexceedederror,
      ... contextlengthexceededexception,contextlengthexceederror,contextlengthexceedexception,
      ... contextwindowexceed,contextwindowexceeded,contextwindowexceedederror,
      ... contextwindowexceededexception,contextwindowexceederror,contextwindowexceedexception,
      ... llmcontext,llmcontextlengthexceed,llmcontextlengthexceeded,
      ... llmcontextlengthexceedederror,llmcontextlengthexceededexception,
      ... llmcontextlengthexceederror,llmcontextlengthexceedexception,llmcontextwindowexceed,
      ... llmcontextwindowexceeded,llmcontextwindowexceedederror,
      ... llmcontextwindowexceededexception,llmcontextwindowexceedexception => \b(?:LLM)?Context
      ... (?:Window|Length)Exceed(?:ed)?(?:Error|Exception)?\b
      contextoverflow,contextoverflowerror,contextoverflowexception,llmcontextoverflow,
      ... llmcontextoverflowerror,llmcontextoverflowexception => \b(?:LLM)?ContextOverflow(?:Err
      ... or|Exception)?\b
      contextwindowerror,contextwindowexception => \bContextWindow(?:Error|Exception)\b
      token,tokens => \b\d{3,9} tokens? (?:>|exceeds?|is greater than|were requested|
      ... is larger than)
      max,maximum => \bmax(?:imum)?[_ ](?:input|prompt|context)[_ ](?:tokens|length)\b.{0,
      ... 40}(?:exceed|less|over)
      tokens => \btokens\b.{0,60}\bmust be <=? ?\d
      greater,larger,longer => \b(?:greater|larger|longer) than the context (?:length|window|
      ... size)\b
    `,
    unless: String.raw`
      \bcontext deadline\b
      \btokens per (?:min|day|hour)
      \bTPM\b.{0,20}(?:rate|limit reached)
      \bRate limit\b
      \bundefined\b
      \buseContext\b
      \bURI too long
    `,
  }),
  rule("refused-by-policy", "content_refused", "verdict", 0.96, {
    ignoreCase: true,
    lines: String.raw`
      blocked,cut,declined,filtered,flagged,refused,rejected,stopped => \b(?:rejected|blocked|
      ... refused|flagged|filtered|stopped|declined|cut off) (?:\S{1,20} ){0,6}(?:our |the |a |
      ... its )?(?:safety|content|moderation|usage(?! (?:limit|quota|cap|tier))|acceptable use|
      ... responsible ai|guardrail|policy|copyright)\b
      policies,policy => \bcontent[ _-](?:management |safety |moderation )?(?:policy|policies)\b
      filter,filtered,filtering,filters => \bcontent[ _-](?:management |safety |
      ... moderation )?filter(?:ing|ed|s)?\b
      safety => \bsafety (?:system|settings?|filters?|reasons?|policy|policies|guidelines|
      ... checks?|classifier|ratings?)\b.{0,80}\b(?:block|reject|not allowed|violat|flag|
      ... prevent|refus|may contain|trigger)
      against,breach,violate,violated,violates,violation => \b(?:violates?|violated|
      ... violation of|against|in breach of) (?:\S{1,20} ){0,4}(?:usage|content|safety|
      ... acceptable use|terms|policy|policies|guidelines)\b
      blocked,filtered,flagged,moderation,refused,rejected,safety => \b(?:prompt|request|
      ... response|output|input|message|content|image|completion|answer) (?:was |has been |is |
      ... were |got )(?:\w{1,12} )?(?:blocked|flagged|filtered|refused|
      ... rejected by (?:the )?(?:safety|content|moderation))\b
      safeguards => \bsafeguards (?:flagged|blocked)
      contentfilter,contentfiltered,contentfilterederror,contentfilteredfinishreasonerror,
      ... contentfiltererror,contentfilterfinishreasonerror => \bContentFilter(?:ed)?(?:Error|
      ... FinishReasonError)?\b
      contentpolicyviolation,contentpolicyviolationerror,
      ... contentpolicyviolationexception => \bContentPolicyViolation(?:Error|Exception)?\b
      responsible => \bResponsibleAIPolicyViolation
      guardrail,guardrails => \bguardrail(?:s)? (?:intervened|blocked|triggered|violation)
      moderation => \bmoderation (?:blocked|flagged|refused|rejected|failed)
      sorry,unable => \bI(?:'m| am) (?:sorry|unable), but I (?:can't|cannot)
      assist,comply,help => \bI (?:can't|cannot|won't) (?:help|assist|comply) with (?:that|this)
      continue,provide => \bI (?:can't|cannot|won't) (?:provide|continue) with (?:that|this)
      acceptable => \bAcceptable Use Policy\b
      policy => \bUsage Policy\b
      policies => \bUsage Policies\b
      legal => \blegal\/aup\b
      refusal,refused => \bmodel refus(?:ed|al)\b
      refused => \brefused to (?:answer|respond|generate|complete|comply)\b
      blocked => \bblocked by (?:Anthropic|OpenAI|Gemini|the model|safety|provider)
      prompt => \binvalid_prompt\b
      potentially => \bpotentially (?:harmful|violating)
      harm => \bHARM_CATEGORY_\w{1,40}.{0,60}(?:HIGH|blocked|MEDIUM)
      reason => \bblock[_ ]reason\b["\']?\s?[:=]\s?["\']?\w
      blockreason => \bblockReason\b["\']?\s?[:=]\s?["\']?\w
      finish => \bfinish[_ ]reason\b["\']?\s?[:=]\s?["\']?(?:SAFETY|content_filter|
      ... PROHIBITED_CONTENT|RECITATION|BLOCKLIST|SPII|refusal)
      finishreason => \bfinishReason\b["\']?\s?[:=]\s?["\']?(?:SAFETY|content_filter|
      ... PROHIBITED_CONTENT|RECITATION|BLOCKLIST|SPII|refusal)
      stop => \bstop[_ ]reason\b["\']?\s?[:=]\s?["\']?(?:refusal|content_filtered|
      ... guardrail_intervened|safety)
      stopreason => \bstopReason\b["\']?\s?[:=]\s?["\']?(?:refusal|content_filtered|
      ... guardrail_intervened|safety)
      blocked => \b[Cc]ontent (?:was |is |has been )?blocked\b
      blocked => \b[Bb]locked (?:due to|because of|for) (?:\S{1,16} ){0,3}(?:content|safety|
      ... policy|PROHIBITED_CONTENT|SAFETY|RECITATION)\b
      nsfw => \bNSFW\b
      finish => \bfinish reason:? (?:SAFETY|RECITATION|PROHIBITED_CONTENT|BLOCKLIST|
      ... content_filter|refusal)\b
      armor => \bModel Armor\b
      sensitive => \bsensitive[ _](?:words?|content|information)\b.{0,20}(?:detected|blocked|
      ... found)
      inappropriate => \binappropriate content\b
      contained,contains => \b[Pp]rompt (?:contains|contained) (?:\S{1,16} ){0,3}(?:unsafe|
      ... harmful|prohibited|disallowed|sensitive)\b
    `,
    unless: String.raw`
      \bContent-Security-Policy\b
      \bpush protection
      \bexecution policy\b
      \bretry policy\b
      \bCORS\b
      \bnetwork policy\b
      \bconnection refused\b
      \bhook\b
    `,
  }),
  rule("malformed-answer", "malformed_output", "verdict", 0.9, {
    sources: ["model", "agent", "call"],
    lines: String.raw`
      jsondecode => \bJSONDecodeError\b
      json => \bJSON (?:Parse|parse|parsing|decode) ?(?:error|failed|failure)
      position => \b(?:in|of) JSON at position\b
      end => \bUnexpected end of JSON input
      valid => \bnot valid JSON\b
      bad,broken,corrupt,corrupted,incomplete,invalid,malformed,truncated,unparsable,
      ... unparseable => \b(?:invalid|malformed|unparsable|unparseable|truncated|incomplete|
      ... broken|bad|corrupt(?:ed)?) (?:JSON|json|tool[ _]call|tool use|function call|
      ... tool arguments|tool input|model (?:output|response|answer)|output|response|XML|
      ... structured output|streaming response)\b
      decode,deserialize,extract,interpret,parse => \b(?:[Ff]ailed|[Uu]nable|[Cc]ould not|
      ... [Cc]ouldn't|[Cc]annot) (?:to )?(?:parse|decode|deserialize|interpret|extract) (?:\S{1,
      ... 20} ){0,5}(?:JSON|json|output|response|arguments|answer|tool[ _]call|completion|
      ... verdict|edit|plan|message|LLM|model|content|reply|XML|stdout)\b
      unterminated => \bUnterminated string\b
      malformed => \bMALFORMED_(?:FUNCTION|TOOL)_CALL\b
      malformed => \bmalformed (?:function|tool)\b
      parsed => \bcould not be parsed\b
      answer,completion,output,reply,response => \b(?:response|output|answer|reply|
      ... completion) (?:did|does) not (?:match|conform|contain|follow|validate|parse|include)\b
      outputparserexception => \bOutputParserException\b
      noobjectgenerated,noobjectgeneratederror => \bNoObjectGenerated(?:Error)?\b
      generated => \bNo object generated\b
      conform,match => \b(?:did not|didn't|failed to) (?:conform|match)\b.{0,30}(?:format|
      ... schema)
      edit => \b(?:did not|didn't|failed to) (?:conform|match)\b.{0,30}edit format
      adhere,comply => \b(?:did not|didn't|failed to) (?:adhere|comply)\b.{0,30}(?:format|
      ... schema)
      adhere,comply => \b(?:did not|didn't|failed to) (?:adhere|comply)\b.{0,30}edit format
      gave,output,produced,returned,sent => \b(?:model|LLM|assistant|provider) (?:returned|
      ... produced|gave|sent|output) (?:an? )?(?:empty|invalid|malformed|no|blank|unexpected|
      ... incomplete)\b
      empty => \bempty (?:response|answer|output|completion|message|reply)\b
      candidates,choices,content,function,output,response,text,tool => \b[Nn]o (?:tool call|
      ... function call|content|text|choices|candidates|output|response) (?:was |were |in |
      ... found|returned|from|generated|received)\b
      expecting => \bExpecting (?:value|property name|',' delimiter|':' delimiter)
      control => \bInvalid control character at\b
      extra => \bExtra data: line \d
      completed => \bresponse\.completed\b
      ended => \bstream ended without
      finish => \bfinish[ _]reason\b.{0,20}(?:missing|unknown)
      missing => \b[Mm]issing (?:a )?finish[ _]reason\b
      without => \bwithout (?:a |any )?finish[ _]reason\b
      valid => \bnot (?:a )?valid (?:tool|function) call
      arguments => \btool (?:call )?arguments\b.{0,40}(?:not valid|invalid|could not|parse|JSON)
      tool => \bInvalidToolInput
      replace => \bSEARCH\/REPLACE\b.{0,40}(?:malformed|invalid|fail)
      incompleteoutput,incompleteoutputerror,incompleteoutputexception => \bIncompleteOutput(?:E
      ... rror|Exception)?\b
      got => \bexpected .{1,40} but got .{1,40}\bin (?:the )?(?:model|LLM) output
      received => \bexpected .{1,40} but received .{1,40}\bin (?:the )?(?:model|LLM) output
      got => \bexpected .{1,40} but got .{1,40}\bin (?:the )?(?:model|LLM) response
      received => \bexpected .{1,40} but received .{1,40}\bin (?:the )?(?:model|LLM) response
      expected => \bexpected .{1,40} but found .{1,40}\bin (?:the )?(?:model|LLM) output
      expected => \bexpected .{1,40} but found .{1,40}\bin (?:the )?(?:model|LLM) response
      validationerror => \bValidationError\b.{0,60}(?:output|response|json)
      edit => \binvalid edit format\b
      tool => \b[Yy]ou did not use a tool\b
      json => \bInvalid JSON:\s
      eof => \bEOF while parsing\b
      expected => \bExpected (?:a )?JSON\b
      tool => \bno tool (?:use|call)s? (?:in|found|detected)
      value => \bexpected value at line \d
      generated => \b[Nn]o (?:content|object|output|text|image|tool calls?) (?:was |
      ... were )?generated\b
      response => \bInvalid JSON response\b
      validation => \b[Tt]ype validation failed\b
      return => \b(?:did not|didn't) return (?:a|any) (?:response|answer|content|output|text)\b
      missing => \bmissing (?:field|key) .?(?:choices|content|message|candidates)\b
      unexpected => \bunexpected response\b
      contain => \boutput must contain\b
      both => \bcannot both be empty\b
      length => \blength limit was reached\b
      xml => \b(?:xml|XML) pars(?:e|ing) error\b
      tag => \bmismatched tag\b
      property => \bproperty name in JSON\b
    `,
    unless: String.raw`
      \bcontent_filter\b
      \bHTTP\b.{0,12}\b[45]\d\d\b
      \bmaximum context\b
      \bis too long\b
    `,
  }),
  rule("json-decode-in-shell", "malformed_output", "phrase", 0.62, {
    sources: ["shell"],
    lines: String.raw`
      jsondecode => \bJSONDecodeError\b
      parse => \b(?:failed|unable|could not|couldn't) (?:to )?parse (?:\S{1,16} ){0,4}(?:model|
      ... LLM|agent) (?:output|response|answer|reply)
      json => \bFailed to parse (?:the )?(?:JSON|json) (?:response|output)
    `,
  }),
];
