/**
 * Rate and usage limits, overload, server errors. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const LIMITS: readonly Rule[] = [
  {
    id: "rate-limit",
    kind: "rate_limited",
    level: "verdict",
    confidence: 0.95,
    words: ["429", "concurrent", "daily", "down", "exhausted", "hourly", "increased", "limited", "many", "per", "quota", "rate", "ratelimiterror", "ratelimiterrorerror", "ratelimiterrorexception", "ratelimitexceeded", "ratelimitexceedederror", "ratelimitexceededexception", "ratelimitexception", "ratelimitexceptionerror", "ratelimitexceptionexception", "retry", "rpd", "rpm", "secondary", "simultaneous", "slowdown", "throttled", "throttling", "too", "toomanyrequests", "tpd", "tpm"],
    pattern:
      /\b[Rr]ate[ -]?limit(?:s|ed|ing)?\b.{0,30}\b(?:exceeded|reached|hit|error|exceeds?|of \d)|\b(?:exceeded|hit|reached|over|exceeding|exceed|exceeds) (?:\w{1,20}['’]?s? ){0,4}rate[ -]limits?\b|^(?:\S{0,60}: )?(?:Error: )?[Rr]ate limit(?:ed|s)?(?:[.,:!(]|$| -)|\brate[ -]limited\b|\b[Tt]oo [Mm]any [Rr]equests\b|\bRateLimit(?:Error|Exceeded|Exception)(?:Error|Exception)?\b|\bThrottl(?:ingException|edException|ing)\b|\b[Rr]equest(?:s)? (?:was |were |has been |have been |is |are )?(?:throttled|rate limited)\b|\bResource (?:has been )?exhausted\b|\bRESOURCE_EXHAUSTED\b|\b(?:requests|tokens|calls|messages|queries) per (?:minute|min|day|hour|second|month)\b|\bAPI rate limit exceeded|\bsecondary rate limit|\bToo many tokens\b|\b(?:TPM|RPM|TPD|RPD)\b.{0,40}(?:[Ll]imit|exceeded)|\btoomanyrequests: |\bretry limit, last status: 429|\b[Qq]uota exceeded for (?:metric|quota|model|aiplatform|.{0,60}requests)|\bexhausted your (?:daily|hourly|monthly|capacity|quota)\w{0,10}\b|\b(?:daily|hourly) (?:quota|limit|request limit|usage limit) (?:has been |was |is )?(?:exceeded|reached|exhausted|hit)|\bconcurrent (?:request|connection)s? limit\b|\btoo many (?:concurrent|simultaneous) (?:requests|connections|sessions)|\brequest rate (?:is )?(?:too (?:large|high)|increased too quickly)|\bslow down\b|\bSlowDown\b|\b(?:429)\b.{0,20}(?:rate|too many)/,
    except:
      /\bfile watchers\b|\brate limit(?:er|ing) (?:module|config|middleware|enabled)|\bChecking rate|Error checking rate limit|\bRateLimit-|\bplan and billing\b|\binsufficient_quota\b/,
    example: "Error: Rate limit exceeded, please slow down",
    nearMiss: "the rate limit is configured in carts.yaml",
  },
  {
    id: "usage-limit",
    kind: "rate_limited",
    level: "verdict",
    confidence: 0.92,
    words: ["limit", "limits", "plan", "reached", "reset", "resets", "usage"],
    pattern:
      /\b(?:usage|session|weekly|5-hour|five-hour|hourly|daily|opus|sonnet|message|request|request(?:s)? quota|model|fast|premium requests?|token|tokens|chat) limit (?:has been |was |is |will )?(?:reached|exceeded|hit|reset)\b|\b(?:hit|reached|exceeded|out of) (?:your|the) (?:\w{1,20} ){0,3}(?:usage |session |weekly |hourly |daily |message |request |premium )?limits?\b|\blimit reached\b.{0,40}\b(?:resets?|try again|upgrade)|\blimit reached\|\d{10}|\blimit (?:will )?resets? (?:at|in|on)\b|\bout of (?:extra )?usage\b|\bplan'?s? (?:usage |message |rate )?limits?\b|\bresets? (?:at )?\d{1,2}(?::\d\d)?(?:am|pm)\b/i,
    except:
      /\b(?:context|recursion|depth|turns?|time|size|memory|file|line|output|spend|spending|budget|credit|billing|heap)\b.{0,12} limit|\bspecified API usage limits|\bAllocation failed|\bmaximum (?:number of )?turns/i,
    example: "You've hit your session limit · resets 4pm (Europe/Rome)",
    nearMiss: "the context limit was reached",
  },
  {
    id: "overloaded",
    kind: "server_overloaded",
    level: "verdict",
    confidence: 0.95,
    words: ["busy", "capacity", "endpoints", "experiencing", "high", "instances", "loading", "overloaded", "replicas", "serviceunavailable", "serviceunavailableerror", "serviceunavailableexception", "unavailable", "upstream", "workers"],
    pattern:
      /\b(?:model|server|servers|service|engine|system|provider|api|backend|upstream|we)\b.{0,40}\b(?:is |are |currently |temporarily |being )*overloaded\b|\b[Oo]verloaded\b(?! (?:function|method|operator|constructor))|\boverloaded_error\b|\bat (?:full |max(?:imum)? )?capacity\b|\b(?:no|insufficient|not enough|limited) (?:\w{1,12} )?capacity\b|\bexperiencing (?:high|heavy|very high|unusually high) (?:demand|load|traffic|volume)|\bhigh (?:demand|load|traffic)\b.{0,60}(?:try|later|temporar|error)|\b(?:server|service|model|engine) (?:is )?(?:too )?busy\b|\b(?:[Ss]ervice|[Mm]odel|[Ss]erver|API|[Pp]rovider)(?: is)? (?:temporarily |currently )?unavailable\b|\bmodel is (?:currently )?loading\b|\bMODEL_CAPACITY_EXHAUSTED|\bServiceUnavailable(?:Error|Exception)?\b|\bSERVER_BUSY\b|\bno (?:healthy|available) (?:upstream|instances|workers|endpoints|replicas)\b|\bcapacity (?:\w{1,12} ){0,3}(?:exceeded|exhausted|reached)\b|\bNo capacity\b/,
    except:
      /\boverloaded (?:function|method|operator)|\bResource temporarily unavailable|\bcurrently unavailable in your (?:region|country)|\bdisk\b|\btool\b/i,
    example: "The model is overloaded. Please try again later.",
    nearMiss: "call to overloaded function 'total' is ambiguous",
  },
  {
    id: "server-error-words",
    kind: "server_error",
    level: "exact",
    confidence: 0.88,
    words: ["experiencing", "gateway", "internal", "internalservererror", "internalserverexception", "remote", "returning", "server", "side", "unexpected", "unknown", "upstream"],
    pattern:
      /\b[Ii]nternal [Ss]erver [Ee]rror\b|\b[Bb]ad [Gg]ateway\b|\bInternalServer(?:Error|Exception)\b|\bserver (?:had|encountered) an (?:error|unexpected|internal)|\b(?:an )?internal error (?:has )?(?:occurred|encountered)|\bupstream (?:connect error|error|server error|request failed)|\b[Uu]nexpected server error\b|\bserver-side (?:issue|error)\b|\b(?:Internal|Unknown) error (?:encountered|from|on) (?:the )?(?:server|provider)|\bServer error\b|\bserver error\b|\bremote: Internal Server Error|\bThe server is (?:returning|experiencing) errors/,
    example: "500 Internal Server Error",
    nearMiss: "an internal memo of the server",
  },
];
