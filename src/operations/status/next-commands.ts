/**
 * The commands that make sense for a run now, the best first: used by the list, at the end of the card, and by
 * `unstuck` alone. Pure. Invariant: a command is offered only in a state in which it has an effect.
 */
import type { RunStateName } from "./run-state.ts";

export interface NextCommand {
  /** One word, for a list. */
  readonly what: string;
  readonly command: string;
  /** What it does, in a few words. */
  readonly about: string;
}

export interface NextFacts {
  readonly id: string;
  readonly state: RunStateName;
  /** The number of open ones. */
  readonly questions: number;
  readonly applied: boolean;
  /** Only its records are left. */
  readonly folderIsGone?: boolean;
  /** Agents work in the user's own checkout. */
  readonly inPlace?: boolean;
  /** Applying it would change none of the user's files. */
  readonly isEmpty?: boolean;
  /** A subtask that ended unverified and can be retried. */
  readonly retry?: string | undefined;
  /** The `subtask/attempt` that came furthest, if there is no result. */
  readonly best?: string | undefined;
}

type Row = readonly [what: string, args: string, about: string];

const ANSWER: Row = ["answer", "review", "answer what it asks"];
const WATCH: Row = ["watch", "attach", "watch it work"];
const STOP: Row = ["stop", "stop", "pause it; nothing is lost"];
const LOGS: Row = ["logs", "logs", "read what the agent did"];
const RESUME: Row = ["resume", "resume", "go on where it stopped"];
const CANCEL: Row = ["cancel", "cancel", "end it for good"];
const DIFF: Row = ["look", "diff", "see the changes"];
const APPLY: Row = ["apply", "apply", "merge the result into your branch"];
const PR: Row = ["pr", "pr", "open a pull request"];
const UNDO: Row = ["undo", "undo", "take it back"];
const WHY: Row = ["why", "explain", "see why it went this way"];

export function nextCommands(facts: NextFacts): readonly NextCommand[] {
  const made = ([what, args, about]: Row): NextCommand => {
    const [name = "", ...more] = args.split(" ");
    return { what, command: ["unstuck", name, facts.id, ...more].join(" "), about };
  };
  return rowsFor(facts).map(made);
}

function rowsFor(facts: NextFacts): readonly Row[] {
  const { state, questions, best } = facts;
  if (facts.folderIsGone === true) return [["clean", "clean", "remove what is left of it"]];
  switch (state) {
    case "needs you":
      return [ANSWER, LOGS, CANCEL];
    case "running":
    case "waiting":
      return [...(questions > 0 ? [ANSWER] : []), WATCH, LOGS, STOP];
    case "pausing":
      return [WATCH];
    case "paused":
    case "interrupted":
      return [RESUME, LOGS, CANCEL];
    case "not started":
      return [RESUME];
    case "verified":
      return finished(facts);
    case "unverified":
      return [...finished(facts), ...retry(facts)];
    case "failed":
    case "out of budget":
    case "cancelled": {
      const left: Row[] =
        best === undefined
          ? []
          : [["look", `diff --attempt ${best}`, "see what the best attempt left"]];
      const result = facts.isEmpty === true ? [] : [DIFF];
      return state === "cancelled" ? [...result, ...left, LOGS] : [WHY, LOGS, ...left, ...result];
    }
    case "imported":
      return [["look", "report", "read its history"]];
  }
}

function finished({ applied, inPlace = false, isEmpty = false }: NextFacts): readonly Row[] {
  if (isEmpty) return [LOGS, WHY];
  if (inPlace) return [DIFF, UNDO, LOGS];
  return applied ? [DIFF, UNDO, LOGS] : [DIFF, APPLY, PR, LOGS];
}

const retry = ({ retry: subtask }: NextFacts): readonly Row[] =>
  subtask === undefined
    ? []
    : [["retry", `resume --retry ${subtask}`, "let it try again, with your words: --words"]];
