/**
 * Unreachable networks and hosts and unresolved names, in any language; connections that are refused, dropped or not
 * trusted.
 */
import { rule, type Rule } from "../classify/rule.ts";

export const NETWORK: readonly Rule[] = [
  rule("network-errno", "network_error", "typed", 0.95, {
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
  }),
  rule("dns", "network_error", "typed", 0.96, {
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
      resolve => \bCould not resolve '(?:[\w-]{1,60}\.){2,6}[a-z]{2,12}'
      name => \bERR_NAME_NOT_RESOLVED
      lookup => \blookup .{1,120}: (?:no such host|server misbehaving|i\/o timeout)
    `,
  }),
  rule("network-words", "network_error", "typed", 0.9, {
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
  }),
  rule("pip-retries", "network_error", "verdict", 0.92, {
    evenInWarnings: true,
    lines: String.raw`
      retrying => \bRetrying \(Retry\(total=\d.{0,200}(?:NewConnectionError|ProxyError)
      retrying => \bRetrying \(Retry\(total=\d.{0,200}(?:SSLError|NameResolutionError)
      retrying => \bRetrying \(Retry\(total=\d.{0,200}(?:ConnectTimeoutError|ProtocolError)
      retrying => \bRetrying \(Retry\(total=\d.{0,200}(?:ConnectionResetError|
      ... RemoteDisconnected)
      retries => \bMax retries exceeded with url\b
    `,
  }),
  rule("network-locales", "network_error", "typed", 0.94, {
    ignoreCase: true,
    lines: String.raw`
      verbindungsaufbau => Verbindungsaufbau abgelehnt
      verbindung,verbindungsversuch => Verbindung(?:sversuch)? (?:wurde )?(?:verweigert|
      ... abgelehnt)
      zurückgesetzt => Verbindung(?:sversuch)? (?:wurde )?zurückgesetzt
      abgebrochen => Verbindung(?:sversuch)? (?:wurde )?abgebrochen
      verbindung => keine Verbindung hergestellt werden
      verbindung => Zielcomputer die Verbindung verweigerte
      dienst => (?:Der )?Name oder (?:der )?Dienst (?:ist )?nicht bekannt
      bei => Temporärer Fehler bei der Namensauflösung
      connexion => [Cc]onnexion (?:refusée|ré-initialisée|réinitialisée|interrompue)
      cible => ordinateur cible l[’']a expressément refusée
      service => Nom ou service inconnu
      temporaire => (?:Échec|échec|Erreur) temporaire dans la résolution
      conexión => [Cc]onexión (?:rehusada|rechazada|reinicializada)
      denegó => destino denegó expresamente
      servicio => Nombre o servicio desconocido
      temporal => Fallo temporal en la resolución
      rifiutata => [Cc]onnessione rifiutata
      servizio => Nome o servizio sconosciuto
      conexão => [Cc]onexão (?:recusada|reiniciada)
      serviço => Nome ou serviço desconhecido
      temporária => Falha temporária na resolução
      geweigerd => [Vv]erbinding (?:is )?geweigerd
      połączenie => Połączenie odrzucone
      соединении => [Вв] соединении отказано
      запрос => отверг запрос на подключение
      служба => Имя или служба не известны
      сбой => Временный сбой в разрешении имен
      bağlantı => Bağlantı reddedildi
      绝连 => 拒绝连接
      接被 => 连接被拒绝
      目标 => 目标计算机积极拒绝
      未知 => 未知的名称或服务
      域名 => 域名解析(?:暂时)?失败
      络不 => 网络不可达
      法解,法连 => 无法(?:连接|解析主机)
      連線 => 連線被拒
      接続 => 接続を拒否されました
      対象 => 対象のコンピューターによって拒否
      名前 => 名前または(?:サービス|サービス)が不明
      名前 => 名前解決に(?:一時的に)?失敗
      연결 => 연결이 거부
      이름 => 이름 혹은 서비스를 알 수 없
      主机 => 无法访问.{0,40}主机
      puede => [Nn]o se puede conectar
      se => [Ii]mpossible de se connecter
      impossibile => [Ii]mpossibile (?:connettersi|contattare)
      possível => [Nn]ão (?:é|foi) possível (?:conectar|ligar)
      möglich => [Nn]icht möglich, eine Verbindung
      nicht => Verbindung .{0,30}nicht hergestellt
      удалось => [Нн]е удалось подключиться
      соединиться => [Нн]евозможно соединиться
      法连 => 无法连接
      接続 => 接続できません
      연결 => 연결할 수 없
    `,
  }),
  rule("connection-failed", "network_error", "typed", 0.92, {
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
      connection => \bconnection to server on socket .{1,120} failed\b
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
  }),
  rule("tls", "network_error", "typed", 0.9, {
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
  }),
  rule("connection-timed-out", "network_error", "typed", 0.78, {
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
  }),
  rule("database-host", "network_error", "typed", 0.95, {
    lines: String.raw`
      host => \bUnknown (?:MySQL )?server host '
      host => \bcould not translate host name "
    `,
  }),
  rule("closed-in-the-middle", "network_error", "exact", 0.9, {
    lines: String.raw`
      byte => \b(?:Connection closed|Read error) at byte \d
      connection => \b[Ss]erver closed the connection\b
      protocol => \bError: Protocol error, got "
      received => \bawaiting response\.\.\. No data received\b
    `,
  }),
];
