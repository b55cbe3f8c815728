/**
 * Finds the process at the other end of a local connection, where Linux can tell, and whether an attempt started it
 * (U14). Invariant: it stops accidents and shortcuts of agents, not a hostile program of the same user. An unknown peer
 * is not refused, because the request still carried a valid secret.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { refuseInsideAttempt } from "../inside-attempt.ts";

export interface Peer {
  readonly address: string;
  readonly port: number;
  readonly localPort: number;
}

export function refuseAttemptPeer(what: string, peer: Peer): void {
  const pid = peerProcess(peer);
  if (pid !== undefined) refuseInsideAttempt(what, { orphans: "allowed", pid });
}

/** Undefined if the peer is on another machine, belongs to another user, or the system does not tell. */
export function peerProcess({ address, port, localPort }: Peer): number | undefined {
  if (!/^(?:::1|(?:::ffff:)?127\.[\d.]+)$/.test(address)) return undefined;
  const inode = socketOf(port, localPort);
  return inode === undefined ? undefined : holderOf(`socket:[${inode}]`);
}

/** The row of the other end: there our port is the remote one. */
function socketOf(port: number, localPort: number): string | undefined {
  for (const table of ["/proc/self/net/tcp", "/proc/self/net/tcp6"])
    for (const line of linesOf(table).slice(1)) {
      const [, local = "", remote = "", ...fields] = line.trim().split(/\s+/);
      if (portIn(local) === port && portIn(remote) === localPort) return fields[6];
    }
  return undefined;
}

const portIn = (place: string): number => Number.parseInt(place.split(":")[1] ?? "", 16);

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "latin1").trimEnd().split("\n");
  } catch {
    return [];
  }
}

function holderOf(link: string): number | undefined {
  for (const name of namesIn("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const folder = `/proc/${name}/fd`;
    if (namesIn(folder).some((fd) => linkOf(`${folder}/${fd}`) === link)) return Number(name);
  }
  return undefined;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
