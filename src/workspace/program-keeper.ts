/**
 * Ends what the workspace started when this process is gone, however it went: a small shell that is told of every
 * process group and reads until its input ends. Invariants: asked to end first, so that git takes its locks away,
 * and killed after a grace; a group that has ended is forgotten before its number can be another's.
 */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";

const KEEPER = `live=" "
while read -r sign group; do
  case $sign in
    +) live="$live$group " ;;
    -) live="\${live%% $group *} \${live#* $group }" ;;
  esac
done
set -- $live
[ $# -eq 0 ] && exit 0
for group; do kill -s TERM -- "-$group"; done 2>/dev/null
sleep 2
for group; do kill -s KILL -- "-$group"; done 2>/dev/null
exit 0`;

let keeper: Writable | undefined;

/** Gives what forgets the group again. */
export function keepGroup(group: number): () => void {
  const told = (keeper ??= started());
  told?.write(`+ ${group}\n`);
  return () => void told?.write(`- ${group}\n`);
}

/** In a session of its own, where nothing that a terminal sends reaches it. */
function started(): Writable | undefined {
  const { PATH = "" } = process.env;
  const child = spawn("sh", ["-c", KEEPER], {
    ...{ env: { PATH }, cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] },
  });
  const { stdin } = child;
  const forget = (): void => {
    if (keeper === stdin) keeper = undefined;
  };
  child.on("error", forget).on("exit", forget);
  if (stdin === null) return undefined;
  stdin.on("error", forget);
  child.unref();
  (stdin as Socket).unref();
  // Who ends in order waits for it: in a container nobody may bury what an ended process leaves.
  process.once("beforeExit", () => {
    stdin.end();
    child.ref();
  });
  return stdin;
}
