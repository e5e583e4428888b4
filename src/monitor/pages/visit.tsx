/** @jsxImportSource hono/jsx */
/** A visit to a status page: which page, in which language and colors, and how it is answered. */
import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import type { PageAssets } from "../../kit/http/web-assets.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Language } from "../../kit/text/languages.ts";
import type { FormStatus } from "../../html/form-pages.ts";
import { Document, type Frame } from "../../html/document.tsx";
import { toDocument } from "../../html/render.ts";
import type { PublicAddress } from "../base/public-url.ts";
import type { ShownPage } from "../status/board.ts";
import type { Status } from "../status/status.ts";
import { createFormats } from "./shown/formats.ts";
import { type Choice, readChoice } from "./choice.ts";
import { StatusFooter, StatusHeader, type Theme } from "./frame.tsx";
import { toSentence } from "./pieces/banner.tsx";
import { isKeptAway, toFeedLinks, toMetaTags } from "./page-meta.ts";
import { type ReadyPages, createReadyPages } from "./ready-pages.ts";
import type { Shown } from "./shown/shown.ts";
import { createTexts } from "./shown/texts.ts";

const MINUTE_MS = 60_000;
/** Caches revalidate after this many seconds, and keep serving what they have while the origin is down. */
const PUBLIC_CACHE = "public, max-age=0, s-maxage=10, stale-if-error=86400";
const OWN_CACHE = "private, no-cache";

export interface VisitDeps {
  readonly app: ServiceApp;
  readonly status: Pick<Status, "uptime" | "look">;
  readonly assets: PageAssets;
  readonly address: PublicAddress;
  readonly clock: Clock;
}

/** A request for a page. */
export interface Asked {
  readonly page: ShownPage;
  /** Below the page's own, such as "/history". */
  readonly path: string;
  /** The relevant part of the query other than the language, such as "month=2026-11". */
  readonly variant?: string;
}

export interface PageBody {
  /** Undefined: the state of all in a sentence. */
  readonly title?: string;
  readonly body: Child;
}

/** Fills a page for who looks at it. */
export type Fill = (shown: Shown) => PageBody | Promise<PageBody>;

interface Place {
  /** Prefix of the paths in links. */
  readonly base: string;
  readonly canonical: string | undefined;
}

