/** The bar on top of every page: title, whether the feed is live, search and view, language, theme, the way to administration. */
import type { JSX } from "preact";
import { type View, views } from "../fleet/criteria.ts";
import { changeCriteria, presentCriteria } from "../fleet/present-criteria.ts";
import { SearchBox } from "../fleet/search-box.tsx";
import { Segments } from "../ui/controls.tsx";
import { BrandMark, ConsoleSwitch, LanguageChoice, ThemeChoice } from "../ui/console-page/header-parts.tsx";
import { AlertBell } from "../ui/alert-bell.tsx";
import { PrivateMark } from "../ui/private-mark.tsx";
import type { IconName } from "../ui/icons.tsx";
import { checks } from "./checks.ts";
import { fleet } from "./fleet.ts";
import { route } from "./route.ts";
import { shut, site } from "./site.ts";
import { type TextName, text } from "./texts.ts";

const viewIcons: Readonly<Record<View, IconName>> = { grid: "grid", list: "list", uptime: "bars" };

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
        {site.value?.logo === undefined ? (
          <BrandMark />
        ) : (
          <img class="brand-logo" src={site.value.logo} alt="" />
        )}
        <span class="brand-name">{site.value?.title ?? document.title}</span>
      </a>
      {page === "admin" && <ConsoleSwitch present="monitor" />}
      {!shut.value && <LiveState />}
      {page === "fleet" && fleet.value.servers.length + checks.value.items.length > 0 && (
        <div class="header-find">
          <SearchBox />
          <ViewChoice />
        </div>
      )}
      <nav class="header-tools" aria-label={text("header.tools")}>
        <PrivateMark />
        <AlertBell />
        <LanguageChoice languages={site.value?.languages ?? []} />
        <ThemeChoice />
        <a class="button quiet" href="/admin" aria-current={page === "admin" ? "page" : undefined}>
          {text("header.admin")}
        </a>
      </nav>
    </header>
  );
}
