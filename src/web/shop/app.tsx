/** The console of the shop: its sections in the page of a console. */
import type { JSX } from "preact";
import { ConsolePage } from "../ui/console-page/console-page.tsx";
import { DemoBanner } from "./demo-banner.tsx";
import { sections } from "./sections.tsx";

/** The page. */
export function ShopConsole(): JSX.Element {
  return <ConsolePage service="shop" title="shop.frame.title" sections={sections} banner={<DemoBanner />} />;
}
