/** @jsxImportSource hono/jsx */
/** Terms, privacy, imprint and whatever else the seller wrote. */
import { raw } from "hono/html";
import { getPage } from "../../legal/legal-pages.ts";
import type { PageRoutes } from "../page.ts";

export function addLegalPages(pages: PageRoutes): void {
  pages.addCatalogue({
    path: "/legal/:slug",
    show: (visit) => {
      const { c, t, site, sellersLanguage, time } = visit;
      const slug = c.req.param("slug") ?? "";
      const { title, html, language, changedAt } = getPage(site, slug, sellersLanguage);
      return visit.render({
        title,
        meta: { path: `/legal/${slug}` },
        body: (
          <article class="text" lang={language}>
            <h1>{title}</h1>
            {raw(html)}
            {changedAt === undefined ? (
              <></>
            ) : (
              <p class="small muted" lang={visit.language}>
                {t("legal.changed", { time: time(changedAt) })}
              </p>
            )}
          </article>
        ),
      });
    },
  });
}
