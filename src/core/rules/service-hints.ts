/**
 * Common words in errors of model services and agent CLIs, for providers that no other table covers. These messages are
 * about the service itself, so fewer words are enough.
 */
import { rule, type Rule } from "../classify/rule.ts";

export const SERVICE_HINTS: readonly Rule[] = [
  rule("service-money", "billing", "phrase", 0.85, {
    sources: ["model", "agent", "call"],
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
  }),
  rule("service-limit", "rate_limited", "phrase", 0.84, {
    sources: ["model", "agent", "call"],
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
  }),
  rule("service-auth", "auth_required", "phrase", 0.85, {
    sources: ["model", "agent", "call"],
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
  }),
  rule("service-forbidden", "permission_denied", "phrase", 0.78, {
    sources: ["model", "agent", "call"],
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
  }),
  rule("service-context", "context_exhausted", "phrase", 0.82, {
    sources: ["model", "agent", "call"],
    ignoreCase: true,
    lines: String.raw`
      context => \bcontext (?:overflow|exceeded|too (?:long|large|big)|exhausted|limit)\b
      context => \bcontext\b.{0,40}\b(?:overflow|exceed|too (?:long|large)|run out|ran out|
      ... full)\b
      exceed,exceeds,too => \b(?:prompt|conversation|input|request|messages?|transcript|
      ... payload) (?:\w{1,12} ){0,3}(?:too (?:long|large|big)|exceeds? (?:the )?(?:\w{1,
      ... 12} ){0,3}(?:maximum|max|limit|size|length|window|tokens?))\b
      many => \btoo many tokens\b(?! per)
      max,maximum => \b(?:maximum|max) (?:\w{1,12} ){0,3}tokens?\b.{0,40}\b(?:exceed|reach)
      length => \b(?:maximum|max) (?:\w{1,12} ){0,3}length\b.{0,40}\b(?:exceed|reach)
      max,maximum => \b(?:maximum|max) (?:\w{1,12} ){0,3}(?:tokens?|length)\b.{0,40}\bover
      context => \b(?:maximum|max) (?:\w{1,12} ){0,3}context\b.{0,40}\b(?:exceed|reach|over)
      exceed,exceeds => \btokens?\b.{0,30}\bexceeds?\b
      上下 => 上下文(?:长度|超|溢出)
      超出 => 超出.{0,8}(?:上下文|长度)
      コン => コンテキスト.{0,12}(?:超|長)
      token => \btoken limit\b
    `,
    unless: String.raw`
      \bper (?:min|minute|day|hour|second)\b
      \bTP[MD]\b
      \bdeadline\b
      \bimage\b
    `,
  }),
  rule("service-network", "network_error", "phrase", 0.8, {
    sources: ["model", "agent", "call"],
    ignoreCase: true,
    lines: String.raw`
      terminated => ^\s{0,4}(?:error: )?terminated\s{0,4}$
      network => \bnetwork[ _](?:error|failure|issue|problem|connection)\b
      connection,socket,stream => \b(?:connection|socket|stream)[ _](?:read |was |is |
      ... has been )?(?:error|closed|aborted|reset|lost|failed|interrupted|dropped|ended)\b
      disconnected => \bdisconnected\b
      connect,fetch,reach => \b(?:failed|unable) (?:to )?(?:connect|reach|fetch)\b
      connect,fetch,reach => \b(?:cannot|could not) (?:to )?(?:connect|reach|fetch)\b
      sending => \bwithout sending any chunks\b
      dns => \bdns\b.{0,20}(?:fail|error)
      connection => \bconnection\b.{0,30}\b(?:fail|error|refused|reset|timed out|closed)
      络异,络连,络错 => 网络(?:错误|异常|连接)
      接中,接失,接错 => 连接(?:错误|失败|中断)
      stream => \bstream_read_error\b
      terminated => ["\']terminated["\']
    `,
  }),
  rule("service-trouble", "server_error", "phrase", 0.8, {
    sources: ["model", "agent", "call"],
    ignoreCase: true,
    lines: String.raw`
      happened,occurred => \b(?:an? )?(?:unexpected |internal |
      ... unknown )?error (?:has )?(?:occurred|happened) (?:while|during|when|on) (?:processing|
      ... generating|handling|the server)\b
      internal => \binternal (?:error|failure|database error|exception)\b
      server => \bserver (?:error|failure|fault)\b
      upstream => \bupstream (?:error|failure|connect error|provider)\b
      down => \bweb server is down\b
      backend => \bbackend (?:error|failure)\b
      务器,器异,器错,统内,统异,统错,部内,部异,部错 => (?:服务器|系统|内部)(?:内部)?(?:错误|异常)
      サー => サーバーエラー
    `,
  }),
  rule("service-busy", "server_overloaded", "phrase", 0.82, {
    sources: ["model", "agent", "call"],
    ignoreCase: true,
    lines: String.raw`
      busy => \b(?:is |are |too |currently )(?:\w{1,12} )?busy\b
      currently,temporarily => \b(?:temporarily|currently) (?:unavailable|unable)\b
      capacity => \bcapacity\b.{0,30}(?:limit|reached|exceed|full|constraint)
      overload,overloaded,overloading => \boverload(?:ing|ed)?\b
      high => \bhigh (?:demand|load|traffic|volume)\b
      maintenance => \bunder maintenance\b
      unavailable => \bservice unavailable\b
      务暂,务繁,务过,统暂,统繁,统过 => (?:服务|系统)(?:暂时不可用|繁忙|过载)
      负载 => 负载过高
      混雑 => 混雑
    `,
  }),
  rule("service-arguments", "invalid_arguments", "phrase", 0.72, {
    sources: ["model", "agent", "call"],
    ignoreCase: true,
    lines: String.raw`
      invalid => \binvalid (?:request|value|parameter|argument|input|type)\b
      invalid => \binvalid (?:format|model|message|schema|json schema|tool)\b
      invalid => \binvalid (?:role|field|url|image|body|content)\b
      invalid => \binvalid (?:payload|option|enum|name|path|id)\b
      match => \bshould match (?:pattern|format)\b
      must => \bmust (?:be|have|match|contain|end with|start with)\b
      must => \bmust (?:not|specify|provide|include|follow)\b
      support => \b(?:does|do) not support\b
      supported => \bnot supported\b
      unsupported => \bunsupported\b
      unexpected,unknown => \b(?:unknown|unexpected) (?:parameter|argument|field|property|key)\b
      extra,unrecognized => \b(?:extra|unrecognized) (?:parameter|argument|field|property|key)\b
      unexpected,unknown => \b(?:unknown|unexpected) (?:option|model|value|name|role)\b
      extra,unrecognized => \b(?:extra|unrecognized) (?:option|model|value|name|role)\b
      missing => \bmissing (?:required )?(?:parameter|field|argument|property|value|key|body)\b
      required => \b(?:is|are) required\b
      image => \bimage\b.{0,40}\bexceeds?\b
      field => \bfield required\b
      bad => \bbad request\b
      expected => \bexpected (?:a|an|one|string|number|object|array)\b
    `,
    unless: String.raw`\b(?:api[ _-]?key|token|credential|login|auth\w{0,12})\b`,
  }),
];
