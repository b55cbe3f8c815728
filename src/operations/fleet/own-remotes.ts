/**
 * Which runs of a fleet belong to the current repository: those of its remotes, however their addresses are written.
 * Addresses are foreign text and only compared.
 */
import { runTool } from "../run-tool.ts";
import { fleetUrl } from "./url.ts";

/** In the form of `remoteKey`; empty if no fleet is configured. */
export async function ownRemotes(root: string): Promise<readonly string[]> {
  if (fleetUrl() === undefined) return [];
  const args = ["config", "--get-regexp", "^remote\\..*\\.url$"];
  const listed = await runTool("git", args, { cwd: root });
  return (listed?.stdout ?? "")
    .split("\n")
    .map((line) => line.slice(line.indexOf(" ") + 1))
    .filter((url) => url !== "")
    .map(remoteKey);
}

const WITH_SCHEME = /^(?:https?|ssh|git|file):\/\/(?:[^/@]{0,1000}@)?(.{1,2000})$/i;
const LIKE_SCP = /^(?:[^/@:]{1,200}@)?([^/:]{1,300}):(?!\/\/)\/{0,1}(.{1,2000})$/;

/** Equal for `https://host/a/b.git`, `ssh://git@host/a/b` and `git@host:a/b.git`. */
export function remoteKey(url: string): string {
  const [, withHost] = WITH_SCHEME.exec(url) ?? [];
  const [, host, path] = withHost === undefined ? (LIKE_SCP.exec(url) ?? []) : [];
  const place = withHost ?? (host === undefined ? url : `${host}/${path ?? ""}`);
  const plain = place.endsWith("/") ? place.slice(0, -1) : place;
  const whole = plain.endsWith(".git") ? plain.slice(0, -".git".length) : plain;
  const slash = whole.indexOf("/");
  return whole.slice(0, slash).toLowerCase() + whole.slice(slash);
}
