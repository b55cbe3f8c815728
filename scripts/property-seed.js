/**
 * Loaded before every test file: property tests draw from one seed, so that a run of the suite says the same thing twice.
 * `UNSTUCK_SEED=7 npm test` takes another seed, `UNSTUCK_SEED=random npm test` a new one each time. Imports fast-check.
 */
import fc from "fast-check";

const asked = process.env.UNSTUCK_SEED ?? "20240611";
if (asked !== "random") fc.configureGlobal({ seed: Number(asked) });
