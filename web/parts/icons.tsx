/** All drawings: one line weight, one size. Each state has its own shape, so that colour is never the only sign. */

const PATHS = {
  runs: "M2.5 4h11M2.5 8h11M2.5 12h7",
  inbox: "M2.5 9h3l1 2h3l1-2h3M2.5 9l1.8-5.5h7.4L13.5 9v4h-11z",
  insights: "M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6",
  new: "M8 3v10M3 8h10",
  keys: "M2 4.5h12v7H2zM4.5 7h.01M7 7h.01M9.5 7h.01M12 7h.01M5 9.3h6",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
  moon: "M13 9.6A5.6 5.6 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6",
  system: "M2 3.5h12v7.5H2zM6 13.5h4M8 11v2.5",
  live: "M8 7.2a.8.8 0 1 0 0 1.6.8.8 0 0 0 0-1.6M4.6 11.4a4.8 4.8 0 0 1 0-6.8M11.4 4.6a4.8 4.8 0 0 1 0 6.8",
  away: "M2.5 2.5l11 11M4.6 11.4a4.8 4.8 0 0 1-.7-5.9M11.4 4.6a4.8 4.8 0 0 1 .8 5.8",
  next: "M6 3.5L10.5 8 6 12.5",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.3 10.3L13.5 13.5",
  question:
    "M8 1.8L14.2 8 8 14.2 1.8 8zM6.6 6.6c.2-2 3-1.8 2.9 0 0 1.1-1.4 1.1-1.4 2.2M8.05 10.9h.01",
  running: "M8 2a6 6 0 1 0 6 6M8 2a6 6 0 0 1 6 6M8 5v3l2 1.5",
  spinner: "M8 2a6 6 0 0 1 6 6",
  play: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M6.7 5.6v4.8L10.6 8z",
  clock: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 4.8V8l2.2 1.4",
  pause: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M6.5 5.8v4.4M9.5 5.8v4.4",
  broken: "M5.3 2.6A6 6 0 0 0 5.3 13.4M10.7 2.6a6 6 0 0 1 0 10.8M8.8 4.2L6.6 8h2.8l-2.2 3.8",
  dotted: "M8 2a6 6 0 0 1 0 12A6 6 0 0 1 8 2",
  check: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M5.4 8.2l1.8 1.8 3.4-3.8",
  tilde: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M5.2 8.6c1-1.6 1.9-1.2 2.8-.6s1.8 1 2.8-.6",
  cross: "M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5zM6 6l4 4M10 6l-4 4",
  coin: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M9.8 6.2C9 5 6.4 5.2 6.4 6.7c0 1.7 3.3.9 3.3 2.6 0 1.6-2.7 1.7-3.5.4M8 4.4v7.2",
  slash: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M4.2 11.8l7.6-7.6",
  down: "M8 2.5v7M5 7l3 3 3-3M2.5 13.5h11",
  block: "M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
  skip: "M3.5 4l5 4-5 4zM11.5 4v8",
  tool: "M9.5 3a3 3 0 0 0-2.8 4L3 10.7 5.3 13 9 9.3A3 3 0 0 0 13 6l-2 1-1.5-1.5z",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  words: "M3 4h10M3 7.5h10M3 11h6",
  thought: "M8 3C5 3 2.8 4.8 2.8 7c0 1.3.8 2.5 2 3.2L4.5 13l2.8-2h.7c3 0 5.2-1.8 5.2-4S11 3 8 3",
} as const;

export type IconName = keyof typeof PATHS;

/** The text next to it has the meaning: screen readers skip it. */
export const Icon = ({ name, tone }: { readonly name: IconName; readonly tone?: string }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" data-icon={name} data-tone={tone}>
    <path d={PATHS[name]} />
  </svg>
);

/** The logo: a way around an obstacle. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 20 20" aria-hidden="true">
    <rect x="0" y="0" width="20" height="20" rx="5" />
    <path d="M5 5v4.5a4.5 4.5 0 0 0 4.5 4.5H15M12 11l3 3-3 3" transform="translate(0 -1)" />
  </svg>
);
