/** Whether an agent's version is one it was tested with. An untested version works with a warning, never less. */
import type { AgentProfile } from "./agent.ts";

const VERSION = /(\d{1,6})\.(\d{1,6})\.(\d{1,6})/;

/** The first `1.2.3` in what a program prints about its version. */
export const versionIn = (text: string): string | undefined => VERSION.exec(text)?.[0];

export function versionWarning(
  { title, tested: { from, below } }: Pick<AgentProfile, "title" | "tested">,
  text: string,
): string | undefined {
  const version = versionIn(text);
  if (version === undefined) return undefined;
  return !isBefore(version, from) && isBefore(version, below)
    ? undefined
    : `${title} ${version} is not tested with Unstuck (tested: ${from} to below ${below})`;
}

export const isBefore = (version: string, other: string): boolean => rank(version) < rank(other);

function rank(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return (major * 1e6 + minor) * 1e6 + patch;
}
