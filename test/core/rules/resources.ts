/** What each rule of `resources` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const RESOURCES: Examples = {
  "no-space": {
    example: "cp: error writing 'carts.db': No space left on device",
    nearMiss: "Error: ENOSPC: System limit for number of file watchers reached, watch '/srv'",
  },
  "disk-locales": {
    example: "cp: Fehler beim Schreiben: Auf dem Gerät ist kein Speicherplatz mehr verfügbar",
    nearMiss: "der Speicherplatz reicht",
  },
  "heap-exhausted": {
    example: "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
    nearMiss: "a memory of the heap of carts",
  },
  "killed-by-kernel": {
    example: "make.sh: line 3: 41177 Killed                  cartctl build",
    nearMiss: "the deal was killed",
  },
  "memory-locales": {
    example: "fork: Nicht genügend Hauptspeicher verfügbar",
    nearMiss: "der Speicher ist groß",
  },
  segfault: {
    example: "Segmentation fault (core dumped)",
    nearMiss: "a segmentation of the market",
  },
  "ollama-runner": {
    example: "llama runner process has terminated: signal: killed",
    nearMiss: "the runner finished the process",
  },
  "interpreter-memory": {
    example: "Error: cannot allocate vector of size 7450.6 Gb",
    nearMiss: "allocate a vector of rows for each cart",
  },
  "shell-saw-crash": {
    example: "bash: line 1:  7613 Trace/breakpoint trap   cart-agent -p hi",
    nearMiss: "line 1: the trap was set for the bus",
  },
  "native-assertion": {
    example: "#  Assertion failed: (0) == (uv_thread_create(t.get(), start_thread, this))",
    nearMiss: "Assertion failed: expected 3 carts",
  },
};
