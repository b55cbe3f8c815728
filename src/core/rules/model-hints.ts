/**
 * Word families of model services and agent CLIs, for providers no table knows. In that setting a message is about
 * the service itself, so fewer words are enough.
 */
import type { Rule } from "../classify/rule.ts";

export const MODEL_HINTS: readonly Rule[] = [
  {
    id: "service-money",
    kind: "billing",
    level: "phrase",
    confidence: 0.85,
    settings: ["model", "agent", "call"],
    ignoreCase: true,
    lines: String.raw`
      plans => \bplans (?:&|and) billing\b
      balance,credit,credits,extra,funds,points,subscription => \b(?:requires?|need|needs|
      ... purchase|buy|add|get|out of|use[ds]? up|more|no) (?:\w{1,12} ){0,4}(?:credits?|points|
      ... balance|funds|subscription|extra usage)\b
      insufficient => \binsufficient (?:\S{1,12} ){0,5}(?:balance|funds|credits?)\b
      extra => \bextra usage\b
      purchase => \bpurchase a (?:subscription|plan)\b
      payment => \bpayment\b.{0,20}(?:required|fail|due|method)
      upgrade => \bupgrade (?:your|to a) (?:\w{1,12} )?(?:plan|subscription|account|tier)\b
      spend,spending => \bspend(?:ing)? (?:limit|cap)\b
      billing => \bbilling\b
      unpaid => \bunpaid\b
      plan => \bnot available (?:in|on|with) your (?:current )?plan\b
      subscription => \bnot available (?:in|on|with) your (?:current )?subscription\b
      included => \bnot included (?:in|on|with) your (?:current )?(?:plan|subscription)\b
      tier => \bnot (?:available|included) (?:in|on|with) your (?:current )?tier\b
      plan => \bmodel not on plan\b
      余额 => 余额不足
      欠费 => 欠费
      充值 => 充值
      额度 => 额度不足
      余额 => 余额
      欠费 => 欠费
      充值 => 充值
    `,
    unless: String.raw`
      \brate[ _]limit
      \b(?:tokens|requests) per\b
      \btry again (?:in|at|after)\b
      \breconcile\b
      \bplan mode\b
    `,
    example: "This model needs more credits than you have.",
    nearMiss: "Rate limit reached, upgrade your plan for more requests per minute",
  },
  {
    id: "service-limit",
    kind: "rate_limited",
    level: "phrase",
    confidence: 0.84,
    settings: ["model", "agent", "call"],
    ignoreCase: true,
    lines: String.raw`
      exceeded,exhausted => \b(?:limits?|quota)\b.{0,40}\b(?:exceeded|exhausted)\b
      hit,reached => \b(?:limits?|quota)\b.{0,40}\b(?:reached|hit)\b
      allotment,allowance => \b(?:allowance|allotment)\b.{0,40}\b(?:exceeded|exhausted)\b
      allotment,allowance => \b(?:allowance|allotment)\b.{0,40}\b(?:reached|hit)\b
      reset,resets,surpassed,used => \b(?:limits?|quota)\b.{0,40}\b(?:used up|surpassed|
      ... resets?)\b
      allotment,allowance => \b(?:allowance|allotment)\b.{0,40}\b(?:used up|surpassed|resets?)\b
      exceeded,exhausted => \b(?:exceeded|exhausted) (?:\S{1,16} ){0,5}(?:limits?|quota)\b
      allowance => \b(?:exceeded|exhausted) (?:\S{1,16} ){0,5}allowance\b
      reached => \breached (?:\S{1,16} ){0,5}(?:limits?|quota|allowance)\b
      hit,over,surpassed => \b(?:hit|surpassed|over) (?:\S{1,16} ){0,5}(?:limits?|quota)\b
      allowance => \b(?:hit|surpassed|over) (?:\S{1,16} ){0,5}allowance\b
      cooling => \bcooling down\b
      throttle,throttled,throttling => \bthrottl(?:e|ed|ing)\b
      many => \btoo many\b.{0,30}\b(?:requests|tokens|calls|messages|concurrent|attempts)\b
      率过,率限,频率 => 频率(?:超限|限制|过高)
      求过 => 请求过于频繁
      过于 => 过于频繁
      配额 => 配额(?:不足|已用尽|超)
      限流 => 限流
      レー => レート制限
      요청 => 요청 한도
      allotment,usage => \bexceeded your\b.{0,30}\b(?:usage|allotment)\b
      quota => \bno quota (?:remaining|left)\b
      cool => \bcool-down\b
      cooldown => \bcooldown\b
    `,
    unless: String.raw`
      \b(?:context|length|size|recursion|turns?|depth|output|input|file|memory|time|image|
      ... budget)\b.{0,16}limit
      \blimit.{0,16}(?:context|length)
      \btoken limit\b
    `,
    example: "model_cooldown: every account is cooling down",
    nearMiss: "the context limit is exceeded",
  },
  {
    id: "service-auth",
    kind: "auth_required",
    level: "phrase",
    confidence: 0.85,
    settings: ["model", "agent", "call"],
    ignoreCase: true,
    lines: String.raw`
      account,apikey,credential,credentials,key,login,token => \b(?:could not|couldn't|cannot|
      ... can't|failed to|unable to|not) (?:\w{1,12} ){0,2}(?:authenticate|validate|verify|find|
      ... load|obtain|get|resolve) (?:\S{1,16} ){0,3}(?:credentials?|api[ _-]?key|token|account|
      ... login)\b
      apikey,credential,credentials,key => \bno (?:\S{1,16} ){0,3}(?:credentials?|
      ... api[ _-]?key)\b
      auth,authentication => \bno (?:\S{1,16} ){0,3}auth(?:entication)? token\b
      authorized,banned,deactivated,deleted,disabled,invalid,recognized,rejected,suspended,
      ... valid => \b(?:key|account|token|organization|credential)s? (?:\S{1,12} )?(?:has been|
      ... have been|is|was|are) (?:disabled|deactivated|deleted|suspended|banned|invalid|
      ... rejected|not (?:valid|authorized|recognized))\b
      authenticate,authenticated,authentication => \bauthenticat(?:ion|e|ed)\b.{0,40}\b(?:fail|
      ... error|not allowed|required|denied|reject|invalid|missing)
      credential,credentials => \b(?:invalid|missing|check) (?:\S{1,12} ){0,3}credentials?\b
      认证 => 认证失败
      鉴权 => 鉴权失败
      密钥 => 密钥无效
      未登 => 未登录
      身份 => 身份验证失败
      認証 => 認証に失敗
      인증 => 인증 실패
      authentication => \brequires? authentication\b
      authentication => \bno authentication (?:information|method|token|provider)\b
      first => \bauthenticat(?:e|ed|ion)\b.{0,30}\bfirst\b
      authenticate,authenticated,authentication => \bauthenticat(?:e|ed|ion)\b.{0,30}\bwith\b
      using => \bauthenticat(?:e|ed|ion)\b.{0,30}\busing\b
      logged,signed => \bnot (?:logged|signed) in\b
      log,sign => \b(?:log|sign)[ -]in\b
      login,signin => \b(?:login|signin)\b
      key => \bapi[ _-]key\b.{0,60}\b(?:invalid|missing|wrong|incorrect|not|required|
      ... deactivated|disabled|revoked|check)\b
      apikey => \bapikey\b.{0,60}\b(?:invalid|missing|wrong|incorrect|not|required|deactivated|
      ... disabled|revoked|check)\b
      apikey,credential,credentials,key => \b(?:invalid|missing|check) (?:\S{1,12} ){0,
      ... 3}(?:api[ _-]key|apikey|credentials?)\b
      verify => \b[Vv]erify your (?:account|email|identity|phone)\b
    `,
    unless: String.raw`
      \bexpired\b
      \brefresh(?:ed)?\b
    `,
    example: "could not validate the credentials of this caller",
    nearMiss: "the session could not be refreshed",
  },
  {
    id: "service-auth-refresh",
    kind: "auth_expired",
    level: "typed",
    confidence: 0.86,
    settings: ["model", "agent", "call"],
    ignoreCase: true,
    lines: String.raw`
      session,token => \b(?:token|session)\b.{0,40}\bcould not be (?:refreshed|renewed)
      credential,credentials => \bcredentials?\b.{0,40}\bcould not be (?:refreshed|renewed)
      login => \blogin\b.{0,40}\bcould not be (?:refreshed|renewed)
      authentication => \bauthentication\b.{0,40}\bcould not be (?:refreshed|renewed)
      refresh,refreshing,renew,renewing => \b(?:refresh|renew)(?:ing)? (?:\S{1,16} ){0,
      ... 3}(?:token|session|credentials?|login)\b.{0,40}\b(?:fail|error|invalid|rejected)
      refresh,renew => \b(?:failed|unable|could not) (?:to )?(?:refresh|renew) (?:\S{1,16} ){0,
      ... 3}(?:token|session|credentials?|login|auth\w{0,12})
      expired => \b(?:device |auth(?:orization)? |login |verification )code (?:has )?expired\b
    `,
    example: "Your access token could not be refreshed because you signed out.",
    nearMiss: "the page could not be refreshed",
  },
  {
    id: "service-forbidden",
    kind: "permission_denied",
    level: "phrase",
    confidence: 0.78,
    settings: ["model", "agent", "call"],
    ignoreCase: true,
    lines: String.raw`
      forbidden => ^\s{0,4}(?:error: )?forbidden\b
      insufficient => \binsufficient permissions?\b
      scope,scopes => \bmissing scopes?\b
      access,authorized,permission,permitted => \b(?:do not|don't|does not|doesn't|not) (?:\w{1,
      ... 12} ){0,2}(?:have )?(?:access|permission|authorized|permitted)\b
      permission => \bpermission\b.{0,30}\b(?:denied|required|missing|not)\b
      access => \baccess (?:is |was )?(?:denied|forbidden|restricted|blocked)\b
      allowed,available,supported => \bnot (?:available|supported|allowed) (?:in|from|
      ... for) (?:your|this) (?:region|country|location|organization|account|project)\b
      enabled,used => \bhas not been (?:used|enabled)\b.{0,60}\b(?:project|enable)
      无权 => 无权访问
      有权 => 没有权限
      権限 => 権限がありません
      권한 => 권한이 없
    `,
    example: "Forbidden: this project has no access",
    nearMiss: "the forbidden city",
  },
];
