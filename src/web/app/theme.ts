/** Light or dark: the reader's choice, in a cookie, so that the next page comes right before any script runs. */
import { createObservable, useObservable } from "./observable.ts";

export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const YEAR_SECONDS = 31_536_000;

function isTheme(value: string | undefined): value is Theme {
  return themes.some((theme) => theme === value);
}

function readTheme(): Theme {
  const given = document.documentElement.dataset["theme"];
  return isTheme(given) ? given : "auto";
}

const current = createObservable<Theme>(readTheme());

/** Shows the page in `theme` and remembers that; "auto" follows the site and the system again. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
  const maxAge = theme === "auto" ? 0 : YEAR_SECONDS;
  document.cookie = `theme=${theme}; path=/; max-age=${maxAge}; samesite=lax`;
  current.set(theme);
}

/** The present theme. */
export function useTheme(): Theme {
  return useObservable(current);
}

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isSystemDark = createObservable(systemDark.matches);
systemDark.addEventListener("change", () => isSystemDark.set(systemDark.matches));

/** Whether the page is dark now, by choice or by the system; for what is drawn and not styled. */
export function useIsDark(): boolean {
  const theme = useTheme();
  const system = useObservable(isSystemDark);
  return theme === "auto" ? system : theme === "dark";
}
