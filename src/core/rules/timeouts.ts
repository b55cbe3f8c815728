/** Timeouts. */
import { rule, type Rule } from "../classify/rule.ts";

export const TIMEOUTS: readonly Rule[] = [
  rule("timed-out", "timeout", "exact", 0.88, {
    ignoreCase: true,
    lines: String.raw`
      timed => \btimed[ -]out\b
      timeouterror,timeoutexception,timeoutexpired => \bTimeout(?:Error|Expired|Exception)\b
      readtimeout,readtimeouterror => \bRead(?:Timeout|TimeoutError)\b
      sockettimeoutexception => \bSocketTimeoutException\b
      apitimeout => \bAPITimeoutError\b
      esockettimedout => \bESOCKETTIMEDOUT\b
      etimedout => \bETIMEDOUT\b
      timeout => \btimeout (?:of|after|exceeded|reached|expired|waiting|while|error|occurred)\b
      timeout => \b(?:exceeded|hit|reached) (?:the )?(?:\w{1,20} )?timeout\b
      deadline => \b[Dd]eadline exceeded\b
      deadline => \bcontext deadline exceeded\b
      deadlineexceeded,deadlineexceedederror => \bDeadlineExceeded(?:Error)?\b
      curl => \bcurl: \(28\)
      operation => \bOperation timed out\b
      timed => \bRequest timed out\b
      gateway => \bGateway Time-?out\b
      idle => \bidle timeout\b
      execution,time => \bexceeded (?:the )?(?:maximum )?(?:time limit|execution time)
      maximum => \bMaximum execution time of
      time => \btime limit (?:exceeded|reached)
      und => \bUND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT
      network => \bnetwork timeout\b
      timeout => \bi\/o timeout\b
      timeout => \bheaders timeout error\b
      wait => \bLock wait timeout
      canceling => \bcanceling statement due to statement timeout
      waiting => \b[Tt]imeout waiting for\b
      took => \btook too long\b
      after,time,within => \bdid not (?:respond|complete|finish|exit) (?:within|in time|after)\b
      exceeded => \bexceeded the .{0,20}(?:second|minute|ms|millisecond)s? (?:limit|timeout)
      took => \btook longer than\b
      maximum => \bmaximum execution time\b
      waiting => \bTimeout waiting\b
      within => \bnot receive an? (?:response|answer|reply) within\b
      aborted,canceled,cancelled => \b(?:aborted|cancelled|canceled) due to timeout\b
    `,
    unless: String.raw`
      \bConnection timed out\b
      \btimed out trying to connect
      \bconnect timeout\b
      \btimeout must be\b
      \binvalid timeout\b
      --\w{0,20}timeout
      \btimeout option\b
      \btimeout=\w
    `,
  }),
  rule("wget-read-timeout", "timeout", "typed", 0.85, {
    lines: String.raw`
      timed => \bRead error \(Connection timed out\)
      timed => \b[Rr]ead (?:operation )?timed out\b
      timed => \bRead timed out\b
      readtimeout,readtimeouterror => \bReadTimeout(?:Error)?\b
    `,
  }),
  rule("tool-timeout", "timeout", "typed", 0.93, {
    ignoreCase: true,
    lines: String.raw`
      timed => \b[Cc]ommand (?:.{0,120} )?timed out\b
      mcp => \bMCP error -32001\b
      spawnsync => \bspawnSync .{1,120} ETIMEDOUT
      timed => \b(?:execution|process|job|script|step|task|action) (?:has )?timed out
      exceeded => \b(?:execution|process) (?:has )?exceeded the (?:maximum )?(?:time|execution)
      job,script => \b(?:job|script) (?:has )?exceeded the (?:maximum )?(?:time|execution)
      exceeded => \b(?:step|task|action) (?:has )?exceeded the (?:maximum )?(?:time|execution)
      aborted,canceled,cancelled,killed,stopped,terminated => \b(?:terminated|killed|canceled|
      ... cancelled|aborted|stopped) (?:after|because it exceeded|due to) .{0,40}(?:time ?out|
      ... time limit|seconds|minutes|inactivity)
      timeoutexpired => \bTimeoutExpired: Command
      exceeded => \bcommand exceeded (?:the )?timeout
    `,
  }),
  rule("timeout-locales", "timeout", "exact", 0.86, {
    lines: String.raw`
      zeitüberschreitung => Zeitüberschreitung
      wartezeit => Wartezeit .{0,40}abgelaufen
      attente,du,délai,est => (?:expiration du délai|délai (?:d[’']attente )?(?:est )?dépassé)
      d => Délai d[’']attente
      conexión,espera => [Tt]iempo de (?:espera|conexión) .{0,20}(?:agotado|expirado|excedido)
      el => Expiró el tiempo
      tempo => [Tt]empo (?:scaduto|limite|esgotado|de espera)
      ожидания => [Вв]ремя ожидания .{0,20}истекло
      превышен => [Пп]ревышен (?:лимит времени|таймаут|интервал)
      超时 => 超时
      逾時 => 逾時
      タイ => タイムアウト
      시간 => 시간 ?(?:이 )?초과
      czas => [Pp]rzekroczono (?:limit )?czas
      zaman => zaman aşımı
    `,
  }),
  rule("slow-transfer", "timeout", "exact", 0.85, {
    lines: String.raw`
      slow => \bOperation too slow\. Less than \d{1,9} bytes
      timeout,readtimeout,opentimeout => \bNet::(?:Read|Open|Write)Timeout\b
      expired => \bexecution expired\b
    `,
  }),
];
