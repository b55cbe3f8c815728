/**
 * `unstuck serve`, `open` and `token`: the page and the HTTP API of this home, a link that signs a browser in, and the
 * tokens of programs. `run --serve` serves from a separate process, so that no client can slow the run down; it ends
 * with the run's process, however that ends. Invariant: a link or token is written once, to the terminal only.
 */
import { Command, Option } from "commander";
import { ProblemError } from "../../operations/operation.ts";
import { servedAt, signInLink } from "../../operations/serve/served.ts";
import { openInBrowser } from "../../operations/serve/open-browser.ts";
import { createToken, listTokens, revokeToken } from "../../operations/tokens/tokens.ts";
import { cleanLine } from "../../operations/text.ts";
import {
  perform,
  reportError,
  styled,
  tell,
  textColumns,
  write,
  writeJson,
  writeOwnSecret,
  type Flags,
} from "../io.ts";
import { numberOf, UsageError } from "../read-input.ts";
import { wrapped } from "../screen/line.ts";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

type ServeFlags = Flags<{
  readonly host: string;
  readonly port?: string;
  readonly name?: readonly string[];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecureBeyondLoopback?: boolean;
  readonly untilInputEnds?: boolean;
}>;

const serveOptions = (command: Command): Command =>
  command
    .option("--port <n>", "port to listen on; 0 takes any that is free; default: 7417")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--name <host...>", "a host name that browsers reach it by")
    .option("--tls-cert <file>", "certificate, for HTTPS")
    .option("--tls-key <file>", "its private key")
    .option("--insecure-beyond-loopback", "let other machines connect without TLS")
    .option("--json", "as JSON");

export function serve(): Command {
  return (
    serveOptions(
      new Command("serve").description(
        "Shows your runs in the browser, and offers them to programs over HTTP, until Ctrl-C.\n" +
          "The link it prints signs one browser in, once. Runs go on without it.",
      ),
    )
      // Used by `run --serve`: the server must not outlive the process that started it.
      .addOption(new Option("--until-input-ends").hideHelp())
      .action((flags: ServeFlags) => {
        const url = flags.port === undefined ? servedAt() : undefined;
        if (url !== undefined)
          throw new ProblemError(
            "not-now",
            `your runs are served already, at ${url}: unstuck open`,
          );
        return serveUntilStopped(flags, () => undefined);
      })
  );
}

export function open(): Command {
  return serveOptions(
    new Command("open").description(
      "Opens your runs in the browser, signed in. Serves them from here, if nothing does yet.",
    ),
  ).action(async (flags: ServeFlags) => {
    const url = servedAt();
    if (url === undefined) return serveUntilStopped(flags, openInBrowser);
    const link = signInLink(url, Date.now());
    showLink(url, link, flags.json === true);
    openInBrowser(link);
  });
}

async function serveUntilStopped(flags: ServeFlags, onLink: (link: string) => void): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  if (flags.untilInputEnds === true) process.stdin.on("end", stop).on("error", stop).resume();
  await serveUntil(flags, stopping.signal, onLink);
}

export async function serveUntil(
  flags: ServeFlags,
  until: AbortSignal,
  onLink: (link: string) => void,
): Promise<void> {
  const { serveHome } = await import("../../http/listen.ts");
  await serveHome({
    host: flags.host,
    port: numberOf("port", flags.port, 0, 65535),
    names: (flags.name ?? []).map((name) => name.toLowerCase()),
    ...tlsOf(flags),
    insecureBeyondLoopback: flags.insecureBeyondLoopback === true,
    cwd: process.cwd(),
    report: reportError,
    ready: (url) => {
      const link = signInLink(url, Date.now());
      showLink(url, link, flags.json === true);
      if (flags.json !== true) say("Ctrl-C stops serving; your runs go on.");
      onLink(link);
    },
    until,
  });
}

function showLink(url: string, link: string, json: boolean): void {
  if (json) return writeOwnSecret(JSON.stringify({ url, link }));
  say(`Serving your runs at ${url}`);
  say("Sign in with this link, once, within 10 minutes:");
  write("");
  writeOwnSecret(`  ${styled("bold", link)}\n`);
}

const say = (words: string): void => write(wrapped(words, textColumns()).join("\n"));

function tlsOf({ tlsCert: cert, tlsKey: key }: ServeFlags) {
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined)
    throw new UsageError("--tls-cert and --tls-key go together");
  return { tls: { cert, key } };
}

export function token(): Command {
  const command = new Command("token").description(
    "Tokens let programs use unstuck serve. Send one as: Authorization: Bearer TOKEN",
  );
  command
    .command("create")
    .description("make a token; it is shown once")
    .argument("<name>", "recorded as who decided, for example ci")
    .option("--days <n>", "how long it works; default: until you revoke it")
    .option("--json", "as JSON")
    .action(async (name: string, flags: Flags<{ readonly days?: string }>) => {
      const days = numberOf("days", flags.days, 1, 3650, false);
      const made = await perform(createToken, { name, days });
      writeOwnSecret(flags.json === true ? JSON.stringify(made) : made.token);
      if (flags.json === true) return;
      tell("Keep it now: it is not shown again.");
    });
  command
    .command("list")
    .description("list tokens and signed-in browsers")
    .option("--json", "as JSON")
    .action(async ({ json }: Flags) => {
      const listed = await perform(listTokens, {});
      if (json === true) return writeJson(listed);
      const { tokens } = listed;
      if (tokens.length === 0) return write("No tokens. Make one: unstuck token create NAME");
      const width = Math.max(...tokens.map(({ name }) => name.length));
      for (const { name, kind, created, expires } of tokens) {
        const until = expires === undefined ? "" : `, until ${dayOf(expires)}`;
        write(`${cleanLine(name, 60).padEnd(width)}  ${kind}, since ${dayOf(created)}${until}`);
      }
    });
  command
    .command("revoke")
    .description("make a token invalid at once, or sign browsers out")
    .argument("<name>", "as unstuck token list shows it")
    .option("--json", "as JSON")
    .action(async (name: string, { json }: Flags) => {
      const revoked = await perform(revokeToken, { name });
      if (json === true) writeJson(revoked);
      else write(`revoked ${revoked.name}`);
    });
  return command;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Shows the link; returns a function that ends the server. */
export async function serveBeside(): Promise<() => void> {
  const url = servedAt();
  if (url !== undefined) {
    tellLink(signInLink(url, Date.now()));
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
  else tellLink((JSON.parse(line) as { readonly link: string }).link);
  return stop;
}

function tellLink(link: string): void {
  tell("Watch it in the browser, with this link, once:");
  writeOwnSecret(`  ${link}\n`, process.stderr);
}
