/** @jsxImportSource hono/jsx */
/** A person's visit to a page: who they are, in which language, and how the page is answered. */
import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { AppEnv, SendPage } from "../../kit/http/app.ts";
import type { PageAssets } from "../../kit/http/web-assets.ts";
import { AppError } from "../../kit/errors.ts";
import { createHostCookie } from "../../kit/http/cookies.ts";
import { type Brand, createBrands } from "../../html/brand.ts";
import { Document, type Frame } from "../../html/document.tsx";
import { type FormTokens, type FormVisitor, createFormTokens } from "../../html/form-tokens.ts";
import { toDocument } from "../../html/render.ts";
import { createKeptPages } from "../../html/kept-pages.ts";
import { toPagePath } from "../../html/return-path.ts";
import { chooseLanguage } from "../../kit/text/accepted-languages.ts";
import type { Language } from "../../kit/text/languages.ts";
import type { Caller } from "../base/caller.ts";
import type { Subject } from "../sessions/subject.ts";
import type { AuthDeps } from "../base/deps.ts";
import { createBrowserCookies } from "../edge/browser-cookies.ts";
import { toCaller } from "../sessions/http/callers.ts";
import type { RelyingParty } from "../passkeys/relying-party.ts";
import type { Activity } from "../sessions/activity.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import { brandingSettingsSchema, registrationSettingsSchema } from "../settings/schema.ts";
import { readSettings } from "../settings/settings.ts";
import { PAGES_CLIENT, createPersonSearch } from "./person-search.ts";
import { createShopLook, createShopVisitors } from "./shop-look.ts";
import type { Site } from "./site.ts";
import { ENROLMENT_PATH } from "./step-up.ts";
import { type TextKey, type Texts, createTexts } from "./texts.ts";

const LANGUAGE_SECONDS = 365 * 86_400;

/** Headers of every page: no cache keeps it. */
export const pageHeaders = {
  "content-type": "text/html; charset=UTF-8",
  "cache-control": "no-store",
  vary: "Cookie, Accept-Language",
};

/** Places of the navigation, in their order. */
const places = [
  ["/account", "nav.overview"],
  ["/account/profile", "nav.profile"],
  ["/account/emails", "nav.emails"],
  ["/account/security", "nav.security"],
  ["/account/sessions", "nav.sessions"],
  ["/account/applications", "nav.applications"],
  ["/account/activity", "nav.activity"],
  ["/account/check-in", "nav.checkIn"],
  ["/account/data", "nav.data"],
] as const satisfies readonly (readonly [string, TextKey])[];

export interface PageOptions {
  readonly title: string;
  readonly body: Child;
  readonly status?: 200 | 400 | 401 | 403 | 404 | 409 | 413 | 421 | 422 | 429 | 500 | 503;
  /** A single column, as wide as a form. */
  readonly narrow?: boolean;
  /** It has places for passkeys, which a script fills. */
  readonly hasPasskeys?: boolean;
  /** The place of the navigation that the page belongs to. */
  readonly place?: string;
  /** Set for a page on the host of an application: where it is, and where its own files are. */
  readonly host?: { readonly origin: string; readonly files: string };
}

/** A visit; `subject` is the signed-in user, if any. */
export interface Visit extends Site, FormVisitor {
  readonly c: Context<AppEnv>;
  readonly t: Texts;
  readonly language: Language;
  readonly caller: Caller;
  readonly subject: Subject | undefined;
  /** A user who must set up a second factor first; `subject` is undefined then. */
  readonly enrolling: Subject | undefined;
  /** When that will be due for who is signed in, epoch milliseconds; undefined where it will not. */
  readonly graceEnd: number | undefined;
  /** The id of their account. */
  readonly owner: string | undefined;
  /** For whom passkeys are made; undefined where there are none. */
  readonly relyingParty: RelyingParty | undefined;
  /** A time as people of the language write it, in the account's zone. */
  time(ms: number, style?: "day" | "time"): string;
  render(page: PageOptions): Response;
}

export interface SignedInVisit extends Visit {
  readonly subject: Subject;
}

export interface VisitDeps extends Pick<AuthDeps, "store" | "box"> {
  readonly browserSessions: BrowserSessions;
  readonly activity: Activity;
  readonly relyingParty: RelyingParty | undefined;
  readonly publicUrl: string | undefined;
  readonly assets: PageAssets;
}

/**
 * The banner of every page: whose account an administrator impersonates, and until when a second factor has to be set
 * up.
 */
