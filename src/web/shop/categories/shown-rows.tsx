/** Rows of categories and collections, which are kept in an order. */
import type { ComponentChildren, JSX } from "preact";
import type { CategoryView, CollectionView } from "../../../shop/categories/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { IconButton } from "../../ui/controls.tsx";
import { ErrorNote, type Task, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { type ListTools, type Resource, toAddress } from "../../ui/resource/resource.ts";
import { HiddenMark } from "./hidden-mark.tsx";

type ShownView = CategoryView | CollectionView;
type Of = Pick<Resource<never, never>, "api" | "home" | "search" | "navigation">;

/** Sends an order of ids and shows what became of it. */
export function useArranging<View>(
  { api }: Of,
  { refresh }: ListTools<View>,
): { task: Task; arrange: (ids: readonly string[]) => void } {
  const task = useTask();
  const arrange = (ids: readonly string[]): void =>
    void task.run(async () => {
      const body = { items: ids.map((id) => ({ id })) };
      await adminRequest(`${api}/order`, { method: "PUT", body });
      await refresh();
    });
  return { task, arrange };
}

/** A row with its buttons; `busy`: it cannot be moved now. */
export function ShownRow(props: {
  of: Of;
  view: ShownView;
  note: string;
  depth: number;
  busy: boolean;
  onEarlier: (() => void) | undefined;
  onLater: (() => void) | undefined;
}): JSX.Element {
  const { of, view, note, depth, busy, onEarlier, onLater } = props;
  const { id, title: name } = view;
  return (
    <li class={`tree-row is-depth-${Math.min(depth, 5)}`} aria-level={depth + 1}>
      <span class="tree-name">
        <a class="row-name" href={toAddress(of, id)}>
          {name}
        </a>
        <HiddenMark view={view} />
        <span class="field-hint">{note}</span>
      </span>
      <IconButton
        icon="arrowUp"
        label={text("admin.move.up", { name })}
        disabled={busy || onEarlier === undefined}
        onClick={() => onEarlier?.()}
      />
      <IconButton
        icon="arrowDown"
        label={text("admin.move.down", { name })}
        disabled={busy || onLater === undefined}
        onClick={() => onLater?.()}
      />
    </li>
  );
}

/** All of them. */
export function ShownRows({
  of,
  task,
  children,
}: {
  of: Of;
  task: Task;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <ul class="plain-list admin-panel tree-list" aria-label={text(of.navigation)}>
        {children}
      </ul>
    </>
  );
}
