/**
 * A separate process: the server of a home, a token for it and a link that signs a browser in. `node server.ts
 * FOLDER-OF-THE-PAGE`
 */
import { serveHome } from "../../src/http/listen.ts";
import { signInLink } from "../../src/operations/serve/served.ts";
import { createToken } from "../../src/operations/tokens/tokens.ts";

const [webFolder = ""] = process.argv.slice(2);
const made = await createToken.run({ cwd: process.cwd() }, { name: `bench-${process.pid}` });
if (!made.ok) throw new Error(made.problem.message);
await serveHome({
  ...{ host: "127.0.0.1", port: 0, names: [], insecureBeyondLoopback: false },
  ...{ cwd: process.cwd(), webFolder, report: console.error },
  ready(url) {
    const link = signInLink(url, Date.now());
    console.log(JSON.stringify({ url, link, token: made.value.token, pid: process.pid }));
  },
  until: new AbortController().signal,
});
