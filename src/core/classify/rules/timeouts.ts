/**
 * Things that took too long. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const TIMEOUTS: readonly Rule[] = [
  {
    id: "timed-out",
    kind: "timeout",
    level: "exact",
    confidence: 0.88,
    words: ["after", "apitimeout", "canceling", "curl", "deadline", "esockettimedout", "etimedout", "exceeded", "execution", "gateway", "idle", "maximum", "network", "operation", "readtimeout", "readtimeouterror", "sockettimeoutexception", "time", "timed", "timeout", "timeouterror", "timeoutexception", "timeoutexpired", "took", "und", "wait", "waiting", "within"],
    pattern:
      /\btimed[ -]out\b|\bTimeout(?:Error|Expired|Exception)\b|\bRead(?:Timeout|TimeoutError)\b|\bSocketTimeoutException\b|\bAPITimeoutError\b|\bESOCKETTIMEDOUT\b|\bETIMEDOUT\b|\btimeout (?:of|after|exceeded|reached|expired|waiting|while|error|occurred)\b|\b(?:exceeded|hit|reached) (?:the )?(?:\w{1,20} )?timeout\b|\b[Dd]eadline exceeded\b|\bcontext deadline exceeded\b|\bcurl: \(28\)|\bOperation timed out\b|\bRequest timed out\b|\bGateway Time-?out\b|\bidle timeout\b|\bexceeded (?:the )?(?:maximum )?(?:time limit|execution time)|\bMaximum execution time of|\btime limit (?:exceeded|reached)|\bUND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT|\bnetwork timeout\b|\bi\/o timeout\b|\bheaders timeout error\b|\bLock wait timeout|\bcanceling statement due to statement timeout|\b[Tt]imeout waiting for\b|\btook too long\b|\bdid not (?:respond|complete|finish|exit) (?:within|in time|after)\b|\bexceeded the .{0,20}(?:second|minute|ms|millisecond)s? (?:limit|timeout)|\btook longer than\b|\bmaximum execution time\b|\bTimeout waiting\b/i,
    except:
      /\bConnection timed out\b|\btimed out trying to connect|\bconnect timeout\b|\btimeout must be\b|\binvalid timeout\b|--\w{0,20}timeout|\btimeout option\b|\btimeout=\w/i,
    example: "Error: Command timed out after 120000ms",
    nearMiss: "the timeout option must be a number",
  },
  {
    id: "connection-timed-out",
    kind: "network_error",
    level: "typed",
    confidence: 0.78,
    words: ["connecttimeout", "connecttimeouterror", "etimedout", "timed", "timeout", "trying"],
    pattern:
      /\b[Cc]onnection timed out\b|\bconnect ETIMEDOUT\b|\bConnect(?:Timeout|TimeoutError)\b|\btimed out trying to connect\b|\bconnect(?:ion)? timeout\b/,
    except: /\bRead error \(Connection timed out\)|\bread\b.{0,20}timed out/i,
    example: "ssh: connect to host carts port 22: Connection timed out",
    nearMiss: "the connection was timed",
  },
  {
    id: "wget-read-timeout",
    kind: "timeout",
    level: "typed",
    confidence: 0.85,
    words: ["readtimeout", "readtimeouterror", "timed"],
    pattern:
      /\bRead error \(Connection timed out\)|\b[Rr]ead (?:operation )?timed out\b|\bRead timed out\b|\bReadTimeout(?:Error)?\b/,
    example: "Read error (Connection timed out) in headers.",
    nearMiss: "Read the error page",
  },
  {
    id: "tool-timeout",
    kind: "timeout",
    level: "typed",
    confidence: 0.93,
    words: ["aborted", "canceled", "cancelled", "exceeded", "killed", "maximum", "mcp", "spawnsync", "stopped", "terminated", "timed", "timeoutexpired"],
    pattern:
      /\b[Cc]ommand (?:.{0,120} )?timed out\b|\bMCP error -32001\b|\bspawnSync .{1,120} ETIMEDOUT|\b(?:execution|process|job|script|step|task|action) (?:has )?(?:timed out|exceeded the (?:maximum )?(?:time|execution))|\b(?:terminated|killed|canceled|cancelled|aborted|stopped) (?:after|because it exceeded|due to) .{0,40}(?:time ?out|time limit|seconds|minutes|inactivity)|\bTimeoutExpired: Command|\bcommand exceeded (?:the )?timeout/i,
    example: "Command timed out after 2m 0s",
    nearMiss: "the command took some time",
  },
  {
    id: "timeout-locales",
    kind: "timeout",
    level: "exact",
    confidence: 0.86,
    words: ["attente", "conexión", "czas", "du", "délai", "el", "espera", "est", "tempo", "wartezeit", "zaman", "zeitüberschreitung", "ожидания", "превышен", "タイ", "超时", "逾時", "시간"],
    pattern:
      /Zeitüberschreitung|Wartezeit .{0,40}abgelaufen|(?:expiration du délai|délai (?:d[’']attente )?(?:est )?dépassé|Délai d[’']attente)|[Tt]iempo de (?:espera|conexión) .{0,20}(?:agotado|expirado|excedido)|Expiró el tiempo|[Tt]empo (?:scaduto|limite|esgotado|de espera)|[Вв]ремя ожидания .{0,20}истекло|[Пп]ревышен (?:лимит времени|таймаут|интервал)|超时|逾時|タイムアウト|시간 ?(?:이 )?초과|[Pp]rzekroczono (?:limit )?czas|zaman aşımı/,
    example: "Fehler: Zeitüberschreitung bei der Anforderung",
    nearMiss: "die Wartezeit war kurz",
  },
];
