/** Categories as a tree, and collections beside them: added, and put in order. */
import type { JSX } from "preact";
import type { CategoryView, CollectionView } from "../../../shop/categories/answer-schema.ts";
import { newCategorySchema, newCollectionSchema } from "../../../shop/categories/change-schema.ts";
import { text } from "../../app/texts.ts";
import { moveItem } from "../../ui/forms/moves.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import type { Resource, RowsPart } from "../../ui/resource/resource.ts";
import { categoryKind } from "../kinds/goods-kinds.tsx";
import { toTree } from "../ui/category-list.ts";
import { listSiblings, moveAmongSiblings } from "./category-tree.ts";
import { KindTabs, useIsCollections } from "./kind-tabs.tsx";
import { type Shown, useShown } from "./shown.ts";
import { ShownRow, ShownRows, useArranging } from "./shown-rows.tsx";

function CategoryRows({ items, tools }: RowsPart<CategoryView>): JSX.Element {
  const { task, arrange } = useArranging(categories, tools);
  return (
    <ShownRows of={categories} task={task}>
      {toTree(items).map(({ category, depth }) => {
        const siblings = listSiblings(items, category);
        const at = siblings.indexOf(category);
        const move = (step: number) => () => arrange(moveAmongSiblings(items, { of: category, step }));
        return (
          <ShownRow
            key={category.id}
            of={categories}
            view={category}
            note={category.id}
            depth={depth}
            busy={task.busy || !tools.mayWrite}
            onEarlier={at > 0 ? move(-1) : undefined}
            onLater={at < siblings.length - 1 ? move(1) : undefined}
          />
        );
      })}
    </ShownRows>
  );
}

function CollectionRows({ items, tools }: RowsPart<CollectionView>): JSX.Element {
  const { task, arrange } = useArranging(collections, tools);
  const ids = items.map(({ id }) => id);
  const move = (from: number, to: number) => () => arrange(moveItem(ids, { from, to }));
  return (
    <ShownRows of={collections} task={task}>
      {items.map((collection, at) => (
        <ShownRow
          key={collection.id}
          of={collections}
          view={collection}
          note={text(
            collection.rule === undefined ? "shop.collections.rule.off" : "shop.collections.rule.on",
          )}
          depth={0}
          busy={task.busy || !tools.mayWrite}
          onEarlier={at > 0 ? move(at, at - 1) : undefined}
          onLater={at < items.length - 1 ? move(at, at + 1) : undefined}
        />
      ))}
    </ShownRows>
  );
}

/** The list of categories; the form of a new one asks for little. */
export const categories: Resource<CategoryView, typeof newCategorySchema, Shown> = {
  api: "/api/admin/categories",
  home: "/admin/categories",
  navigation: "shop.nav.categories",
  texts: "shop.categories",
  words: "shop.categories.field",
  write: "products:write",
  schema: newCategorySchema,
  fields: { title: { label: "admin.field.name" }, parentId: { kind: categoryKind() } },
  only: "panels",
  panels: [{ fields: ["title", "parentId"] }],
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  useContext: useShown,
  creation: { as: "dialog" },
  Above: () => <KindTabs />,
  table: { paging: "whole", Rows: CategoryRows },
};

/** The same of collections. */
export const collections: Resource<CollectionView, typeof newCollectionSchema> = {
  api: "/api/admin/collections",
  home: "/admin/categories",
  search: "?kind=collections",
  navigation: "shop.nav.categories",
  texts: "shop.collections",
  words: "shop.collections",
  write: "products:write",
  schema: newCollectionSchema,
  fields: { title: { label: "admin.field.name" } },
  only: "panels",
  panels: [{ fields: ["title"] }],
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  creation: { as: "dialog" },
  Above: () => <KindTabs />,
  table: { paging: "whole", Rows: CollectionRows },
};

/** The section. */
export function CategoriesPage(): JSX.Element {
  return useIsCollections() ? (
    <ResourceList of={collections} key="collections" />
  ) : (
    <ResourceList of={categories} key="categories" />
  );
}
