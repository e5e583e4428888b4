/** Shown for empty lists: why, and what to do. */
import type { ComponentChildren, JSX } from "preact";
import { type IconName, Icon } from "./icons.tsx";

/** An empty place; `children` are buttons. */
export function Empty(props: {
  icon: IconName;
  title: string;
  hint?: string | undefined;
  children?: ComponentChildren;
}): JSX.Element {
  const { icon, title, hint, children } = props;
  return (
    <div class="empty" role="status">
      <Icon name={icon} />
      <h2>{title}</h2>
      {hint && <p>{hint}</p>}
      {children}
    </div>
  );
}
