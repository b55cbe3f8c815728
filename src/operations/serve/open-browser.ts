/** Opens a link in the user's browser with the system's own opener; without one, the link is shown anyway. */
import { spawn } from "node:child_process";

const OPENERS: { readonly [platform in NodeJS.Platform]?: string } = {
  darwin: "open",
  linux: "xdg-open",
  freebsd: "xdg-open",
};

export function openInBrowser(link: string): void {
  const program = OPENERS[process.platform];
  if (program === undefined) return;
  const child = spawn(program, [link], { detached: true, stdio: "ignore" });
  child.once("error", () => undefined);
  child.unref();
}
