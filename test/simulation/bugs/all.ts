/** Every planted bug by name. */
import type { Sabotage } from "../world/sabotage.ts";
import { ENGINE_BUGS } from "./engine-bugs.ts";
import { PORT_BUGS } from "./port-bugs.ts";

export const PLANTED_BUGS: Readonly<Record<string, Sabotage>> = { ...ENGINE_BUGS, ...PORT_BUGS };
