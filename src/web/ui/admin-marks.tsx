/** Marks beside a server's name for administrators: whether it is hidden, and a link to its editor. */
import type { JSX } from "preact";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { isAdministrator } from "../app/fleet.ts";
import { text } from "../app/texts.ts";
import { Icon } from "./icons.tsx";

/** Badge of a server that is hidden from the public. */
export function HiddenMark({ server }: { server: PublicServer }): JSX.Element | null {
  if (server.hidden !== true) return null;
  return (
    <span class="hidden-mark" title={text("server.hiddenHint")}>
      <Icon name="hidden" />
      {text("server.hidden")}
    </span>
  );
}

/** The way to the server's editor; nothing for who may not edit. */
export function EditLink({
  server,
  small = false,
}: {
  server: PublicServer;
  small?: boolean;
}): JSX.Element | null {
  if (!isAdministrator.value) return null;
  const label = text("server.edit", { name: server.name });
  return (
    <a
      class={`button quiet small edit-link ${small ? "icon-only" : ""}`}
      href={`/admin/servers/${server.id}`}
      aria-label={label}
      title={small ? label : undefined}
    >
      <Icon name="edit" />
      {!small && text("server.editShort")}
    </a>
  );
}
