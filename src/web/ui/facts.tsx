/** Names with their values, one a line. */
import type { ComponentChildren, JSX } from "preact";

export type Fact = readonly [name: string, value: ComponentChildren];

/** The list; values that are undefined are left out. */
export function Facts({
  facts,
  class: own = "facts",
}: {
  facts: readonly Fact[];
  class?: string;
}): JSX.Element {
  return (
    <dl class={own}>
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
