/** What a page shows when it has nothing to show yet: it is on its way, there is none, or it cannot be had. */
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

/** Several readings of one page: what went wrong is said once, of the first that cannot be had. */
export function FailedOnce({ of }: { readonly of: readonly Reading<unknown>[] }) {
  const problem = failureOf(of);
  return problem === undefined ? null : <Failed problem={problem} />;
}

export const failureOf = (readings: readonly Reading<unknown>[]): Problem | undefined =>
  readings.find(({ value, problem }) => value === undefined && problem !== undefined)?.problem;

interface ReadProps<T> {
  readonly reading: Reading<T>;
  readonly rows?: number;
  /** The page says by itself what went wrong. */
  readonly quiet?: boolean;
  readonly children: (value: T) => ComponentChildren;
}

/** The value once it is there, also where it has become old; else why it is not. */
export function Read<T>({ reading, rows = 6, quiet = false, children }: ReadProps<T>) {
  const { value, problem } = reading;
  if (value !== undefined) return <>{children(value)}</>;
  if (problem === undefined) return <Loading rows={rows} />;
  return quiet ? null : <Failed problem={problem} />;
}
