/** A list that is put in order by pointer or keyboard. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Icon } from "../icons.tsx";
import { findLanding, moveItem, toScrollStep } from "./moves.ts";

export interface OrderItem {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
}

interface Lifted {
  readonly id: string;
  /** The order before it was lifted, for Escape. */
  readonly before: readonly OrderItem[];
  readonly by: "pointer" | "keyboard";
}

interface OrderListProps {
  readonly label: string;
  readonly items: readonly OrderItem[];
  readonly onChange: (items: readonly OrderItem[]) => void;
  /** Beside and below the row of an item. */
  readonly beside?: ((item: OrderItem, at: number) => ComponentChildren) | undefined;
}

interface Lifting {
  readonly lifted: Lifted | undefined;
  /** For the live region. */
  readonly news: string;
  readonly onKeyDown: (event: KeyboardEvent, id: string) => void;
  readonly onPointerDown: (event: PointerEvent, id: string) => void;
  readonly onBlur: (id: string) => void;
}

function findMiddles(list: HTMLElement | null): number[] {
  return [...(list?.children ?? [])].map((child) => {
    const { top, height } = child.getBoundingClientRect();
    return top + scrollY + height / 2;
  });
}

/** Follows a pointer that holds an item, until it is let go; returns how to stop. */
function followPointer(handlers: {
  onY: (pageY: number) => void;
  onEnd: (dropped: boolean) => void;
}): () => void {
  let clientY: number | undefined;
  let frame = requestAnimationFrame(scroll);
  function scroll(): void {
    if (clientY !== undefined) {
      const step = toScrollStep(clientY, innerHeight);
      if (step !== 0) {
        scrollBy(0, step);
        handlers.onY(clientY + scrollY);
      }
    }
    frame = requestAnimationFrame(scroll);
  }
  function move(event: PointerEvent): void {
    ({ clientY } = event);
    handlers.onY(event.clientY + scrollY);
  }
  function end(event: Event): void {
    stop();
    handlers.onEnd(event.type === "pointerup");
  }
  function cancel(event: KeyboardEvent): void {
    if (event.key === "Escape") end(event);
  }
  function stop(): void {
    cancelAnimationFrame(frame);
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    removeEventListener("keydown", cancel);
  }
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
  addEventListener("keydown", cancel);
  return stop;
}

/** A finger drags by the grip alone, so that the rest of the row still scrolls the page. */
function isDragStart({ pointerType, target }: PointerEvent): boolean {
  return pointerType === "mouse" || (target instanceof Element && target.closest(".order-grip") !== null);
}

const keySteps: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
};

/** Handles a key on a row. */
function takeKey(
  event: KeyboardEvent,
  row: { isLifted: boolean; toggle: () => void; move: (step: number) => void; cancel: () => void },
): void {
  const step = keySteps[event.key];
  if (event.key === " " || event.key === "Enter") row.toggle();
  else if (!row.isLifted) return;
  else if (event.key === "Escape") row.cancel();
  else if (step !== undefined) row.move(step);
  else return;
  event.preventDefault();
}

function useLifting(props: OrderListProps, list: { current: HTMLElement | null }): Lifting {
  const [lifted, setLifted] = useState<Lifted | undefined>();
  const [news, setNews] = useState("");
  // Pointer events come faster than the page is drawn.
  const present = useRef(props.items);
  present.current = props.items;
  const stop = useRef<() => void>();
  useEffect(() => () => stop.current?.(), []);

  const placeOf = (id: string): number => present.current.findIndex((item) => item.id === id);
  function set(items: readonly OrderItem[]): void {
    present.current = items;
    props.onChange(items);
  }
  function say(name: "lifted" | "moved" | "dropped" | "cancelled", id: string): void {
    const at = placeOf(id);
    const values = { name: present.current[at]?.name ?? "", place: at + 1, count: present.current.length };
    setNews(text(`admin.order.${name}`, values));
  }
  function lift(id: string, by: Lifted["by"]): void {
    setLifted({ id, before: present.current, by });
    say("lifted", id);
  }
  function drop(id: string): void {
    say("dropped", id);
    setLifted(undefined);
  }
  function cancel(was: Lifted): void {
    set(was.before);
    say("cancelled", was.id);
    setLifted(undefined);
  }
  function moveTo(id: string, to: number): void {
    const items = moveItem(present.current, { from: placeOf(id), to });
    if (items === present.current) return;
    set(items);
    say("moved", id);
  }
  function drag(id: string, pageY: number): void {
    const before = present.current;
    const middles = findMiddles(list.current);
    // Where it was taken hold of: the row keeps that distance to the pointer.
    const hold = pageY - (middles[placeOf(id)] ?? pageY);
    lift(id, "pointer");
    stop.current = followPointer({
      onY: (y) => moveTo(id, findLanding(middles, y - hold)),
      onEnd: (dropped) => {
        if (dropped) drop(id);
        else cancel({ id, before, by: "pointer" });
      },
    });
  }
  return {
    lifted,
    news,
    onKeyDown: (event, id) =>
      takeKey(event, {
        isLifted: lifted !== undefined,
        toggle: () => (lifted === undefined ? lift(id, "keyboard") : drop(lifted.id)),
        move: (step) => moveTo(id, placeOf(id) + step),
        cancel: () => lifted && cancel(lifted),
      }),
    onPointerDown: (event, id) => {
      if (event.button === 0 && isDragStart(event)) drag(id, event.pageY);
    },
    onBlur: (id) => {
      if (lifted?.by !== "keyboard") return;
      // A row that moves in the document loses the focus for a moment.
      setTimeout(() => {
        if (document.activeElement?.getAttribute("data-id") !== id) drop(id);
      });
    },
  };
}

function OrderRow(props: {
  item: OrderItem;
  place: number;
  lifting: Lifting;
  children: ComponentChildren;
}): JSX.Element {
  const { item, place, lifting, children } = props;
  const isLifted = lifting.lifted?.id === item.id;
  return (
    <li class={`order-row${isLifted ? " is-lifted" : ""}`}>
      <button
        type="button"
        class="order-handle"
        data-id={item.id}
        aria-pressed={isLifted}
        aria-describedby="order-help"
        onKeyDown={(event) => lifting.onKeyDown(event, item.id)}
        onPointerDown={(event) => lifting.onPointerDown(event, item.id)}
        onBlur={() => lifting.onBlur(item.id)}
      >
        <span class="order-grip">
          <Icon name="move" />
        </span>
        <span class="order-place">{place}</span>
        <span class="order-name">{item.name}</span>
        <span class="field-hint">{item.detail}</span>
      </button>
      {children}
    </li>
  );
}

/** The list. */
export function OrderList(props: OrderListProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const lifting = useLifting(props, list);
  const { lifted } = lifting;
  useLayoutEffect(() => {
    // A row that moves in the document would take the focus from itself.
    if (lifted?.by !== "keyboard") return;
    const handle = list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(lifted.id)}"]`);
    handle?.focus();
    handle?.scrollIntoView({ block: "nearest" });
  }, [props.items, lifted]);
  return (
    <>
      <p id="order-help" class="field-hint">
        {text("admin.order.help")}
      </p>
      <ol class="order-list" ref={list} aria-label={props.label}>
        {props.items.map((item, index) => (
          <OrderRow item={item} place={index + 1} lifting={lifting} key={item.id}>
            {props.beside?.(item, index)}
          </OrderRow>
        ))}
      </ol>
      <div class="for-readers" role="status" aria-live="assertive">
        {lifting.news}
      </div>
    </>
  );
}
