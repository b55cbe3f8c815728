/** What databases, interpreters and build tools say that are met seldom. */
import type { Rule } from "../classify/rule.ts";

export const RARE_TOOLS: readonly Rule[] = [
  {
    id: "database-login",
    kind: "auth_required",
    level: "typed",
    confidence: 0.95,
    lines: String.raw`
      sendauth => \bfe_sendauth: no password supplied
      authentication => \b[Pp]assword authentication failed for user\b
      noauth => \bNOAUTH Authentication required
      wrongpass => \bWRONGPASS\b
      access => \bAccess denied for user '[^']{0,80}'@
    `,
    example: "psql: error: connection to server failed: fe_sendauth: no password supplied",
    nearMiss: "the password field is required in the form",
  },
  {
    id: "service-login",
    kind: "auth_required",
    level: "typed",
    confidence: 0.93,
    lines: String.raw`
      invalid,authed,missing => ["']error["']\s?:\s?["'](?:invalid_auth|not_authed|missing_auth)["']
      auth,authentication => \bNo auth(?:entication)? (?:type|method) is (?:selected|configured|set)\b
    `,
    example: '{"ok":false,"error":"invalid_auth"}',
    nearMiss: '{"ok":true,"note":"error invalid_auth was fixed"}',
  },
  {
    id: "lint-places",
    kind: "verification_failed",
    level: "exact",
    confidence: 0.85,
    lines: String.raw`
      error => ^\S{1,200}:\d{1,6}(?::\d{1,6})? error [A-Z]{2}\d{3}/
      error => ^\s{1,8}\d{1,6}:\d{1,6}\s{1,8}error\s{1,8}\S
      fail => ^Fail:\s{1,24}[1-9]\d{0,5}\s{0,4}$
    `,
    example: "README.md:4 error MD012/no-multiple-blanks Multiple consecutive blank lines",
    nearMiss: "main.c:4: error: expected ';'",
  },
  {
    id: "shell-saw-crash",
    kind: "agent_crash",
    level: "exact",
    confidence: 0.85,
    settings: ["agent"],
    lines: String.raw`
      trap => ^\S{1,40}: line \d{1,6}: {1,6}\d{1,9} Trace/breakpoint trap\b
      illegal,bus,aborted => ^\S{1,40}: line \d{1,6}: {1,6}\d{1,9} (?:Illegal instruction|Bus error|Aborted)\b
    `,
    example: "bash: line 1:  7613 Trace/breakpoint trap   cart-agent -p hi",
    nearMiss: "line 1: the trap was set for the bus",
  },
  {
    id: "database-full-house",
    kind: "server_overloaded",
    level: "typed",
    confidence: 0.9,
    lines: String.raw`
      connections => \b[Tt]oo many connections\b
      slots => \bremaining connection slots are reserved\b
      clients => \bmax number of clients reached\b
      clients => \btoo many clients already\b
    `,
    example:
      "FATAL: remaining connection slots are reserved for roles with the SUPERUSER attribute",
    nearMiss: "opened 4 connections to the pool",
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
    example: "ERROR 2005 (HY000): Unknown server host 'db.carts.invalid' (-2)",
    nearMiss: "the host plays the server in act two",
  },
  {
    id: "interpreter-memory",
    kind: "out_of_memory",
    level: "typed",
    confidence: 0.96,
    lines: String.raw`
      vector => \bcannot allocate vector of (?:size|length)\b
      exhausted => \b[Hh]eap exhausted\b
      exhausted => \bvirtual memory exhausted\b
      allocate => \bcannot allocate memory block of size\b
    `,
    example: "Error: cannot allocate vector of size 7450.6 Gb",
    nearMiss: "allocate a vector of rows for each cart",
  },
  {
    id: "make-missing-program",
    kind: "command_not_found",
    level: "typed",
    confidence: 0.93,
    lines: String.raw`
      make,gmake => ^g?make(?:\[\d{1,3}\])?: [\w+-]{1,60}: No such file or directory$
      make,gmake => ^g?make(?:\[\d{1,3}\])?: [\w+-]{1,60}: Command not found$
    `,
    example: "make: cartlint-v2: No such file or directory",
    nearMiss: "make: src/cart.c: No such file or directory",
  },
  {
    id: "must-be-root",
    kind: "permission_denied",
    level: "exact",
    confidence: 0.92,
    ignoreCase: true,
    lines: String.raw`
      superuser,root,administrator => \bmust be (?:run as )?(?:superuser|root|an administrator)\b
      root => \bonly root (?:can|may)\b
      privileges => \b(?:root|superuser|administrator|elevated|admin) privileges\b
      root => \bare you root\?
    `,
    example: "mount: /mnt: must be superuser to use mount.",
    nearMiss: "the root of the tree must be a folder",
  },
  {
    id: "slow-transfer",
    kind: "timeout",
    level: "exact",
    confidence: 0.85,
    lines: String.raw`
      slow => \bOperation too slow\. Less than \d{1,9} bytes
      timeout,readtimeout,opentimeout => \bNet::(?:Read|Open|Write)Timeout\b
      expired => \bexecution expired\b
    `,
    example: "fatal: unable to access: Operation too slow. Less than 1000 bytes/sec transferred",
    nearMiss: "the cart page is slow on Mondays",
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
    example: "2026-02-01 10:00:00 (1.2 MB/s) - Connection closed at byte 2048. Retrying.",
    nearMiss: "wrote one byte to the server log",
  },
  {
    id: "parser-place",
    kind: "broken_build",
    level: "exact",
    confidence: 0.85,
    ignoreCase: true,
    lines: String.raw`
      error => ^[\w./\\-]{1,200}\.(?:y|l|cob|cbl|f|f90|f95|erl|hrl|pas|adb|ads|vala|nim|zig|hx|
      ... proto|thrift|g4|scss|sass|less|styl):\d{1,6}[.:]?\d{0,6}[-.\d]{0,9}: (?:fatal |syntax )?error\b
    `,
    example: "grammar.y:12.4: error: invalid character: '+'",
    nearMiss: "notes.txt:12: error: see below",
  },
  {
    id: "style-sheet",
    kind: "broken_build",
    level: "exact",
    confidence: 0.85,
    lines: String.raw`
      nameerror,parseerror,syntaxerror,error => ^\w{0,20}Error: .{1,200} in \S{1,200}\.(?:less|
      ... scss|sass|styl) on line \d
      stylesheet => ^\s{0,4}\S{1,200}\.(?:scss|sass) \d{1,6}:\d{1,6}\s{1,4}root stylesheet
    `,
    example: "NameError: .cart-mixin is undefined in /srv/carts/main.less on line 4, column 3:",
    nearMiss: "NameError: name 'cart' is not defined",
  },
  {
    id: "configuration-syntax",
    kind: "syntax_error",
    level: "typed",
    confidence: 0.88,
    lines: String.raw`
      emerg => ^(?:nginx: )?[\d/: ]{0,24}\[emerg\] .{0,24}(?:unexpected|unknown directive|invalid|directive)
      pom => \b(?:Non-parseable|Malformed) POM\b
      expecting => ^\S{1,200}meson\.build:\d{1,6}:\d{1,6}: ERROR: Expecting 
      json => \b(?:config(?:uration)?|file) is not (?:a )?valid JSON\b
      expecting => ^Expecting (?:property name|value|',' delimiter|':' delimiter).{0,60}: line \d
    `,
    example: 'nginx: [emerg] unexpected end of file, expecting "}" in /etc/nginx/cart.conf:12',
    nearMiss: "the nginx emerg level is for emergencies",
  },
  {
    id: "build-dependency",
    kind: "dependency_error",
    level: "typed",
    confidence: 0.85,
    lines: String.raw`
      dependency => \bERROR: Dependency "[^"]{1,120}" not found\b
      driver => \bPDOException: could not find driver\b
      requirements => ^configure: error: Package requirements \(
      package => \bNo package '[^']{1,80}' found\b
    `,
    example: 'meson.build:2:0: ERROR: Dependency "libcart" not found, tried pkgconfig and cmake',
    nearMiss: "the driver of the cart was not found guilty",
  },
  {
    id: "tool-not-enabled",
    kind: "tool_not_found",
    level: "typed",
    confidence: 0.9,
    settings: ["call", "agent", "model"],
    ignoreCase: true,
    lines: String.raw`
      tools,functions => \bis not (?:in|part of|one of|among) (?:the )?(?:set of |list of )?(?:the )?
      ... (?:enabled|available|allowed|known|registered|supported|valid) (?:tools|functions)\b
      unrecognised,unrecognized => \bunrecogni[sz]ed (?:tool|function)\b
      tool,function => \bno (?:tool|function) (?:named|called|with the name)\b
      tool => \bhas no tool ['"]
      tool => \bno handler (?:is )?registered for (?:the )?tool\b
    `,
    example: "call rejected: 'cartSearch' is not in the set of enabled tools [read, write]",
    nearMiss: "the tool finished and wrote one file",
  },
  {
    id: "native-assertion",
    kind: "agent_crash",
    level: "exact",
    confidence: 0.85,
    settings: ["agent"],
    lines: String.raw`
      assertion => ^[\s#]{0,8}Assertion failed: .{0,200}(?:uv_|node::|v8::)
      fatal => ^# Fatal error in 
    `,
    example: "#  Assertion failed: (0) == (uv_thread_create(t.get(), start_thread, this))",
    nearMiss: "Assertion failed: expected 3 carts",
  },
];
