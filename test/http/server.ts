/**
 * A server of a new home within the test's own process, and requests to it as they stand on the wire: any host, any
 * path, any header. The home is gone after the test.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveHome, type ServeOptions } from "../../src/http/listen.ts";
import { signInLink } from "../../src/operations/serve/served.ts";
import { createToken } from "../../src/operations/tokens/tokens.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly home: string;
  readonly send: (sent: Sent) => Promise<Answer>;
  /** A new token of this name. */
  readonly token: (name: string) => Promise<string>;
  /** The code of a new sign-in link. */
  readonly code: () => string;
  /** What a browser would send from then on. */
  readonly cookie: () => Promise<string>;
  readonly reported: readonly unknown[];
  readonly close: () => Promise<void>;
}

export async function testServer(more: Partial<ServeOptions> = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-http-"));
  const home = join(folder, "home");
  const config = join(folder, ".config", "unstuck");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "config.yaml"), "answers: unattended\nkeepAwake: false\n");
  Object.assign(process.env, { UNSTUCK_HOME: home, HOME: folder, XDG_CONFIG_HOME: "" });
  delete process.env["UNSTUCK_ATTEMPT"];
  const ending = new AbortController();
  const reported: unknown[] = [];
  const { promise: url, resolve: ready } = Promise.withResolvers<string>();
  const closed = serveHome({
    ...{ host: "127.0.0.1", port: 0, names: [], insecureBeyondLoopback: false, cwd: folder },
    ...{ webFolder: join(folder, "web"), ...more },
    report: (error) => reported.push(error),
    ready,
    until: ending.signal,
  });
  const at = await Promise.race([url, closed.then(() => "")]);
  const port = Number(new URL(at).port);
  const send = (sent: Sent): Promise<Answer> => sendTo(port, sent);
  const code = (): string => signInLink(at, Date.now()).split("#")[1] ?? "";
  return {
    ...{ url: at, port, home, send, code, reported },
    async token(name) {
      const made = await createToken.run({ cwd: folder }, { name });
      if (!made.ok) throw new Error(made.problem.message);
      return made.value.token;
    },
    async cookie() {
      const { headers } = await send({
        method: "POST",
        path: "/api/sign-in",
        headers: PAGE,
        body: JSON.stringify({ code: code() }),
      });
      const [set = ""] = [headers["set-cookie"]].flat();
      return set.split(";")[0] ?? "";
    },
    async close() {
      ending.abort();
      await closed;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What the page sends with a change. */
export const PAGE = { "x-unstuck": "1", "content-type": "application/json" };

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export function sendTo(port: number, sent: Sent): Promise<Answer> {
  const { method = "GET", path = "/", headers = {}, body } = sent;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: "127.0.0.1", port, method, path, headers, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => (text += piece));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

export const problemIn = ({ text }: Answer): { code: string; message: string } =>
  (JSON.parse(text) as { problem: { code: string; message: string } }).problem;
