/** @jsxImportSource hono/jsx */
/** The passkeys of an account: added, renamed, removed; and the offer of one after a sign-in with a password. */
import { z } from "zod";
import { createHostCookie } from "../../../kit/http/cookies.ts";
import { withQuery } from "../../../kit/text/with-query.ts";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import { type FormState, openedForm, stateOf } from "../../../html/faults.ts";
import { findReturnPath, withReturn } from "../../../html/return-path.ts";
import type { UserRecord } from "../../accounts/schema.ts";
import { passkeyInvalid } from "../../passkeys/challenges.ts";
import type { AcceptedPasskeys, Passkeys } from "../../passkeys/passkeys.ts";
import { type PasskeyRecord } from "../../accounts/passkey-schema.ts";
import { passkeyLabelSchema, registrationResponseSchema } from "../../passkeys/schema.ts";
import { Done } from "../done.tsx";
import type { Action, FormStatus } from "../../../html/form-pages.ts";
import { type SentForm, parseForm } from "../../../html/sent-form.ts";
import { type PageRoutes, toNext } from "../page.ts";
import { addPersonalOptions } from "../passkey-options.ts";
import { PasskeyPlace, readPasskeyAnswer } from "../passkey-place.tsx";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import type { SignedInVisit, Visit, Visits } from "../visit.tsx";

interface Parts {
  readonly passkeys: Passkeys;
  readonly browserSignIn: Pick<BrowserSignIn, "renew">;
  readonly visits: Visits;
  readonly publicUrl: string | undefined;
}

const PATH = "/account/security/passkeys";
const OFFER = "/account/passkey-offer";
const LATER_SECONDS = 30 * 86_400;
const idSchema = z.object({ id: z.string().min(1).max(100) });

function Passkey({
  visit,
  passkey,
  state,
}: {
  readonly visit: SignedInVisit;
  readonly passkey: PasskeyRecord;
  readonly state: FormState;
}) {
  const { t, time, formToken, relyingParty } = visit;
  const { id, label, backupEligible, createdAt, lastUsedAt, rpId } = passkey;
  const own = state.values["id"] === id ? stateOf(state, "/rename") : openedForm;
  return (
    <section class="card stack">
      <div class="row">
        <h2>{label}</h2>
        <span class="push tag">{t(backupEligible ? "passkeys.synced" : "passkeys.bound")}</span>
      </div>
      <p class="small muted">
        {t("passkeys.added", { day: time(createdAt, "day") })} ·{" "}
        {lastUsedAt === undefined ? t("passkeys.unused") : t("passkeys.used", { time: time(lastUsedAt) })}
      </p>
      {rpId === relyingParty?.id ? <></> : <p class="note">{t("passkeys.otherHost", { host: rpId })}</p>}
      <Form action={`${PATH}/rename`} token={formToken} label={label}>
        <input type="hidden" name="id" value={id} />
        <Field
          name="label"
          id={own.action === undefined ? `field-label-${id}` : undefined}
          label={t("passkeys.label")}
          state={own}
          value={label}
          autocomplete="off"
        />
        <button class="button" type="submit">
          {t("passkeys.rename")}
        </button>
      </Form>
      <Form action={`${PATH}/remove`} token={formToken} label={label}>
        <input type="hidden" name="id" value={id} />
        <button class="button danger" type="submit">
          {t("passkeys.remove")}
        </button>
      </Form>
    </section>
  );
}

/** Data for the browser: passkeys that were removed here are no longer offered. */
function Accepted({ accepted }: { readonly accepted: AcceptedPasskeys | undefined }) {
  if (accepted === undefined) return <></>;
  const { rpId, userId, allAcceptedCredentialIds, name, displayName } = accepted;
  return (
    <div
      hidden
      data-accepted={allAcceptedCredentialIds.join(" ")}
      data-rp={rpId}
      data-handle={userId}
      data-name={name}
      data-display-name={displayName}
    />
  );
}

function createShow({ passkeys }: Parts) {
  return async (visit: SignedInVisit, state: FormState & { status: FormStatus }) => {
    const { t, subject } = visit;
    const all = await passkeys.list(subject.user.id);
    const accepted = await passkeys.findAccepted(subject.user.id);
    return visit.render({
      title: t("passkeys.title"),
      place: "/account/security",
      narrow: true,
      status: state.status,
      hasPasskeys: true,
      body: (
        <>
          <div class="stack is-tight">
            <h1>{t("passkeys.title")}</h1>
            <p class="muted">{t("passkeys.lead")}</p>
          </div>
          <FormFaults title={t("form.faults")} faults={state.faults} />
          <Done visit={visit} />
          {all.length === 0 ? <p>{t("passkeys.none")}</p> : <></>}
          <PasskeyPlace
            visit={visit}
            kind="create"
            action={`${PATH}/add`}
            label={t("passkeys.add")}
            button="button primary"
          >
            <p class="small muted">{t("passkeys.missing")}</p>
          </PasskeyPlace>
          <Accepted accepted={accepted} />
          <div class="cards">
            {all.map((passkey) => (
              <Passkey visit={visit} passkey={passkey} state={state} />
            ))}
          </div>
          <p class="small">
            <a href="/account/security">{t("nav.security")}</a>
          </p>
        </>
      ),
    });
  };
}

