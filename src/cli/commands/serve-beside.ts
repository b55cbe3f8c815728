/**
 * `run --serve`: `unstuck serve` in a process of its own beside a run, for as long as the run is worked on here, so that
 * no reader ever holds up the run. Invariant: it ends with this process, however that ends.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { servedAt, signInLink } from "../../operations/serve/served.ts";
import { tell, writeOwnSecret } from "../io.ts";

/** Shows the link; returns how to end it. */
export async function serveBeside(): Promise<() => void> {
  const url = servedAt();
  if (url !== undefined) {
    showLink(signInLink(url, Date.now()));
    return () => undefined;
  }
  const child = spawn(
    process.execPath,
    [process.argv[1] ?? "", "serve", "--json", "--until-input-ends"],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const line = await new Promise<string>((resolve) => {
    createInterface(child.stdout).once("line", resolve);
    child.once("exit", () => resolve(""));
    child.once("error", () => resolve(""));
  });
  const stop = (): void => void child.stdin.end();
  if (line === "") tell("note: this run is not served; the run goes on");
  else showLink((JSON.parse(line) as { readonly link: string }).link);
  return stop;
}

function showLink(link: string): void {
  tell("Watch it in the browser, with this link, once:");
  writeOwnSecret(`  ${link}\n`, process.stderr);
}
