/**
 * Detects commands that would destroy something irrecoverable: the machine's own files, disks and home folders, or
 * shared things (published history, databases, clusters). The command is split into words as a shell would, so text
 * that only mentions such a command does not match. Invariants: linear time, bounded sizes; never throws.
 */
import { shellCommands, type ShellCommand } from "./commands.ts";
import { programOf } from "./variables.ts";

export interface Destruction {
  /** What would happen, for people. */
  readonly why: string;
  /** Whether something on this machine is lost, or something shared with others. */
  readonly of: "machine" | "shared";
}

const MAX_CHARS = 8000;
const MAX_DEPTH = 3;
const WRAPPERS_MAX = 6;

/** `tree`: the folder in which the command may work, if known. */
export function destructive(command: string, tree?: string, depth = 0): Destruction | undefined {
  const text = command.slice(0, MAX_CHARS).replace(/\$\{HOME\}|\$HOME\b/g, "~");
  if (FORK_BOMB.test(text)) return machine("starts processes without an end");
  const written: string[] = [];
  const commands = shellCommands(text, { wrote: (file) => written.push(file) });
  if (written.some((file) => DISK.test(file))) return machine("writes over a disk");
  for (const [index, one] of commands.entries()) {
    const found =
      ofCommand(wordsOf(one), tree, depth) ?? ofPipe(commands[index - 1], wordsOf(one), one);
    if (found !== undefined) return found;
  }
  return undefined;
}

const machine = (why: string): Destruction => ({ why, of: "machine" });
const shared = (why: string): Destruction => ({ why, of: "shared" });

const FORK_BOMB = /([\w:.]{1,20})\s{0,4}\(\)\s{0,4}\{\s{0,4}\1\s{0,4}\|\s{0,4}\1\s{0,4}&/;
const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|md\d)/;

/** Programs that run another command given as arguments. */
const WRAPPERS = new Set("sudo doas env nohup command exec time nice stdbuf".split(" "));
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh", "fish"]);

interface Words {
  readonly program: string;
  readonly args: readonly string[];
  /** Run with the rights of another user. */
  readonly raised: boolean;
}

function wordsOf(command: ShellCommand): Words {
  let words = programOf(command.words).words;
  let raised = false;
  for (let round = 0; ; round += 1) {
    const [path = "", ...args] = words;
    const program = path.slice(path.lastIndexOf("/") + 1);
    if (round === WRAPPERS_MAX || !WRAPPERS.has(program)) return { program, args, raised };
    raised ||= program === "sudo" || program === "doas";
    const at = args.findIndex((word) => !word.startsWith("-") && !word.includes("="));
    words = at < 0 ? [] : args.slice(at);
  }
}

/** Downloaded content is piped into a shell with root rights. */
function ofPipe(
  before: ShellCommand | undefined,
  { program, raised }: Words,
  { start }: ShellCommand,
): Destruction | undefined {
  if (before?.endedBy !== "|" || before.end > start || !raised || !SHELLS.has(program))
    return undefined;
  const fetcher = wordsOf(before).program;
  return fetcher === "curl" || fetcher === "wget"
    ? machine("runs what it fetches with all rights")
    : undefined;
}

function ofCommand(words: Words, tree: string | undefined, depth: number): Destruction | undefined {
  const { program, args } = words;
  const script = args[args.findIndex((arg) => /^-[a-z]{0,4}c$/.test(arg)) + 1];
  if (SHELLS.has(program) && args.some((arg) => /^-[a-z]{0,4}c$/.test(arg)) && depth < MAX_DEPTH)
    return destructive(script ?? "", tree, depth + 1);
  if (program === "eval" && depth < MAX_DEPTH) return destructive(args.join(" "), tree, depth + 1);
  return ofFiles(words, tree) ?? ofDisks(words) ?? ofShared(words);
}

const isRecursive = (args: readonly string[]): boolean =>
  args.some((arg) => /^-[a-zA-Z]{0,8}[rR]/.test(arg) || /^--?(?:recursive|Recurse)$/.test(arg)) ||
  args.some((arg) => /^\/s$/i.test(arg));

