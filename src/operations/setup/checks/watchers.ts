/**
 * Programs that run until they are stopped, recognized by their command lines: runners that watch for changes, servers,
 * tools that open a window. Each row says how the program can be made to end by itself, if it really can. Invariants:
 * only words are read; a program that is not in the table is assumed to end.
 */

export interface Watching {
  /** In words, after the program's name. */
  readonly does: string;
  /** Appended to its command, this makes it end. */
  readonly flag?: string;
  /** With CI=1 it ends without a flag. */
  readonly endsInCi?: boolean;
}

type Rule = (args: readonly string[], program: string) => Watching | undefined;

export function watching(program: string, args: readonly string[]): Watching | undefined {
  const rule = RULES.get(program);
  return rule === undefined ? anyProgram(args, program) : rule(args, program);
}

const WATCHES = "watches for changes";
const SERVES = "starts a server";
const OPENS = "opens a window";

const verb = (args: readonly string[]): string => args.find((arg) => !arg.startsWith("-")) ?? "";

/** `--watch`, but not `--watch=false` or `--watch false`; the last one counts. */
function isOn(args: readonly string[], ...names: readonly string[]): boolean | undefined {
  let on: boolean | undefined;
  for (const [index, arg] of args.entries())
    for (const name of names) {
      if (arg === name) on = args[index + 1] !== "false";
      else if (arg.startsWith(`${name}=`)) on = !/=(?:false|0)$/.test(arg);
      else if (arg === name.replace(/^--/, "--no-")) on = false;
    }
  return on;
}

const whenOn =
  (flag: string, ...names: readonly string[]): Rule =>
  (args) =>
    isOn(args, ...names) === true ? { does: WATCHES, flag } : undefined;

/** Programs whose `-w` means watch; elsewhere it is a workspace, a number of workers or whole-word matching. */
const SHORT_WATCH = new Set(
  "babel rollup webpack tsup tsdown swc postcss tailwindcss stylus sass".split(" "),
);

const anyProgram: Rule = (args, program) =>
  isOn(args, "--watch", ...(SHORT_WATCH.has(program) ? ["-w"] : [])) === true
    ? { does: WATCHES }
    : undefined;

const vitest: Rule = (args) => {
  const first = verb(args);
  const on = isOn(args, "--watch", "-w");
  // In `vitest run --watch` the flag wins, and `--run` does not override it.
  if (first === "run") return on === true ? { does: WATCHES } : undefined;
  if (["list", "init"].includes(first) || isOn(args, "--run") === true) return undefined;
  if (isOn(args, "--ui") === true) return { does: OPENS };
  const isAsked = first === "watch" || first === "dev" || on === true;
  if (on === false && !isAsked) return undefined;
  return { does: WATCHES, flag: "--run", endsInCi: !isAsked };
};

const jest: Rule = (args) => {
  if (isOn(args, "--watchAll") === true) return { does: WATCHES, flag: "--watchAll=false" };
  return isOn(args, "--watch") === true ? { does: WATCHES, flag: "--watch=false" } : undefined;
};

const reactScripts: Rule = (args) => {
  const first = verb(args);
  if (first === "start") return { does: SERVES };
  const on = isOn(args, "--watchAll", "--watch");
  if (first !== "test" || on === false) return undefined;
  return { does: WATCHES, flag: "--watchAll=false", endsInCi: on === undefined };
};

const angular: Rule = (args) => {
  const first = verb(args);
  if (["serve", "s", "dev"].includes(first)) return { does: SERVES };
  if (!["test", "t"].includes(first) || isOn(args, "--watch") === false)
    return anyProgram(args, "ng");
  return { does: WATCHES, flag: "--watch=false" };
};

const karma: Rule = (args) =>
  verb(args) === "start" && isOn(args, "--single-run", "--singleRun") !== true
    ? { does: WATCHES, flag: "--single-run" }
    : undefined;

/** Programs that end only with one of these verbs. */
const exceptFor =
  (...ending: readonly string[]): Rule =>
  (args, program) =>
    ending.includes(verb(args)) || args.includes("--version")
      ? anyProgram(args, program)
      : { does: SERVES };

const always =
  (does: string): Rule =>
  () => ({ does });

const verbs =
  (does: string, ...named: readonly string[]): Rule =>
  (args, program) =>
    named.includes(verb(args)) ? { does } : anyProgram(args, program);

const flags =
  (does: string, ...named: readonly string[]): Rule =>
  (args, program) =>
    isOn(args, ...named) === true ? { does } : anyProgram(args, program);

const ROWS: readonly (readonly [programs: string, rule: Rule])[] = [
  ["vitest", vitest],
  ["jest", jest],
  ["react-scripts craco react-app-rewired rescripts", reactScripts],
  ["ng", angular],
  ["karma", karma],
  ["mocha", whenOn("--no-watch", "--watch", "-w")],
  ["ava", whenOn("--watch=false", "--watch", "-w")],
  ["tsc vue-tsc", whenOn("--watch false", "--watch", "-w")],
  ["vite", exceptFor("build", "optimize")],
  ["parcel", exceptFor("build", "help")],
  [
    "next nuxt nuxi gatsby astro remix",
    verbs(SERVES, ..."dev start preview develop serve".split(" ")),
  ],
  ["storybook vinxi rsbuild rspack wrangler", verbs(SERVES, "dev", "serve", "preview")],
  ["webpack webpack-cli", verbs(SERVES, "serve", "server", "watch", "w")],
  ["expo vue-cli-service meteor", verbs(SERVES, "start", "serve", "run")],
  ["webpack-dev-server start-storybook http-server live-server json-server", always(SERVES)],
  ["serve uvicorn gunicorn puma runserver", always(SERVES)],
  ["nodemon node-dev ts-node-dev tsnd watchexec entr chokidar onchange watch", always(WATCHES)],
  ["bacon ptw pytest-watch pytest-watcher guard air phpunit-watcher", always(WATCHES)],
  ["tsx gulp grunt turbo nx lerna cargo dotnet wireit", verbs(WATCHES, "watch")],
  ["mix", verbs(WATCHES, "test.watch", "phx.server")],
  ["rails flask hugo jekyll", verbs(SERVES, ..."s server serve run".split(" "))],
  ["node bun deno", flags(WATCHES, "--watch", "--watch-path", "--hot")],
  ["playwright", flags(OPENS, "--ui", "--debug")],
  ["cypress", verbs(OPENS, "open")],
  ["echo printf grep rg git test", () => undefined],
  ["gradle gradlew", flags(WATCHES, "--continuous", "-t")],
];

const RULES: ReadonlyMap<string, Rule> = new Map(
  ROWS.flatMap(([programs, rule]) => programs.split(" ").map((name) => [name, rule] as const)),
);
