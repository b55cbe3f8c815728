// proves: U14
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer, type Socket } from "node:net";
import { platform } from "node:os";
import { test } from "node:test";
import { peerProcess } from "../../../src/operations/serve/peer.ts";

test("the process at the other end is found", { skip: platform() !== "linux" }, async () => {
  const { promise: taken, resolve: take } = Promise.withResolvers<Socket>();
  const server = createServer(take).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const child = spawn(process.execPath, [
    "-e",
    `require("node:net").connect(${address.port}, "127.0.0.1")`,
  ]);
  const socket = await taken;
  try {
    const { remoteAddress = "", remotePort = 0, localPort = 0 } = socket;
    const peer = { address: remoteAddress, port: remotePort, localPort };
    assert.equal(peerProcess(peer), child.pid);
    assert.equal(peerProcess({ ...peer, address: "192.0.2.1" }), undefined, "another machine's");
    assert.equal(peerProcess({ ...peer, port: 1 }), undefined, "nobody's");
  } finally {
    socket.destroy();
    child.kill();
    server.close();
  }
});
