/**
 * Chooses the settings of a newly opened session (mode, model and thinking) from those it offers. Modes have no fixed
 * names, so they are recognised by common words. Invariants: with `edit`, a mode that acts without asking is never
 * chosen, and is left if another is known; what cannot be set is reported.
 */
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import { fieldsOf, listOf, textOf, type Fields } from "../output/json.ts";

interface Setting {
  readonly method: "session/set_mode" | "session/set_model" | "session/set_config_option";
  readonly params: Fields;
  /** The message for a person if the agent rejects it; absent if that does not matter. */
  readonly refused?: string;
}

interface Value {
  readonly id: string;
  readonly name: string;
}

/** One setting with several possible values. */
interface Choice {
  readonly values: readonly Value[];
  readonly current: string;
  readonly setTo: (id: string) => Setting;
}

/** Edits without asking, but asks before commands. */
const EDITS = ["acceptedits", "autoedit", "autoacceptedits", "autoaccept"];
/** Does everything without asking. */
const FULL = [
  ...["bypasspermissions", "yolo", "fullaccess", "dangerfullaccess", "fullauto"],
  ...["autoapprove", "autopilot", "bypass"],
];
/** Only the workspace if there is a mode beyond it; otherwise everything. */
const AUTO = "auto";
const ASKS = [
  ...["default", "normal", "approve", "manual", "act", "agent", "build", "code"],
  ...["smartapprove", "ask"],
];
const ONLY_READS = ["plan", "readonly", "chat", "architect"];
const THINKS = ["max", "xhigh", "extrahigh", "ultra", "high", "on"];

export function settingsOf(
  wanted: Pick<AgentRequest, "permissions" | "model" | "thinking">,
  opened: Fields,
): { readonly set: readonly Setting[]; readonly warnings: readonly string[] } {
  const mode = choiceOf("mode", opened) ?? listedChoice("mode", opened);
  const model = choiceOf("model", opened) ?? listedChoice("model", opened);
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
      ...(wanted.permissions !== "full" && mode && modeId === undefined && actsAlone(mode)
        ? [`the agent is in a mode that does not ask before it acts: ${mode.current.slice(0, 80)}`]
        : []),
    ],
  };
}

function modeFor(permissions: "edit" | "full", mode: Choice): string | undefined {
  const { values } = mode;
  const auto = valueAmong([AUTO], values);
  const full = valueAmong(FULL, values);
  const onlyReads = currentWords(mode).some((word) => ONLY_READS.includes(word));
  if (permissions === "full")
    return full ?? auto ?? (onlyReads ? valueAmong(ASKS, values) : undefined);
  const edits = valueAmong(EDITS, values) ?? (full === undefined ? undefined : auto);
  return edits ?? (onlyReads || actsAlone(mode) ? valueAmong(ASKS, values) : undefined);
}

function actsAlone(mode: Choice): boolean {
  const full = valueAmong(FULL, mode.values);
  return currentWords(mode).some(
    (word) => FULL.includes(word) || (word === AUTO && full === undefined),
  );
}

const currentWords = ({ values, current }: Choice): readonly string[] =>
  wordsOf(values.find(({ id }) => id === current) ?? { id: current, name: "" });

/** By id, or by display name. A model that is not listed may still exist. */
const modelFor = (model: string, { values }: Choice): string =>
  (values.find(({ id }) => id === model) ?? values.find(({ name }) => name === model))?.id ?? model;

const valueAmong = (words: readonly string[], values: readonly Value[]): string | undefined =>
  words.flatMap((word) => values.filter((value) => wordsOf(value).includes(word)))[0]?.id;

/** `https://…/session-modes#autoEdit`, `auto_edit` and `Auto Edit` are the same word. */
const wordsOf = ({ id, name }: Value): readonly string[] =>
  [id, name].map((text) =>
    (text.slice(0, 200).split(/[#/]/).at(-1) ?? "").toLowerCase().replace(/[^a-z]/g, ""),
  );

/** A configuration option; its values may be grouped. */
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

/** Modes as the protocol lists them. Models are no longer part of it, but several agents still list them this way. */
function listedChoice(what: "mode" | "model", opened: Fields): Choice | undefined {
  const [list, current, listId, setId] =
    what === "mode"
      ? (["availableModes", "currentModeId", "id", "modeId"] as const)
      : (["availableModels", "currentModelId", "modelId", "modelId"] as const);
  const listed = fieldsOf(opened[`${what}s`]);
  const values = listOf(listed[list]).map((one) => valueOf(one, listId));
  const setTo = (id: string): Setting => ({
    method: `session/set_${what}`,
    params: { [setId]: id },
  });
  return values.length === 0 ? undefined : { values, current: textOf(listed[current]), setTo };
}

function valueOf(value: unknown, idName: string): Value {
  const fields = fieldsOf(value);
  return { id: textOf(fields[idName]), name: textOf(fields["name"]) };
}
