/** A menu behind a button. */
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type IconName, Icon } from "./icons.tsx";
import { useClosing } from "./use-closing.ts";

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly danger?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly onSelect: () => void;
}

function listItems(panel: HTMLElement | null): HTMLElement[] {
  return [...(panel?.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)") ?? [])];
}

function moveFocus(panel: HTMLElement | null, step: number): void {
  const items = listItems(panel);
  const at = items.findIndex((item) => item === document.activeElement);
  items.at((at + step + items.length) % Math.max(1, items.length))?.focus();
}

function MenuItems({ items, onClose }: { items: readonly MenuItem[]; onClose: () => void }): JSX.Element {
  return (
    <>
      {items.map((item) => (
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          key={item.label}
          class={item.danger === true ? "button danger" : "button"}
          disabled={item.disabled}
          onClick={() => {
            onClose();
            item.onSelect();
          }}
        >
          {item.icon && <Icon name={item.icon} />}
          {item.label}
        </button>
      ))}
    </>
  );
}

/** A button that opens a list of actions. */
export function Menu(props: {
  label: string;
  icon?: IconName | undefined;
  /** The label is shown, not only said. */
  isLabeled?: boolean;
  items: readonly MenuItem[];
}): JSX.Element {
  const { label, icon = "more", isLabeled = false, items } = props;
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // Before anything else happens: later it would take the focus back from an item that was reached by a key.
  useLayoutEffect(() => {
    if (open) moveFocus(panel.current, 1);
  }, [open]);
  useClosing(root, open, () => setOpen(false));

  function close(): void {
    setOpen(false);
    button.current?.focus();
  }
  function takeKey(event: KeyboardEvent): void {
    if (event.key === "ArrowDown") moveFocus(panel.current, 1);
    else if (event.key === "ArrowUp") moveFocus(panel.current, -1);
    else if (event.key === "Home") listItems(panel.current).at(0)?.focus();
    else if (event.key === "End") listItems(panel.current).at(-1)?.focus();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div class="menu" ref={root}>
      <button
        type="button"
        ref={button}
        class={isLabeled ? "button small" : "button icon-only quiet"}
        aria-label={label}
        title={isLabeled ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name={icon} />
        {isLabeled && label}
      </button>
      {open && (
        <div class="menu-panel" role="menu" ref={panel} aria-label={label} onKeyDown={takeKey}>
          <MenuItems items={items} onClose={close} />
        </div>
      )}
    </div>
  );
}