function toBanner(
  { t, time, graceEnd }: Pick<Visit, "t" | "time" | "graceEnd">,
  { user, session }: Subject,
): Frame["banner"] {
  if (graceEnd !== undefined && session.impersonatedBy === undefined) {
    const text = t("enrolment.banner", { day: time(graceEnd, "day") });
    return { text, path: ENROLMENT_PATH, label: t("enrolment.setUp"), isLink: true };
  }
  if (session.impersonatedBy === undefined) return undefined;
  const values = { name: user.username, until: time(session.absoluteExpiresAt) };
  return { text: t("impersonation.banner", values), path: "/sign-out", label: t("impersonation.end") };
}

function toFrame(visit: Omit<Visit, "render">, assets: PageAssets, place: string | undefined): Frame {
  const { t, language, settings, branding, brand, subject, formToken, c } = visit;
  const links = [
    { path: settings.termsUrl, label: t("frame.terms") },
    { path: branding.privacyUrl, label: t("frame.privacy") },
    { path: branding.imprintUrl, label: t("frame.imprint") },
  ];
  return {
    language,
    siteName: settings.siteName,
    styles: [`/assets/${assets.style}`, ...(brand.styles === undefined ? [] : [brand.styles.path])],
    icon: `/assets/${assets.icon}`,
    logo: brand.logo?.path,
    path: c.req.method === "POST" ? (place ?? "/") : toPagePath(c),
    token: formToken,
    formPage: c.get("formPage"),
    words: { skip: t("frame.skip"), language: t("frame.language"), navigation: t("frame.navigation") },
    home: subject === undefined ? "/sign-in" : "/account",
    footer: [...links.filter(({ path }) => path !== ""), { path: "/people", label: t("nav.people") }],
    ...(subject === undefined
      ? {}
      : {
          banner: toBanner(visit, subject),
          account: {
            name: subject.user.username,
            items: places.map(([path, key]) => ({ path, label: t(key) })),
            current: place ?? "",
            signOut: { path: "/sign-out", label: t("frame.signOut") },
          },
        }),
  };
}

/** The frame on the host of an application: nothing of it leads to places of the center, which are not there. */
function toHostFrame(frame: Frame, { origin, files }: NonNullable<PageOptions["host"]>): Frame {
  const { account: _account, banner: _banner, footer: _footer, formPage: _page, ...own } = frame;
  const { styles, icon, logo, ...rest } = own;
  const toFile = (path: string): string => origin + files + path;
  return {
    ...rest,
    styles: styles.map(toFile),
    icon: toFile(icon),
    logo: logo && toFile(logo),
    home: `${origin}/`,
  };
}

/** Answers with a page that no cache keeps. In one piece: as a stream it would cost three times as much. */
function sendPage(
  c: Context<AppEnv>,
  page: string | Uint8Array<ArrayBuffer>,
  status: PageOptions["status"] = 200,
): Response {
  return c.body(page, status, pageHeaders);
}

/** A visit with its texts, its times, and how its page is answered. */
function assemble(parts: Omit<Visit, "render" | "time" | "t" | "owner">, assets: PageAssets): Visit {
  const { c, language, subject, enrolling } = parts;
  const t = createTexts(language);
  const owner = (subject ?? enrolling)?.user;
  const timeZone = owner?.timeZone ?? "UTC";
  const visit = {
    ...parts,
    t,
    owner: owner?.id,
    time: (ms: number, style: "day" | "time" = "time") =>
      new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
        timeZone,
        dateStyle: "medium",
        ...(style === "time" ? { timeStyle: "short" as const } : {}),
      }).format(ms),
  };
  return {
    ...visit,
    render: ({ title, body, status, narrow = false, place, host, hasPasskeys = false }) => {
      const script =
        hasPasskeys && visit.relyingParty !== undefined ? `/assets/${assets.passkeys}` : undefined;
      const frame = { ...toFrame(visit, assets, place), script };
      const page = (
        <Document frame={host === undefined ? frame : toHostFrame(frame, host)} title={title} narrow={narrow}>
          {body}
        </Document>
      );
      return sendPage(c, toDocument(page), status);
    },
  };
}

/** Creates what reads the settings that every page needs. */
export function createSiteReader(store: VisitDeps["store"]): () => Promise<Site> {
  const toBrand = createBrands();
  return async () => {
    const { registration, branding } = await store.read(async (tx) => ({
      registration: await readSettings(tx, "registration"),
      branding: await readSettings(tx, "branding"),
    }));
    return {
      settings: registration.fields,
      branding: branding.fields,
      brand: await toBrand(branding),
      version: `${registration.version} ${branding.version}`,
    };
  };
}

/** The product's own look, where the owner's cannot be read. */
function makePlainSite(): Site {
  return {
    settings: registrationSettingsSchema.parse({}),
    branding: brandingSettingsSchema.parse({}),
    brand: { styles: undefined, accent: undefined, logo: undefined },
    version: "",
  };
}

