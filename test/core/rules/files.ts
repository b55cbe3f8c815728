/** What each rule of `files` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const FILES: Examples = {
  "no-such-file": {
    example: "cat: carts.txt: No such file or directory",
    nearMiss: "there is no such thing as a free cart",
  },
  "file-does-not-exist": {
    example: "error: the path '/srv/carts' does not exist",
    nearMiss: "The model `cart-9` does not exist",
  },
  "file-not-found-words": {
    example: "error: could not find `Cargo.toml` in `/srv/carts` or any parent directory",
    nearMiss: "we could not find the cart",
  },
  "project-file-missing": {
    example: "make: *** No targets specified and no makefile found.  Stop.",
    nearMiss: "the makefile was found",
  },
  "windows-file-not-found": {
    example: "The system cannot find the path specified.",
    nearMiss: "the system found the path",
  },
  "file-not-found-locales": {
    example: "cat: carts.txt: Datei oder Verzeichnis nicht gefunden",
    nearMiss: "die Datei liegt im Verzeichnis",
  },
  "git-paths": {
    example: "error: pathspec 'carts' did not match any file(s) known to git",
    nearMiss: "the pathspec matched",
  },
  "is-a-directory": {
    example: "cat: carts: Is a directory",
    nearMiss: "there is a directory of shops",
  },
};
