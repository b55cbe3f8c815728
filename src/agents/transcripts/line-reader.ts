/** What each agent format gives: a function from one parsed line to steps. */
import type { Step } from "../../core/stuck/step.ts";
import type { Fields } from "./json.ts";

/** Unknown lines give no steps. May remember earlier lines of its transcript, within bounds. */
export type LineReader = (line: Fields) => readonly Step[];