/** Adds what the browser made. Without an answer there were no options: why not is said by asking again. */
async function add(
  { passkeys, visits, browserSignIn }: Parts,
  visit: SignedInVisit,
  form: SentForm,
): Promise<Response> {
  const { subject, caller, c } = visit;
  const browser = visits.toBrowserKey(c);
  const answer = readPasskeyAnswer(form, registrationResponseSchema);
  if (answer === undefined) {
    await passkeys.registration.begin(subject, browser);
    throw passkeyInvalid();
  }
  await passkeys.registration.add(subject, { ...answer, browser, caller });
  await browserSignIn.renew(visit);
  const next = findReturnPath(form.values["rd"]) ?? PATH;
  // Pages of the account say that it is done; an application is simply gone on to.
  return c.redirect(
    /^\/account(?:[/?]|$)/u.test(next) ? withQuery(next, { done: "passkeyAdded" }) : next,
    303,
  );
}

function listActions(parts: Parts): Readonly<Record<string, Action<SignedInVisit>>> {
  const { passkeys } = parts;
  return {
    "/add": { isOnce: true, submit: (visit, form) => add(parts, visit, form) },
    "/rename": {
      submit: async ({ subject, c }, form) => {
        const { id, label } = parseForm(idSchema.extend({ label: passkeyLabelSchema }), form);
        await passkeys.rename(subject, id, label);
        return c.redirect(`${PATH}?done=passkeyRenamed`, 303);
      },
    },
    "/remove": {
      isOnce: true,
      submit: async ({ subject, caller, c }, form) => {
        await passkeys.remove(subject, parseForm(idSchema, form).id, caller);
        return c.redirect(`${PATH}?done=passkeyRemoved`, 303);
      },
    },
  };
}

function showOffer(visit: SignedInVisit, next: string) {
  const { t, formToken } = visit;
  const rd = <input type="hidden" name="rd" value={next} />;
  return visit.render({
    title: t("passkeys.offerTitle"),
    narrow: true,
    hasPasskeys: true,
    body: (
      <>
        <div class="stack is-tight">
          <h1>{t("passkeys.offerTitle")}</h1>
          <p class="muted">{t("passkeys.offerLead")}</p>
        </div>
        <PasskeyPlace
          visit={visit}
          kind="create"
          action={`${PATH}/add`}
          label={t("passkeys.add")}
          next={next}
          button="button primary wide"
        />
        <Form action={`${OFFER}/later`} token={formToken}>
          {rd}
          <button class="button wide" type="submit">
            {t("passkeys.later")}
          </button>
        </Form>
        <Form action={`${OFFER}/never`} token={formToken}>
          {rd}
          <button class="button quiet wide" type="submit">
            {t("passkeys.never")}
          </button>
        </Form>
      </>
    ),
  });
}

/** Adds /account/security/passkeys and /account/passkey-offer. */
export function addPasskeyPages(pages: PageRoutes, parts: Parts): void {
  const { passkeys, visits, publicUrl } = parts;
  addPersonalOptions(pages, visits, {
    path: `${PATH}/add/options`,
    begin: ({ subject }, browser) => passkeys.registration.begin(subject, browser),
  });
  pages.addPersonal({
    path: PATH,
    mayEnrol: [`${PATH}/add`],
    show: createShow(parts),
    actions: listActions(parts),
  });
  const later = createLaterCookie(publicUrl);
  pages.addPersonal({
    path: OFFER,
    show: (visit) => showOffer(visit, toNext(visit)),
    actions: {
      "/later": {
        submit: async (visit, form) => {
          later.write(visit.c, "1", LATER_SECONDS);
          return visit.c.redirect(toNext(visit, form), 303);
        },
      },
      "/never": {
        submit: async (visit, form) => {
          await passkeys.offer.refuse(visit.subject);
          return visit.c.redirect(toNext(visit, form), 303);
        },
      },
    },
  });
}

/** Remembers that the person chose "not now". */
function createLaterCookie(publicUrl: string | undefined) {
  return createHostCookie("trivet_passkey_later", publicUrl);
}

export type PasskeyOffer = ReturnType<typeof createPasskeyOffer>;

/** Creates what leads over the offer to where a person wanted, after a sign-in with a password. */
export function createPasskeyOffer({ passkeys, publicUrl }: Pick<Parts, "passkeys" | "publicUrl">) {
  const later = createLaterCookie(publicUrl);
  return async ({ c }: Visit, form: SentForm, user: UserRecord, next: string): Promise<string> => {
    const canMake = form.values["passkeyDevice"] === "yes" && later.read(c) === undefined;
    return canMake && (await passkeys.offer.mayMake(user)) ? withReturn(OFFER, next) : next;
  };
}
