/** Word families of model services about the service itself: context, network, load, wrong requests. */
import type { Rule } from "../classify/rule.ts";

export const SERVICE_HINTS: readonly Rule[] = [
  {
    id: "service-context",
    kind: "context_exhausted",
    level: "phrase",
    confidence: 0.82,
    settings: ["model", "agent", "call"],
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
    example: "auto-compaction gave up: context overflow",
    nearMiss: "the context of the request",
  },
  {
    id: "service-network",
    kind: "network_error",
    level: "phrase",
    confidence: 0.8,
    settings: ["model", "agent", "call"],
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
    example: "network_error: gave up",
    nearMiss: "a stream of water",
  },
  {
    id: "service-trouble",
    kind: "server_error",
    level: "phrase",
    confidence: 0.8,
    settings: ["model", "agent", "call"],
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
    example: "An error occurred while processing your request.",
    nearMiss: "the server brought the soup",
  },
  {
    id: "service-busy",
    kind: "server_overloaded",
    level: "phrase",
    confidence: 0.82,
    settings: ["model", "agent", "call"],
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
    example: "529 the service is busy",
    nearMiss: "a busy street",
  },
  {
    id: "service-arguments",
    kind: "invalid_arguments",
    level: "phrase",
    confidence: 0.72,
    settings: ["model", "agent", "call"],
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
    unless: String.raw`
      \b(?:api[ _-]?key|token|credential|login|auth\w{0,12})\b
    `,
    example: "tool_use.id should match pattern '^[a-z]+$'",
    nearMiss: "the support team",
  },
];
