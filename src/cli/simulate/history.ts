/** What a replay of recorded runs says, for people: where another policy would have chosen otherwise, and what is known of it. */
import type { ReplayedHistory } from "../../operations/simulate/history.ts";
import { count } from "../../operations/text.ts";
import { wrapped } from "../screen/line.ts";

type Otherwise = ReplayedHistory["otherwise"][number];

const SHOWN = 20;

const CAME: { readonly [came in Otherwise["came"]]: string } = {
  worked: "which worked",
  failed: "which failed",
  unknown: "and what came of it is not known",
};

const LATER: { readonly [came in Otherwise["came"]]: string } = {
  worked: "That was tried later, and worked.",
  failed: "That was tried later, and failed.",
  unknown: "That was tried later; what came of it is not known.",
};

export function historyLines(replayed: ReplayedHistory, columns: number): readonly string[] {
  const { policy, runs, decisions, unclear, otherwise } = replayed;
  if (decisions === 0)
    return ["No run here has had to recover from anything yet.", "Start one: unstuck run"];
  const all = otherwise.length + replayed.left;
  const head = `${policy} would have chosen otherwise at ${all} of ${count(decisions, "decision")} in ${count(runs, "run")}.`;
  const shown = otherwise.slice(0, SHOWN);
  return [
    ...wrapped(head, columns),
    ...(unclear === 0
      ? []
      : wrapped(`${count(unclear, "decision")} of another version cannot be replayed.`, columns)),
    ...shown.flatMap((one, index) => [
      ...(one.run === shown[index - 1]?.run ? [] : ["", one.run]),
      ...wrapped(sentence(one), columns - 4).map(
        (line, at) => `${at === 0 ? "  " : "    "}${line}`,
      ),
    ]),
    ...(all > 0 ? ["", ...summary(otherwise, columns)] : []),
    ...(all > shown.length ? ["", `${all - shown.length} more: add --json to see them all`] : []),
  ];
}

function sentence({ subtask, failure, didWords, came, wouldWords, tried }: Otherwise): string {
  const would =
    wouldWords === undefined
      ? "It would look again before it chooses."
      : `It would ${wouldWords}. ${tried === undefined ? "That was not tried after it." : LATER[tried]}`;
  return `${subtask}, ${failure}: it ${didWords}, ${CAME[came]}. ${would}`;
}

/** No more than the record holds: a move that was tried later met another tree. */
function summary(otherwise: ReplayedHistory["otherwise"], columns: number): readonly string[] {
  const of = (is: (one: Otherwise) => boolean): number => otherwise.filter(is).length;
  const told = [
    [of(({ came }) => came === "worked"), "what was done worked"],
    [
      of(({ came, tried }) => came === "failed" && tried === "worked"),
      "what was done failed, and the other move worked later",
    ],
    [of(({ tried }) => tried === "failed"), "the other move failed later"],
    [of(({ tried }) => tried === undefined), "nothing is known of the other move"],
  ] as const;
  const figures = told.flatMap(([times, words]) => (times > 0 ? [`${words} (${times})`] : []));
  return wrapped(
    `Of these: ${figures.join("; ")}. What was tried later met other work: this hints at how the other policy would do, and proves nothing.`,
    columns,
  );
}
