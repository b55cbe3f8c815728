/**
 * Takes an answer given by a notification's button (U10). Invariants: a token counts once and until it expires; it can
 * only skip a subtask, leave a refusal as it is, or postpone the notice; the stored question decides whether there is
 * still anything to answer. Only for faces that take it by POST, never by a link.
 */
import { basename } from "node:path";
import { outsideAnswers, type Notice, type OutsideAnswer } from "../../core/notify/notice.ts";
import { requeued } from "../../core/notify/outbox.ts";
import { questionWords } from "../../core/report/question-words.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { defined, notNow, operation, ProblemError } from "../operation.ts";
import { answerQuestion } from "../questions/answer.ts";
import { openQuestions, type OpenQuestion } from "../questions/inbox.ts";
import { withHome, type OpenHome } from "../runs/open-run.ts";
import { userConfig, userName } from "../user-config.ts";
import { answerKey } from "./answer-key.ts";
import { changeOutbox } from "./deliver.ts";
import { channelsOf } from "./settings.ts";
import { readAnswerToken, type Grant } from "./signature.ts";

const SNOOZE_MS = 3_600_000;
const USED_KEY = "notify used tokens";
const USED_MAX = 2000;

const ANSWERS = { skip: { kind: "skip" }, deny: { kind: "without" } } as const;

export const answerByToken = operation({
  name: "answer-by-token",
  schemas: async () => (await import("./schemas.ts")).answerByToken,
  async run(context, { token }) {
    refuseInsideAttempt("answering");
    const { grant, question } = await withHome(async (open) => {
      const found = grantIn(open, token);
      const asked = await askedBy(open, found);
      await useOnce(open, found);
      return { grant: found, question: asked };
    });
    const { run, question: id, answer } = grant;
    if (answer === "snooze") {
      const at = Date.now() + SNOOZE_MS;
      await withHome(({ journal }) => snooze(journal, question, at));
      return { run, question: id, answer, again: at };
    }
    const answered = await answerQuestion.run(
      { who: `${userName()} (notification)`, ...context },
      { run, question: id, answer: ANSWERS[answer] },
    );
    if (!answered.ok) throw new ProblemError(answered.problem.code, answered.problem.message);
    return { run, question: id, answer };
  },
});

export interface Offered {
  readonly answer: OutsideAnswer;
  readonly run: string;
  /** The name of the repository's folder. */
  readonly repository: string;
  readonly subtask?: string;
  readonly cause: string;
}

/** What a token would answer, while it is valid: for a confirmation page. It decides nothing. */
export const offeredByToken = (token: string): Promise<Offered> =>
  withHome(async (open) => {
    const grant = grantIn(open, token);
    const { row, checkpoint } = await askedBy(open, grant);
    const used = await open.journal.incidents.change(USED_KEY, (text) => ({
      ...{ next: text, answer: usedIn(text) },
    }));
    if (used.some(([once]) => once === grant.once)) throw usedAlready(row.id);
    return {
      ...{ answer: grant.answer, run: row.id, repository: basename(row.repo) },
      ...defined({ subtask: checkpoint.subtask }),
      cause: questionWords(checkpoint, row.id).cause,
    };
  });

function grantIn({ home }: OpenHome, token: string): Grant {
  const read = readAnswerToken(answerKey(home), token, Date.now());
  if (read.ok) return read.grant;
  throw new ProblemError(
    "not-allowed",
    read.why === "expired"
      ? "this button has expired: answer with unstuck review"
      : "this is no button of ours",
  );
}

/** A token is not used up if its question is gone or does not offer this answer. */
async function askedBy(
  { journal }: OpenHome,
  { run, question, answer }: Grant,
): Promise<OpenQuestion> {
  const row = await journal.run(run);
  const open = row === undefined ? [] : await openQuestions(journal, [row]);
  const asked = open.find(
    ({ checkpoint, given }) => checkpoint.id === question && given === undefined,
  );
  if (asked === undefined)
    throw notNow(run, "this question has been answered, or its run has ended");
  const offered: readonly OutsideAnswer[] = outsideAnswers(asked.checkpoint);
  if (!offered.includes(answer)) throw notNow(run, "this question does not offer that answer");
  return asked;
}

async function useOnce({ journal }: OpenHome, { once, expires, run }: Grant): Promise<void> {
  const now = Date.now();
  const isFirst = await journal.incidents.change(USED_KEY, (text) => {
    const used = usedIn(text).filter(([, until]) => until > now);
    const known = used.some(([token]) => token === once);
    const next = known ? used : [...used, [once, expires] as const].slice(-USED_MAX);
    return { next: JSON.stringify(next), answer: !known };
  });
  if (!isFirst) throw usedAlready(run);
}

const usedAlready = (run: string): ProblemError => notNow(run, "this button was used already");

type Used = readonly (readonly [token: string, until: number])[];
const usedIn = (text: string | undefined): Used =>
  text === undefined ? [] : (JSON.parse(text) as Used);

function snooze(journal: OpenHome["journal"], asked: OpenQuestion, due: number): Promise<void> {
  const { row, checkpoint } = asked;
  const { cause } = questionWords(checkpoint, row.id);
  const notice: Notice = {
    ...{ id: `${row.id}/later-${due}`, run: row.id, repository: basename(row.repo) },
    ...{ severity: "question", cause: `question: ${cause}`, question: checkpoint.id, at: due },
    words: `${checkpoint.subtask ?? "The run"} still needs you: ${cause}`,
    answers: outsideAnswers(checkpoint),
  };
  const channels = channelsOf(userConfig().notify ?? {});
  const items = channels
    .filter(({ when }) => when.includes("question"))
    .map(({ name: channel }) => ({ channel, notice, due, tries: 0 }));
  return changeOutbox(journal, (outbox) => ({
    outbox: requeued(outbox, items),
    answer: undefined,
  }));
}
