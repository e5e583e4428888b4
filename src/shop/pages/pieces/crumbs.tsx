/** @jsxImportSource hono/jsx */
/** The way from the start to where one is. */
import type { CategoryTree } from "../../catalogue/category-tree.ts";
import { shownWordsIn } from "../../catalogue/languages.ts";
import type { CategoryRecord } from "../../categories/schema.ts";
import type { Visit } from "../visit.tsx";

/** A step of the way. */
export interface Crumb {
  readonly path: string;
  readonly label: string;
}

/** The category and those above it, the topmost first; nothing for one that is not shown. */
export function listAncestors(tree: CategoryTree, id: string | undefined): CategoryRecord[] {
  const way: CategoryRecord[] = [];
  for (let at = id; at !== undefined && way.length < 20;) {
    const wanted: string = at;
    const found = tree.visible.find((category) => category.id === wanted);
    if (found === undefined) break;
    way.unshift(found);
    at = found.parentId;
  }
  return way;
}

/** The way to a category. */
export function toCrumbs(
  tree: CategoryTree,
  {
    visit: { t, sellersLanguage },
    categoryId,
  }: { readonly visit: Pick<Visit, "t" | "sellersLanguage">; readonly categoryId: string | undefined },
): Crumb[] {
  const way = listAncestors(tree, categoryId).map((category) => ({
    path: `/c/${category.id}`,
    label: shownWordsIn(category, sellersLanguage).title,
  }));
  return [{ path: "/", label: t("crumbs.home") }, ...way];
}

/** The same for search engines. */
export function toCrumbData(crumbs: readonly Crumb[], publicUrl: string): object {
  return {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: crumbs.map(({ path, label }, at) => ({
      "@type": "ListItem",
      position: at + 1,
      name: label,
      item: publicUrl + path,
    })),
  };
}

/** The way, each step a link. */
export function Crumbs({
  crumbs,
  visit: { t },
}: {
  readonly crumbs: readonly Crumb[];
  readonly visit: Pick<Visit, "t">;
}) {
  return (
    <nav class="crumbs small" aria-label={t("crumbs.label")}>
      <ol>
        {crumbs.map(({ path, label }) => (
          <li>
            <a href={path}>{label}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
