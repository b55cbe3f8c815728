/** Rate and usage limits, overload, server errors. */
import type { Rule } from "../classify/rule.ts";

export const LIMITS: readonly Rule[] = [
  {
    id: "rate-limit",
    kind: "rate_limited",
    level: "verdict",
    confidence: 0.95,
    lines: String.raw`
      rate => \b(?:exceeded|hit|reached|over) (?:\w{1,20}['’]?s? ){0,4}rate[ -]limits?\b
      exceed,exceeding => \b(?:exceeding|exceed) (?:\w{1,20}['’]?s? ){0,4}rate[ -]limits?\b
      exceeds => \bexceeds (?:\w{1,20}['’]?s? ){0,4}rate[ -]limits?\b
      rate => ^(?:\S{0,60}: )?(?:Error: )?[Rr]ate limit(?:ed|s)?(?:[.,:!(]|$| -)
      limited => \brate[ -]limited\b
      many => \b[Tt]oo [Mm]any [Rr]equests\b
      ratelimiterror,ratelimiterrorerror,ratelimiterrorexception => \bRateLimitError(?:Error|
      ... Exception)?\b
      ratelimitexceeded,ratelimitexceedederror,
      ... ratelimitexceededexception => \bRateLimitExceeded(?:Error|Exception)?\b
      ratelimitexception,ratelimitexceptionerror,
      ... ratelimitexceptionexception => \bRateLimitException(?:Error|Exception)?\b
      throttled,throttling => \bThrottl(?:ingException|edException|ing)\b
      throttled => \b[Rr]equest(?:s)? (?:was |were |has been |have been |is |are )?throttled\b
      limited => \b[Rr]equest(?:s)? (?:was |were |has been |have been |is |are )?rate limited\b
      exhausted => \bResource (?:has been )?exhausted\b
      exhausted => \bRESOURCE_EXHAUSTED\b
      per => \b(?:requests|tokens|calls) per (?:minute|min|day|hour|second|month)\b
      per => \b(?:messages|queries) per (?:minute|min|day|hour|second|month)\b
      rate => \bAPI rate limit exceeded
      secondary => \bsecondary rate limit
      many => \bToo many tokens\b
      rpd,rpm,tpd,tpm => \b(?:TPM|RPM|TPD|RPD)\b.{0,40}(?:[Ll]imit|exceeded)
      toomanyrequests => \btoomanyrequests:\s
      retry => \bretry limit, last status: 429
      quota => \b[Qq]uota exceeded for (?:metric|quota|model|aiplatform|.{0,60}requests)
      exhausted => \bexhausted your (?:daily|hourly|monthly|capacity|quota)\w{0,10}\b
      daily,hourly => \b(?:daily|hourly) (?:quota|limit|request limit|usage limit) (?:has been |
      ... was |is )?(?:exceeded|reached|exhausted|hit)
      concurrent => \bconcurrent (?:request|connection)s? limit\b
      concurrent,simultaneous => \btoo many (?:concurrent|simultaneous) (?:requests|connections)
      concurrent,simultaneous => \btoo many (?:concurrent|simultaneous) sessions
      increased,too => \brequest rate (?:is )?(?:too (?:large|high)|increased too quickly)
      down => \bslow down\b
      slowdown => \bSlowDown\b
      429 => \b(?:429)\b.{0,20}(?:rate|too many)
      rate => \brate[ -]limit(?:s|ed|ing)?\b.{0,30}\b(?:exceeded|reached|hit|error|exceeds?|
      ... of \d)
      rate => \bRate[ -]limit(?:s|ed|ing)?\b.{0,30}\b(?:exceeded|reached|hit|error|exceeds?|
      ... of \d)
      ratelimit,ratelimited => \b(?:ratelimit|ratelimited|Ratelimit|RateLimit)\b.{0,
      ... 30}\b(?:exceeded|reached|hit|error)
      deployments => \bNo deployments available for selected model\b
      limited => \blimited to \d{1,6} .{0,20}\b(?:calls|requests|messages|queries)\b
      1015 => \berror code: 1015\b
    `,
    unless: String.raw`
      \bfile watchers\b
      \brate limit(?:er|ing) (?:module|config|middleware|enabled)
      \bChecking rate
      Error checking rate limit
      \bRateLimit-
      \bplan and billing\b
      \binsufficient_quota\b
    `,
    example: "Error: Rate limit exceeded, please slow down",
    nearMiss: "the rate limit is configured in carts.yaml",
  },
  {
    id: "usage-limit",
    kind: "rate_limited",
    level: "verdict",
    confidence: 0.92,
    ignoreCase: true,
    lines: String.raw`
      limit => \b(?:usage|session|weekly|5-hour|five-hour|hourly|daily|opus|sonnet|message|
      ... request|request(?:s)? quota|model|fast|premium requests?|token|tokens|
      ... chat) limit (?:has been |was |is |will )?(?:reached|exceeded|hit|reset)\b
      limit,limits => \b(?:hit|reached|exceeded|out of) (?:your|the) (?:\w{1,20} ){0,
      ... 3}(?:usage |session |weekly |hourly |daily |message |request |premium )?limits?\b
      reached => \blimit reached\b.{0,40}\b(?:resets?|try again|upgrade)
      reached => \blimit reached\|\d{10}
      reset,resets => \blimit (?:will )?resets? (?:at|in|on)\b
      usage => \bout of (?:extra )?usage\b
      reset,resets => \bresets? (?:at )?\d{1,2}(?::\d\d)?(?:am|pm)\b
      plan,plans => \b(?:plan|plan's|plans) (?:usage |message |rate )?limits?\b
    `,
    unless: String.raw`
      \b(?:context|recursion|depth|turns?|time|size|memory|file|line|output|spend|spending|
      ... budget|credit|billing|heap)\b.{0,12} limit
      \bspecified API usage limits
      \bAllocation failed
      \bmaximum (?:number of )?turns
    `,
    example: "You've hit your session limit · resets 4pm (Europe/Rome)",
    nearMiss: "the context limit was reached",
  },
  {
    id: "overloaded",
    kind: "server_overloaded",
    level: "verdict",
    confidence: 0.95,
    lines: String.raw`
      overloaded => \b(?:model|server|servers|service|engine|system|provider|api|backend|
      ... upstream|we)\b.{0,40}\b(?:is |are |currently |temporarily |being ){0,4}overloaded\b
      overloaded => \b[Oo]verloaded\b(?! (?:function|method|operator|constructor))
      overloaded => \boverloaded_error\b
      capacity => \bat (?:full |max(?:imum)? )?capacity\b
      capacity => \b(?:no|insufficient|not enough|limited) (?:\w{1,12} )?capacity\b
      experiencing => \bexperiencing (?:high|heavy) (?:demand|load|traffic|volume)
      experiencing => \bexperiencing (?:very high|unusually high) (?:demand|load|traffic|volume)
      high => \bhigh (?:demand|load|traffic)\b.{0,60}(?:try|later|temporar|error)
      busy => \b(?:server|service|model|engine) (?:is )?(?:too )?busy\b
      unavailable => \b(?:[Ss]ervice|[Mm]odel)(?: is)? (?:temporarily |currently )?unavailable\b
      unavailable => \b[Ss]erver(?: is)? (?:temporarily |currently )?unavailable\b
      unavailable => \b(?:API|[Pp]rovider)(?: is)? (?:temporarily |currently )?unavailable\b
      loading => \bmodel is (?:currently )?loading\b
      capacity => \bMODEL_CAPACITY_EXHAUSTED
      serviceunavailable,serviceunavailableerror,
      ... serviceunavailableexception => \bServiceUnavailable(?:Error|Exception)?\b
      busy => \bSERVER_BUSY\b
      instances,upstream,workers => \bno (?:healthy|available) (?:upstream|instances|workers)\b
      endpoints,replicas => \bno (?:healthy|available) (?:endpoints|replicas)\b
      capacity => \bcapacity (?:\w{1,12} ){0,3}(?:exceeded|exhausted|reached)\b
      capacity => \bNo capacity\b
      overflow => \breset reason: overflow\b
    `,
    unless: String.raw`
      \boverloaded (?:function|method|operator)
      \bResource temporarily unavailable
      \bcurrently unavailable in your (?:region|country)
      \bdisk\b
      \btool\b
    `,
    example: "The cart model is overloaded, come back soon",
    nearMiss: "call to overloaded function 'total' is ambiguous",
  },
  {
    id: "server-error-words",
    kind: "server_error",
    level: "exact",
    confidence: 0.88,
    lines: String.raw`
      server => \b[Ii]nternal [Ss]erver [Ee]rror\b
      gateway => \b[Bb]ad [Gg]ateway\b
      internalservererror,internalserverexception => \bInternalServer(?:Error|Exception)\b
      server => \bserver (?:had|encountered) an (?:error|unexpected|internal)
      internal => \b(?:an )?internal error (?:has )?(?:occurred|encountered)
      upstream => \bupstream (?:connect error|error|server error|request failed)
      unexpected => \b[Uu]nexpected server error\b
      side => \bserver-side (?:issue|error)\b
      internal => \bInternal error (?:encountered|from) (?:the )?(?:server|provider)
      unknown => \bUnknown error (?:encountered|from) (?:the )?(?:server|provider)
      internal,unknown => \b(?:Internal|Unknown) error on (?:the )?(?:server|provider)
      server => \bServer error\b
      server => \bserver error\b
      remote => \bremote: Internal Server Error
      experiencing,returning => \bThe server is (?:returning|experiencing) errors
    `,
    example: "500 Internal Server Error",
    nearMiss: "an internal memo of the server",
  },
];
