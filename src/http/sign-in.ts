/**
 * Signing a browser in and out. Invariants: a link signs in once; its code comes in a body, so that it stands in no log
 * and in no referrer; what the browser keeps can be read by no script.
 */
import type { IncomingMessage } from "node:http";
import { grant, revoke, useUpLink } from "../operations/serve/access.ts";
import { bodyOf } from "./call.ts";
import { lacksPageHeader, notFromPage, signedInCookie } from "./guard.ts";
import type { Caller, Site, Tries } from "./guard.ts";
import { json, refusal } from "./problems.ts";

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

/** What a person knows it by in `unstuck token list`. */
function browserName({ headers }: IncomingMessage): string {
  const agent = headers["user-agent"] ?? "";
  const found = BROWSERS.find((name) => agent.includes(`${name}/`));
  return found === "Edg" ? "Edge" : (found ?? "browser");
}
