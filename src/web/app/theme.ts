/** Light or dark: the reader's choice, in a cookie, so that the next page comes right before any script runs. */
import { computed, signal } from "@preact/signals";

export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

function isTheme(value: string | undefined): value is Theme {
  return themes.some((theme) => theme === value);
}

function readTheme(): Theme {
  const given = document.documentElement.dataset["theme"];
  return isTheme(given) ? given : "auto";
}

/** The reader's choice. */
export const theme = signal<Theme>(readTheme());

/** Shows the page in a theme and remembers that; "auto" follows the site and the system again. */
export function chooseTheme(chosen: Theme): void {
  document.documentElement.dataset["theme"] = chosen;
  const cookie = `theme=${chosen};path=/;max-age=31536000;samesite=lax`; // a year
  document.cookie = location.protocol === "https:" ? `__Host-${cookie};secure` : cookie;
  theme.value = chosen;
}

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isSystemDark = signal(systemDark.matches);
systemDark.addEventListener("change", () => {
  isSystemDark.value = systemDark.matches;
});

/** Whether the page is dark now, by choice or by the system; for what is drawn and not styled. */
export const isDark = computed(() => (theme.value === "auto" ? isSystemDark.value : theme.value === "dark"));
