/**
 * The user's own configuration, outside every repository, so that no agent's checkout can influence it (U14): their
 * settings (`config.yaml` in the XDG config folder), their name, and the plans they trust, each by the hash of its
 * content. Settings that cannot be read as intended are an error, never a guess.
 */
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { parseDocument } from "yaml";
import * as z from "zod";
import { listOf, parseFields } from "../agents/output/json.ts";
import { cleanLine } from "../core/foreign-text.ts";
import { RISKS } from "../core/learning/preferences.ts";
import { budget } from "../core/plan/subtask-schema.ts";
import { personSettingsSchema } from "../core/policy/person-settings.ts";
import { checkYaml, parseYaml } from "../core/read-yaml.ts";
import { notifySettings } from "./notify/settings.ts";
import { ProblemError } from "./operation.ts";
import { readTextFile, textIfThere } from "./text.ts";

const schema = z
  .strictObject({
    /** The default agent: its name, or a command with {prompt}. */
    agent: z.string().trim().min(1).max(4000),
    /** `full`: start agents without any permission checks of their own. */
    permissions: z.enum(["least", "full"]),
    /** `unattended`: answers may come from a process not known to be started by a person, such as a service. */
    answers: z.enum(["attended", "unattended"]),
    /** Commands that agents may run besides the checks, each in exactly this form. */
    allow: z.array(z.string().min(1).max(500)).max(200),
    /** What neither agents nor repairs may do, whatever a plan allows. */
    never: z.array(z.enum(RISKS)).max(RISKS.length),
    /** The policy if neither the plan nor the command line names one: a name, or a file next to this one. */
    policy: z.string().trim().min(1).max(200),
    /** The cost of a question, if the plan does not say. */
    person: personSettingsSchema,
    /** The budget of a goal, if the command line names none. */
    budget,
    /** `false`: the machine may sleep while a run works. */
    keepAwake: z.boolean(),
    /** How the user is notified of questions and ended runs. */
    notify: notifySettings,
  })
  .partial();

/** A relative path would depend on the current folder; the XDG rules say to ignore it. */
export function userConfigFile(): string {
  const given = process.env["XDG_CONFIG_HOME"] ?? "";
  return join(isAbsolute(given) ? given : join(homedir(), ".config"), "unstuck", "config.yaml");
}

export function userConfig(): z.infer<typeof schema> {
  const file = userConfigFile();
  if (!existsSync(file)) return {};
  const text = readTextFile(file);
  if (text.split("\n").every((line) => /^\s*(?:#|$)/.test(line))) return {};
  const source = parseYaml(text);
  const read = source.ok ? checkYaml(source.value, schema) : source;
  if (read.ok) return read.value;
  const [problem] = read.problems;
  throw new ProblemError(
    "bad-input",
    `${file}:${problem?.line ?? 1}: ${problem?.path ?? ""} ${problem?.message ?? ""}`,
  );
}

/** Permanently allows a command; the rest of the file stays as it is. */
export function allowAlways(command: string): void {
  const { allow = [] } = userConfig();
  if (!allow.includes(command)) keepSetting("allow", [...allow, command]);
}

/** Sets the agent for goals from now on. */
export const keepAgent = (agent: string): void => keepSetting("agent", agent);

function keepSetting(name: keyof z.infer<typeof schema>, value: unknown): void {
  const file = userConfigFile();
  const document = parseDocument(textIfThere(file) ?? "");
  document.set(name, value);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, document.toString(), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Who started this process remotely, if it is not the user at their terminal. */
export const DECIDED_BY = "UNSTUCK_DECIDED_BY";

/** The system's user name; a user without one is "somebody". */
export function userName(): string {
  const from = process.env[DECIDED_BY] ?? "";
  if (from !== "") return cleanLine(from, 60);
  try {
    return cleanLine(userInfo().username, 60);
  } catch {
    return "somebody";
  }
}

export const isTrusted = (file: string, mark: string): boolean => trustedMarks(file).includes(mark);

export function trust(file: string, mark: string): void {
  const marks = [...new Set([...trustedMarks(file), mark])].slice(-1000);
  writeFileSync(`${file}.new`, `${JSON.stringify({ trusted: marks }, null, 1)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

const trustedMarks = (file: string): readonly unknown[] =>
  listOf(parseFields(textIfThere(file) ?? "")?.["trusted"]).filter(
    (mark) => typeof mark === "string",
  );
