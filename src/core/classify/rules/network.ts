/**
 * Hosts, sockets, names, certificates. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const NETWORK: readonly Rule[] = [
  {
    id: "network-errno",
    kind: "network_error",
    level: "typed",
    confidence: 0.95,
    words: ["connectionrefused", "eai", "econnaborted", "econnrefused", "econnreset", "ehostdown", "ehostunreach", "enetdown", "enetunreach", "enotfound", "epipe", "failedtoopensocket", "net", "und", "winerror"],
    pattern:
      /\bECONNREFUSED\b|\bECONNRESET\b|\bgetaddrinfo ENOTFOUND\b|\bENOTFOUND\b|\bEAI_AGAIN\b|\bEAI_FAIL\b|\bEHOSTUNREACH\b|\bENETUNREACH\b|\bECONNABORTED\b|\bENETDOWN\b|\bEHOSTDOWN\b|\bwrite EPIPE\b|\bUND_ERR_(?:SOCKET|CONNECT)\w{0,30}|\bFailedToOpenSocket\b|\bConnectionRefused\b|\bWinError (?:100(?:5[1234]|6[0-9])|1100[1-4])\b|\bnet::ERR_\w/,
    except: /\bUND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT|retries on ECONN/,
    example: "connect ECONNREFUSED 127.0.0.1:5432",
    nearMiss: "the word econ is short for economics",
  },
  {
    id: "dns",
    kind: "network_error",
    level: "typed",
    confidence: 0.96,
    words: ["address", "associated", "dns", "dnsnotfound", "domain", "find", "gaierror", "getaddrinfo", "host", "hostname", "known", "lookup", "name", "nameresolutionerror", "nodename", "proxy", "remote", "resolve", "temporary", "unknownhostexception"],
    pattern:
      /\b[Cc]ould not resolve (?:host|hostname|proxy)\b|\bTemporary failure (?:in name resolution|resolving)|\bName or service not known\b|\bnodename nor servname provided|\bno such host\b|\b(?:unable|failed) to (?:resolve|look up|lookup) (?:host|hostname|address|the host|domain)\b|\bNameResolutionError\b|\bgaierror\b|\bUnknownHostException\b|\b[Uu]nknown host\b|\bdns error\b|\bDNS (?:lookup|resolution|query|server)? ?(?:failed|failure|error|timed out|not found)|\bNo address associated with hostname|\bserver can't find\b|\bThe remote name could not be resolved|\bNo such host is known|\bgetaddrinfo(?: failed|:)|\bdnsNotFound\b|\bfailed to lookup address|\bcannot resolve host|\bERR_NAME_NOT_RESOLVED|\blookup .{1,120}: (?:no such host|server misbehaving|i\/o timeout)/,
    example: "curl: (6) Could not resolve host: carts.example.org",
    nearMiss: "could not resolve the quarrel of the host",
  },
  {
    id: "connection-failed",
    kind: "network_error",
    level: "typed",
    confidence: 0.92,
    words: ["actively", "apiconnection", "broken", "closed", "connect", "connecterror", "connectexception", "connection", "connectionabortederror", "connectionerror", "connectionrefusederror", "connectionreseterror", "connecttimeout", "connecttimeouterror", "contact", "decoding", "dial", "end", "establish", "hang", "incomplete", "incompleteread", "made", "mongonetworkerror", "newconnectionerror", "proxyerror", "reach", "remotedisconnected", "route", "sending", "serverdisconnectederror", "socket", "tcp", "timeout", "tunnel", "tunneling", "unreachable"],
    pattern:
      /\b[Cc]onnection (?:was |has been |is )?(?:refused|reset|aborted|dropped|interrupted|lost|terminated unexpectedly|closed (?:by|before|unexpectedly|abruptly)|broken)\b|\bConnection (?:error|failed|failure|timed out)\b|\b[Ff]ailed to (?:connect|establish a (?:new )?connection|open (?:a )?(?:TCP )?(?:socket|connection))\b|\b(?:[Uu]nable|[Cc]annot|[Cc]ould not|[Cc]ouldn't|[Cc]an't|[Ff]ailed) (?:to )?(?:connect|reach|contact)\b(?! the (?:author|team|support))|\b(?:[Nn]etwork|[Hh]ost|[Ss]erver|[Dd]estination|API|site) (?:is |host |net )?unreachable\b|\b[Nn]o route to host\b|\bsocket hang up\b|\bConnectError\b|\bConnectionError\b|\bNewConnectionError\b|\bConnectException\b|\bRemoteDisconnected\b|\bProxyError\b|\btunneling socket could not|\bCONNECT tunnel failed|\bThe connection to the server .{1,80} was refused|\bactively refused it\b|\bNo connection could be made\b|\b[Bb]roken pipe\b|\bConnectTimeout(?:Error)?\b|\bConnect Timeout Error|\bClosed connection\b|\bconnection to server at .{1,80} failed|\bCan't connect to (?:local )?(?:MySQL|server)|\bCould not connect to (?:Redis|MongoDB|server)|\bMongoNetworkError\b|\bAPIConnectionError\b|\bconnect(?:ion)? error\b|\berror sending request\b|\berror decoding response body|\bCannot connect to (?:the Docker daemon|API|host)|\bConnectionResetError\b|\bConnectionRefusedError\b|\bConnectionAbortedError\b|\bServerDisconnectedError\b|\b[Rr]emote end (?:closed|hung up)|\bIncomplete(?:Read| read)\b|\bpeer closed connection\b|\bdial (?:tcp|unix|udp)\b.{1,160}(?:refused|unreachable|reset|no route|timeout|no such host)/,
    except: /\bcannot connect to .{0,40}because .{0,40}(?:password|credential)|\bRead error\b|\bauthentication failed\b|\bto bus\b/i,
    example: 'psql: error: connection to server at "db", port 5432 failed: Connection refused',
    nearMiss: "the connection between carts and horses",
  },
  {
    id: "network-words",
    kind: "network_error",
    level: "typed",
    confidence: 0.9,
    words: ["000", "api", "appear", "are", "connectivity", "curl", "disconnect", "disconnected", "download", "early", "ended", "eof", "err", "fetch", "gnutls", "hung", "internet", "network", "pack", "packet", "premature", "rpc", "stream", "transfer", "transfertransportexception", "typeerror", "urlerror"],
    pattern:
      /\b[Nn]etwork (?:error|failure|connectivity (?:is )?(?:disabled|lost|issue|error|problem)|is (?:down|unreachable|offline)|request failed|changed|connection (?:lost|failed))|\bnetwork connectivity is disabled|\bERR_(?:NETWORK|INTERNET|CONNECTION|PROXY|TUNNEL|ADDRESS_UNREACHABLE)\w{0,40}|\bTypeError: (?:fetch failed|Failed to fetch|NetworkError|terminated)|^(?:Error: )?(?:fetch failed|Failed to fetch)\b|\bno internet\b|\binternet connection\b|\bstream disconnected before completion|\bstream (?:closed|ended|was reset|error)\b.{0,60}(?:before|unexpectedly|without)|\bcurl: \((?:5|6|7|18|35|52|55|56|58|60|77|92)\)|\bRPC failed; (?:curl|HTTP)|\bfetch-pack: unexpected disconnect|\bearly EOF\b|\bunexpected disconnect\b|\bthe remote end hung up unexpectedly|\bYou (?:are|appear to be) offline|\bURLError\b|\bHTTP 000 CONNECTION FAILED|\bUnable to download .{1,80}(?:network|connect)|\bpacket loss\b|\bTransferTransportException\b|\bCould not transfer artifact\b|\bgnutls_handshake\b|\bunexpected EOF while reading|\bresponse ended prematurely|\bpremature (?:close|end)\b|\bPremature close\b|\bAPI Error: (?:terminated|Connection error)/,
    except: /\bcontent_filter\b|\bmax_output_tokens\b|\b[Cc]heck your (?:internet|network)/,
    example: "error: Network connectivity is disabled, but a remote file was requested",
    nearMiss: "a network of carts",
  },
  {
    id: "tls",
    kind: "network_error",
    level: "typed",
    confidence: 0.9,
    words: ["cert", "certificate", "certification", "handshake", "issuer", "leaf", "peer", "routines", "schannel", "signed", "ssl", "sslerror", "sslhandshake", "tls", "verification", "verify", "wrong", "x509", "zero"],
    pattern:
      /\bSSL certificate problem|\bcertificate (?:verify failed|has expired|is not trusted|signed by unknown authority|is not yet valid|common name|chain|validation failed|name mismatch|required)|\bself[- ]signed certificate|\bunable to (?:get local issuer certificate|verify the first certificate|find valid certification path)|\bUNABLE_TO_(?:GET_ISSUER_CERT\w{0,20}|VERIFY_LEAF_SIGNATURE)|\bCERT_HAS_EXPIRED|\bDEPTH_ZERO_SELF_SIGNED|\bERR_TLS_CERT\w{0,30}|\bx509: |\bSSLError\b|\bSSLHandshakeException|\b(?:TLS|SSL) handshake (?:failed|failure|error|timeout|timed out)|\bSSL routines\b|\bSSL_ERROR_\w{1,40}|\bCERTIFICATE_VERIFY_FAILED|\bserver certificate verification failed|\b(?:SSL|TLS) connect(?:ion)? error|\bWRONG_VERSION_NUMBER|\binvalid peer certificate|\bschannel: |\bERR_SSL_\w{1,40}|\btls: (?:failed|bad|handshake|unknown|protocol)/i,
    example: "SSL certificate problem: unable to get local issuer certificate",
    nearMiss: "a certificate of merit",
  },
  {
    id: "pip-retries",
    kind: "network_error",
    level: "verdict",
    confidence: 0.92,
    evenInWarnings: true,
    words: ["retries", "retrying"],
    pattern:
      /\bRetrying \(Retry\(total=\d.{0,200}(?:NewConnectionError|ProxyError|SSLError|NameResolutionError|ConnectTimeoutError|ProtocolError|ConnectionResetError|RemoteDisconnected)|\bMax retries exceeded with url\b/,
    example:
      "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError(...)': /simple/cart/",
    nearMiss: "Retrying (Retry(total=4)) the cart",
  },
  {
    id: "network-locales",
    kind: "network_error",
    level: "typed",
    confidence: 0.94,
    words: ["bağlantı", "bei", "cible", "conexión", "conexão", "connexion", "denegó", "dienst", "geweigerd", "impossibile", "möglich", "nicht", "possível", "połączenie", "puede", "rifiutata", "se", "service", "servicio", "servizio", "serviço", "temporaire", "temporal", "temporária", "verbindung", "verbindungsaufbau", "verbindungsversuch", "запрос", "сбой", "служба", "соединении", "соединиться", "удалось", "主机", "名前", "域名", "対象", "接続", "接被", "未知", "法解", "法连", "目标", "络不", "绝连", "連線", "연결", "이름"],
    pattern:
      /Verbindungsaufbau abgelehnt|Verbindung(?:sversuch)? (?:wurde )?(?:verweigert|abgelehnt|zurückgesetzt|abgebrochen)|keine Verbindung hergestellt werden|Zielcomputer die Verbindung verweigerte|(?:Der )?Name oder (?:der )?Dienst (?:ist )?nicht bekannt|Temporärer Fehler bei der Namensauflösung|[Cc]onnexion (?:refusée|ré-initialisée|réinitialisée|interrompue)|ordinateur cible l[’']a expressément refusée|Nom ou service inconnu|(?:Échec|échec|Erreur) temporaire dans la résolution|[Cc]onexión (?:rehusada|rechazada|reinicializada)|destino denegó expresamente|Nombre o servicio desconocido|Fallo temporal en la resolución|[Cc]onnessione rifiutata|Nome o servizio sconosciuto|[Cc]onexão (?:recusada|reiniciada)|Nome ou serviço desconhecido|Falha temporária na resolução|[Vv]erbinding (?:is )?geweigerd|Połączenie odrzucone|[Вв] соединении отказано|отверг запрос на подключение|Имя или служба не известны|Временный сбой в разрешении имен|Bağlantı reddedildi|拒绝连接|连接被拒绝|目标计算机积极拒绝|未知的名称或服务|域名解析(?:暂时)?失败|网络不可达|无法(?:连接|解析主机)|連線被拒|接続を拒否されました|対象のコンピューターによって拒否|名前または(?:サービス|サービス)が不明|名前解決に(?:一時的に)?失敗|연결이 거부|이름 혹은 서비스를 알 수 없|无法访问.{0,40}主机|[Nn]o se puede conectar|[Ii]mpossible de se connecter|[Ii]mpossibile (?:connettersi|contattare)|[Nn]ão (?:é|foi) possível (?:conectar|ligar)|[Nn]icht möglich, eine Verbindung|Verbindung .{0,30}nicht hergestellt|[Нн]е удалось подключиться|[Нн]евозможно соединиться|无法连接|接続できません|연결할 수 없/i,
    example: "psql: Verbindungsaufbau abgelehnt",
    nearMiss: "die Verbindung steht",
  },
];
