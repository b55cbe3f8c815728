/**
 * Decides whether a request is allowed before anything is done, and signs browsers in and out. Invariants:
 * - An unknown host name is refused (DNS rebinding), and so is a request from a foreign page, whatever its cookie.
 * - A cookie alone changes nothing: a header that only our page sends must come with it.
 * - Wrong secrets are rate limited per address, the right one never is.
 * - A sign-in link works once; its code travels in a request body, so it appears in no log.
 * - Scripts cannot read the browser's cookie.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { accessOf, type KeptAccess, grant, revoke, useUpLink } from "../operations/serve/access.ts";
import { refusal, json } from "./answers.ts";
import { bodyOf } from "./call.ts";

const PAGE_HEADER = "x-unstuck";

export interface Site {
  readonly scheme: "http" | "https";
  /** Host names, besides addresses, under which browsers may reach this server. */
  readonly names: readonly string[];
}

const cookieName = (request: IncomingMessage): string => `unstuck-${request.socket.localPort ?? 0}`;

/** The refusal of a request that did not come from our page or a program, or undefined. */
export function foreignRequest(site: Site, request: IncomingMessage): Response | undefined {
  const { host = "" } = request.headers;
  if (!isOurName(site, request, host))
    return refusal({
      code: "not-allowed",
      message: "this name is not known here; unstuck serve --name adds one",
    });
  return isOfForeignPage(site, request)
    ? refusal({ code: "not-allowed", message: "requests of other sites are refused" })
    : undefined;
}

/** The path that takes a button's token. Its requests come from wherever the message is read, so no cookie counts. */
export const ANSWER_BY_TOKEN_PATH = "/api/answer-by-token";

/** The page itself contains no data, so links from other sites may lead to it. */
const PAGE_PATHS = /^\/(?!api\/|metrics\b)/;

function isOfForeignPage({ scheme, names }: Site, { headers, url = "" }: IncomingMessage): boolean {
  const { host = "", origin } = headers;
  const from = headers["sec-fetch-site"];
  if (PAGE_PATHS.test(url) || url === ANSWER_BY_TOKEN_PATH) return false;
  // Another port of this machine is the same site but another origin.
  if (from === "cross-site" || from === "same-site") return true;
  // A named host may be behind a proxy that adds TLS.
  const isNamed = names.includes(host.replace(/:\d+$/, "").toLowerCase());
  const own = [`${scheme}://${host}`, ...(isNamed ? [`https://${host}`] : [])];
  return origin !== undefined && !own.includes(origin);
}

