/** @jsxImportSource hono/jsx */
/** The page of an error: what people see where programs get a problem document, in every service. */
import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { AppEnv, ErrorPage } from "../kit/http/app.ts";
import type { PageAssets } from "../kit/http/web-assets.ts";
import { chooseLanguage } from "../kit/text/accepted-languages.ts";
import type { Language } from "../kit/text/languages.ts";
import { Document, type Frame } from "./document.tsx";
import { createTextBook } from "../kit/text/text-book.ts";
import { errorPages } from "../texts/error-pages.ts";
import { toDocument } from "./render.ts";

/** Statuses with specific texts; others use those of 400. */
const toldStatuses = [400, 403, 404, 413, 421, 429, 500, 503] as const;
type ToldStatus = (typeof toldStatuses)[number];

const inLanguage = createTextBook(errorPages);

/** A page of the site in the person's language. */
export interface ErrorVisit {
  readonly language: Language;
  render(page: {
    readonly title: string;
    readonly status: ToldStatus;
    readonly narrow: true;
    readonly body: Child;
  }): Response | Promise<Response>;
}

/** Creates the page. With `addresses` it leads to these in place of the start. */
export function createErrorPage(
  open: (c: Context<AppEnv>) => Promise<ErrorVisit>,
  addresses?: () => readonly string[],
): ErrorPage {
  return async (error, c) => {
    const { language, render } = await open(c);
    const status = toldStatuses.find((each) => each === error.kind.http) ?? 400;
    const { words } = inLanguage(language);
    const title = words[`${status}.title`];
    if (error.retryAfterSeconds !== undefined)
      c.header("retry-after", String(Math.ceil(error.retryAfterSeconds)));
    const body = (
      <>
        <div class="stack is-tight">
          <h1>{title}</h1>
          <p class="muted">{words[`${status}.text`]}</p>
        </div>
        {addresses === undefined ? (
          <a class="button wide" href="/">
            {words.home}
          </a>
        ) : (
          <div class="stack is-tight">
            <p>{words.services}</p>
            <ul>
              {addresses().map((address) => (
                <li>
                  <a href={address}>{address}</a>
                </li>
              ))}
            </ul>
          </div>
        )}
        <p class="small muted">
          {words.request} {c.get("requestId")}
        </p>
      </>
    );
    return render({ title, status, narrow: true, body });
  };
}

/** Creates what opens such a visit for a service without pages. */
export function createPlainVisits({
  readName,
  assets,
}: {
  /** The name of the site. */
  readonly readName: () => Promise<string>;
  readonly assets: PageAssets;
}): (c: Context<AppEnv>) => Promise<ErrorVisit> {
  return async (c) => {
    const header = c.req.header("accept-language");
    const language = chooseLanguage({ cookie: undefined, account: undefined, header, site: "en" });
    const frame: Frame = {
      language,
      siteName: await readName(),
      logo: undefined,
      path: "/",
      home: "/",
      token: "",
      styles: [`/assets/${assets.style}`],
      icon: `/assets/${assets.icon}`,
      words: { skip: inLanguage(language).words.skip, language: "", navigation: "" },
    };
    return {
      language,
      render: ({ body, status, ...page }) => {
        const document = (
          <Document frame={frame} {...page}>
            {body}
          </Document>
        );
        const headers = { "cache-control": "no-store", vary: "Accept, Accept-Language" };
        return c.html(toDocument(document), status, headers);
      },
    };
  };
}
