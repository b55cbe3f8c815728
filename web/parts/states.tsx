/** What a page shows without content: it is loading, there is none, or it is unavailable. */
import type { ComponentChildren } from "preact";
import type { Problem } from "../api/client.ts";
import type { Reading } from "../api/reading.ts";
import { Icon } from "./icons.tsx";

export const Loading = ({ rows = 6 }: { readonly rows?: number }) => (
  <div class="loading" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, index) => (
      <div key={index} class="loading-row" />
    ))}
  </div>
);

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

export const Failed = ({ problem }: { readonly problem: Problem }) => (
  <div class="empty" role="alert">
    <Icon name="cross" tone="failed" />
    <p class="empty-title">{problem.message}</p>
    {problem.next === undefined ? null : <code>{problem.next}</code>}
    <p class="empty-ways">
      <button onClick={() => location.reload()}>Try again</button>
      {location.pathname === "/" ? null : <a href="/">See the runs</a>}
    </p>
  </div>
);

/** For several reads of one page: the error of the first that failed is shown, once. */
export function FailedOnce({ of }: { readonly of: readonly Reading<unknown>[] }) {
  const problem = failureOf(of);
  return problem === undefined ? null : <Failed problem={problem} />;
}

export const failureOf = (readings: readonly Reading<unknown>[]): Problem | undefined =>
  readings.find(({ value, problem }) => value === undefined && problem !== undefined)?.problem;

interface ReadProps<T> {
  readonly reading: Reading<T>;
  readonly rows?: number;
  /** The page shows the error itself. */
  readonly quiet?: boolean;
  readonly children: (value: T) => ComponentChildren;
}

/** The value once it has loaded, even if it is outdated; otherwise the error. */
export function Read<T>({ reading, rows = 6, quiet = false, children }: ReadProps<T>) {
  const { value, problem } = reading;
  if (value !== undefined) return <>{children(value)}</>;
  if (problem === undefined) return <Loading rows={rows} />;
  return quiet ? null : <Failed problem={problem} />;
}
