/** Billing, rate and usage limits, overload, and server errors. */
import { rule, type Rule } from "../classify/rule.ts";

export const LIMITS: readonly Rule[] = [
  rule("credit-too-low", "billing", "verdict", 0.97, {
    ignoreCase: true,
    lines: String.raw`
      credit => \bcredit balance (?:is )?too low
      balance,credit,credits,funds => \b(?:insufficient|not enough|no|out of|low on|ran out of|
      ... zero|exhausted|negative|used up|used all) (?:\w{1,20} )?(?:credits?|balance|funds)\b
      balance,credit,credits,funds => \b(?:credits?|balance|funds) (?:\w{1,12} ){0,
      ... 4}(?:exhausted|insufficient|depleted|too low|used up|run out|not enough|negative)\b
      plan => \bexceeded your current quota, please check your plan and billing
      insufficient => \binsufficient[_ ]quota\b
      payment => \b[Pp]ayment (?:is )?(?:required|failed|declined)\b
      payment => \b[Pp]ayment (?:is )?(?:overdue|method (?:is )?(?:required|missing|declined))\b
      billing => \b[Bb]illing (?:account )?(?:is )?(?:not (?:active|enabled|configured|set up)|
      ... disabled|error|inactive|hard limit|limit (?:has been )?reached|details|issue|required|
      ... has not been|must be)\b
      billing => \bbilling_\w{1,40}\b
      enable => \benable billing\b
      requires => \brequires billing\b
      budget,monthly,spend,spending,usage => \b(?:spending|spend|budget|monthly|usage) (?:limit|
      ... cap|budget)s? (?:has been |was |is )?(?:reached|exceeded|hit)\b(?=.{0,80}(?:billing|
      ... spend|budget|credit|upgrade|plan|\$))
      budget,spend,spending => \b(?:spending|spend|budget) (?:limit|cap) (?:of .{1,
      ... 20} )?(?:has been |was |is |been )?(?:reached|exceeded|hit)\b
      budget => \bBudgetExceeded(?:Error|Exception)?\b
      budget => \b[Bb]udget (?:has been )?exceeded\b
      budget => \bExceeded (?:your )?budget\b
      exceeded => \bexceeded (?:your |the )?(?:monthly |maximum )?(?:budget|spend|spending)
      included => \bexceeded (?:your |the )?(?:monthly |maximum )?included credits
      credit => \bexceeded (?:your |the )?(?:monthly |maximum )?credit limit
      hard => \bhard limit (?:has been )?reached\b
      specified => \byou(?:'ve| have) (?:reached|exceeded) your specified API usage limits
      exceeded,hit,reached => \b(?:reached|exceeded|hit) (?:your|its|the|their) (?:\w{1,
      ... 12} )?(?:spend|spending)\b
      monthly => \byou(?:'ve| have) (?:reached|exceeded) your monthly included credits
      exceeded,reached => \byou(?:'ve| have) (?:reached|exceeded) your credit
      limits => \bspecified API usage limits\b
      buy,purchase => \b(?:purchase|buy) (?:more |additional |some )?(?:credits?|funds)\b
      add => \badd (?:more |additional |some )?(?:credits?|funds)\b
      balance => \b(?:purchase|buy|add) (?:more |additional |some )?your balance\b
      recharge,top => \b(?:top up|recharge) (?:more |additional |some )?(?:credits?|funds)\b
      recharge,top => \b(?:top up|recharge) (?:more |additional |some )?your balance\b
      subscription => \bsubscription (?:has |is |was )?(?:expired|inactive|cancell?ed)\b
      subscription => \bsubscription (?:has |is |was )?(?:required|not active|past due)\b
      subscription => \bno active subscription\b
      active,arrears,deactivated,delinquent,disabled,past,suspended => \b(?:account|
      ... organization|project|plan) (?:is |has been |was )?(?:suspended|deactivated|disabled|
      ... not active|past due|delinquent|in arrears)\b.{0,80}(?:billing|payment|balance|invoice|
      ... unpaid)
      plan => \bQuota exceeded\. Check your plan and billing
      prepaid => \bprepaid (?:credits|balance)
      plan => \bcheck your plan and billing\b
      allotment => \bquota or usage allotment has run out
      free => \bfree (?:tier|trial|credits) (?:\w{1,12} ){0,3}(?:exhausted|ended|expired)\b
      free => \bfree (?:quota|usage|plan) (?:\w{1,12} ){0,3}(?:exhausted|ended|expired)\b
      free => \bfree (?:tier|trial|credits) (?:\w{1,12} ){0,3}(?:exceeded|over|used up)\b
      free => \bfree (?:quota|usage|plan) (?:\w{1,12} ){0,3}(?:exceeded|over|used up)\b
      credits => \busage credits\b.{0,30}(?:exhausted|required)
      requires => \brequires (?:an? )?(?:active |paid )(?:subscription|plan)\b
      active,paid,subscription => \bneed(?:s)? (?:an? )?(?:active |paid )(?:subscription|plan)\b
      budget => \bMax budget\b
      maximum => \bReached maximum budget
      purchase => \bupgrade or purchase credits
      included => \bnot included in your (?:plan|subscription)\b
      402 => \b402 Payment
      upgrade => \bupgrade to (?:Plus|Pro|Max|Team)\b(?!.{0,80}\btry again)
      business,enterprise => \bupgrade to (?:Business|Enterprise)\b(?!.{0,80}\btry again)
      paid => \bupgrade to a paid\b(?!.{0,80}\btry again)
      over => \bover budget\b
      budget => \b(?:exceeded|over) (?:its |the |their |your |max(?:imum)? )?budget\b
    `,
    unless: String.raw`
      \b(?:tokens|requests) per (?:min|day|hour)
      \bTPM\b
      \bRPM\b
      \bTPD\b
      \brate[ _]limit reached for\b
      \brate limits?:
      \bhit your (?:usage|session|weekly|daily|5-hour|\w{1,10}) ?limit
      \busage limit\b.{0,80}\btry again
    `,
  }),
  rule("rate-limit", "rate_limited", "verdict", 0.95, {
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
  }),
  rule("usage-limit", "rate_limited", "verdict", 0.92, {
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
  }),
  rule("overloaded", "server_overloaded", "verdict", 0.95, {
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
  }),
  rule("server-error-words", "server_error", "exact", 0.88, {
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
  }),
  rule("database-full-house", "server_overloaded", "typed", 0.9, {
    lines: String.raw`
      connections => \b[Tt]oo many connections\b
      slots => \bremaining connection slots are reserved\b
      clients => \bmax number of clients reached\b
      clients => \btoo many clients already\b
    `,
  }),
];
