#!/usr/bin/env node
// The launcher: plain JavaScript that any Node from 18 on can read. It runs Unstuck on this Node if that is new
// enough or the command needs only the core; else it finds a newer Node, says so once, and passes terminal,
// signals and exit code through. Invariants: what an agent or a shell calls never downloads anything; nothing of the
// current folder is run.

/** Where Node can, a builtin is taken as it is: the ESM facade of one costs milliseconds. */
const builtin = async (name) => process.getBuiltinModule?.(name) ?? (await import(name)).default;
const fs = await builtin("node:fs");
const { existsSync, mkdirSync, readFileSync, writeFileSync } = fs;
const { delimiter, dirname, isAbsolute, join } = await builtin("node:path");

const CORE_COMMANDS = [
  "classify",
  "suggest",
  "excerpt",
  "validate",
  "policy",
  "detect",
  "hook",
  "help",
];
/** Nobody waits there for more than a moment, or sees what is said: an agent's hook, a shell's completion. */
const NEVER_DOWNLOADS = ["hook", "__complete"];
const QUICK_PATHS = { classify: "quick-classify", hook: "quick-hook" };
const NEEDED = "22.13";
const root = dirname(
  import.meta.dirname ?? (await builtin("node:url")).fileURLToPath(new URL(".", import.meta.url)),
);
const built = join(root, "dist", "cli", "main.cjs");
const source = join(root, "src", "cli", "main.ts");
const command = process.argv[2] ?? "";

const atLeast = (major, minor) => {
  const [have = 0, patch = 0] = process.versions.node.split(".").map(Number);
  return have > major || (have === major && patch >= minor);
};
const explained = command === "help" ? (process.argv[3] ?? command) : command;
const coreOnly = /^(?:-h|--help|-V|--version)$/.test(command) || CORE_COMMANDS.includes(explained);

if (existsSync(built) && (atLeast(22, 13) || coreOnly)) {
  const module = await builtin("node:module");
  module.enableCompileCache?.();
  const code = Object.hasOwn(QUICK_PATHS, command)
    ? quickPath(QUICK_PATHS[command], module)
    : undefined;
  if (code === undefined) await wholeCommand(module);
  // All is written: to take the process down in order would cost milliseconds.
  else if (code === 0) process.exit(0);
  else process.exitCode = code;
} else if (!existsSync(built) && atLeast(22, 18)) await (await import(source)).ended;
else await startOnNewerNode();

/** The exit code; nothing where the call is not for the quick path. */
function quickPath(bundle, { createRequire, getCompileCacheDir }) {
  const require = process.getBuiltinModule ?? createRequire(import.meta.url);
  const folder = getCompileCacheDir?.();
  const loaded = {};
  const young = [];
  const load = (name) => (loaded[name] ??= loadKept({ name, require, folder, uses: 8 }, young));
  const code = load(bundle).quick(process.argv.slice(2), load);
  for (const keep of young) keep();
  return code;
}

/** Each command keeps what it ran for itself: together they would be more to read than any of them needs. */
async function wholeCommand({ createRequire, getCompileCacheDir }) {
  const require = process.getBuiltinModule ?? createRequire(import.meta.url);
  const about = /^[a-z_]{1,12}$/.test(command) ? command : "";
  const young = [];
  const { ended } = loadKept(
    { name: "main", about, require, folder: getCompileCacheDir?.(), uses: 3 },
    young,
  );
  process.on("exit", (code) => {
    // A command that there is not leaves nothing.
    if (code !== 2) for (const keep of young) keep();
  });
  await ended;
}

/**
 * A bundle together with what V8 made of the functions that ran before, kept beside Node's compile cache: that one keeps
 * only what is compiled before anything runs, and compiling the rest would be a third of a call. Each of the first
 * calls (`uses`) adds what it ran. A bundle is one function, and begins with the build's mark of it: V8 looks at the
 * length alone.
 */
function loadKept({ name, about = "", require, folder, uses: usesMax }, young) {
  const file = join(root, "dist", "cli", `${name}.cjs`);
  const source = readFileSync(file, "utf8");
  const place =
    folder === undefined ? undefined : join(folder, `unstuck-${source.slice(3, 35)}${about}`);
  const kept = place === undefined ? undefined : keptCode(place);
  const { Script } = require("node:vm");
  const script = new Script(source, { filename: file, cachedData: kept?.code });
  const uses = kept === undefined || script.cachedDataRejected ? 0 : kept.uses;
  if (place !== undefined && uses < usesMax) young.push(() => keepCode(place, script, uses + 1));
  return script.runInThisContext()(require, dirname(file), file);
}

