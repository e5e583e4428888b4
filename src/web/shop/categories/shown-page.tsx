/** One category or collection: its words, place, picture, and what a collection holds. */
import type { JSX } from "preact";
import type { CategoryView, CollectionView } from "../../../shop/categories/answer-schema.ts";
import { categoryChangeSchema, collectionChangeSchema } from "../../../shop/categories/change-schema.ts";
import { text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { optionalKind } from "../../ui/resource/group-kinds.tsx";
import type { Form } from "../../ui/resource/kind.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import { ResourcePage } from "../../ui/resource/resource-page.tsx";
import type { ItemTools, Resource } from "../../ui/resource/resource.ts";
import { categoryKind, moneyKind } from "../kinds/goods-kinds.tsx";
import { translationsKind } from "../kinds/translations-kind.tsx";
import { listBelow } from "./category-tree.ts";
import { HiddenMark } from "./hidden-mark.tsx";
import { useIsCollections } from "./kind-tabs.tsx";
import { type Shown, useShown } from "./shown.ts";

// The panels next to the form load after it.
const PicturePanel = lazy(async () => (await import("./picture-panel.tsx")).PicturePanel);
const PicksPanel = lazy(async () => (await import("./picks-panel.tsx")).PicksPanel);

function ViewInShop({ view, path }: { view: CategoryView | CollectionView; path: string }) {
  if (view.status === "hidden") return null;
  return (
    <a class="button" href={`${path}/${view.id}`} target="_blank" rel="noopener">
      {text("shop.products.view")}
    </a>
  );
}

function CollectionSide(props: ItemTools<CollectionView>): JSX.Element {
  const { rule, id } = props.view;
  return (
    <div class="stack">
      <PicturePanel of={collections} {...props} />
      {rule === undefined && <PicksPanel {...props} key={id} />}
    </div>
  );
}

const words = { title: "admin.field.name", description: "admin.field.description" } as const;

const fields = {
  title: { label: words.title },
  description: { label: words.description },
  sortOrder: false,
  status: {
    kind: choiceKind<Shown>({ words: "shop.categories.status", as: "list" }),
    label: "shop.products.field.status",
    hint: ({ status }: Form) =>
      text(
        status === "hidden" ? "shop.categories.status.hidden.hint" : "shop.categories.status.published.hint",
      ),
  },
  translations: {
    kind: translationsKind<Shown>(words),
    label: "shop.products.field.translations",
    hint: "",
  },
} as const;

const translationsPanel = {
  title: "shop.products.field.translations",
  hint: "shop.products.field.translations.hint",
  fields: ["translations"],
} as const;

export const categories: Resource<CategoryView, typeof categoryChangeSchema, Shown> = {
  api: "/api/admin/categories",
  home: "/admin/categories",
  navigation: "shop.nav.categories",
  texts: "shop.categories",
  words: "shop.categories.field",
  write: "products:write",
  schema: categoryChangeSchema,
  fields: {
    ...fields,
    parentId: {
      // Neither the category itself nor a descendant can be its parent.
      kind: categoryKind<Shown>(
        ({ category }, { id, tree }) =>
          id === undefined ||
          !listBelow(
            tree.map((placed) => placed.category),
            id,
          ).has(category.id),
      ),
    },
  },
  panels: [
    { title: "shop.products.group.words", fields: ["title", "description", ["parentId", "status"]] },
    translationsPanel,
  ],
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  useContext: useShown,
  Mark: HiddenMark,
  Actions: ({ view }) => <ViewInShop view={view} path="/c" />,
  Side: (props) => <PicturePanel of={categories} {...props} />,
  table: {},
};

export const collections: Resource<CollectionView, typeof collectionChangeSchema, Shown> = {
  api: "/api/admin/collections",
  home: "/admin/categories",
  search: "?kind=collections",
  crumb: "shop.collections.title",
  navigation: "shop.nav.categories",
  texts: "shop.collections",
  words: "shop.collections",
  write: "products:write",
  schema: collectionChangeSchema,
  fields: {
    ...fields,
    rule: {
      kind: optionalKind<Shown>(
        { money: moneyKind },
        {
          members: {
            categoryId: { kind: categoryKind() },
            sort: {
              kind: choiceKind({ words: "shop.collections.sort", as: "list" }),
              json: { initial: "newest" },
            },
          },
          rows: [
            ["categoryId", "tag"],
            ["minPrice", "maxPrice"],
            ["sort", "limit"],
          ],
        },
      ),
    },
  },
  panels: [
    { title: "shop.products.group.words", fields: ["title", "description", "status"] },
    { title: "shop.nav.products", hint: "shop.collections.rule.hint", fields: ["rule"] },
    translationsPanel,
  ],
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  useContext: useShown,
  Mark: HiddenMark,
  Actions: ({ view }) => <ViewInShop view={view} path="/collections" />,
  Side: CollectionSide,
  table: {},
};

/** The section with one of them in its address. */
export function ShownPage({ id }: { id: string }): JSX.Element {
  return useIsCollections() ? (
    <ResourcePage of={collections} id={id} key={`collections ${id}`} />
  ) : (
    <ResourcePage of={categories} id={id} key={`categories ${id}`} />
  );
}
