/** The tags behind one button: ticks with how many servers each would leave. */
import type { JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { text } from "../app/texts.ts";
import { useClosing } from "../ui/use-closing.ts";
import { Icon } from "../ui/icons.tsx";
import type { Counted } from "./facets.ts";
import { toggleTag } from "./present-criteria.ts";

/** The menu; nothing while no server has a tag. */
export function TagMenu(props: { tags: readonly Counted[]; chosen: readonly string[] }): JSX.Element | null {
  const { tags, chosen } = props;
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();
  useClosing(root, open, () => setOpen(false));
  if (tags.length === 0) return null;
  return (
    <div
      class="menu tag-menu"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        event.stopPropagation();
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button
        type="button"
        ref={button}
        class="button quiet"
        aria-expanded={open}
        aria-controls={panelId}
        onClick={() => setOpen(!open)}
      >
        {text("fleet.tags")}
        {chosen.length > 0 && <span class="count-badge">{chosen.length}</span>}
        <Icon name="down" />
      </button>
      <div
        class="menu-panel tag-panel"
        id={panelId}
        hidden={!open}
        role="group"
        aria-label={text("fleet.tags")}
      >
        {open &&
          tags.map(({ name, count }) => (
            <label class={`tag-choice ${count === 0 ? "is-none" : ""}`} key={name}>
              <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggleTag(name)} />
              <span>{name}</span>
              <span class="tag-count">{count}</span>
            </label>
          ))}
      </div>
    </div>
  );
}
