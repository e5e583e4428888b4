/** Signing in to the monitor with an account of the auth center: on its page, or where it does not know the monitor here. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AccessView } from "../../../monitor/access/view-schema.ts";
import { AccountForm } from "../../access/account-form.tsx";
import { request } from "../../app/api.ts";
import { toOwnPath } from "../../app/path.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import type { ConsoleProps } from "../../ui/console/console.tsx";
import { session } from "../../ui/console/session.ts";
import { Icon } from "../../ui/icons.tsx";
import { markSignIn, takeAccount } from "./sign-in-access.ts";

/** Why somebody came back from the center without getting in. */
function Refusal({ centerUrl }: Pick<AccessView, "centerUrl">): JSX.Element | null {
  const why = new URLSearchParams(location.search).get("sign-in");
  if (why === null) return null;
  const lacksFactor = why === "second-factor";
  return (
    <div class="admin-note is-warn" role="alert">
      <Icon name="alert" />
      <span>
        {text(lacksFactor ? "access.factorMissing" : "access.refused")}{" "}
        {lacksFactor && centerUrl !== undefined && (
          <a href={`${centerUrl}/account/security`}>{text("access.toSecurity")}</a>
        )}
      </span>
    </div>
  );
}

function FormWay(): JSX.Element {
  return (
    <section class="sign-in admin-panel" aria-labelledby="account-title">
      <h2 id="account-title">{text("access.account")}</h2>
      <AccountForm
        onDone={(signedIn) => void takeAccount(signedIn).then((administers) => administers || navigate("/"))}
      />
    </section>
  );
}

/** The way to the center's page and back to this one. */
function toHref(): string {
  const query = new URLSearchParams(location.search);
  query.delete("sign-in");
  const search = query.size === 0 ? "" : `?${query.toString()}`;
  return `/sign-in?rd=${encodeURIComponent(toOwnPath(location.pathname) + search)}`;
}

/** The sign-in methods with an account; requested while signed out. */
export function useAccountWays(): Pick<ConsoleProps, "account" | "ways"> {
  const [access, setAccess] = useState<AccessView | "asking" | "none">("asking");
  const { kind } = session.value;
  useEffect(() => {
    if (kind !== "out" && kind !== "ended") return;
    void request<AccessView>("/api/access").then(setAccess, () => setAccess("none"));
  }, [kind]);
  if (access === "asking") return { account: access };
  if (access === "none" || !access.accounts || access.way === "away") return {};
  if (access.way === "form") return { ways: <FormWay /> };
  const note = <Refusal centerUrl={access.centerUrl} />;
  return { account: { href: toHref(), onGo: markSignIn, note } };
}
