/** A server on loopback that keeps what it is sent, and answers as it is told. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Receiver {
  readonly url: string;
  readonly requests: Request[];
  /** What is answered from now on. */
  status: number;
  /** Called with each request before it is answered. */
  onRequest: () => void;
  close(): Promise<void>;
}

export async function receiver(): Promise<Receiver> {
  const requests: Request[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      requests.push({ method, path, headers, body: Buffer.concat(parts) });
      here.onRequest();
      response.writeHead(here.status, { location: "/elsewhere" }).end("{}");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const here: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    status: 200,
    onRequest: () => undefined,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return here;
}
