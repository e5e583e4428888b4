/** @jsxImportSource hono/jsx */
/** Pages that require a session, as shown to visitors without one. */
import type { Visit } from "../visit.tsx";
import type { Buyer } from "./buyers.ts";

interface SignInFirst {
  readonly visit: Visit;
  readonly buyer: Buyer;
  readonly title: string;
  readonly text: string;
  readonly hasAccounts: boolean;
  /** Where they come back to. */
  readonly path: string;
}

/** Answers with what can be done instead: sign in, or find an order without. */
export function showSignInFirst({ visit, buyer, title, text, hasAccounts, path }: SignInFirst): Response {
  const { t } = visit;
  const isAway = buyer.isAway;
  return visit.render({
    title,
    narrow: true,
    status: isAway ? 503 : 200,
    body: (
      <div class="stack">
        <h1>{title}</h1>
        {isAway ? (
          <p class="note">{t("account.unavailable")}</p>
        ) : (
          <p>{hasAccounts ? text : t("account.none")}</p>
        )}
        {hasAccounts ? (
          <a class="button primary wide" href={isAway ? path : `/sign-in?rd=${encodeURIComponent(path)}`}>
            {t(isAway ? "account.again" : "account.signIn")}
          </a>
        ) : (
          <></>
        )}
        <a class="button wide" href="/find-order">
          {t("order.find")}
        </a>
      </div>
    ),
  });
}