/** Keeps the language that a person chose, or that an application named for a while. */
export const createLanguageCookie = (publicUrl: string | undefined) =>
  createHostCookie("trivet_language", publicUrl);

/** Creates the identifier of a browser in passkey challenges. It throws `bad_request` for one that rejects cookies. */
function createBrowserKey({ toKey }: FormTokens): (c: Context<AppEnv>) => string {
  return (c) => {
    const key = toKey(c, "passkey");
    if (key === undefined) throw new AppError("bad_request", "Let this site set cookies first");
    return key;
  };
}

type Coming = Pick<
  Visit,
  "language" | "subject" | "enrolling" | "graceEnd" | "formToken" | "keepsCookies"
> & { readonly site: Site };

const nobody = { subject: undefined, enrolling: undefined, graceEnd: undefined };

export function createVisits(deps: VisitDeps) {
  const { store, box, publicUrl, relyingParty, assets } = deps;
  const readSite = createSiteReader(store);
  const shopVisitors = createShopVisitors(publicUrl);
  const shopLook = createShopLook(store);
  const { person: session } = createBrowserCookies(publicUrl);
  const chosen = createLanguageCookie(publicUrl);
  const tokens = createFormTokens(box, publicUrl);
  const kept = createKeptPages({ holes: ["token"] });
  const { findPerson, findGrace } = createPersonSearch({ ...deps, session });

  function findLanguage(c: Context<AppEnv>, { settings }: Site, account?: string): Language {
    const header = c.req.header("accept-language");
    return chooseLanguage({ cookie: chosen.read(c), account, header, site: settings.language });
  }

  function begin(c: Context<AppEnv>, { site, ...who }: Coming): Visit {
    const caller = { ...toCaller(c), clientId: PAGES_CLIENT, language: who.language, mayEnrol: true };
    return assemble({ c, ...site, ...who, caller, relyingParty }, assets);
  }

  return {
    /** The cookie of who is signed in. */
    session,
    readSite,
    /** The brand whose files are below SHOP_FILES. */
    readShopFiles: async (): Promise<Brand> => shopLook.readFiles(await readSite()),
    /** Opens a visit: reads the visitor and their preferences. */
    open: async (c: Context<AppEnv>): Promise<Visit> => {
      const who = tokens.meet(c);
      const [person, plain] = [await findPerson(c), await readSite()];
      const site = shopVisitors.isFromShop(c) ? await shopLook.apply(plain) : plain;
      const graceEnd = await findGrace(person.subject, site.settings);
      const account = (person.subject ?? person.enrolling)?.user;
      const language = findLanguage(c, site, account?.locale);
      return begin(c, { language, site, ...person, graceEnd, ...who });
    },
    /**
     * Answers with a page for visitors without a session, rendered once for each language and state of the settings;
     * undefined if there may be a session.
     */
    showKept: async (
      c: Context<AppEnv>,
      path: string,
      {
        send,
        show,
        variant = async () => "",
      }: {
        send: SendPage;
        show: (visit: Visit) => Promise<Response> | Response;
        variant?: (() => Promise<string>) | undefined;
      },
    ): Promise<Response | undefined> => {
      if (session.read(c) !== undefined || shopVisitors.wasFromShop(c)) return undefined;
      const { formToken: token, keepsCookies } = tokens.meet(c);
      const site = await readSite();
      const language = findLanguage(c, site);
      const name = `${language} ${path}`;
      const version = `${site.version} ${await variant()}`;
      const known = kept.find(name, version, { token });
      // A browser that comes for the first time gets its cookie with the page.
      if (known !== undefined) return keepsCookies ? send(c, known) : sendPage(c, known);
      const who = { formToken: kept.placeholders.token, ...nobody, keepsCookies };
      const shown = await show(begin(c, { language, site, ...who }));
      kept.keep(name, version, await shown.text());
      return sendPage(c, kept.find(name, version, { token }) ?? "");
    },
    /** A visit without the center's cookies: for the page of an error, and for pages on the hosts of applications. */
    openPlain: async (c: Context<AppEnv>, subject?: Subject): Promise<Visit> => {
      const site = await readSite().catch(makePlainSite);
      const language = findLanguage(c, site, subject?.user.locale);
      return begin(c, { ...nobody, language, site, subject, ...tokens.look(c) });
    },
    /** Whether a form brought the token of its page. */
    hasFormToken: tokens.has,
    toFormKey: tokens.toKey,
    toBrowserKey: createBrowserKey(tokens),
    /** Keeps the language that a person chose. */
    chooseLanguage: (c: Context<AppEnv>, language: Language): void =>
      chosen.write(c, language, LANGUAGE_SECONDS),
  };
}

export type Visits = ReturnType<typeof createVisits>;
