/**
 * Owners are sound: the code never says that something cannot be, asks for nothing that is not there, and two
 * never share a run.
 */
import { judging } from "./reading.ts";

export const ownersAreSound = judging("owners are sound", (_, report) => {
  return (happened, where) => {
    if (happened.kind === "owner-failed") report(where, `${happened.by}: ${happened.problem}`);
    if (happened.kind === "asked-in-vain")
      report(where, `the workspace was asked for what was never made: ${happened.what}`);
  };
});

export const oneOwner = judging("one owner at a time", (_, report) => {
  let owner: string | undefined;
  return (happened, where) => {
    if (happened.kind === "owner-took") {
      if (owner !== undefined) report(where, `${happened.by} took the run from living ${owner}`);
      owner = happened.by;
    }
    const over =
      happened.kind === "owner-left" ||
      happened.kind === "owner-died" ||
      happened.kind === "death-imagined";
    if (over && happened.by === owner) owner = undefined;
  };
});
