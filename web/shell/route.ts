/** The current place of the page, according to its address. Pages are distinguished only here. */
import { computed, signal } from "@preact/signals";

export type Place =
  | { readonly page: "runs" }
  | { readonly page: "run"; readonly run: string; readonly subtask?: string }
  | {
      readonly page: "attempt";
      readonly run: string;
      readonly subtask: string;
      readonly attempt: number;
    }
  | { readonly page: "inbox" }
  | { readonly page: "insights" }
  | { readonly page: "new" }
  | { readonly page: "sign-in" }
  | { readonly page: "nowhere" };

const address = signal(location.pathname + location.hash);

export const place = computed(() => placeOf(address.value));

export function placeOf(path: string): Place {
  const [way = ""] = path.split("#");
  const [first = "", ...more] = way.split("/").filter(Boolean).map(decoded);
  if (first === "") return { page: "runs" };
  if (first === "inbox" || first === "insights" || first === "new" || first === "sign-in")
    return { page: first };
  const [run, subtask, attempt] = more;
  if (first !== "runs") return { page: "nowhere" };
  if (run === undefined) return { page: "runs" };
  if (subtask === undefined) return { page: "run", run };
  if (attempt === undefined) return { page: "run", run, subtask };
  return /^\d{1,6}$/.test(attempt)
    ? { page: "attempt", run, subtask, attempt: Number(attempt) }
    : { page: "nowhere" };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const runPath = (run: string, subtask?: string, attempt?: number): string =>
  ["", "runs", run, subtask, attempt]
    .filter((part) => part !== undefined)
    .map((part) => encodeURIComponent(part))
    .join("/");

/** The text after `#`: which part of a page is open. */
export const fragment = computed(() => decoded(address.value.split("#")[1] ?? ""));

export function go(path: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", path);
  else history.replaceState(null, "", path);
  address.value = location.pathname + location.hash;
  if (how === "push") scrollTo(0, 0);
}

/** Links within the page change the view instead of reloading it. */
export function startRouting(): void {
  addEventListener("popstate", () => (address.value = location.pathname + location.hash));
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (link === null || !isPlain || link.target !== "" || link.origin !== location.origin) return;
    event.preventDefault();
    go(link.pathname + link.hash);
  });
}
