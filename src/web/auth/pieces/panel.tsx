/** A titled part of the page of an account. */
import type { ComponentChildren, JSX } from "preact";

/** The part; `action` stands beside its title. */
export function Panel(props: {
  title: string;
  action?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  const { title, action, children } = props;
  return (
    <section class="admin-panel stack-small" aria-label={title}>
      <div class="panel-head">
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}
