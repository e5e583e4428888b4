/** Tabs of a section; the open one is part of the URL. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type TextName, text } from "../../app/texts.ts";

/** A tab by its name in the address, "?tab=<name>". */
export interface Tab<N extends string> {
  readonly name: N;
  readonly label: TextName;
}

/** The links to all tabs of /admin/{section}. */
export function Tabs<N extends string>(props: {
  section: string;
  label: string;
  tabs: readonly Tab<N>[];
  present: N;
}): JSX.Element {
  const { section, label, tabs, present } = props;
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone, the tabs are in a scrolling row.
    bar.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [present]);
  return (
    <nav class="tabs" ref={bar} aria-label={label}>
      {tabs.map((tab) => (
        <a
          key={tab.name}
          href={`/admin/${section}?tab=${tab.name}`}
          aria-current={tab.name === present ? "page" : undefined}
        >
          {text(tab.label)}
        </a>
      ))}
    </nav>
  );
}
