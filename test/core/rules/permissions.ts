/** What each rule of `permissions` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const PERMISSIONS: Examples = {
  "permission-denied": {
    example: "rm: cannot remove 'carts.db': Permission denied",
    nearMiss: "git@example.org: Permission denied (publickey).",
  },
  "access-denied": {
    example: "Access to the path 'C:\\carts.db' is denied.",
    nearMiss: "Access denied for user 'cart'@'localhost' (using password: YES)",
  },
  "needs-root": {
    example: "error: you cannot perform this operation unless you are root.",
    nearMiss: "the root of the matter",
  },
  "permission-locales": {
    example: "rm: Entfernen von 'carts.db' nicht möglich: Keine Berechtigung",
    nearMiss: "die Operation war ein Erfolg",
  },
  "call-denied": {
    example: "Command rejected by user",
    nearMiss: "the command was accepted by the user",
  },
  "service-permission": {
    example: "ERROR:  permission denied for table carts",
    nearMiss: "a region of the country",
  },
  "must-be-root": {
    example: "mount: /mnt: must be superuser to use mount.",
    nearMiss: "the root of the tree must be a folder",
  },
  "called-destructive": {
    example: "Blocked a dangerous command",
    nearMiss: "this command is dangerous",
  },
};
