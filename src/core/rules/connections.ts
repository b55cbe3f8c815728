/** Connections that are refused, cut, not trusted or not answered. */
import type { Rule } from "../classify/rule.ts";

export const CONNECTIONS: readonly Rule[] = [
  {
    id: "connection-failed",
    kind: "network_error",
    level: "typed",
    confidence: 0.92,
    lines: String.raw`
      connection => \b[Cc]onnection (?:was |has been |is )?(?:refused|reset|aborted|dropped|
      ... interrupted|lost|terminated unexpectedly|closed (?:by|before|unexpectedly|abruptly)|
      ... broken)\b
      connection => \bConnection (?:error|failed|failure|timed out)\b
      connect,establish => \b[Ff]ailed to (?:connect|establish a (?:new )?connection)\b
      open => \b[Ff]ailed to open (?:a )?(?:TCP )?(?:socket|connection)\b
      connect,contact,reach => \b(?:[Uu]nable|[Cc]annot|[Cc]ould not|[Cc]ouldn't|[Cc]an't|
      ... [Ff]ailed) (?:to )?(?:connect|reach|contact)\b(?! the (?:author|team|support))
      unreachable => \b(?:[Nn]etwork|[Hh]ost|[Ss]erver) (?:is |host |net )?unreachable\b
      unreachable => \b(?:[Dd]estination|API|site) (?:is |host |net )?unreachable\b
      route => \b[Nn]o route to host\b
      hang => \bsocket hang up\b
      connecterror => \bConnectError\b
      connectionerror => \bConnectionError\b
      newconnectionerror => \bNewConnectionError\b
      connectexception => \bConnectException\b
      remotedisconnected => \bRemoteDisconnected\b
      proxyerror => \bProxyError\b
      tunneling => \btunneling socket could not
      tunnel => \bCONNECT tunnel failed
      connection => \bThe connection to the server .{1,80} was refused
      actively => \bactively refused it\b
      made => \bNo connection could be made\b
      broken => \b[Bb]roken pipe\b
      connecttimeout,connecttimeouterror => \bConnectTimeout(?:Error)?\b
      timeout => \bConnect Timeout Error
      closed => \bClosed connection\b
      connection => \bconnection to server at .{1,80} failed
      connect => \bCan't connect to (?:local )?(?:MySQL|server)
      connect => \bCould not connect to (?:Redis|MongoDB|server)
      mongonetworkerror => \bMongoNetworkError\b
      apiconnection => \bAPIConnectionError\b
      connect,connection => \bconnect(?:ion)? error\b
      sending => \berror sending request\b
      decoding => \berror decoding response body
      connect => \bCannot connect to (?:the Docker daemon|API|host)
      connectionreseterror => \bConnectionResetError\b
      connectionrefusederror => \bConnectionRefusedError\b
      connectionabortederror => \bConnectionAbortedError\b
      serverdisconnectederror => \bServerDisconnectedError\b
      end => \b[Rr]emote end (?:closed|hung up)
      incomplete,incompleteread => \bIncomplete(?:Read| read)\b
      closed => \bpeer closed connection\b
      dial => \bdial (?:tcp|unix|udp)\b.{1,160}(?:refused|unreachable|reset)
      dial => \bdial (?:tcp|unix|udp)\b.{1,160}(?:no route|timeout|no such host)
    `,
    unless: String.raw`
      \bcannot connect to .{0,40}because .{0,40}(?:password|credential)
      \bRead error\b
      \bauthentication failed\b
      \bto bus\b
      \breset reason: overflow\b
    `,
  },
  {
    id: "tls",
    kind: "network_error",
    level: "typed",
    confidence: 0.9,
    ignoreCase: true,
    lines: String.raw`
      certificate => \bSSL certificate problem
      certificate => \bcertificate (?:verify failed|has expired|is not trusted)
      certificate => \bcertificate (?:signed by unknown authority|is not yet valid)
      certificate => \bcertificate (?:common name|chain|validation failed|name mismatch|
      ... required)
      signed => \bself[- ]signed certificate
      issuer,verify => \bunable to (?:get local issuer certificate|verify the first certificate)
      certification => \bunable to find valid certification path
      issuer,leaf => \bUNABLE_TO_(?:GET_ISSUER_CERT\w{0,20}|VERIFY_LEAF_SIGNATURE)
      cert => \bCERT_HAS_EXPIRED
      zero => \bDEPTH_ZERO_SELF_SIGNED
      tls => \bERR_TLS_CERT\w{0,30}
      x509 => \bx509:\s
      sslerror => \bSSLError\b
      sslhandshake => \bSSLHandshakeException
      handshake => \b(?:TLS|SSL) handshake (?:failed|failure|error|timeout|timed out)
      routines => \bSSL routines\b
      ssl => \bSSL_ERROR_\w{1,40}
      certificate => \bCERTIFICATE_VERIFY_FAILED
      verification => \bserver certificate verification failed
      ssl,tls => \b(?:SSL|TLS) connect(?:ion)? error
      wrong => \bWRONG_VERSION_NUMBER
      peer => \binvalid peer certificate
      schannel => \bschannel:\s
      ssl => \bERR_SSL_\w{1,40}
      tls => \btls: (?:failed|bad|handshake|unknown|protocol)
    `,
  },
  {
    id: "connection-timed-out",
    kind: "network_error",
    level: "typed",
    confidence: 0.78,
    lines: String.raw`
      timed => \b[Cc]onnection timed out\b
      etimedout => \bconnect ETIMEDOUT\b
      connecttimeout,connecttimeouterror => \bConnect(?:Timeout|TimeoutError)\b
      trying => \btimed out trying to connect\b
      timeout => \bconnect(?:ion)? timeout\b
    `,
    unless: String.raw`
      \bRead error \(Connection timed out\)
      \bread\b.{0,20}timed out
    `,
  },
  {
    id: "database-host",
    kind: "network_error",
    level: "typed",
    confidence: 0.95,
    lines: String.raw`
      host => \bUnknown (?:MySQL )?server host '
      host => \bcould not translate host name "
    `,
  },
  {
    id: "closed-in-the-middle",
    kind: "network_error",
    level: "exact",
    confidence: 0.9,
    lines: String.raw`
      byte => \b(?:Connection closed|Read error) at byte \d
      connection => \b[Ss]erver closed the connection\b
      protocol => \bError: Protocol error, got "
      received => \bawaiting response\.\.\. No data received\b
    `,
  },
];
