/** The bar on top of every page: title, whether the feed is live, search and view, language, theme, the way to administration. */
import type { JSX } from "preact";
import { useFleet } from "../app/fleet.ts";
import { useRoute } from "../app/route.ts";
import { useSite } from "../app/site.ts";
import { type TextName, chooseLanguage, currentLanguage, text } from "../app/texts.ts";
import { type Theme, chooseTheme, themes, useTheme } from "../app/theme.ts";
import { type View, views } from "../fleet/criteria.ts";
import { changeCriteria, useCriteria } from "../fleet/use-criteria.ts";
import { Segments, Select } from "./controls.tsx";
import { type IconName, Icon } from "./icons.tsx";
import { SearchBox } from "./search-box.tsx";

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
  const theme = useTheme();
  return (
    <Select
      icon={themeIcons[theme]}
      label={text("header.theme")}
      value={theme}
      choices={themes.map((value) => ({ value, label: text(`theme.${value}`) }))}
      onChange={chooseTheme}
    />
  );
}

function ViewChoice(): JSX.Element {
  const { view } = useCriteria();
  return (
    <Segments
      label={text("header.view")}
      value={view}
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
  const { live, loaded } = useFleet();
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
  const site = useSite();
  const { page } = useRoute();
  const { servers } = useFleet();
  return (
    <header class={`header ${page === "fleet" ? "has-search" : ""}`}>
      <a class="brand" href="/">
        <BrandMark />
        <span class="brand-name">{site?.title ?? document.title}</span>
      </a>
      <LiveState />
      {page === "fleet" && servers.length > 0 && (
        <div class="header-find">
          <SearchBox />
          <ViewChoice />
        </div>
      )}
      <nav class="header-tools" aria-label={text("header.tools")}>
        <LanguageChoice languages={site?.languages ?? []} />
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
