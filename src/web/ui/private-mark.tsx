/** Header mark of a private site; viewers can sign out here. */
import type { JSX } from "preact";
import { request } from "../app/api.ts";
import { changeReader, isAdministrator } from "../app/fleet.ts";
import { site } from "../app/site.ts";
import { text } from "../app/texts.ts";
import { Button } from "./controls.tsx";
import { Icon } from "./icons.tsx";

function leave(): void {
  void request("/api/access/session", { method: "DELETE" }).then(changeReader, changeReader);
}

/** The mark; nothing on a site that everybody sees. */
export function PrivateMark(): JSX.Element | null {
  if (site.value?.isPrivate !== true) return null;
  return (
    <>
      <span class="private-mark" title={text("header.privateHint")}>
        <Icon name="hidden" />
        {text("header.private")}
      </span>
      {!isAdministrator.value && (
        <Button kind="quiet" onClick={leave}>
          {text("header.leave")}
        </Button>
      )}
    </>
  );
}
