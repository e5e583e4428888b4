/** The bar on top of every page: title, whether the feed is live, language, theme, the way to administration. */
import type { JSX } from "preact";
import { useFleet } from "../app/fleet.ts";
import { useSite } from "../app/site.ts";
import { chooseLanguage, currentLanguage, text } from "../app/texts.ts";
import type { TextName } from "../app/texts.ts";
import { chooseTheme, themes, useTheme } from "../app/theme.ts";
import type { Theme } from "../app/theme.ts";

const themeTexts: Readonly<Record<Theme, TextName>> = {
  auto: "theme.auto",
  light: "theme.light",
  dark: "theme.dark",
};

function toLanguageName(language: string): string {
  return new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
}

function LanguageChoice({ languages }: { languages: readonly string[] }): JSX.Element {
  return (
    <select
      aria-label={text("header.language")}
      value={currentLanguage()}
      onChange={(event) => void chooseLanguage(event.currentTarget.value)}
    >
      {languages.map((language) => (
        <option value={language} key={language} lang={language}>
          {toLanguageName(language)}
        </option>
      ))}
    </select>
  );
}

function ThemeChoice(): JSX.Element {
  const theme = useTheme();
  return (
    <select
      aria-label={text("header.theme")}
      value={theme}
      onChange={(event) => chooseTheme(themes.find((name) => name === event.currentTarget.value) ?? "auto")}
    >
      {themes.map((name) => (
        <option value={name} key={name}>
          {text(themeTexts[name])}
        </option>
      ))}
    </select>
  );
}

function LiveState(): JSX.Element {
  const { live, loaded } = useFleet();
  const name: TextName = live ? "header.live" : loaded ? "header.reconnecting" : "header.connecting";
  return (
    <span class={`live ${live ? "is-live" : "is-lost"}`} role="status">
      <span class="live-dot" aria-hidden="true" />
      {text(name)}
    </span>
  );
}

/** The header. */
export function Header(): JSX.Element {
  const site = useSite();
  return (
    <header class="header">
      <a class="brand" href="/">
        <span class="brand-mark" aria-hidden="true" />
        <span class="brand-name">{site?.title ?? document.title}</span>
      </a>
      <LiveState />
      <nav class="header-tools" aria-label={text("header.tools")}>
        <LanguageChoice languages={site?.languages ?? [currentLanguage()]} />
        <ThemeChoice />
        <a class="button quiet" href="/admin">
          {text("header.admin")}
        </a>
      </nav>
    </header>
  );
}
