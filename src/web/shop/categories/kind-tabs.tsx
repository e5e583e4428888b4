/** Categories, and collections beside them. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { useQuery } from "../../ui/console/query.ts";

/** Whether the address asks for collections. */
export function useIsCollections(): boolean {
  return useQuery().get("kind") === "collections";
}

/** The ways to each of them. */
export function KindTabs(): JSX.Element {
  const isCollections = useIsCollections();
  return (
    <nav class="tabs" aria-label={text("shop.nav.categories")}>
      <a href="/admin/categories" aria-current={isCollections ? undefined : "page"}>
        {text("shop.categories.title")}
      </a>
      <a href="/admin/categories?kind=collections" aria-current={isCollections ? "page" : undefined}>
        {text("shop.collections.title")}
      </a>
    </nav>
  );
}
