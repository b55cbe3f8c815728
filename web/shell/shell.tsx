/** The frame around every page: navigation, what waits for a person, and whether the data is up to date. */
import type { ComponentChildren } from "preact";
import { connection } from "../api/live.ts";
import { useReading } from "../api/reading.ts";
import { Icon, Mark, type IconName } from "../parts/icons.tsx";
import { helpIsOpen } from "./keyboard.ts";
import { KeyHelp } from "./key-help.tsx";
import { place, type Place } from "./route.ts";
import { nextTheme, theme } from "./theme.ts";

interface Entry {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  readonly pages: readonly Place["page"][];
}

const ENTRIES: readonly Entry[] = [
  { path: "/", name: "Runs", icon: "runs", pages: ["runs", "run", "attempt"] },
  { path: "/inbox", name: "Inbox", icon: "inbox", pages: ["inbox"] },
  { path: "/insights", name: "Insights", icon: "insights", pages: ["insights"] },
  { path: "/new", name: "New run", icon: "new", pages: ["new"] },
];

export function Shell({ children }: { readonly children: ComponentChildren }) {
  const questions = useReading("inbox", { all: true }, ["inbox"]).value.value?.questions;
  const open = questions?.filter(({ given }) => given === undefined).length ?? 0;
  return (
    <div class="shell">
      <a class="skip-link" href="#content">
        Skip to the content
      </a>
      <header class="sidebar">
        <a class="brand" href="/">
          <Mark />
          <span>Unstuck</span>
        </a>
        <nav aria-label="Pages">
          {ENTRIES.map(({ path, name, icon, pages }) => (
            <a
              key={path}
              href={path}
              class="nav-entry"
              aria-current={pages.includes(place.value.page) ? "page" : undefined}
            >
              <Icon name={icon} />
              <span>{name}</span>
              {path === "/inbox" && open > 0 ? (
                <span class="count" aria-label={`${open} open`}>
                  {open}
                </span>
              ) : null}
            </a>
          ))}
        </nav>
        <div class="sidebar-foot">
          <Connection />
          <button class="quiet" onClick={nextTheme} title="Light, dark or as the system has it">
            <Icon name={THEME_ICONS[theme.value]} />
            <span>Theme: {theme.value}</span>
          </button>
          <button class="quiet" onClick={() => (helpIsOpen.value = true)}>
            <Icon name="keys" />
            <span>
              Keys <kbd>?</kbd>
            </span>
          </button>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {connection.value === "lost" ? <Offline /> : null}
        {children}
      </main>
      {helpIsOpen.value ? <KeyHelp /> : null}
    </div>
  );
}

const THEME_ICONS = { system: "system", light: "sun", dark: "moon" } as const;

const CONNECTION_WORDS = {
  opening: "Connecting",
  open: "Live",
  lost: "Not connected",
} as const;

const Connection = () => (
  <p class="connection" data-state={connection.value} role="status">
    <Icon name={connection.value === "open" ? "live" : "away"} />
    <span>{CONNECTION_WORDS[connection.value]}</span>
  </p>
);

const Offline = () => (
  <p class="banner" role="alert">
    <Icon name="away" />
    <span>
      Not connected: what you see may be out of date. Runs carry on without this page, and it
      reconnects by itself once <code>unstuck serve</code> is running.
    </span>
  </p>
);
