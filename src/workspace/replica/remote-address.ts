/**
 * Addresses of remote repositories, and running git on them. An address with a password or token is refused without
 * being repeated; allowed protocols are https, http, ssh and file. Credentials are left to git, its helpers and its
 * variables. Nothing ever prompts.
 */
import { cleanLine } from "../../core/foreign-text.ts";
import { redactionOf } from "../../core/redact/redaction.ts";
import type { Control } from "../base/operation.ts";
import { refusalOf, refuse } from "../base/refusal.ts";
import { git, type GitCall, type GitEnv, type GitOutput } from "../git/git.ts";

const ADDRESS_MAX = 2000;
const USABLE =
  "use https://host/path, ssh://host/path, git@host:path, file:///path or an absolute path";

export function requireAddress(url: string): void {
  if (url.length > ADDRESS_MAX || /[\0-\x1f\x7f]/.test(url))
    refuse("unusable-address", `this is not a valid git address: ${USABLE}`);
  if (url.startsWith("/") || isSshPlace(url)) return;
  const parsed = /^(?:https?|ssh|file):\/\//.test(url) ? URL.parse(url) : null;
  if (parsed === null)
    refuse("unusable-address", `this is not a git address that a worker can use: ${USABLE}`);
  const isWeb = parsed.protocol.startsWith("http");
  const holdsMore = isWeb && (parsed.search !== "" || parsed.hash !== "");
  if (parsed.password !== "" || holdsMore || redactionOf([]).text(url) !== url)
    refuse(
      "unusable-address",
      "the git address contains a password or token, which would show up in command lines and logs. Remove it, and let git " +
        "supply it: with an SSH key, a credential helper (git config credential.helper) or GIT_ASKPASS",
    );
}

/** `git@host:path`, distinguished from a path as git does it; a password is not allowed in it. */
const isSshPlace = (url: string): boolean =>
  /^(?:[A-Za-z0-9_][\w.-]{0,100}@)?[A-Za-z0-9][\w.-]{0,250}:(?!\/\/|[^/@\s]*@[^/:\s]*:)[^\s:]\S*$/.test(
    url,
  );

/** Variables through which people give git credentials and proxies, except those that open a window. */
const FOR_GIT =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_\w+|HTTP_\w+|PROXY_\w+|CONFIG_COUNT|CONFIG_(?:KEY|VALUE)_\d{1,3})$/;
const NOT_PASSED =
  /^(?:GIT_.*|PATH|HOME|TMPDIR|XDG_CONFIG_HOME|LC_ALL|DISPLAY|WAYLAND_DISPLAY|SSH_ASKPASS.*|VSCODE_.*|NODE_.*)$/;

function surroundings(): GitEnv {
  const passed = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (FOR_GIT.test(entry[0]) || !NOT_PASSED.test(entry[0])),
  );
  return {
    ...Object.fromEntries(passed),
    ...{ GIT_ALLOW_PROTOCOL: "file:http:https:ssh", GCM_INTERACTIVE: "never" },
  };
}

/** Runs a git that talks to the remote. Its error messages reach a person, without any credentials from the address. */
export async function remoteGit(
  url: string,
  call: Omit<GitCall, "config">,
  control: Control,
): Promise<GitOutput> {
  requireAddress(url);
  try {
    const env = { ...surroundings(), ...call.env };
    return await git({ ...call, env, config: "user" }, control);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    const isRemotes = ["git-failed", "not-a-repository"].includes(refusal.kind);
    return isRemotes
      ? refuse("remote-failed", remoteWords(url, refusal.detail))
      : refuse(refusal.kind, withoutCredentials(refusal.detail));
  }
}

export const remoteWords = (url: string, said: string): string =>
  `could not reach ${cleanLine(url, 200)}: ${withoutCredentials(said)}. Try it on this machine: git ls-remote ${cleanLine(url, 200)}`;

/** The user's settings may add a token to the address that git prints. */
const withoutCredentials = (said: string): string =>
  cleanLine(
    redactionOf([])
      .text(said)
      .replace(/:\/\/[^/@\s]{1,500}@/g, "://"),
    600,
  );
