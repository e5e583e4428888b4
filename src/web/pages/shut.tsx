/** Replaces every page while the site is private and the reader has no access. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AccessView } from "../../monitor/access/view-schema.ts";
import { AccountForm } from "../access/account-form.tsx";
import { request } from "../app/api.ts";
import { changeReader } from "../app/fleet.ts";
import { toOwnPath } from "../app/path.ts";
import { navigate, search } from "../app/route.ts";
import { text } from "../app/texts.ts";
import { Icon } from "../ui/icons.tsx";

/** How one gets in. */
export function ShutPage(): JSX.Element {
  const [access, setAccess] = useState<AccessView | undefined>();
  useEffect(() => {
    void request<AccessView>("/api/access").then(setAccess, () => undefined);
  }, []);
  const isEnded = new URLSearchParams(search.value).get("link") === "ended";
  return (
    <section class="sign-in admin-panel" aria-labelledby="shut-title">
      <Icon name="key" class="sign-in-icon" />
      <h1 id="shut-title">{text("access.private")}</h1>
      {isEnded && (
        <p class="admin-note is-warn">
          <Icon name="alert" />
          <span>{text("access.linkEnded")}</span>
        </p>
      )}
      <p class="quiet-text">
        {text(access?.accounts === true && access.way !== "away" ? "access.hintAccounts" : "access.hint")}
      </p>
      {access?.accounts === true && access.way === "page" && (
        <a class="button primary" href={`/sign-in?rd=${encodeURIComponent(toOwnPath(location.pathname))}`}>
          {text("access.account")}
        </a>
      )}
      {access?.accounts === true && access.way === "form" && (
        <AccountForm
          onDone={() => {
            changeReader();
            navigate("/", { replace: true });
          }}
        />
      )}
      <a class="button quiet" href="/admin">
        {text("access.administrator")}
      </a>
    </section>
  );
}
