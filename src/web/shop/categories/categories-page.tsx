/** Categories as a tree, and collections beside them: made, moved, hidden. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, IconButton } from "../../ui/controls.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Badge, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useQuery } from "../../ui/console/query.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { moveItem } from "../../ui/forms/moves.ts";
import { type PlacedCategory, useCategories } from "../ui/category-list.ts";
import { moveAmongSiblings, listSiblings } from "./category-tree.ts";
import { NewShown } from "./new-shown.tsx";
import {
  type CollectionView,
  type ShownKind,
  type ShownView,
  kinds,
  toPageAddress,
  toShownPath,
} from "./shown-data.ts";

interface RowProps {
  readonly kind: ShownKind;
  readonly shown: ShownView;
  readonly depth: number;
  readonly note?: string | undefined;
  readonly busy: boolean;
  readonly onEarlier: (() => void) | undefined;
  readonly onLater: (() => void) | undefined;
}

function ShownRow({ kind, shown, depth, note, busy, onEarlier, onLater }: RowProps): JSX.Element {
  const { id, title, status } = shown;
  return (
    <li class={`tree-row is-depth-${Math.min(depth, 5)}`} aria-level={depth + 1}>
      <span class="tree-name">
        <a class="row-name" href={toPageAddress(kind, id)}>
          {title}
        </a>
        {status === "hidden" && <Badge>{text("shop.categories.status.hidden")}</Badge>}
        <span class="field-hint">{note ?? id}</span>
      </span>
      <IconButton
        icon="arrowUp"
        label={text("admin.move.up", { name: title })}
        disabled={busy || onEarlier === undefined}
        onClick={() => onEarlier?.()}
      />
      <IconButton
        icon="arrowDown"
        label={text("admin.move.down", { name: title })}
        disabled={busy || onLater === undefined}
        onClick={() => onLater?.()}
      />
    </li>
  );
}

/** Sends an order and shows what became of it. */
function useArranging(kind: ShownKind, refresh: () => Promise<void>) {
  const task = useTask();
  function arrange(ids: readonly string[]): void {
    void task.run(async () => {
      const items = ids.map((id) => ({ id }));
      await adminRequest(`${toShownPath(kind)}/order`, { method: "PUT", body: { items } });
      await refresh();
    });
  }
  return { task, arrange };
}

function None({ kind, onAdd }: { kind: ShownKind; onAdd: () => void }): JSX.Element {
  return (
    <Empty icon="list" title={text(`shop.${kind}.none`)} hint={text(`shop.${kind}.none.hint`)}>
      <Button kind="primary" onClick={onAdd}>
        {text(`shop.${kind}.add`)}
      </Button>
    </Empty>
  );
}

function CategoryRows({
  tree,
  onAdd,
  refresh,
}: {
  tree: readonly PlacedCategory[];
  onAdd: () => void;
  refresh: () => Promise<void>;
}): JSX.Element {
  const { task, arrange } = useArranging("categories", refresh);
  const all = tree.map(({ category }) => category);
  if (tree.length === 0) return <None kind="categories" onAdd={onAdd} />;
  return (
    <>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <ul class="plain-list admin-panel tree-list" aria-label={text("shop.nav.categories")}>
        {tree.map(({ category, depth }) => {
          const siblings = listSiblings(all, category);
          const at = siblings.indexOf(category);
          const move = (step: number) => () => arrange(moveAmongSiblings(all, { of: category, step }));
          return (
            <ShownRow
              key={category.id}
              kind="categories"
              shown={category}
              depth={depth}
              busy={task.busy}
              onEarlier={at > 0 ? move(-1) : undefined}
              onLater={at < siblings.length - 1 ? move(1) : undefined}
            />
          );
        })}
      </ul>
    </>
  );
}

function Categories({ onAdd }: { onAdd: () => void }): JSX.Element {
  const { data, error, refresh, tree } = useCategories();
  return (
    <>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {data && <CategoryRows tree={tree} onAdd={onAdd} refresh={refresh} />}
    </>
  );
}

function Collections({ onAdd }: { onAdd: () => void }): JSX.Element {
  const { data, error, refresh } = usePolled<{ items: readonly CollectionView[] }>(
    toShownPath("collections"),
    0,
  );
  const { task, arrange } = useArranging("collections", refresh);
  const all = data?.items ?? [];
  const ids = all.map(({ id }) => id);
  const move = (from: number, to: number) => () => arrange(moveItem(ids, { from, to }));
  return (
    <>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {data === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {data && all.length === 0 && <None kind="collections" onAdd={onAdd} />}
      {all.length > 0 && (
        <ul class="plain-list admin-panel tree-list" aria-label={text("shop.collections.title")}>
          {all.map((collection, at) => (
            <ShownRow
              key={collection.id}
              kind="collections"
              shown={collection}
              depth={0}
              note={text(
                collection.rule === undefined ? "shop.collections.byHand" : "shop.collections.byRule",
              )}
              busy={task.busy}
              onEarlier={at > 0 ? move(at, at - 1) : undefined}
              onLater={at < all.length - 1 ? move(at, at + 1) : undefined}
            />
          ))}
        </ul>
      )}
    </>
  );
}

/** The section. */
export function CategoriesPage(): JSX.Element {
  const query = useQuery();
  const kind: ShownKind = query.get("kind") === "collections" ? "collections" : "categories";
  const [isAdding, setAdding] = useState(false);
  const add = (): void => setAdding(true);
  return (
    <>
      <PageHead title={text("shop.nav.categories")}>
        <Button kind="primary" icon="plus" onClick={add}>
          {text(`shop.${kind}.add`)}
        </Button>
      </PageHead>
      <nav class="tabs" aria-label={text("shop.nav.categories")}>
        {kinds.map((one) => (
          <a key={one} href={toPageAddress(one)} aria-current={one === kind ? "page" : undefined}>
            {text(`shop.${one}.title`)}
          </a>
        ))}
      </nav>
      <p class="field-hint">{text(`shop.${kind}.hint`)}</p>
      {kind === "categories" ? <Categories onAdd={add} /> : <Collections onAdd={add} />}
      {isAdding && <NewShown kind={kind} onClose={() => setAdding(false)} />}
    </>
  );
}
