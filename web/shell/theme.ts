/** Light, dark, or as the system; stored in this browser. */
import { signal } from "@preact/signals";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const STORED = "unstuck-theme";

const stored = (): Theme => {
  const known = localStorage.getItem(STORED);
  return THEMES.find((theme) => theme === known) ?? "system";
};

export const theme = signal<Theme>(stored());

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
/** The system's preference; follows its changes. */
export const systemIsDark = signal(darkSystem.matches);
darkSystem.addEventListener("change", ({ matches }) => (systemIsDark.value = matches));

export function applyTheme(): void {
  if (theme.value === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "system";
  localStorage.setItem(STORED, theme.value);
  applyTheme();
}
