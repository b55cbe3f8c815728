/**
 * What to set in a session an agent has just opened: its mode, model and thinking, out of what it says that it
 * has. Modes have no fixed names, so they are known by the words that are in use. Invariants: with `edit`, a mode
 * that acts without asking is never chosen, and is left where another is known; what cannot be set is said.
 */
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import { fieldsOf, listOf, textOf } from "../output/json.ts";
import type { Fields } from "../output/json.ts";

export interface Setting {
  readonly method: "session/set_mode" | "session/set_model" | "session/set_config_option";
  readonly params: Fields;
  /** For a person, where it is refused; absent where that does not matter. */
  readonly refused?: string;
}

export interface Settings {
  readonly set: readonly Setting[];
  /** For a person. */
  readonly warnings: readonly string[];
}

type Wanted = Pick<AgentRequest, "permissions" | "model" | "thinking">;

interface Value {
  readonly id: string;
  readonly name: string;
}

/** One thing that can be set to one of several values. */
interface Choice {
  readonly values: readonly Value[];
  readonly current: string;
  readonly setTo: (id: string) => Setting;
}

/** Edits without asking; asks before commands. */
const EDITS = ["acceptedits", "autoedit", "autoacceptedits", "autoaccept"];
/** Does everything without asking. */
const FULL = [
  ...["bypasspermissions", "yolo", "fullaccess", "dangerfullaccess", "fullauto"],
  ...["autoapprove", "autopilot", "bypass"],
];
/** The workspace, where there is a mode beyond it; else everything. */
const AUTO = "auto";
const ASKS = [
  ...["default", "normal", "approve", "manual", "act", "agent", "build", "code"],
  ...["smartapprove", "ask"],
];
const ONLY_READS = ["plan", "readonly", "chat", "architect"];
const THINKS = ["max", "xhigh", "extrahigh", "ultra", "high", "on"];

export function settingsOf(wanted: Wanted, opened: Fields): Settings {
  const mode = choiceOf("mode", opened) ?? modesOf(opened);
  const model = choiceOf("model", opened) ?? modelsOf(opened);
  const thinking = wanted.thinking === true ? choiceOf("thought_level", opened) : undefined;
  const modeId = mode && modeFor(wanted.permissions ?? "edit", mode);
  const modelId = wanted.model && model && modelFor(wanted.model, model);
  const thinkId = thinking && valueAmong(THINKS, thinking.values);
  const picks = [
    [mode, modeId, undefined],
    [model, modelId, `the agent refused the model ${wanted.model ?? ""}`],
    [thinking, thinkId, undefined],
  ] as const;
  return {
    set: picks.flatMap(([choice, id, refused]) =>
      choice === undefined || id === undefined || id === choice.current
        ? []
        : [{ ...choice.setTo(id), ...(refused === undefined ? {} : { refused }) }],
    ),
    warnings: [
      ...(wanted.model !== undefined && model === undefined
        ? [`the agent lets nobody choose its model: ${wanted.model} is not set`]
        : []),
      ...(mode !== undefined && isUngated(wanted, mode, modeId)
        ? [`the agent is in a mode that does not ask before it acts: ${mode.current.slice(0, 80)}`]
        : []),
    ],
  };
}

const isUngated = (wanted: Wanted, mode: Choice, modeId: string | undefined): boolean =>
  wanted.permissions !== "full" && modeId === undefined && actsAlone(mode);

function modeFor(permissions: "edit" | "full", mode: Choice): string | undefined {
  const { values, current } = mode;
  const auto = valueAmong([AUTO], values);
  const full = valueAmong(FULL, values);
  const wordsNow = wordsOf(values.find(({ id }) => id === current) ?? { id: current, name: "" });
  const onlyReads = wordsNow.some((word) => ONLY_READS.includes(word));
  if (permissions === "full")
    return full ?? auto ?? (onlyReads ? valueAmong(ASKS, values) : undefined);
  const edits = valueAmong(EDITS, values) ?? (full === undefined ? undefined : auto);
  return edits ?? (onlyReads || actsAlone(mode) ? valueAmong(ASKS, values) : undefined);
}

function actsAlone({ values, current }: Choice): boolean {
  const words = wordsOf(values.find(({ id }) => id === current) ?? { id: current, name: "" });
  const full = valueAmong(FULL, values);
  return words.some((word) => FULL.includes(word) || (word === AUTO && full === undefined));
}

/** As named, or what is shown to people under that name. One that is not listed may still be there. */
const modelFor = (model: string, { values }: Choice): string =>
  (values.find(({ id }) => id === model) ?? values.find(({ name }) => name === model))?.id ?? model;

function valueAmong(words: readonly string[], values: readonly Value[]): string | undefined {
  for (const word of words) {
    const found = values.find((value) => wordsOf(value).includes(word));
    if (found !== undefined) return found.id;
  }
  return undefined;
}

/** `https://…/session-modes#autoEdit`, `auto_edit` and `Auto Edit` are one word. */
const wordsOf = ({ id, name }: Value): readonly string[] =>
  [id, name].map((text) =>
    (text.slice(0, 200).split(/[#/]/).at(-1) ?? "").toLowerCase().replace(/[^a-z]/g, ""),
  );

/** A configuration option; its values may stand in groups. */
function choiceOf(category: string, opened: Fields): Choice | undefined {
  const options = listOf(opened["configOptions"]).map(fieldsOf);
  const option =
    options.find((one) => one["category"] === category) ??
    options.find((one) => one["id"] === category);
  const configId = textOf(option?.["id"]);
  if (option === undefined || configId === "") return undefined;
  const values = listOf(option["options"])
    .map(fieldsOf)
    .flatMap((one) => (one["options"] === undefined ? [one] : listOf(one["options"])))
    .map((one) => valueOf(one, "value"));
  if (option["type"] === "boolean")
    return {
      values: [{ id: "on", name: "" }],
      current: option["currentValue"] === true ? "on" : "",
      setTo: () => setOption({ configId, type: "boolean", value: true }),
    };
  return {
    values,
    current: textOf(option["currentValue"]),
    setTo: (value) => setOption({ configId, value }),
  };
}

const setOption = (params: Fields): Setting => ({ method: "session/set_config_option", params });

function modesOf(opened: Fields): Choice | undefined {
  const { availableModes, currentModeId } = fieldsOf(opened["modes"]);
  const values = listOf(availableModes).map((mode) => valueOf(mode, "id"));
  const setTo = (modeId: string): Setting => ({ method: "session/set_mode", params: { modeId } });
  return values.length === 0 ? undefined : { values, current: textOf(currentModeId), setTo };
}

/** Not in the protocol any more, and still what several agents have. */
function modelsOf(opened: Fields): Choice | undefined {
  const { availableModels, currentModelId } = fieldsOf(opened["models"]);
  const values = listOf(availableModels).map((model) => valueOf(model, "modelId"));
  const setTo = (modelId: string): Setting => ({
    method: "session/set_model",
    params: { modelId },
  });
  return values.length === 0 ? undefined : { values, current: textOf(currentModelId), setTo };
}

function valueOf(value: unknown, idName: string): Value {
  const fields = fieldsOf(value);
  return { id: textOf(fields[idName]), name: textOf(fields["name"]) };
}
