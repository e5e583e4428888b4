/** The search of the fleet: finds while typing; "/" goes there, Escape empties it. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { text } from "../app/texts.ts";
import { IconButton } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";
import { changeCriteria, presentCriteria } from "./present-criteria.ts";

function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, dialog") !== null;
}

/** The box. */
export function SearchBox(): JSX.Element {
  const { q } = presentCriteria.value;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const takeKey = (event: KeyboardEvent): void => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTypedInto(event.target))
        return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener("keydown", takeKey);
    return () => document.removeEventListener("keydown", takeKey);
  }, []);
  function clear(): void {
    changeCriteria({ q: "" });
    input.current?.focus();
  }
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={text("header.search")}
        aria-keyshortcuts="/"
        placeholder={text("header.searchHint")}
        value={q}
        autoComplete="off"
        spellcheck={false}
        onInput={(event) => changeCriteria({ q: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          if (q === "") event.currentTarget.blur();
          else clear();
        }}
      />
      {q === "" ? (
        <kbd aria-hidden="true">/</kbd>
      ) : (
        <IconButton icon="close" label={text("header.clearSearch")} small onClick={clear} />
      )}
    </div>
  );
}
