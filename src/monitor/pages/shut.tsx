/** @jsxImportSource hono/jsx */
/** The sign-in page in place of a page for members, which reveals nothing of the page. */
import type { Context } from "hono";
import type { AppEnv } from "../../kit/http/app.ts";
import type { PageAssets } from "../../kit/http/web-assets.ts";
import { chooseLanguage } from "../../kit/text/accepted-languages.ts";
import { Document, type Frame } from "../../html/document.tsx";
import { toDocument } from "../../html/render.ts";
import type { PublicAddress } from "../base/public-url.ts";
import type { StatusPageRecord } from "../status/schema.ts";
import { createTexts } from "./shown/texts.ts";

/** Creates what answers strangers. */
export function createShutPage(deps: {
  readonly assets: PageAssets;
  readonly address: PublicAddress;
  /** Whether people sign in at the auth center. */
  readonly hasCenter: boolean;
}) {
  const { assets, address, hasCenter } = deps;
  return (c: Context<AppEnv>, { slug, host }: StatusPageRecord): Response => {
    const header = c.req.header("accept-language");
    const language = chooseLanguage({ cookie: undefined, account: undefined, header, site: "en" });
    const t = createTexts(language);
    const path = `/status/${slug}`;
    const signIn = hasCenter ? `/sign-in?rd=${encodeURIComponent(path)}` : "/admin";
    const frame: Frame = {
      language,
      siteName: t("shut.title"),
      logo: undefined,
      path: "/",
      home: "/",
      token: "",
      styles: [`/assets/${assets.statusStyle}`],
      icon: `/assets/${assets.icon}`,
      words: { skip: t("frame.skip"), language: "", navigation: "" },
    };
    const document = (
      <Document frame={frame} title={t("shut.title")} narrow={true} header={<></>}>
        <div class="stack is-tight">
          <h1>{t("shut.title")}</h1>
          <p class="muted">{t("shut.text")}</p>
        </div>
        {/* A sign-in counts where it was made: at the monitor's own address. */}
        <a class="button primary wide" href={(host === "" ? "" : (address.publicUrl ?? "")) + signIn}>
          {t("shut.signIn")}
        </a>
      </Document>
    );
    return c.html(toDocument(document), 401, {
      "cache-control": "no-store",
      vary: "Cookie, Accept-Language",
      "x-robots-tag": "noindex",
    });
  };
}
