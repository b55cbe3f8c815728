/**
 * The hidden causes of a failure, never observed and only believed, with their wording: a short name for a bar, a
 * sentence for a likely cause and one for a possible cause. Invariant: this is the only list of causes.
 */
export const CAUSES = [
  "transient",
  "mistake",
  "misread",
  "capability",
  "pollution",
  "environment",
  "person",
] as const;

export type Cause = (typeof CAUSES)[number];

/** What is wrong with the task or its attempts; a spoiled tree comes on top of one of them, and replaces none. */
export const ROOT_CAUSES = CAUSES.filter((cause) => cause !== "pollution");

export type RootCause = (typeof ROOT_CAUSES)[number];

interface CauseWords {
  readonly name: string;
  readonly likely: string;
  readonly maybe: string;
}

export const CAUSE_WORDS: { readonly [cause in Cause]: CauseWords } = {
  transient: {
    name: "passing fault",
    likely: "it was probably a passing fault",
    maybe: "it may be a passing fault",
  },
  mistake: {
    name: "simple mistake",
    likely: "it probably made a mistake it can correct",
    maybe: "it may have made a mistake it can correct",
  },
  misread: {
    name: "misread the task",
    likely: "it probably misread the task",
    maybe: "it may have misread the task",
  },
  capability: {
    name: "too hard for the model",
    likely: "it is probably too hard for this model",
    maybe: "it may be too hard for this model",
  },
  pollution: {
    name: "misled by earlier tries",
    likely: "it is probably misled by its own earlier tries",
    maybe: "it may be misled by its own earlier tries",
  },
  environment: {
    name: "something is missing",
    likely: "something it needs is probably missing here",
    maybe: "something it needs may be missing here",
  },
  person: {
    name: "needs a person",
    likely: "it probably needs something only you can give",
    maybe: "it may need something only you can give",
  },
};
