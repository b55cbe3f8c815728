/**
 * Keys: those of every page, and those that the current page adds. Invariant: no key is handled while the user types,
 * or together with Ctrl, Alt or Cmd.
 */
import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { go } from "./route.ts";

export const helpIsOpen = signal(false);

type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const pages: Keys[] = [];
const GO: Readonly<Record<string, string>> = { r: "/", i: "/inbox", s: "/insights", n: "/new" };
const SECOND_KEY_MS = 1200;

let goUntil = 0;

export function startKeyboard(): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const typing = isTyping(event.target);
    if (event.key === "Escape") {
      if (helpIsOpen.value) helpIsOpen.value = false;
      else if (typing) (event.target as HTMLElement).blur();
      else run(event);
      return;
    }
    if (typing || helpIsOpen.value || activates(event)) return;
    if (event.key === "?") helpIsOpen.value = true;
    else if (Date.now() < goUntil && GO[event.key] !== undefined) go(GO[event.key] ?? "/");
    else if (event.key === "g") goUntil = Date.now() + SECOND_KEY_MS;
    else run(event);
    if (event.key !== "g") goUntil = 0;
  });
}

/** The part that was opened last has precedence. */
function run(event: KeyboardEvent): void {
  const keys = pages.findLast((one) => one[event.key] !== undefined);
  if (keys === undefined) return;
  event.preventDefault();
  keys[event.key]?.(event);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Enter on a link or a button activates that instead. */
const activates = ({ key, target }: KeyboardEvent): boolean =>
  key === "Enter" && target instanceof Element && target.closest("a, button, summary") !== null;

/** Active while the component is mounted. */
export function useKeys(keys: Keys): void {
  useLayoutEffect(() => {
    pages.push(keys);
    return () => void pages.splice(pages.indexOf(keys), 1);
  });
}
