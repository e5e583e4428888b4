/** The bar on top of every page: title, whether the feed is live, search and view, language, theme, the way to administration. */
import type { JSX } from "preact";
import { type View, views } from "../fleet/criteria.ts";
import { changeCriteria, presentCriteria } from "../fleet/present-criteria.ts";
import { SearchBox } from "../fleet/search-box.tsx";
import { Segments, Select } from "../ui/controls.tsx";
import { type IconName, Icon } from "../ui/icons.tsx";
import { fleet } from "./fleet.ts";
import { chooseLanguage } from "./language.ts";
import { route } from "./route.ts";
import { site } from "./site.ts";
import { type TextName, currentLanguage, text } from "./texts.ts";
import { type Theme, chooseTheme, theme, themes } from "./theme.ts";

const themeIcons: Readonly<Record<Theme, IconName>> = { auto: "contrast", light: "sun", dark: "moon" };
const viewIcons: Readonly<Record<View, IconName>> = { grid: "grid", list: "list", uptime: "bars" };

function toLanguageName(language: string): string {
  return new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
}

function LanguageChoice({ languages }: { languages: readonly string[] }): JSX.Element | null {
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

function ThemeChoice(): JSX.Element {
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

function ViewChoice(): JSX.Element {
  return (
    <Segments
      label={text("header.view")}
      value={presentCriteria.value.view}
      choices={views.map((value) => ({ value, label: text(`view.${value}`), icon: viewIcons[value] }))}
      onChange={(chosen) => changeCriteria({ view: chosen })}
    />
  );
}

/** As kit/icon.svg, in the theme's colours. */
function BrandMark(): JSX.Element {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M6 21l5-8 4 5 4-9 3 6h4" />
    </svg>
  );
}

function LiveState(): JSX.Element {
  const { live, loaded } = fleet.value;
  const name: TextName = live ? "header.live" : loaded ? "header.reconnecting" : "header.connecting";
  return (
    <span
      class={`live ${live ? "is-live" : "is-lost"}`}
      role="status"
      title={loaded && !live ? text("header.stale") : undefined}
    >
      <span class="live-dot" aria-hidden="true" />
      <span class="live-word">{text(name)}</span>
    </span>
  );
}

/** The header. */
export function Header(): JSX.Element {
  const { page } = route.value;
  return (
    <header class={`header ${page === "fleet" ? "has-search" : ""}`}>
      <a class="brand" href="/">
        <BrandMark />
        <span class="brand-name">{site.value?.title ?? document.title}</span>
      </a>
      <LiveState />
      {page === "fleet" && fleet.value.servers.length > 0 && (
        <div class="header-find">
          <SearchBox />
          <ViewChoice />
        </div>
      )}
      <nav class="header-tools" aria-label={text("header.tools")}>
        <LanguageChoice languages={site.value?.languages ?? []} />
        <ThemeChoice />
        <a
          class="button quiet icon-only"
          href="/admin"
          aria-label={text("header.admin")}
          title={text("header.admin")}
          aria-current={page === "admin" ? "page" : undefined}
        >
          <Icon name="gear" />
        </a>
      </nav>
    </header>
  );
}
