/** All products: search, filters, an order, and what is done to many at once. */
import type { JSX } from "preact";
import type { ProductView } from "../../../shop/products/answer-schema.ts";
import { NO_CATEGORY, productQuerySchema } from "../../../shop/products/list-schema.ts";
import { basePath } from "../../app/path.ts";
import { text } from "../../app/texts.ts";
import { Ago } from "../../ui/console/pieces.tsx";
import { showProblem } from "../../ui/console/problem.tsx";
import { mayUse } from "../../ui/console/session.ts";
import { type MenuItem, Menu } from "../../ui/controls-menu.tsx";
import type { TableColumn } from "../../ui/controls-table.tsx";
import { Empty } from "../../ui/empty.tsx";
import type { Listing, ListTools } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { useCategories } from "../ui/category-list.ts";
import { showMoney } from "../ui/money.ts";
import { useSiteFacts } from "../ui/site-facts.ts";
import { BulkBar, sendBulk } from "./bulk-bar.tsx";
import { duplicate } from "./duplicate.ts";
import { PRODUCTS } from "./product-data.ts";
import { StatusMark, UnitsMark } from "./product-marks.tsx";

function Picture({ product }: { product: ProductView }): JSX.Element {
  const [image] = product.images;
  // The text next to it says what it shows.
  if (image === undefined) return <span class="thumb is-empty" />;
  return <img class="thumb" src={`${image.url}?w=160`} alt="" loading="lazy" />;
}

function toMenu({ id, slug, status }: ProductView, tools: ListTools<ProductView>): readonly MenuItem[] {
  const run = (work: Promise<void>): void => void work.then(tools.refresh).catch(showProblem);
  const isShown = status === "published";
  const view: MenuItem = {
    label: text("shop.products.view"),
    icon: "link",
    disabled: !isShown,
    onSelect: () => void open(`${basePath}/p/${slug}`, "_blank", "noopener"),
  };
  if (!tools.mayWrite) return [view];
  return [
    { label: text("shop.products.duplicate"), icon: "copy", onSelect: () => run(duplicate(id)) },
    {
      label: text(isShown ? "shop.products.unpublish" : "admin.publish"),
      icon: isShown ? "hidden" : "check",
      onSelect: () => run(sendBulk({ action: isShown ? "hide" : "publish", ids: [id] })),
    },
    view,
  ];
}

function Name({ product }: { product: ProductView }): JSX.Element {
  return (
    <span class="thumb-line">
      <Picture product={product} />
      <span>
        <a class="row-name" href={`/admin/products/${product.id}`}>
          {product.title}
        </a>
        <br />
        <span class="field-hint">{text(`shop.products.delivery.${product.deliveryType}`)}</span>
      </span>
    </span>
  );
}

function useColumns(tools: ListTools<ProductView>): readonly TableColumn<ProductView>[] {
  const facts = useSiteFacts();
  return [
    {
      key: "title",
      label: text("shop.products.field.title"),
      cell: (product) => <Name product={product} />,
    },
    {
      key: "status",
      label: text("shop.products.field.status"),
      cell: ({ status }) => <StatusMark status={status} />,
    },
    {
      key: "price",
      label: text("shop.products.field.price"),
      number: true,
      cell: ({ price, currency, variants }) =>
        variants.some((variant) => variant.price !== price)
          ? text("shop.products.from", { price: showMoney(price, currency) })
          : showMoney(price, currency),
    },
    {
      key: "units",
      label: text("shop.ui.units"),
      number: true,
      cell: (product) => <UnitsMark product={product} threshold={facts?.lowStockThreshold ?? 0} />,
    },
    {
      key: "updated",
      label: text("shop.products.updated"),
      cell: ({ updatedAt }) => <Ago at={updatedAt} />,
    },
    {
      key: "more",
      label: text("admin.column.deeds"),
      silent: true,
      cell: (product) => (
        <Menu label={text("admin.deeds", { name: product.title })} items={toMenu(product, tools)} />
      ),
    },
  ];
}

function Ways({ mayWrite }: Pick<ListTools<ProductView>, "mayWrite">): JSX.Element {
  return (
    <>
      <a class="button" href="/admin/products/import">
        {text("shop.transfer.title")}
      </a>
      {mayWrite && (
        <a class="button primary" href="/admin/products/new">
          {text("shop.products.add")}
        </a>
      )}
    </>
  );
}

function useCategoryChoices() {
  const { tree } = useCategories();
  return [
    { value: NO_CATEGORY, label: text("shop.products.field.categoryId.none") },
    ...tree.map(({ category, path }) => ({ value: category.id, label: path })),
  ];
}

export const products: Listing<ProductView> = {
  api: PRODUCTS,
  navigation: "shop.nav.products",
  texts: "shop.products",
  write: "products:write",
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  ListActions: ({ tools }) => <Ways {...tools} />,
  table: {
    class: "goods-table",
    paging: "more",
    search: "shop.products.search",
    query: productQuerySchema,
    filters: [
      {
        name: "status",
        label: "shop.products.field.status",
        words: "shop.products.status",
        any: "shop.products.filter.status",
      },
      {
        name: "categoryId",
        label: "shop.products.field.categoryId",
        any: "shop.products.filter.category",
        useChoices: useCategoryChoices,
      },
      {
        name: "deliveryType",
        label: "shop.products.field.deliveryType",
        words: "shop.products.delivery",
        any: "shop.products.filter.delivery",
      },
      {
        name: "stock",
        label: "shop.nav.stock",
        words: "shop.products.filter.stock",
        any: "shop.products.filter.stock",
      },
    ],
    sorts: { label: "shop.products.sort", words: "shop.products.sort" },
    Bulk: BulkBar,
    mayTick: () => mayUse("products:write"),
    columns: useColumns,
    Nothing: ({ tools }) => (
      <Empty icon="grid" title={text("shop.products.none")} hint={text("shop.products.none.hint")}>
        <Ways {...tools} />
      </Empty>
    ),
  },
};

/** The section. */
export function ProductsPage(): JSX.Element {
  return <ResourceList of={products} />;
}
