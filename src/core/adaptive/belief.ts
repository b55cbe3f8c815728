/**
 * The belief about the hidden cause: a probability for each cause, with an intact tree and with a tree that earlier
 * tries have spoiled. Invariants: all shares sum to 1; none is ever 0 or 1, so evidence can always reverse the belief;
 * a spoiled tree does not replace a cause, so after a clean start the causes are as they were.
 */
import { ROOT_CAUSES, type Cause, type RootCause } from "./causes.ts";
import type { PerCause, PerRootCause, Success, Symptom, Tables } from "./tables.ts";

export interface JointBelief {
  readonly clean: PerRootCause;
  readonly spoiled: PerRootCause;
}

/** As it is shown and recorded: misled by earlier tries is one of the causes. */
export type Belief = PerCause;

/** No cause is less likely than this. */
const FLOOR = 1e-4;

export function startBelief({ prior }: Tables): JointBelief {
  const spoilable = 1 - prior.pollution - prior.transient;
  return normalised({
    clean: prior,
    spoiled: perRootCause((cause) =>
      // A passing fault leaves the tree as it was.
      cause === "transient" || spoilable <= 0 ? 0 : (prior.pollution * prior[cause]) / spoilable,
    ),
  });
}

/** `weight` below 1: it counts as a part of that evidence. A spoiled tree hides some of what its cause would show. */
export function afterSymptom(
  belief: JointBelief,
  symptom: Symptom,
  tables: Tables,
  weight = 1,
): JointBelief {
  const likelihood = tables.symptoms[symptom];
  const { hides } = tables;
  const hidden = hides * likelihood.pollution;
  return normalised({
    clean: perRootCause((cause) => belief.clean[cause] * likelihood[cause] ** weight),
    spoiled: perRootCause(
      (cause) => belief.spoiled[cause] * (hidden + (1 - hides) * likelihood[cause]) ** weight,
    ),
  });
}

/** A move that failed speaks against the causes it would have cured. */
export const afterFailedMove = (belief: JointBelief, { chance, onSpoiled }: Success): JointBelief =>
  normalised({
    clean: perRootCause((cause) => belief.clean[cause] * (1 - chance[cause])),
    spoiled: perRootCause((cause) => belief.spoiled[cause] * (1 - onSpoiled * chance[cause])),
  });

/** Each failed attempt on the same tree leaves something behind. */
export function polluted({ clean, spoiled }: JointBelief, { pollutes }: Tables): JointBelief {
  const share = (cause: RootCause): number => (cause === "transient" ? 0 : pollutes);
  return normalised({
    clean: perRootCause((cause) => clean[cause] * (1 - share(cause))),
    spoiled: perRootCause((cause) => spoiled[cause] + clean[cause] * share(cause)),
  });
}

/** A clean tree and a new context failed too: what misled the tries before is gone, what it hid is not. */
export const cleaned = ({ clean, spoiled }: JointBelief): JointBelief =>
  normalised({
    clean: perRootCause((cause) => clean[cause] + spoiled[cause]),
    spoiled: perRootCause(() => 0),
  });

export const expected = ({ clean, spoiled }: JointBelief, { chance, onSpoiled }: Success): number =>
  ROOT_CAUSES.reduce(
    (sum, cause) => sum + (clean[cause] + onSpoiled * spoiled[cause]) * chance[cause],
    0,
  );

export function shownBelief({ clean, spoiled }: JointBelief): Belief {
  const pollution = ROOT_CAUSES.reduce((sum, cause) => sum + spoiled[cause], 0);
  return { ...clean, pollution };
}

/** Most likely first. */
export const ranked = (belief: Belief): readonly (readonly [Cause, number])[] =>
  (Object.entries(belief) as [Cause, number][]).toSorted((a, b) => b[1] - a[1]);

export function perRootCause(of: (cause: RootCause) => number): PerRootCause {
  return {
    transient: of("transient"),
    mistake: of("mistake"),
    misread: of("misread"),
    capability: of("capability"),
    environment: of("environment"),
    person: of("person"),
  };
}

function normalised({ clean, spoiled }: JointBelief): JointBelief {
  const sum = ROOT_CAUSES.reduce((total, cause) => total + clean[cause] + spoiled[cause], 0);
  const room = 1 - FLOOR * 2 * ROOT_CAUSES.length;
  const scaled = (shares: PerRootCause): PerRootCause =>
    perRootCause(
      (cause) => FLOOR + room * (sum > 0 ? shares[cause] / sum : 0.5 / ROOT_CAUSES.length),
    );
  return { clean: scaled(clean), spoiled: scaled(spoiled) };
}
