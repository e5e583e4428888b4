/** Parts of the bar on top of a page: the mark, the switch between consoles, language, theme. */
import type { JSX } from "preact";
import { type ConsoleAddress, consoles } from "../console/consoles.ts";
import { chooseLanguage } from "../../app/language.ts";
import { currentLanguage, text } from "../../app/texts.ts";
import { type Theme, chooseTheme, theme, themes } from "../../app/theme.ts";
import { Select } from "../controls.tsx";
import type { IconName } from "../icons.tsx";

const themeIcons: Readonly<Record<Theme, IconName>> = { auto: "contrast", light: "sun", dark: "moon" };

/** The way to the consoles of the install's other services; nothing while there is one alone. */
export function ConsoleSwitch({ present }: { present: ConsoleAddress["service"] }): JSX.Element | null {
  if (consoles.value.length < 2) return null;
  return (
    <nav class="console-switch" aria-label={text("header.consoles")}>
      {consoles.value.map(({ service, url }) => (
        <a
          key={service}
          href={service === present ? "/admin" : url}
          aria-current={service === present ? "true" : undefined}
        >
          {text(`header.console.${service}`)}
        </a>
      ))}
    </nav>
  );
}

function toLanguageName(language: string): string {
  return new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
}

/** The page's language; nothing while there is one alone. */
export function LanguageChoice({ languages }: { languages: readonly string[] }): JSX.Element | null {
  if (languages.length < 2) return null;
  return (
    <Select
      icon="globe"
      label={text("header.language")}
      value={currentLanguage()}
      choices={languages.map((language) => ({
        value: language,
        label: toLanguageName(language),
        lang: language,
      }))}
      onChange={(language) => void chooseLanguage(language)}
    />
  );
}

/** Light, dark, or as the system has it. */
export function ThemeChoice(): JSX.Element {
  return (
    <Select
      icon={themeIcons[theme.value]}
      label={text("header.theme")}
      value={theme.value}
      choices={themes.map((value) => ({ value, label: text(`theme.${value}`) }))}
      onChange={chooseTheme}
    />
  );
}

/** As kit/icon.svg, in the theme's colours. */
export function BrandMark(): JSX.Element {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M6 21l5-8 4 5 4-9 3 6h4" />
    </svg>
  );
}