/** Only from a file of this user's own: V8 would run whatever it holds. */
function keptCode(place) {
  try {
    const handle = fs.openSync(place, "r");
    try {
      const { uid, mode } = fs.fstatSync(handle);
      if (process.getuid && (uid !== process.getuid() || (mode & 0o22) !== 0)) return undefined;
      const bytes = readFileSync(handle);
      return { code: bytes.subarray(0, -1), uses: bytes[bytes.length - 1] };
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

/** Whole or not at all: it is on the disk before it gets its name. */
function keepCode(place, script, uses) {
  const part = `${place}.${process.pid}`;
  const bytes = Buffer.concat([script.createCachedData(), Buffer.of(uses)]);
  try {
    writeFileSync(part, bytes, { flag: "wx", mode: 0o600, flush: true });
    fs.renameSync(part, place);
  } catch {
    // Not kept: it is compiled again next time.
  }
}

async function startOnNewerNode() {
  const { spawn, spawnSync } = await builtin("node:child_process");
  const { homedir } = await builtin("node:os");
  const memory = () => memoryIn(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"));
  const node =
    localNode() ??
    rememberedNode(memory()) ??
    (NEVER_DOWNLOADS.includes(command)
      ? process.exit(0)
      : downloadedNode(spawnSync, memory(), homedir()));
  // Before the child is there: a signal that comes in between is passed on, not obeyed.
  let child;
  const early = [];
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"])
    process.on(signal, () => (child === undefined ? early.push(signal) : child.kill(signal)));
  child = spawn(node, process.argv.slice(1), { stdio: "inherit" });
  for (const signal of early) child.kill(signal);
  child.on("error", (error) => fail(`could not start ${node}: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** In the package or beside it, where npm puts what it installs with it; never in the folder that it is called from. */
function localNode() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const beside = dirname(root);
  const places = [join(root, "node_modules"), ...(isNamed(beside, "node_modules") ? [beside] : [])];
  return places.map((place) => join(place, "node", "bin", name)).find(existsSync);
}

function isNamed(folder, name) {
  return folder === join(dirname(folder), name);
}

function memoryIn(state) {
  return join(process.env.UNSTUCK_HOME || join(state, "unstuck"), "node-path");
}

function rememberedNode(memory) {
  try {
    const path = readFileSync(memory, "utf8").trim();
    return isAbsolute(path) && isOwn(memory) && isOwn(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** This user's or the system's, and nobody else may write to it. */
function isOwn(file) {
  const { uid, mode } = fs.statSync(file);
  return !process.getuid || ((uid === process.getuid() || uid === 0) && (mode & 0o22) === 0);
}

function downloadedNode(spawnSync, memory, home) {
  console.error(
    `unstuck needs Node ${NEEDED} or newer, and this is ${process.versions.node}: getting Node 24 through npx, once.`,
  );
  const npx = process.platform === "win32" ? "npx.cmd" : "npx";
  // Not in the current folder: npx would take a `node` of its node_modules, and the registry that its .npmrc names. And
  // not as the npx that may have started this was told to: it would run the package that it was given, again.
  const env = { ...process.env };
  for (const name of ["local_prefix", "package", "call", "workspace", "workspaces"])
    delete env[`npm_config_${name}`];
  delete env.INIT_CWD;
  const asked = spawnSync(npx, ["-y", "node@24", "-p", "process.execPath"], {
    encoding: "utf8",
    cwd: home,
    env: {
      ...env,
      PWD: home,
      PATH: (env.PATH ?? "").split(delimiter).filter(isOutside).join(delimiter),
    },
  });
  const path = (asked.stdout ?? "").trim().split("\n").pop();
  if (asked.status !== 0 || !path || !existsSync(path) || path === process.execPath)
    fail(
      `npx could not get it${asked.error ? ` (${asked.error.message})` : ""}. Install Node ${NEEDED} or newer, then run this again.\n` +
        "Or let npm run its install script once: npm_config_ignore_scripts=false npx -y node@24 --version",
    );
  try {
    makeFolder(dirname(memory));
    writeFileSync(memory, `${path}\n`, { mode: 0o600 });
  } catch {
    // Not remembered: it is asked for again next time.
  }
  return path;
}

/** Not a place of programs that depends on the current folder, or that npm made for a project. */
function isOutside(place) {
  return isAbsolute(place) && !place.endsWith(join("node_modules", ".bin"));
}

/** One by one: Node's own `recursive` tries for ever under /proc. */
function makeFolder(folder) {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

function fail(message) {
  console.error(`unstuck: ${message}`);
  process.exit(2);
}
