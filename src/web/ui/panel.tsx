/** A titled part of a page that is no part of its form. */
import type { ComponentChildren, JSX } from "preact";

/** The panel; `action` is next to its title. */
export function Panel(props: {
  title: string;
  hint?: string | undefined;
  action?: ComponentChildren;
  /** Less space between its parts. */
  small?: boolean;
  class?: string;
  children: ComponentChildren;
}): JSX.Element {
  const { title, hint, action, small = false, class: own = "", children } = props;
  return (
    <section class={`admin-panel ${small ? "stack-small" : "stack"} ${own}`} aria-label={title}>
      <div class="panel-head">
        <h2>{title}</h2>
        {action}
      </div>
      {hint !== undefined && <p class="field-hint">{hint}</p>}
      {children}
    </section>
  );
}
