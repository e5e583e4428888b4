/** @jsxImportSource hono/jsx */
/** The page on which people begin to follow a status page: by mail, by webhook, by feed. */
import { Field, Form, FormFaults, Tick } from "../../../html/form.tsx";
import { type FormState, stateOf } from "../../../html/faults.ts";
import type { SubscriptionWay } from "../../status/followers/schema.ts";
import type { Shown } from "../shown/shown.ts";

/** Before the id of a component in the name of its tick. */
export const PART_PREFIX = "part_";

/** The components to follow. */
export function Parts({
  shown,
  state,
  chosen,
}: {
  readonly shown: Shown;
  readonly state: FormState;
  readonly chosen: readonly string[];
}) {
  const { t, page } = shown;
  if (page.components.length < 2) return <></>;
  return (
    <details class="follow-parts" open={chosen.length > 0}>
      <summary>{t("follow.components")}</summary>
      <p class="field-hint">{t("follow.components.hint")}</p>
      {page.components.map(({ id, name }) => (
        <Tick name={PART_PREFIX + id} label={name} state={state} checked={chosen.includes(id)} />
      ))}
    </details>
  );
}

function Done({ shown, way }: { readonly shown: Shown; readonly way: SubscriptionWay }) {
  return (
    <div class="note is-good" role="status">
      <strong>{shown.t(`follow.done.${way}.title`)}</strong>
      <p>{shown.t(`follow.done.${way}`)}</p>
    </div>
  );
}

interface FollowPageProps {
  readonly shown: Shown;
  readonly state: FormState;
  readonly token: string;
  /** The available subscription methods. */
  readonly ways: Readonly<Record<SubscriptionWay, boolean>>;
  /** The requested subscription. */
  readonly done: SubscriptionWay | undefined;
}

function ByWebhook({ shown, state, token }: Pick<FollowPageProps, "shown" | "state" | "token">) {
  const { t, base } = shown;
  return (
    <section class="stack" aria-labelledby="by-webhook">
      <h2 id="by-webhook">{t("follow.webhook")}</h2>
      <p class="muted">{t("follow.webhook.text")}</p>
      <FormFaults title={t("follow.faults")} faults={state.faults} />
      <Form action={`${base}/subscribe/webhook`} token={token} class="stack follow-form">
        <Field
          name="url"
          type="url"
          inputmode="url"
          required
          label={t("follow.webhook.address")}
          state={state}
        />
        <button class="button" type="submit">
          {t("follow.webhook.send")}
        </button>
      </Form>
    </section>
  );
}

export function FollowPage({ shown, state, token, ways, done }: FollowPageProps) {
  const { t, base } = shown;
  const byMail = stateOf(state, "mail");
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("follow.title")}</h1>
        <p class="muted">{t("follow.lead")}</p>
      </div>
      {done === undefined ? <></> : <Done shown={shown} way={done} />}
      {ways.mail ? (
        <section class="stack" aria-labelledby="by-mail">
          <h2 id="by-mail">{t("follow.mail")}</h2>
          <FormFaults title={t("follow.faults")} faults={byMail.faults} />
          <Form action={`${base}/subscribe`} token={token} class="stack follow-form">
            <Field
              name="address"
              type="email"
              autocomplete="email"
              inputmode="email"
              required
              label={t("follow.address")}
              hint={t("follow.address.hint")}
              state={byMail}
            />
            <Parts shown={shown} state={byMail} chosen={[]} />
            <button class="button primary" type="submit">
              {t("follow.send")}
            </button>
          </Form>
        </section>
      ) : (
        <></>
      )}
      <section class="stack" aria-labelledby="by-feed">
        <h2 id="by-feed">{t("follow.feeds")}</h2>
        <ul class="plain-list stack is-tight">
          <li>
            <a href={`${base}/feed.atom`}>{t("follow.feed")}</a>
          </li>
          <li>
            <a href={`${base}/maintenance.ics`}>{t("follow.calendar")}</a>
          </li>
        </ul>
      </section>
      {ways.webhook ? <ByWebhook shown={shown} state={stateOf(state, "webhook")} token={token} /> : <></>}
    </>
  );
}
