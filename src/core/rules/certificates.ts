/** Certificates, handshakes, retries of package tools, and network failures in other languages. */
import type { Rule } from "../classify/rule.ts";

export const CERTIFICATES: readonly Rule[] = [
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
    example: "SSL certificate problem: unable to get local issuer certificate",
    nearMiss: "a certificate of merit",
  },
  {
    id: "pip-retries",
    kind: "network_error",
    level: "verdict",
    confidence: 0.92,
    evenInWarnings: true,
    lines: String.raw`
      retrying => \bRetrying \(Retry\(total=\d.{0,200}(?:NewConnectionError|ProxyError)
      retrying => \bRetrying \(Retry\(total=\d.{0,200}(?:SSLError|NameResolutionError)
      retrying => \bRetrying \(Retry\(total=\d.{0,200}(?:ConnectTimeoutError|ProtocolError)
      retrying => \bRetrying \(Retry\(total=\d.{0,200}(?:ConnectionResetError|
      ... RemoteDisconnected)
      retries => \bMax retries exceeded with url\b
    `,
    example: "WARNING: Retrying (Retry(total=4)) after a 'NewConnectionError(...)': /simple/cart/",
    nearMiss: "Retrying (Retry(total=4)) the cart",
  },
  {
    id: "network-locales",
    kind: "network_error",
    level: "typed",
    confidence: 0.94,
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
    example: "psql: Verbindungsaufbau abgelehnt",
    nearMiss: "die Verbindung steht",
  },
];
