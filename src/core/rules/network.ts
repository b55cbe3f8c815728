/** Hosts, sockets, names, certificates. */
import type { Rule } from "../classify/rule.ts";

export const NETWORK: readonly Rule[] = [
  {
    id: "network-errno",
    kind: "network_error",
    level: "typed",
    confidence: 0.95,
    lines: String.raw`
      econnrefused => \bECONNREFUSED\b
      econnreset => \bECONNRESET\b
      enotfound => \bgetaddrinfo ENOTFOUND\b
      enotfound => \bENOTFOUND\b
      eai => \bEAI_AGAIN\b
      eai => \bEAI_FAIL\b
      ehostunreach => \bEHOSTUNREACH\b
      enetunreach => \bENETUNREACH\b
      econnaborted => \bECONNABORTED\b
      enetdown => \bENETDOWN\b
      ehostdown => \bEHOSTDOWN\b
      epipe => \bwrite EPIPE\b
      und => \bUND_ERR_(?:SOCKET|CONNECT)\w{0,30}
      failedtoopensocket => \bFailedToOpenSocket\b
      connectionrefused => \bConnectionRefused\b
      winerror => \bWinError (?:100(?:5[1234]|6[0-9])|1100[1-4])\b
      net => \bnet::ERR_\w
    `,
    unless: String.raw`
      \bUND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT
      retries on ECONN
    `,
    example: "connect ECONNREFUSED 127.0.0.1:5432",
    nearMiss: "the word econ is short for economics",
  },
  {
    id: "dns",
    kind: "network_error",
    level: "typed",
    confidence: 0.96,
    lines: String.raw`
      host,hostname,proxy => \b[Cc]ould not resolve (?:host|hostname|proxy)\b
      temporary => \bTemporary failure (?:in name resolution|resolving)
      known => \bName or service not known\b
      nodename => \bnodename nor servname provided
      host => \bno such host\b
      host,hostname => \b(?:unable|failed) to (?:resolve|look up) (?:host|hostname)\b
      address => \b(?:unable|failed) to (?:resolve|look up) address\b
      lookup => \b(?:unable|failed) to lookup (?:host|hostname|address)\b
      domain,host => \b(?:unable|failed) to (?:resolve|look up|lookup) (?:the host|domain)\b
      nameresolutionerror => \bNameResolutionError\b
      gaierror => \bgaierror\b
      unknownhostexception => \bUnknownHostException\b
      host => \b[Uu]nknown host\b
      dns => \bdns error\b
      dns => \bDNS (?:lookup|resolution|query|server)? ?(?:failed|failure|error)
      dns => \bDNS (?:lookup|resolution|query|server)? ?(?:timed out|not found)
      associated => \bNo address associated with hostname
      find => \bserver can't find\b
      remote => \bThe remote name could not be resolved
      host => \bNo such host is known
      getaddrinfo => \bgetaddrinfo(?: failed|:)
      dnsnotfound => \bdnsNotFound\b
      lookup => \bfailed to lookup address
      resolve => \bcannot resolve host
      name => \bERR_NAME_NOT_RESOLVED
      lookup => \blookup .{1,120}: (?:no such host|server misbehaving|i\/o timeout)
    `,
    example: "curl: (6) Could not resolve host: carts.example.org",
    nearMiss: "could not resolve the quarrel of the host",
  },
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
    example: 'psql: error: connection to server at "db", port 5432 failed: Connection refused',
    nearMiss: "the connection between carts and horses",
  },
  {
    id: "network-words",
    kind: "network_error",
    level: "typed",
    confidence: 0.9,
    lines: String.raw`
      network => \b[Nn]etwork (?:error|failure)
      connectivity => \b[Nn]etwork connectivity (?:is )?(?:disabled|lost|issue|error|problem)
      network => \b[Nn]etwork is (?:down|unreachable|offline)
      network => \b[Nn]etwork (?:request failed|changed|connection (?:lost|failed))
      connectivity => \bnetwork connectivity is disabled
      err => \bERR_(?:NETWORK|INTERNET|CONNECTION|PROXY|TUNNEL|ADDRESS_UNREACHABLE)\w{0,40}
      typeerror => \bTypeError: (?:fetch failed|Failed to fetch|NetworkError|terminated)
      fetch => ^(?:Error: )?(?:fetch failed|Failed to fetch)\b
      internet => \bno internet\b
      internet => \binternet connection\b
      disconnected => \bstream disconnected before completion
      stream => \bstream (?:closed|ended|was reset|error)\b.{0,60}(?:before|unexpectedly|
      ... without)
      curl => \bcurl: \((?:5|6|7|18|35|52|55|56|58|60|77|92)\)
      rpc => \bRPC failed; (?:curl|HTTP)
      pack => \bfetch-pack: unexpected disconnect
      early => \bearly EOF\b
      disconnect => \bunexpected disconnect\b
      hung => \bthe remote end hung up unexpectedly
      appear,are => \bYou (?:are|appear to be) offline
      urlerror => \bURLError\b
      000 => \bHTTP 000 CONNECTION FAILED
      download => \bUnable to download .{1,80}(?:network|connect)
      packet => \bpacket loss\b
      transfertransportexception => \bTransferTransportException\b
      transfer => \bCould not transfer artifact\b
      gnutls => \bgnutls_handshake\b
      eof => \bunexpected EOF while reading
      ended => \bresponse ended prematurely
      premature => \bpremature (?:close|end)\b
      premature => \bPremature close\b
      api => \bAPI Error: (?:terminated|Connection error)
      reading => \berror reading a body from connection\b
      eof => \bunexpected EOF during\b
      closed => \bSocket closed\b
      other => \bother side closed\b
    `,
    unless: String.raw`
      \bcontent_filter\b
      \bmax_output_tokens\b
      \b[Cc]heck your (?:internet|network)
    `,
    example: "error: network connectivity is disabled, so no cart was fetched",
    nearMiss: "a network of carts",
  },
];
