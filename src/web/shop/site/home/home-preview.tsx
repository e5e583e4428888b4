/** The home page as it would be, in a frame as wide as a phone or a desk. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Language, findLanguage } from "../../../../kit/text/languages.ts";
import type { HomePreview as Answer } from "../../../../shop/pages/home/answer-schema.ts";
import { trustOwnHtml } from "../../../pages/own-html.ts";
import { text } from "../../../app/texts.ts";
import { Segments } from "../../../ui/controls.tsx";
import { ErrorNote } from "../../../ui/console/problem.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { toMessage } from "../../../ui/forms/fault-words.ts";
import { Panel } from "../../../ui/panel.tsx";
import { toLanguageName } from "../../ui/translations-field.tsx";

/** Pause in typing before the preview is updated, in milliseconds. */
const PAUSE_MS = 400;
const widths = { phone: 390, desk: 1_280 } as const;
/** A window in which the page of a desk could not be read. */
const NARROW = 720;
type Width = keyof typeof widths;
type Theme = "light" | "dark";

interface PreviewProps {
  /** Settings that are not stored; undefined while something in them is wrong. */
  readonly settings: object | undefined;
  readonly languages: readonly string[];
  /** Gets the sections that are left out. */
  readonly onProblems?: (problems: Answer["problems"]) => void;
}

/** Draws a page at its own width, however wide the frame is. */
function Frame({ html, width }: { html: string; width: Width }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (frame.current === null) return;
    const before = frame.current.contentWindow?.scrollY ?? 0;
    frame.current.onload = () => frame.current?.contentWindow?.scrollTo({ top: before, behavior: "instant" });
    frame.current.srcdoc = trustOwnHtml(html);
  }, [html]);
  useEffect(() => {
    const place = box.current;
    if (place === null) return undefined;
    const fit = (): void => {
      const scale = Math.min(1, place.clientWidth / widths[width]);
      place.style.setProperty("--preview-width", `${widths[width]}px`);
      place.style.setProperty("--preview-scale", String(scale));
    };
    const observer = new ResizeObserver(fit);
    observer.observe(place);
    fit();
    return () => observer.disconnect();
  }, [width]);
  return (
    <div class={`home-preview is-${width}`} ref={box}>
      {/* Its links lead nowhere and no script runs; fonts need its origin. */}
      <iframe ref={frame} title={text("shop.home.preview")} sandbox="allow-same-origin" inert />
    </div>
  );
}

function listSpoken(languages: readonly string[]): readonly Language[] {
  return [...new Set(languages.flatMap((tag) => findLanguage(tag) ?? []))];
}

export function HomePreview({ settings, languages, onProblems }: PreviewProps): JSX.Element {
  const spoken = listSpoken(languages);
  const [language, setLanguage] = useState<Language>(spoken[0] ?? "en");
  const [width, setWidth] = useState<Width>(innerWidth < NARROW ? "phone" : "desk");
  const [theme, setTheme] = useState<Theme>("light");
  const [state, setState] = useState<{ html?: string; message?: string }>({});
  const body = settings && JSON.stringify({ ...settings, language, theme });
  useEffect(() => {
    if (body === undefined) return undefined;
    let isGone = false;
    const ask = (): void => {
      const request = { method: "POST", body: JSON.parse(body) as object };
      adminRequest<Answer>("/api/admin/site/preview", request).then(
        ({ html, problems }) => {
          if (isGone) return;
          setState({ html });
          onProblems?.(problems);
        },
        (error: unknown) => !isGone && setState((before) => ({ ...before, message: toMessage(error) })),
      );
    };
    const timer = setTimeout(ask, PAUSE_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [body]);
  return (
    <Panel small title={text("shop.home.preview")}>
      <div class="button-row">
        <Segments<Width>
          label={text("shop.home.width")}
          value={width}
          choices={[
            { value: "desk", label: text("shop.home.width.desk") },
            { value: "phone", label: text("shop.home.width.phone") },
          ]}
          onChange={setWidth}
        />
        <Segments<Theme>
          label={text("shop.home.theme")}
          value={theme}
          choices={[
            { value: "light", label: text("shop.home.theme.light"), icon: "sun" },
            { value: "dark", label: text("shop.home.theme.dark"), icon: "moon" },
          ]}
          onChange={setTheme}
        />
        {spoken.length > 1 && (
          <Segments<Language>
            label={text("shop.home.language")}
            value={language}
            choices={spoken.map((value) => ({ value, label: toLanguageName(value) }))}
            onChange={setLanguage}
          />
        )}
      </div>
      {state.message !== undefined && <ErrorNote message={state.message} />}
      {state.html !== undefined && <Frame html={state.html} width={width} />}
    </Panel>
  );
}