/** The host of a request in small letters, without its port. */
export function toHost(url: string): string {
  const start = url.indexOf("://") + 3;
  const end = url.slice(start).search(/[/?#]/u);
  const host = end === -1 ? url.slice(start) : url.slice(start, start + end);
  return host.replace(/:\d*$/u, "").replace(/\.$/u, "").toLowerCase();
}

function createRenderer({ status, assets, clock }: VisitDeps) {
  function toFrame({ page, language, t, base }: Shown, theme: Theme): Frame {
    const { record } = page;
    const { styles, logo } = status.look();
    const own = record.customCss === "" && styles === "" ? [] : [`${base}/page-${toFileVersion(page)}.css`];
    return {
      language,
      theme,
      siteName: record.title,
      path: "",
      token: "",
      styles: [`/assets/${assets.statusStyle}`, ...own],
      icon: `/assets/${assets.icon}`,
      script: `/assets/${assets.statusScript}`,
      logo: logo === undefined ? undefined : `${base}/logo-${status.look().version}`,
      words: { skip: t("frame.skip"), language: t("frame.language"), navigation: t("frame.navigation") },
      home: base === "" ? "/" : base,
    };
  }

  /** Changes with what the page's own files hold. */
  function toFileVersion({ record }: ShownPage): string {
    return `${record.version}-${status.look().version}`;
  }

  async function render(asked: Asked & Choice & Place, fill: Fill): Promise<string> {
    const { page, path, language, theme, fixed, base, canonical } = asked;
    const { timeZone } = status.look();
    const shown: Shown = {
      page,
      language,
      base,
      nowMs: clock.now(),
      t: createTexts(language),
      formats: createFormats(language, timeZone),
      query: fixed === undefined ? "" : `?lang=${fixed}`,
      days: (component) => status.uptime.days(component, page.record),
      latency: (component) => status.uptime.latency(component),
    };
    const sentence = toSentence(shown).text;
    const { title, body } = await fill(shown);
    const frame = toFrame(shown, theme);
    const described = { title: title ?? page.record.title, description: sentence, language };
    const head = toMetaTags(page.record, {
      ...described,
      address: canonical === undefined ? undefined : canonical + path,
      isFixed: fixed !== undefined,
    });
    return toDocument(
      <Document
        frame={frame}
        title={title ?? sentence}
        head={head + toFeedLinks(shown)}
        header={<StatusHeader frame={frame} shown={shown} path={path} />}
        footer={<StatusFooter shown={shown} path={path} theme={theme} />}
      >
        {body}
      </Document>,
    );
  }

  return render;
}

export function createVisits(deps: VisitDeps) {
  const { app, status, address, clock } = deps;
  const ready: ReadyPages = createReadyPages(app);
  const render = createRenderer(deps);

  const toSite = () => ({ theme: status.look().theme, publicUrl: address.publicUrl });

  /** The URL of the page for this request, and its canonical URL; undefined if the public URL is unknown. */
  function toPlace(c: Context<AppEnv>, { record }: ShownPage): Place {
    const isOwnHost = record.host !== "" && toHost(c.req.url) === record.host;
    const { publicUrl } = address;
    const own = `${publicUrl?.startsWith("http:") === true ? "http" : "https"}://${record.host}`;
    const shared = publicUrl === undefined ? undefined : `${publicUrl}/status/${record.slug}`;
    return {
      base: isOwnHost ? "" : `/status/${record.slug}`,
      canonical: record.host === "" ? shared : own,
    };
  }

  return {
    /** The language of a page for a visitor. */
    readLanguage: (c: Context<AppEnv>, page: ShownPage): Language => readChoice(c, page, toSite()).language,
    /** Answers with a page that is made for who asks, and kept nowhere. */
    show: async (
      c: Context<AppEnv>,
      asked: Asked & { readonly status?: FormStatus },
      fill: Fill,
    ): Promise<Response> => {
      const choice = readChoice(c, asked.page, toSite());
      const place = { ...toPlace(c, asked.page), canonical: undefined };
      c.header("cache-control", "no-store");
      c.header("x-robots-tag", "noindex");
      return c.html(await render({ ...asked, ...choice, ...place }, fill), asked.status ?? 200);
    },
    /** Answers with a page: rendered once for each address, language and theme until something that it shows changes, or a minute is over. */
    answer: async (c: Context<AppEnv>, asked: Asked, fill: Fill): Promise<Response> => {
      const { page, path, variant = "" } = asked;
      const choice = readChoice(c, page, toSite());
      const place = toPlace(c, page);
      const { language, theme, fixed = "", isKept: hasCookie } = choice;
      const key = `${page.record.id} ${place.base}${path}?${variant} ${language} ${theme} ${fixed}`;
      const minute = Math.floor(clock.now() / MINUTE_MS);
      const version = `${page.revision} ${status.uptime.revision} ${status.look().version} ${minute}`;
      const known = ready.find(c, { key, version, hasCookie });
      if (known !== undefined) return known;
      const html = await render({ ...asked, ...choice, ...place }, fill);
      const isOpen = page.record.access === "public" && page.record.published;
      const headers = {
        "content-type": "text/html; charset=UTF-8",
        "cache-control": isOpen ? PUBLIC_CACHE : OWN_CACHE,
        vary: "Cookie, Accept-Language, Accept-Encoding",
        ...(isKeptAway(page.record) ? { "x-robots-tag": "noindex" } : {}),
      };
      return ready.keep(c, { key, version, hasCookie }, { html, headers });
    },
  };
}

export type Visits = ReturnType<typeof createVisits>;
