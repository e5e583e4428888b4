/** The name of a server or check, which leads to its page. */
import type { JSX } from "preact";
import { isAdministrator } from "../app/fleet.ts";
import { type HomeItem, isCheck } from "./home-item.ts";

/** Its page: checks have one for administrators. */
export function toItemPage(id: string, ofCheck: boolean): string | undefined {
  if (!ofCheck) return `/servers/${id}`;
  return isAdministrator.value ? `/admin/checks/${id}` : undefined;
}

/** Its name, which leads to its page; the arrow keys come by even where it has none. */
export function NameLink({ item, class: look }: { item: HomeItem; class: string }): JSX.Element {
  const page = toItemPage(item.id, isCheck(item));
  return page === undefined ? (
    <span class={look} tabIndex={-1}>
      {item.name}
    </span>
  ) : (
    <a class={look} href={page}>
      {item.name}
    </a>
  );
}
