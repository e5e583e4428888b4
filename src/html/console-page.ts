/** The page of a service's console at /admin; its script finds its way below. */
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../kit/http/app.ts";
import { AppError } from "../kit/errors.ts";
import { takesPage } from "../kit/http/routing.ts";
import { type ConsoleAssets, fillPage } from "../kit/http/web-assets.ts";
import { PAGE_POLICY } from "../kit/http/security-headers.ts";
import { escapeHtml } from "../kit/text/html.ts";
import type { Brand } from "./brand.ts";

/** Paths below which the page itself finds its way. */
const PATHS = ["/admin", "/admin/:section", "/admin/:section/:id"];
/** Emails are shown in a frame with a separate policy. */
const CONSOLE_POLICY = `${PAGE_POLICY}; frame-src 'self'`;

export interface ConsoleLook {
  /** The site's name. */
  readonly title: string;
  readonly brand?: Pick<Brand, "accent" | "logo"> | undefined;
}

/**
 * The administrator's accent and logo. Custom CSS is for public pages only: it must not break the page where
 * it is edited.
 */
function toHead({ accent, logo }: Pick<Brand, "accent" | "logo">): string {
  const tags = [
    ...(accent === undefined ? [] : [`<link rel="stylesheet" href="${escapeHtml(accent.path)}" />`]),
    ...(logo === undefined
      ? []
      : [`<link rel="preload" as="image" href="${escapeHtml(logo.path)}" data-logo />`]),
  ];
  return tags.join("");
}

/** Adds the page; programs that accept JSON alone get nothing there. It contains only public data. */
export function addConsolePage(
  app: ServiceApp,
  { readLook, assets }: { readLook: () => Promise<ConsoleLook>; assets: ConsoleAssets },
): void {
  async function show(c: Context<AppEnv>): Promise<Response> {
    const { title, brand } = await readLook();
    const branded = assets.page.replace("<!-- head -->", () => (brand === undefined ? "" : toHead(brand)));
    const page = fillPage(c, branded, { title, theme: "auto" });
    return c.html(page, 200, {
      "cache-control": "no-store",
      vary: "Accept, Cookie",
      "content-security-policy": CONSOLE_POLICY,
    });
  }
  for (const path of PATHS)
    app.get(path, (c) => {
      if (takesPage(c)) return show(c);
      throw new AppError("not_found", "The console is a web page. Open it in a browser");
    });
}
