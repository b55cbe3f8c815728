/**
 * Word families of model services and agent CLIs, for providers no table knows. In that setting a
 * message is about the service itself, so fewer words are enough. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

const SERVICE = ["model", "agent", "call"] as const;

export const MODEL_HINTS: readonly Rule[] = [
  {
    id: "service-money",
    kind: "billing",
    level: "phrase",
    confidence: 0.85,
    settings: SERVICE,
    words: ["available", "balance", "billing", "credit", "credits", "extra", "funds", "included", "insufficient", "payment", "plan", "plans", "points", "purchase", "spend", "spending", "subscription", "unpaid", "upgrade", "余额", "充值", "欠费", "额度"],
    pattern:
      /\bplans (?:&|and) billing\b|\b(?:requires?|need|needs|purchase|buy|add|get|out of|use[ds]? up|more|no) (?:\w{1,12} ){0,4}(?:credits?|points|balance|funds|subscription|extra usage)\b|\binsufficient (?:\S{1,12} ){0,5}(?:balance|funds|credits?)\b|\bextra usage\b|\bpurchase a (?:subscription|plan)\b|\bpayment\b.{0,20}(?:required|fail|due|method)|\bupgrade (?:your|to a) (?:\w{1,12} )?(?:plan|subscription|account|tier)\b|\bspend(?:ing)? (?:limit|cap)\b|\bbilling\b|\bunpaid\b|\bnot (?:available|included) (?:in|on|with) your (?:current )?(?:plan|subscription|tier)\b|\bmodel not on plan\b|余额不足|欠费|充值|额度不足|余额|欠费|充值/i,
    except: /\brate[ _]limit|\b(?:tokens|requests) per\b|\btry again (?:in|at|after)\b|\breconcile\b|\bplan mode\b/i,
    example: "This model needs more credits than you have.",
    nearMiss: "Rate limit reached, upgrade your plan for more requests per minute",
  },
  {
    id: "service-limit",
    kind: "rate_limited",
    level: "phrase",
    confidence: 0.84,
    settings: SERVICE,
    words: ["allotment", "allowance", "cool", "cooling", "exceeded", "exhausted", "hit", "limit", "limits", "many", "over", "quota", "reached", "surpassed", "throttle", "throttled", "throttling", "usage", "レー", "求过", "率过", "率限", "过于", "配额", "限流", "频率", "요청"],
    pattern:
      /\b(?:limits?|quota|allowance|allotment)\b.{0,40}\b(?:exceeded|exhausted|reached|hit|used up|surpassed|resets?)\b|\b(?:exceeded|exhausted|reached|hit|surpassed|over) (?:\S{1,16} ){0,5}(?:limits?|quota|allowance)\b|\bcooling down\b|\bcool-?down\b|\bthrottl(?:e|ed|ing)\b|\btoo many\b.{0,30}\b(?:requests|tokens|calls|messages|concurrent|attempts)\b|频率(?:超限|限制|过高)|请求过于频繁|过于频繁|配额(?:不足|已用尽|超)|限流|レート制限|요청 한도|\bexceeded your\b.{0,30}\b(?:usage|allotment)\b|\bno quota (?:remaining|left)\b/i,
    except: /\b(?:context|length|size|recursion|turns?|depth|output|input|file|memory|time|image|budget)\b.{0,16}limit|\blimit.{0,16}(?:context|length)|\btoken limit\b/i,
    example: "model_cooldown: every account is cooling down",
    nearMiss: "the context limit is exceeded",
  },
  {
    id: "service-auth",
    kind: "auth_required",
    level: "phrase",
    confidence: 0.85,
    settings: SERVICE,
    words: ["account", "apikey", "auth", "authenticate", "authenticated", "authentication", "authorized", "banned", "credential", "credentials", "deactivated", "deleted", "disabled", "invalid", "key", "log", "logged", "login", "recognized", "rejected", "sign", "signed", "suspended", "token", "valid", "密钥", "未登", "認証", "认证", "身份", "鉴权", "인증"],
    pattern:
      /\b(?:could not|couldn't|cannot|can't|failed to|unable to|not) (?:\w{1,12} ){0,2}(?:authenticate|validate|verify|find|load|obtain|get|resolve) (?:\S{1,16} ){0,3}(?:credentials?|api[ _-]?key|token|account|login)\b|\bno (?:\S{1,16} ){0,3}(?:credentials?|api[ _-]?key|auth(?:entication)? token)\b|\b(?:key|account|token|organization|credential)s? (?:\S{1,12} )?(?:has been|have been|is|was|are) (?:disabled|deactivated|deleted|suspended|banned|invalid|rejected|not (?:valid|authorized|recognized))\b|\bauthenticat(?:ion|e|ed)\b.{0,40}\b(?:fail|error|not allowed|required|denied|reject|invalid|missing)|\b(?:please )?(?:log|sign)[ -]?in\b|\bapi[ _-]?key\b.{0,60}\b(?:invalid|missing|wrong|incorrect|not|required|deactivated|disabled|revoked|check)\b|\b(?:invalid|missing|check) (?:\S{1,12} ){0,3}(?:api[ _-]?key|credentials?)\b|认证失败|鉴权失败|密钥无效|未登录|身份验证失败|認証に失敗|인증 실패|\brequires? authentication\b|\bno authentication (?:information|method|token|provider)\b|\bauthenticat(?:e|ed|ion)\b.{0,30}\b(?:first|with|using)\b|\bnot (?:logged|signed) in\b/i,
    except: /\bexpired\b|\brefresh(?:ed)?\b/i,
    example: "could not validate the credentials of this caller",
    nearMiss: "the session could not be refreshed",
  },
  {
    id: "service-auth-refresh",
    kind: "auth_expired",
    level: "typed",
    confidence: 0.86,
    settings: SERVICE,
    words: ["authentication", "credential", "credentials", "login", "refresh", "refreshing", "renew", "renewing", "session", "token"],
    pattern:
      /\b(?:token|session|credentials?|login|authentication)\b.{0,40}\bcould not be (?:refreshed|renewed)|\b(?:refresh|renew)(?:ing)? (?:\S{1,16} ){0,3}(?:token|session|credentials?|login)\b.{0,40}\b(?:fail|error|invalid|rejected)|\b(?:failed|unable|could not) (?:to )?(?:refresh|renew) (?:\S{1,16} ){0,3}(?:token|session|credentials?|login|auth\w{0,12})/i,
    example: "Your access token could not be refreshed because you signed out.",
    nearMiss: "the page could not be refreshed",
  },
  {
    id: "service-forbidden",
    kind: "permission_denied",
    level: "phrase",
    confidence: 0.78,
    settings: SERVICE,
    words: ["access", "allowed", "authorized", "available", "enabled", "forbidden", "insufficient", "permission", "permitted", "scope", "scopes", "supported", "used", "无权", "有权", "権限", "권한"],
    pattern:
      /^\s{0,4}(?:error: )?forbidden\b|\binsufficient permissions?\b|\bmissing scopes?\b|\b(?:do not|don't|does not|doesn't|not) (?:\w{1,12} ){0,2}(?:have )?(?:access|permission|authorized|permitted)\b|\bpermission\b.{0,30}\b(?:denied|required|missing|not)\b|\baccess (?:is |was )?(?:denied|forbidden|restricted|blocked)\b|\bnot (?:available|supported|allowed) (?:in|from|for) (?:your|this) (?:region|country|location|organization|account|project)\b|\bhas not been (?:used|enabled)\b.{0,60}\b(?:project|enable)|无权访问|没有权限|権限がありません|권한이 없/i,
    example: "Forbidden: this project has no access",
    nearMiss: "the forbidden city",
  },
  {
    id: "service-context",
    kind: "context_exhausted",
    level: "phrase",
    confidence: 0.82,
    settings: SERVICE,
    words: ["context", "exceed", "exceeds", "many", "max", "maximum", "token", "too", "コン", "上下", "超出"],
    pattern:
      /\bcontext (?:overflow|exceeded|too (?:long|large|big)|exhausted|limit)\b|\bcontext\b.{0,40}\b(?:overflow|exceed|too (?:long|large)|run out|ran out|full)\b|\b(?:prompt|conversation|input|request|messages?|transcript|payload) (?:\w{1,12} ){0,3}(?:too (?:long|large|big)|exceeds? (?:the )?(?:\w{1,12} ){0,3}(?:maximum|max|limit|size|length|window|tokens?))\b|\btoo many tokens\b(?! per)|\b(?:maximum|max) (?:\w{1,12} ){0,3}(?:tokens?|length|context)\b.{0,40}\b(?:exceed|reach|over)|\btokens?\b.{0,30}\bexceeds?\b|上下文(?:长度|超|溢出)|超出.{0,8}(?:上下文|长度)|コンテキスト.{0,12}(?:超|長)|\btoken limit\b/i,
    except: /\bper (?:min|minute|day|hour|second)\b|\bTP[MD]\b|\bdeadline\b|\bimage\b/i,
    example: "auto-compaction gave up: context overflow",
    nearMiss: "the context of the request",
  },
  {
    id: "service-network",
    kind: "network_error",
    level: "phrase",
    confidence: 0.8,
    settings: SERVICE,
    words: ["connect", "connection", "disconnected", "dns", "fetch", "network", "reach", "sending", "socket", "stream", "terminated", "接中", "接失", "接错", "络异", "络连", "络错"],
    pattern:
      /^\s{0,4}(?:error: )?terminated\s{0,4}$|\bnetwork[ _](?:error|failure|issue|problem|connection)\b|\b(?:connection|socket|stream)[ _](?:read |was |is |has been )?(?:error|closed|aborted|reset|lost|failed|interrupted|dropped|ended)\b|\bdisconnected\b|\b(?:failed|unable|cannot|could not) (?:to )?(?:connect|reach|fetch)\b|\bwithout sending any chunks\b|\bdns\b.{0,20}(?:fail|error)|\bconnection\b.{0,30}\b(?:fail|error|refused|reset|timed out|closed)|网络(?:错误|异常|连接)|连接(?:错误|失败|中断)|\bstream_read_error\b/i,
    example: "network_error: gave up",
    nearMiss: "a stream of water",
  },
  {
    id: "service-trouble",
    kind: "server_error",
    level: "phrase",
    confidence: 0.8,
    settings: SERVICE,
    words: ["backend", "down", "happened", "internal", "occurred", "server", "upstream", "サー", "务器", "器异", "器错", "统内", "统异", "统错", "部内", "部异", "部错"],
    pattern:
      /\b(?:an? )?(?:unexpected |internal |unknown )?error (?:has )?(?:occurred|happened) (?:while|during|when|on) (?:processing|generating|handling|the server)\b|\binternal (?:error|failure|database error|exception)\b|\bserver (?:error|failure|fault)\b|\bupstream (?:error|failure|connect error|provider)\b|\bweb server is down\b|\bbackend (?:error|failure)\b|(?:服务器|系统|内部)(?:内部)?(?:错误|异常)|サーバーエラー/i,
    example: "An error occurred while processing your request.",
    nearMiss: "the server brought the soup",
  },
  {
    id: "service-busy",
    kind: "server_overloaded",
    level: "phrase",
    confidence: 0.82,
    settings: SERVICE,
    words: ["busy", "capacity", "currently", "high", "maintenance", "overload", "overloaded", "overloading", "temporarily", "unavailable", "务暂", "务繁", "务过", "混雑", "统暂", "统繁", "统过", "负载"],
    pattern:
      /\b(?:is |are |too |currently )(?:\w{1,12} )?busy\b|\b(?:temporarily|currently) (?:unavailable|unable)\b|\bcapacity\b.{0,30}(?:limit|reached|exceed|full|constraint)|\boverload(?:ing|ed)?\b|\bhigh (?:demand|load|traffic|volume)\b|\bunder maintenance\b|\bservice unavailable\b|(?:服务|系统)(?:暂时不可用|繁忙|过载)|负载过高|混雑/i,
    example: "529 the service is busy",
    nearMiss: "a busy street",
  },
  {
    id: "service-arguments",
    kind: "invalid_arguments",
    level: "phrase",
    confidence: 0.72,
    settings: SERVICE,
    words: ["bad", "expected", "extra", "field", "image", "invalid", "match", "missing", "must", "required", "support", "supported", "unexpected", "unknown", "unrecognized", "unsupported"],
    pattern:
      /\binvalid (?:request|value|parameter|argument|input|type|format|model|message|schema|json schema|tool|role|field|url|image|body|content|payload|option|enum|name|path|id)\b|\bshould match (?:pattern|format)\b|\bmust (?:be|have|match|contain|end with|start with|not|specify|provide|include|follow)\b|\b(?:does|do) not support\b|\bnot supported\b|\bunsupported\b|\b(?:unknown|unexpected|extra|unrecognized) (?:parameter|argument|field|property|key|option|model|value|name|role)\b|\bmissing (?:required )?(?:parameter|field|argument|property|value|key|body)\b|\b(?:is|are) required\b|\bimage\b.{0,40}\bexceeds?\b|\bfield required\b|\bbad request\b|\bexpected (?:a|an|one|string|number|object|array)\b/i,
    except: /\b(?:api[ _-]?key|token|credential|login|auth\w{0,12})\b/i,
    example: "tool_use.id should match pattern '^[a-z]+$'",
    nearMiss: "the support team",
  },
];
