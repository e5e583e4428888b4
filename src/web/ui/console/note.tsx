/** A sentence in a box beside what it belongs to. */
import type { ComponentChildren, JSX } from "preact";
import { type IconName, Icon } from "../icons.tsx";

const icons = { good: "check", warn: "alert", bad: "alert" } as const;

/** The box; without a kind it is plain and has no icon. `isLive`: screen readers say it when it appears. */
export function Note(props: {
  kind?: keyof typeof icons | undefined;
  icon?: IconName | undefined;
  isLive?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  const { kind, icon = kind && icons[kind], isLive = false, children } = props;
  return (
    <div
      class={kind === undefined ? "admin-note" : `admin-note is-${kind}`}
      role={isLive ? "status" : undefined}
    >
      {icon && <Icon name={icon} />}
      <div>{children}</div>
    </div>
  );
}
