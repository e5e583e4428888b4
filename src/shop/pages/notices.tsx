/** @jsxImportSource hono/jsx */
/** Notices at the top of every page: demo payments are on, orders are off, and the seller's announcement. */
import { listOffered } from "../payments/services/offered.ts";
import { DEMO_SLUG } from "../site/schema.ts";
import { findAnnouncement } from "../site/site.ts";
import type { Shown } from "./shown.ts";

type Seen = Pick<Shown, "t" | "site" | "sellersLanguage" | "nowMs">;

/** The notices to show, the most important first. */
function listNotices({ t, site, sellersLanguage: language, nowMs }: Seen) {
  const isDemo = listOffered(site, site.currency).some(({ word }) => word === DEMO_SLUG);
  const announcement = findAnnouncement(site, { nowMs, language });
  return [
    ...(isDemo ? [{ text: t("notice.demo"), level: "demo" }] : []),
    ...(site.maintenance ? [{ text: t("notice.maintenance"), level: "warning" }] : []),
    ...(!site.maintenance && !site.checkoutOpen ? [{ text: t("notice.closed"), level: "warning" }] : []),
    ...(announcement === null ? [] : [announcement]),
  ];
}

/** The lines above the header; none on most days. */
export function Notices({ visit }: { readonly visit: Seen }) {
  const notices = listNotices(visit);
  if (notices.length === 0) return <></>;
  return (
    <aside class="notices" aria-label={visit.t("notice.label")}>
      {notices.map(({ text, level }) => (
        <p class={`notice is-${level}`}>{text}</p>
      ))}
    </aside>
  );
}
