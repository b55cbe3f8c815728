/**
 * Secrets in the shapes they come in. All values are made up, from parts, so that no scanner
 * takes this file for a leak.
 */

export interface Shape {
  readonly text: string;
  /** What must be gone. */
  readonly secret: string;
  /** What is left. */
  readonly said: string;
}

const ALPHABET = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0z";
let made = 0;

/** Letters and digits that come in no other shape. */
function random(length: number): string {
  made += 1;
  let state = made * 7919;
  let text = "";
  while (text.length < length) {
    state = (state * 1103515245 + 12345) % 2147483648;
    text += ALPHABET.charAt(Math.floor(state / 65536) % ALPHABET.length);
  }
  return `${text.slice(0, -1)}7`;
}
const upper = (length: number): string => random(length).toUpperCase().replaceAll("Z", "Y");
const hex = (length: number): string =>
  Array.from(random(length), (letter) => (letter.charCodeAt(0) % 16).toString(16)).join("");

const MARK = "[secret 1]";
const shape = (secret: string, textOf: (secret: string) => string, said = textOf(MARK)): Shape => ({
  text: textOf(secret),
  secret,
  said,
});
const around = (secret: string): Shape => shape(secret, (s) => `use ${s} now`);

/** By how they begin. */
const PROVIDERS: readonly (readonly [string, number])[] = [
  ...(["sk-ant-api03-", "sk-proj-", "sk-or-v1-", "sk-svcacct-", "sk-", "xai-"] as const).map(
    (begin) => [begin, 48] as const,
  ),
  ...["gs" + "k_", "h" + "f_", "r8" + "_", "pplx" + "-", "nvapi" + "-", "tvly" + "-"].map(
    (begin) => [begin, 40] as const,
  ),
  ...["ghp", "gho", "ghu", "ghs", "ghr", "github_pat"].map((begin) => [`${begin}_`, 36] as const),
  ...["glpat", "glcbt", "gldt", "glrt", "glptt"].map((begin) => [`${begin}-`, 20] as const),
  ...["xoxb", "xoxp", "xoxa", "xapp"].map((begin) => [`${begin}-`, 40] as const),
  ...["npm", "pypi"].map((begin, at) => [`${begin}${at === 0 ? "_" : "-"}`, 36] as const),
  ["unstuck_", 43] as const,
  ...["AI" + "za", "ya" + "29.", "GOC" + "SPX-"].map((begin) => [begin, 35] as const),
  ...["S" + "G.", "hv" + "s.", "hv" + "b.", "dckr" + "_pat_"].map((begin) => [begin, 40] as const),
  ...["sk_" + "live_", "rk_" + "live_", "sk_" + "test_", "whs" + "ec_"].map(
    (begin) => [begin, 24] as const,
  ),
  ...["shp" + "at_", "shp" + "ss_", "dop" + "_v1_", "lin" + "_api_", "fig" + "d_"].map(
    (begin) => [begin, 32] as const,
  ),
  ...["sb" + "p_", "gls" + "a_", "PM" + "AK-", "NR" + "AK-", "rubygems" + "_", "sntrys" + "_"].map(
    (begin) => [begin, 32] as const,
  ),
  ...["sq0" + "atp-", "pul" + "-", "dp" + ".pt.", "pcs" + "k_", "lsv2" + "_pt_"].map(
    (begin) => [begin, 40] as const,
  ),
];

const DASHES = "-".repeat(5);
const KEY = "PRIVATE KEY";
const lines = (count: number): string => Array.from({ length: count }, () => random(64)).join("\n");
const pem = (kind: string, body: string): string =>
  `${DASHES}BEGIN ${kind}${KEY}${DASHES}\n${body}\n${DASHES}END ${kind}${KEY}${DASHES}`;

const password = (): string => `pw${random(8)}`;

