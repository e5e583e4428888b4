/** @jsxImportSource hono/jsx */
/** The frame of every status page: its name with the owner's logo, navigation, language and theme. */
import { languageNames, languages } from "../../kit/text/languages.ts";
import { BrandLink, type Frame } from "../../html/document.tsx";
import { type Shown, toLink } from "./shown/shown.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";

/** Colours that a reader can choose. */
export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export function StatusHeader({ frame, shown, path }: { frame: Frame; shown: Shown; path: string }) {
  const { t, page } = shown;
  const places = [
    { address: toLink(shown), label: t("nav.status"), isHere: path === "" },
    { address: toLink(shown, "/history"), label: t("nav.history"), isHere: path === "/history" },
    { address: toLink(shown, "/subscribe"), label: t("nav.follow"), isHere: path === "/subscribe" },
    ...(page.record.homeUrl === ""
      ? []
      : [{ address: page.record.homeUrl, label: t("nav.home"), isHere: false }]),
  ];
  return (
    <header class="bar is-status">
      <BrandLink frame={frame} />
      <nav aria-label={t("frame.navigation")}>
        <ul class="tabs">
          {places.map(({ address, label, isHere }) => (
            <li>
              <a href={address} aria-current={isHere ? "page" : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

/** The footer. Choices are links: they need no script and no form, and so the page is the same for all. */
export function StatusFooter({
  shown,
  path,
  theme,
}: {
  readonly shown: Shown;
  readonly path: string;
  readonly theme: Theme;
}) {
  const { t, language, formats, nowMs, base } = shown;
  const here = base + path || "/";
  return (
    <footer class="foot is-status">
      <p data-live="updated">
        <time datetime={toIsoTime(nowMs)}>{t("page.updated", { time: formats.time(nowMs) })}</time>
      </p>
      <nav class="languages" aria-label={t("frame.theme")}>
        {themes.map((each) => (
          <a href={`${here}?theme=${each}`} rel="nofollow" aria-current={each === theme ? "true" : undefined}>
            {t(`theme.${each}`)}
          </a>
        ))}
      </nav>
      <nav class="languages" aria-label={t("frame.language")}>
        {languages.map((each) => (
          <a
            href={`${here}?lang=${each}`}
            lang={each}
            hreflang={each}
            aria-current={each === language ? "true" : undefined}
          >
            {languageNames[each]}
          </a>
        ))}
      </nav>
    </footer>
  );
}