/** An address cannot be a name that an attacker controls, but it has to be the one the client connected to. */
function isOurName({ names }: Site, { socket }: IncomingMessage, host: string): boolean {
  const { name = "", port = "" } =
    /^(?<name>\[[0-9a-f:]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?$/i.exec(host)?.groups ?? {};
  const plain = name.replace(/^\[|\]$/g, "").toLowerCase();
  const local = (socket.localAddress ?? "").replace(/^::ffff:/, "");
  if (names.includes(plain)) return true;
  if (port !== String(socket.localPort)) return false;
  if (isIP(plain) !== 0) return plain === local;
  return plain === "localhost" && isLoopback(local);
}

export const isLoopback = (address: string): boolean =>
  /^(?:::ffff:)?127\./.test(address) || address === "::1";

export interface Caller {
  readonly access: KeptAccess;
  /** Signed in by cookie. */
  readonly isBrowser: boolean;
}

/** The caller, or the response that refuses them. */
export function callerOf(request: IncomingMessage, tries: Tries): Caller | Response {
  const { authorization = "" } = request.headers;
  const bearer = /^Bearer (\S{1,200})$/i.exec(authorization)?.[1];
  const cookie = cookieOf(request);
  const secret = bearer ?? cookie;
  if (authorization !== "" && bearer === undefined) return unknownCaller();
  if (secret === undefined) return unknownCaller();
  const access = accessOf(secret, Date.now());
  const expected = bearer === undefined ? "browser" : "token";
  if (access?.kind === expected) return { access, isBrowser: bearer === undefined };
  return tries.failed(request) ?? unknownCaller();
}

/** Only our page sends this header; neither a form nor a foreign script can. */
export const lacksPageHeader = (request: IncomingMessage): boolean =>
  request.headers[PAGE_HEADER] === undefined ||
  !(request.headers["content-type"] ?? "").startsWith("application/json");

export const notFromPage = (): Response =>
  refusal({
    code: "not-allowed",
    message: "a change needs the header X-Unstuck and a body of JSON",
  });

function cookieOf(request: IncomingMessage): string | undefined {
  const wanted = `${cookieName(request)}=`;
  const cookies = (request.headers.cookie ?? "").split(";").map((one) => one.trim());
  return cookies.find((one) => one.startsWith(wanted))?.slice(wanted.length, wanted.length + 200);
}

function signedInCookie(
  { scheme }: Site,
  request: IncomingMessage,
  secret: string,
  seconds: number,
): string {
  const secure = scheme === "https" ? "; Secure" : "";
  return `${cookieName(request)}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure}`;
}

const unknownCaller = (): Response =>
  refusal({ code: "not-allowed", message: "sign in first: unstuck open" }, 401, {
    "www-authenticate": "Bearer",
  });

const tooManyTries = (waitMs: number): Response =>
  refusal(
    { code: "not-allowed", message: "too many wrong tries; wait a minute and try again" },
    429,
    { "retry-after": String(Math.ceil(waitMs / 1000)) },
  );

interface Tries {
  /**
   * Counts a wrong secret; returns the response for a client that has tried too many. The right secret is never
   * delayed.
   */
  readonly failed: (request: IncomingMessage) => Response | undefined;
}

const TRIES_MAX = 10;
const TRIES_MS = 60_000;
const ADDRESSES_MAX = 10_000;

/** Counts the wrong secrets of the last minute by address. */
export function triesCounter(now: () => number = Date.now): Tries {
  const failures = new Map<string, readonly number[]>();
  return {
    failed({ socket: { remoteAddress = "" } }) {
      const recent = (failures.get(remoteAddress) ?? []).filter((at) => now() - at < TRIES_MS);
      const [oldest = 0] = recent;
      if (recent.length >= TRIES_MAX) return tooManyTries(oldest + TRIES_MS - now());
      if (failures.size >= ADDRESSES_MAX) failures.clear();
      failures.set(remoteAddress, [...recent, now()]);
      return undefined;
    },
  };
}

const SIGNED_IN_DAYS = 30;

export async function signIn(
  site: Site,
  incoming: IncomingMessage,
  request: Request,
  tries: Tries,
): Promise<Response> {
  if (lacksPageHeader(incoming)) return notFromPage();
  const now = Date.now();
  if (!useUpLink(codeOf(await bodyOf(request)), now))
    return (
      tries.failed(incoming) ??
      refusal(
        {
          code: "not-allowed",
          message: "this link was used already, or is too old; make a new one: unstuck open",
        },
        401,
      )
    );
  const seconds = SIGNED_IN_DAYS * 24 * 60 * 60;
  const expires = now + seconds * 1000;
  const secret = grant({ kind: "browser", name: browserName(incoming), created: now, expires });
  const cookie = signedInCookie(site, incoming, secret, seconds);
  return json({ signedIn: true }, 200, { "set-cookie": cookie });
}

export function signOut({ access, isBrowser }: Caller): Response {
  if (isBrowser) revoke(access);
  return json({ signedIn: false });
}

function codeOf(body: string): string {
  try {
    const { code } = JSON.parse(body) as { readonly code?: unknown };
    return typeof code === "string" ? code : "";
  } catch {
    return "";
  }
}

const BROWSERS = ["Firefox", "Edg", "Chrome", "Safari"];

/** The browser's name in `unstuck token list`. */
function browserName({ headers }: IncomingMessage): string {
  const agent = headers["user-agent"] ?? "";
  const found = BROWSERS.find((name) => agent.includes(`${name}/`));
  return found === "Edg" ? "Edge" : (found ?? "browser");
}
