/** Who says it, as the system knows them; a user without a name is somebody. */
import { userInfo } from "node:os";
import { tameLine } from "../core/foreign-text.ts";

export function personName(): string {
  try {
    return tameLine(userInfo().username, 60);
  } catch {
    return "somebody";
  }
}