export const SHAPES: readonly Shape[] = [
  ...PROVIDERS.map(([begin, length]) => around(begin + random(length))),
  around(`AK${"IA"}${upper(16)}`),
  around(`AS${"IA"}${upper(16)}`),
  around(`AGE-${"SECRET"}-KEY-1${upper(58)}`),
  around(`da${"pi"}${hex(32)}`),
  around(`ke${"y-"}${hex(32)}`),
  around(`ey${"J"}${random(20)}.${random(40)}.${random(30)}`),
  around(`123456789:A${"A"}${random(33)}`),
  // NAME=value
  shape(random(20), (s) => `X_KEY=${s}`),
  shape(random(20), (s) => `export STRIPE_API_KEY="${s}"`),
  shape(password(), (s) => `DB_PASS=${s}`),
  shape(password(), (s) => `MYSQL_PWD=${s} mysql`),
  shape("swordfishes", (s) => `POSTGRES_PASSWORD=${s}`),
  shape("tr0ub4", (s) => `ADMIN_PASSWORD=${s}`),
  shape(password(), (s) => `PGPASSWORD='${s}' psql`),
  shape(`${password()}!$%&*`, (s) => `SMTP_PASSWORD=${s}`),
  shape(random(40), (s) => `SECRET_KEY_BASE=${s}`),
  shape(random(32), (s) => `JWT_SECRET=${s}`),
  shape(random(32), (s) => `  - GITHUB_TOKEN=${s}`),
  shape(random(24), (s) => `docker run -e SERVICE_TOKEN=${s} image`),
  shape(random(24), (s) => `set AZURE_CLIENT_SECRET=${s}`),
  shape(random(24), (s) => `$env:DEPLOY_TOKEN = "${s}"`),
  shape(`${random(43)}=`, (s) => `AccountName=x;AccountKey=${s};EndpointSuffix=core.windows.net`),
  shape(`${random(43)}=`, (s) => `Endpoint=sb://x/;SharedAccessKeyName=r;SharedAccessKey=${s}`),
  shape(password(), (s) => `Server=db;User Id=sa;Password=${s};Encrypt=true`),
  shape(password(), (s) => `Server=db;Uid=sa;Pwd=${s};`),
  shape(random(40), (s) => `aws_secret_access_key = ${s}`),
  shape(random(40), (s) => `aws_session_token=${s}`),
  shape(random(36), (s) => `//npm.example/:_authToken=${s}`),
  shape(random(36), (s) => `_auth=${s}`),
  shape(random(20), (s) => `API_KEY_2=${s}`),
  shape(random(30), (s) => `SIGNING_KEY: ${s}`),
  // JSON
  shape(password(), (s) => `{"user":"bob","password":"${s}"}`),
  shape(random(24), (s) => `{"apiKey": "${s}", "model": "m"}`),
  shape(random(24), (s) => `{ 'client_secret': '${s}' }`),
  shape(random(24), (s) => `{"access_token":"${s}","token_type":"bearer"}`),
  shape(random(24), (s) => `{"refreshToken" : "${s}"}`),
  shape("9876543210", (s) => `{"password": ${s}, "n": 1}`, `{"password": "${MARK}", "n": 1}`),
  shape("correct horse battery staple", (s) => `{"passphrase":"${s}"}`),
  shape(random(24), (s) => JSON.stringify({ text: `export API_KEY="${s}"\nfoo` })),
  shape(password(), (s) => JSON.stringify({ text: `{"password":"${s}"}` })),
  shape(password(), (s) => JSON.stringify({ a: JSON.stringify({ b: `PASSWORD='${s}'\n` }) })),
  shape(random(24), (s) => JSON.stringify({ output: `a\nDEPLOY_TOKEN=${s}\nb` })),
  shape(random(24), (s) => `{"auths":{"registry":{"auth":"${s}"}}}`),
  // YAML, TOML, INI, code
  shape(password(), (s) => `db:\n  password: ${s}\n  port: 1`),
  shape("swordfisher", (s) => `password: ${s}`),
  shape(random(24), (s) => `  api_key: '${s}'`),
  shape(random(24), (s) => `- name: x\n  token: "${s}"`),
  shape(random(24), (s) => `secret_key = "${s}"`),
  shape(password(), (s) => `password = '${s}'`),
  shape(password(), (s) => `passwd: ${s}`),
  shape(random(24), (s) => `const apiKey = "${s}";`),
  shape(random(24), (s) => `token := "${s}"`),
  shape(password(), (s) => `:password => "${s}",`),
  shape(password(), (s) => `'db_password' => '${s}',`),
  shape(random(24), (s) => `os.environ["OPENAI_API_KEY"] = "${s}"`),
  shape(password(), (s) => `connect(host="h", password="${s}")`),
  shape(password(), (s) => `if (password == "${s}") {`),
  shape(password(), (s) => `<password>${s}</password>`),
  shape(random(24), (s) => `<apiKey>${s}</apiKey>`),
  shape(random(24), (s) => `my-client-secret: ${s}`),
  shape(random(24), (s) => `credentials=${s}`),
  shape(random(24), (s) => `privateKey: "${s}"`),
  // addresses
  shape(password(), (s) => `postgres://bob:${s}@db:5432/app`),
  shape(password(), (s) => `redis://:${s}@cache:6379`),
  shape(`p%40${password()}`, (s) => `mongodb+srv://u:${s}@cluster/x`),
  shape(random(30), (s) => `https://${s}@host/repo.git`),
  shape(random(30), (s) => `https://x-access-token:${s}@host/repo.git`),
  shape(random(24), (s) => `GET https://host/x?a=1&access_token=${s}&b=2`),
  shape(random(24), (s) => `https://host/x?api_key=${s}`),
  shape(random(44), (s) => `https://acc.blob/x?sv=1&sig=${s}&se=2`),
  shape(hex(64), (s) => `https://s3/x?X-Amz-Security-Token=${s}`),
  shape(random(24), (s) => `https://host/cb#id_token=${s}`),
  shape(
    `T0${upper(8)}/B0${upper(8)}/${random(24)}`,
    (s) => `https://hooks.slack.com/services/${s}`,
  ),
  shape(random(60), (s) => `https://discord.com/api/webhooks/123456789012345678/${s}`),
  shape(random(32), (s) => `amqp://guest:${s}@mq/`),
  // headers, command lines
  shape(random(30), (s) => `Authorization: Bearer ${s}`),
  shape(random(30), (s) => `authorization: Basic ${s}==`, `authorization: Basic ${MARK}`),
  shape(random(30), (s) => `Authorization: token ${s}`),
  shape(random(30), (s) => `Proxy-Authorization: Basic ${s}`),
  shape(random(30), (s) => `curl -H "Authorization: Bearer ${s}" https://h`),
  shape(random(30), (s) => `{"headers":{"Authorization":"Bearer ${s}"}}`),
  shape(random(30), (s) => `X-Api-Key: ${s}`),
  shape(random(30), (s) => `x-auth-token: ${s}`),
  shape(random(30), (s) => `PRIVATE-TOKEN: ${s}`),
  shape(random(30), (s) => `sent bearer ${s} to it`),
  shape(random(30), (s) => `Cookie: session=${s}; theme=dark`, `Cookie: ${MARK}`),
  shape(random(30), (s) => `Set-Cookie: sid=${s}; Path=/; HttpOnly`),
  shape(
    random(30),
    (s) => `curl --cookie "x" -H 'Cookie: a=${s}' https://h`,
    `curl --cookie "x" -H 'Cookie: ${MARK}' https://h`,
  ),
  shape(password(), (s) => `curl -u bob:${s} https://host`),
  shape(password(), (s) => `curl --user 'bob:${s}' https://host`),
  shape(password(), (s) => `mysql -u root -p${s} app`),
  shape(password(), (s) => `sshpass -p ${s} ssh host`),
  shape(password(), (s) => `docker login -u bob -p ${s}`),
  shape(password(), (s) => `tool --password ${s} go`),
  shape(random(24), (s) => `tool --api-key ${s} go`),
  shape(random(24), (s) => `tool --token=${s} go`),
  shape(password(), (s) => `redis-cli -h h -a ${s} ping`),
  shape(password(), (s) => `machine h login bob password ${s}`),
  // PEM
  ...["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA "].map((kind) => {
    return shape(lines(3), (body) => `a\n${pem(kind, body)}\nb`, `a\n${MARK}\nb`);
  }),
  shape(lines(2), (s) => JSON.stringify({ private_key: pem("", s) }), `{"private_key":"${MARK}"}`),
  shape(
    lines(2),
    (s) => pem("RSA ", `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB-CD\n\n${s}`),
    MARK,
  ),
  shape(
    lines(2),
    (s) =>
      `${DASHES}BEGIN PGP ${KEY} BLOCK${DASHES}\n\n${s}\n=abcd\n${DASHES}END PGP ${KEY} BLOCK${DASHES}`,
    MARK,
  ),
  shape(
    lines(2),
    (s) => `${DASHES}BEGIN ${KEY}${DASHES}\n${s}\n\nand then it was cut off`,
    `${MARK}\n\nand then it was cut off`,
  ),
  shape(
    random(64),
    (s) => `KEY="${DASHES}BEGIN ${KEY}${DASHES} ${s} ${DASHES}END ${KEY}${DASHES}"`,
    `KEY="${MARK}"`,
  ),
  // glued to what stands before
  shape(`gh${"p_"}${random(36)}`, (s) => `\u001b[31m${s}\u001b[0m`),
  shape(`gh${"p_"}${random(36)}`, (s) => JSON.stringify({ text: `\u001b[31m${s}\u001b[0m\n${s}` })),
  shape(`gl${"pat-"}${random(20)}`, (s) => `x=%20${s}&y`),
];

/** Pieces by which a secret of several lines is found when it is written in another way. */
export const piecesOf = ({ secret }: Shape): readonly string[] => secret.split("\n");
