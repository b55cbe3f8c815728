/** Any command a plan gives: nothing is known of it, so its first line tells how its output is read. */
import type { AgentDescriptor } from "../agent.ts";

export const command: AgentDescriptor = { name: "command" };
