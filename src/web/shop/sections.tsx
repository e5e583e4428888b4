/**
 * The sections of the console of the shop. To add one: its page in a folder of its own, loaded lazily here by
 * `lazy(async () => (await withTexts(import("./x/x-page.tsx"))).XPage)`; its label "shop.nav.<name>" and its texts
 * "shop.<name>.…" in locales/*.json (en, de, zh), which come with the first section that is opened. Filters, pages and
 * open tabs live in the address (useQuery of ui/console/query.ts); requests go through adminRequest, lists through
 * useCursorPage or usePages, forms through useEditor. A section stays within 25 KB gzipped (test/web/bundle.test.ts).
 */
import type { Section } from "../ui/console/frame.tsx";
import { TodayPage } from "./today/today-page.tsx";

/** In the order of the navigation. */
export const sections: readonly Section[] = [
  { name: "today", label: "shop.nav.today", icon: "bars", page: () => <TodayPage /> },
];
