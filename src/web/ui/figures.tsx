/** A number with its name, and the way to something that waits for a person. */
import type { ComponentChildren, JSX } from "preact";
import { Icon } from "./icons.tsx";

/** An item of a `<dl class="figures">`; `children` are below the number. */
export function Figure(props: {
  label: string;
  value: ComponentChildren;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="figure">
      <dt>{props.label}</dt>
      <dd>{props.value}</dd>
      {props.children}
    </div>
  );
}

/** An item of a `<ul class="todos">`. */
export function Todo(props: {
  href: string;
  isBad?: boolean | undefined;
  children: ComponentChildren;
}): JSX.Element {
  const { href, isBad = false, children } = props;
  return (
    <li>
      <a class={`todo${isBad ? " is-bad" : ""}`} href={href}>
        {children}
        <Icon name="next" />
      </a>
    </li>
  );
}
