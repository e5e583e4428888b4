/** All products: search, filters, an order, and what is done to many at once. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { basePath } from "../../app/path.ts";
import { text } from "../../app/texts.ts";
import { Button, Checkbox } from "../../ui/controls.tsx";
import { type MenuItem, Menu } from "../../ui/controls-menu.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { Empty } from "../../ui/empty.tsx";
import { usePages } from "../../ui/console/paged.ts";
import { Ago, PageHead } from "../../ui/console/pieces.tsx";
import { ErrorNote, showProblem } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useQuery } from "../../ui/console/query.ts";
import { useCategories } from "../ui/category-list.ts";
import { showMoney } from "../ui/money.ts";
import { useSiteFacts } from "../ui/site-facts.ts";
import { BulkBar, sendBulk } from "./bulk-bar.tsx";
import { duplicate } from "./duplicate.ts";
import type { ProductView } from "./product-data.ts";
import { ProductFilters, isNarrowed, toListPath } from "./product-filters.tsx";
import { StatusMark, UnitsMark } from "./product-marks.tsx";

/** As many as one request takes. */
const MAX_CHOSEN = 100;

interface Choice {
  readonly chosen: ReadonlySet<string>;
  readonly choose: (id: string, isChosen: boolean) => void;
}

function Picture({ product }: { product: ProductView }): JSX.Element {
  const [image] = product.images;
  // What it shows stands beside it.
  if (image === undefined) return <span class="thumb is-empty" />;
  return <img class="thumb" src={`${image.url}?w=160`} alt="" loading="lazy" />;
}

function toMenu({ id, slug, status }: ProductView, onDone: () => void): readonly MenuItem[] {
  const run = (work: Promise<void>): void => void work.then(onDone, showProblem);
  const isShown = status === "published";
  return [
    { label: text("shop.products.duplicate"), icon: "copy", onSelect: () => run(duplicate(id)) },
    {
      label: text(isShown ? "admin.hide" : "admin.publish"),
      icon: isShown ? "hidden" : "check",
      onSelect: () => run(sendBulk({ action: isShown ? "hide" : "publish", ids: [id] })),
    },
    {
      label: text("shop.products.view"),
      icon: "link",
      disabled: !isShown,
      onSelect: () => void open(`${basePath}/p/${slug}`, "_blank", "noopener"),
    },
  ];
}

function toColumns(
  { chosen, choose }: Choice,
  { threshold, onDone }: { threshold: number; onDone: () => void },
): readonly TableColumn<ProductView>[] {
  return [
    {
      key: "choose",
      label: text("admin.choose"),
      silent: true,
      cell: ({ id, title }) => (
        <Checkbox
          label={<span class="for-readers">{title}</span>}
          checked={chosen.has(id)}
          disabled={!chosen.has(id) && chosen.size >= MAX_CHOSEN}
          onChange={(isChosen) => choose(id, isChosen)}
        />
      ),
    },
    {
      key: "title",
      label: text("shop.products.field.title"),
      cell: (product) => (
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
      ),
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
      cell: (product) => <UnitsMark product={product} threshold={threshold} />,
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
        <Menu label={text("admin.deeds", { name: product.title })} items={toMenu(product, onDone)} />
      ),
    },
  ];
}

function NoProducts({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }): JSX.Element {
  if (narrowed)
    return (
      <Empty icon="search" title={text("shop.products.notFound")}>
        <Button onClick={onClear}>{text("shop.ui.filter.clear")}</Button>
      </Empty>
    );
  return (
    <Empty icon="grid" title={text("shop.products.none")} hint={text("shop.products.none.hint")}>
      <a class="button primary" href="/admin/products/new">
        {text("shop.products.add")}
      </a>
      <a class="button" href="/admin/products/import">
        {text("shop.transfer.title")}
      </a>
    </Empty>
  );
}

/** The section. */
export function ProductsPage(): JSX.Element {
  const query = useQuery();
  const pages = usePages<ProductView>(toListPath(query));
  const { tree } = useCategories();
  const facts = useSiteFacts();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  function choose(id: string, isChosen: boolean): void {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  }
  // What is not in sight is not done anything to.
  const inHand = pages.items.filter(({ id }) => chosen.has(id));
  const columns = toColumns(
    { chosen, choose },
    { threshold: facts?.lowStockThreshold ?? 0, onDone: pages.refresh },
  );
  const clear = (): void => query.set({ q: "", status: "", categoryId: "", deliveryType: "", stock: "" });
  return (
    <>
      <PageHead title={text("shop.nav.products")}>
        <a class="button" href="/admin/products/import">
          {text("shop.transfer.title")}
        </a>
        <a class="button primary" href="/admin/products/new">
          {text("shop.products.add")}
        </a>
      </PageHead>
      <ProductFilters query={query} categories={tree} />
      {inHand.length > 0 && (
        <BulkBar
          products={inHand}
          categories={tree}
          onAll={
            inHand.length < Math.min(pages.items.length, MAX_CHOSEN)
              ? () => setChosen(new Set(pages.items.slice(0, MAX_CHOSEN).map(({ id }) => id)))
              : undefined
          }
          onDone={() => {
            setChosen(new Set());
            pages.refresh();
          }}
        />
      )}
      {pages.error && <ErrorNote message={toMessage(pages.error)} onRetry={pages.refresh} />}
      {pages.items.length > 0 && (
        <div class="goods-table">
          <Table
            caption={text("shop.nav.products")}
            columns={columns}
            rows={pages.items}
            keyOf={({ id }) => id}
          />
        </div>
      )}
      {pages.items.length === 0 && !pages.error && pages.busy && <p class="empty">{text("page.loading")}</p>}
      {pages.items.length === 0 && !pages.error && !pages.busy && (
        <NoProducts narrowed={isNarrowed(query)} onClear={clear} />
      )}
      {pages.hasMore && (
        <Button disabled={pages.busy} onClick={pages.more}>
          {text("shop.ui.more")}
        </Button>
      )}
    </>
  );
}
