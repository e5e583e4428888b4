/** @jsxImportSource hono/jsx */
/** The page behind the links in mails: to say yes, to change what one follows, to end it. Opening it changes nothing, for programs open links; its buttons do. */
import { languageNames, languages } from "../../../kit/text/languages.ts";
import { openedForm } from "../../../html/faults.ts";
import { Choice } from "../../../html/form.tsx";
import type { Subscription } from "../../status/followers/subscribers.ts";
import { type Shown, toLink } from "../shown/shown.ts";
import { Parts } from "./follow-page.tsx";

interface SubscriptionPageProps {
  readonly shown: Shown;
  readonly subscription: Subscription;
  readonly isSaved: boolean;
  /** Where the forms go: the page's own address. */
  readonly action: string;
}

function Gone({ shown }: { readonly shown: Shown }) {
  return (
    <>
      <h1>{shown.t("mine.gone.title")}</h1>
      <p role="status">{shown.t("mine.gone.text")}</p>
      <p>
        <a href={toLink(shown, "/subscribe")}>{shown.t("follow.title")}</a>
      </p>
    </>
  );
}

export function SubscriptionPage({ shown, subscription, isSaved, action }: SubscriptionPageProps) {
  const { t, page } = shown;
  const { subscriber, secret } = subscription;
  if (subscriber === undefined) return <Gone shown={shown} />;
  const values = { page: page.record.title, address: subscriber.address };
  if (subscriber.state === "pending")
    return (
      <>
        <h1>{t("mine.confirm.title", values)}</h1>
        <p class="follow-address">{t("mine.confirm.text", values)}</p>
        <form method="post" action={action} class="follow-form">
          <button class="button primary wide" type="submit" name="do" value="confirm">
            {t("mine.confirm.button")}
          </button>
        </form>
      </>
    );
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("mine.title", values)}</h1>
        <p class="muted follow-address">{t("mine.text", values)}</p>
      </div>
      {isSaved ? (
        <p class="note is-good" role="status">
          {t("mine.saved")}
        </p>
      ) : (
        <></>
      )}
      {secret === undefined ? (
        <></>
      ) : (
        <p class="follow-address">
          {t("mine.secret")} <code>{secret}</code>
        </p>
      )}
      <form method="post" action={action} class="stack follow-form">
        <Parts shown={shown} state={openedForm} chosen={subscriber.componentIds} />
        <Choice
          name="language"
          label={t("mine.language")}
          state={openedForm}
          value={subscriber.language}
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
        />
        <button class="button primary" type="submit" name="do" value="save">
          {t("mine.save")}
        </button>
      </form>
      <form method="post" action={action} class="follow-form">
        <button class="button" type="submit" name="do" value="end">
          {t("mine.end")}
        </button>
      </form>
    </>
  );
}
