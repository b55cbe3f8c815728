/** What each rule of `ordinary` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const ORDINARY: Examples = {
  "port-in-use": {
    example: "Error: listen EADDRINUSE: address already in use :::8080",
    nearMiss: "the port of Genoa",
  },
  "container-or-lock-busy": {
    example: 'Error: The container name "/cart" is already in use by container 4f1c',
    nearMiss: "already in the shop",
  },
  "own-exception": {
    example: "TypeError: Cannot read properties of undefined (reading 'total')",
    nearMiss: "a type error in the book",
  },
};