function ofFiles({ program, args }: Words, tree: string | undefined): Destruction | undefined {
  const targets = args.filter((arg) => !arg.startsWith("-"));
  const lost = targets.find((target) => isFar(target, tree));
  const isOfSystem = targets.find((target) => isFar(target, undefined));
  switch (program) {
    case "rm":
    case "rd":
    case "rmdir":
    case "del":
    case "Remove-Item":
      return lost !== undefined && isRecursive(args) ? machine(`deletes ${lost}`) : undefined;
    case "find":
      return lost !== undefined && args.some((arg) => arg === "-delete" || arg === "rm")
        ? machine(`deletes what it finds in ${lost}`)
        : undefined;
    case "chmod":
    case "chown":
      return isOfSystem !== undefined && isRecursive(args)
        ? machine(`changes the rights of all in ${isOfSystem}`)
        : undefined;
    case "mv":
      return isOfSystem !== undefined && isOfSystem === targets[0]
        ? machine(`moves ${isOfSystem} away`)
        : undefined;
    default:
      return undefined;
  }
}

/** Folders of the system and its users themselves, but not paths deep inside them. */
const SYSTEM =
  /^(?:\/(?:\.?\*|\.)?|~\w{0,40}\/?\*?|\/(?:bin|boot|dev|etc|home|lib\w{0,4}|mnt|opt|proc|root|sbin|srv|sys|usr|var|System|Library|Users|Applications)(?:\/\*?)?|\/(?:home|Users)\/[^/]{1,60}\/?\*?|[A-Za-z]:[\\/]{0,2}(?:Windows|Users)?[\\/]?\*?)$/;
const SCRATCH = /^\/(?:private\/)?(?:var\/)?tmp\/./;

/** Outside the tree, or part of the system. */
function isFar(target: string, tree: string | undefined): boolean {
  const path = target.replace(/\/{2,}/g, "/");
  if (SYSTEM.test(path) || /^\.\.(?:\/|$)/.test(path)) return true;
  if (tree === undefined || !path.startsWith("/") || SCRATCH.test(path)) return false;
  return !`${path}/`.startsWith(`${tree.replace(/\/{1,9}$/, "")}/`);
}

function ofDisks({ program, args }: Words): Destruction | undefined {
  if (/^mkfs(?:\.\w{1,12})?$|^wipefs$|^shred$|^blkdiscard$/.test(program))
    return args.some((arg) => DISK.test(arg)) ? machine("writes over a disk") : undefined;
  if (program === "dd")
    return args.some((arg) => arg.startsWith("of=") && DISK.test(arg.slice(3)))
      ? machine("writes over a disk")
      : undefined;
  if (program === "format" && /^[a-z]:$/i.test(args[0] ?? "")) return machine("writes over a disk");
  if (program === "kill" && args.includes("-1") && args.length > 1)
    return machine("ends every process of the user");
  return /^(?:shutdown|reboot|halt|poweroff)$/.test(program)
    ? machine("turns the machine off")
    : undefined;
}

const DROPS = /\bdrop\s{1,8}(?:database|schema)\b|\bdropDatabase\s{0,4}\(/i;
const SQL =
  /^(?:psql|mysql|mariadb|sqlite3|sqlcmd|sqlplus|mongo|mongosh|clickhouse-client|cockroach)$/;

function ofShared({ program, args }: Words): Destruction | undefined {
  const has = (...wanted: readonly string[]): boolean => wanted.some((one) => args.includes(one));
  if (program === "git") return ofGit(args);
  if (program === "dropdb" || (SQL.test(program) && args.some((arg) => DROPS.test(arg))))
    return shared("drops a database");
  if (/^DROP$/i.test(program) && /^(?:database|schema)$/i.test(args[0] ?? ""))
    return shared("drops a database");
  if (program === "redis-cli" && args.some((arg) => /^flush(?:all|db)$/i.test(arg)))
    return shared("empties a database");
  if (program === "terraform" && has("destroy")) return shared("takes down what it manages");
  if (program === "kubectl" && has("delete") && has("ns", "namespace", "namespaces", "--all"))
    return shared("deletes what runs in a cluster");
  return undefined;
}

/** Options before git's subcommand that take a value as a separate word. */
const TAKES_VALUE = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace"]);

function ofGit(args: readonly string[]): Destruction | undefined {
  const at = args.findIndex(
    (arg, index) => !arg.startsWith("-") && !TAKES_VALUE.has(args[index - 1] ?? ""),
  );
  const verb = args[at];
  const rest = args.slice(at + 1);
  if (verb === "push") {
    const forced = rest.some(
      (arg) =>
        arg === "--force" ||
        arg === "--mirror" ||
        /^-[a-zA-Z]{0,4}f/.test(arg) ||
        /^\+\S/.test(arg),
    );
    return forced ? shared("writes over published history") : undefined;
  }
  const isOthers = rest.some((arg) => /^(?:origin|upstream|refs\/remotes)\/\S/.test(arg));
  return verb === "reset" && rest.includes("--hard") && isOthers
    ? shared("gives up all work for what others published")
    : undefined;
}
