/** @jsxImportSource hono/jsx */
/** The addresses of an account: which is the primary one, what the others are for, and their proof. */
import { z } from "zod";
import { Field, Form, FormFaults, Tick } from "../../../html/form.tsx";
import { type FormState, openedForm, stateOf } from "../../../html/faults.ts";
import type { Outbox } from "../../../records/outbox.ts";
import { emailSchema } from "../../accounts/schema.ts";
import { isRecent } from "../../sessions/subject.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { CodeSending } from "../../codes/code-sending.ts";
import type { Emails, EmailView } from "../../emails/emails.ts";
import { Done } from "../done.tsx";
import { MailDelay } from "../mail-delay.tsx";
import type { Steps } from "../next-step.ts";
import type { Action } from "../../../html/form-pages.ts";
import { type SentForm, parseForm } from "../../../html/sent-form.ts";
import type { PageRoutes } from "../page.ts";
import type { SignedInVisit } from "../visit.tsx";

interface Parts {
  readonly emails: Emails;
  readonly codeSending: CodeSending;
  readonly expiry: Clock;
  readonly steps: Steps;
  readonly outbox: Outbox;
}

const PATH = "/account/emails";
const idSchema = z.object({ id: z.string().min(1).max(100) });
const purposes = ["login", "recovery", "notify"] as const;

function readPurposes({ values }: SentForm): (typeof purposes)[number][] {
  return purposes.filter((purpose) => values[purpose] !== undefined);
}

interface AddressProps {
  readonly visit: SignedInVisit;
  readonly email: EmailView;
  readonly state: FormState;
}

/** A form of one button about an address. */
function AddressButton(props: {
  visit: SignedInVisit;
  id: string;
  action: string;
  label: string;
  danger?: boolean;
}) {
  const { visit, id, action, label, danger = false } = props;
  return (
    <Form action={`${PATH}/${action}`} token={visit.formToken}>
      <input type="hidden" name="id" value={id} />
      <button class={danger ? "button danger" : "button"} type="submit">
        {label}
      </button>
    </Form>
  );
}

function Proof({ visit, email, state }: AddressProps) {
  const { t, c, formToken } = visit;
  const isMeant = c.req.query("email") === email.address;
  const own = state.values["id"] === email.id ? stateOf(state, "/verify") : openedForm;
  return (
    <>
      <Form action={`${PATH}/verify`} token={formToken} label={email.address}>
        <input type="hidden" name="id" value={email.id} />
        <Field
          name="code"
          id={own.action === undefined ? `field-code-${email.id}` : undefined}
          label={t("field.mailCode")}
          state={own}
          value={isMeant ? c.req.query("code") : undefined}
          autocomplete="one-time-code"
          inputmode="numeric"
          hint={t("emails.codeHint", { email: email.address })}
        />
        <button class="button primary" type="submit">
          {t("emails.verify")}
        </button>
      </Form>
      <AddressButton visit={visit} id={email.id} action="send" label={t("verify.send")} />
    </>
  );
}

function Address({ visit, email, state }: AddressProps) {
  const { t, formToken } = visit;
  const { id, address, primary, verified } = email;
  return (
    <section class="card stack">
      <div class="row">
        <h2>{address}</h2>
        <span class="row">
          {primary ? <span class="tag">{t("emails.primary")}</span> : <></>}
          <span class={verified ? "tag is-good" : "tag is-warn"}>
            {t(verified ? "emails.verified" : "emails.unverified")}
          </span>
        </span>
      </div>
      {verified ? (
        <></>
      ) : primary ? (
        <Form action={`${PATH}/prove-primary`} token={formToken} class="row">
          <button class="button primary" type="submit">
            {t("verify.send")}
          </button>
        </Form>
      ) : (
        <Proof visit={visit} email={email} state={state} />
      )}
      {primary ? (
        <></>
      ) : (
        <>
          <Form action={`${PATH}/purposes`} token={formToken} class="stack" label={t("emails.purposes")}>
            <input type="hidden" name="id" value={id} />
            {purposes.map((purpose) => (
              <label class="check">
                <input type="checkbox" name={purpose} checked={email.purposes.includes(purpose)} />
                {t(`emails.${purpose}`)}
              </label>
            ))}
            <button class="button" type="submit">
              {t("form.save")}
            </button>
          </Form>
          {verified ? (
            <AddressButton visit={visit} id={id} action="primary" label={t("emails.makePrimary")} />
          ) : (
            <></>
          )}
          <AddressButton visit={visit} id={id} action="remove" label={t("emails.remove")} danger />
        </>
      )}
    </section>
  );
}

function showEmails(
  visit: SignedInVisit,
  state: FormState,
  { list, isDelayed }: { list: readonly EmailView[]; isDelayed: boolean },
) {
  const { t, formToken, c } = visit;
  const adding = stateOf(state, "/add");
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("emails.title")}</h1>
        <p class="muted">{t("emails.lead")}</p>
      </div>
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Done visit={visit} />
      <MailDelay visit={visit} isDelayed={c.req.query("done") === "codeSent" && isDelayed} />
      <div class="cards">
        {list.map((email) => (
          <Address visit={visit} email={email} state={state} />
        ))}
        <section class="card stack">
          <h2>{t("emails.addTitle")}</h2>
          <Form action={`${PATH}/add`} token={formToken}>
            <Field
              name="address"
              label={t("field.email")}
              state={adding}
              value={c.req.query("add")}
              type="email"
              autocomplete="email"
            />
            {purposes.map((purpose) => (
              <Tick
                name={purpose}
                label={t(`emails.${purpose}`)}
                state={adding}
                checked={purpose !== "notify"}
              />
            ))}
            <button class="button" type="submit">
              {t("emails.add")}
            </button>
          </Form>
        </section>
      </div>
    </>
  );
}

type Actions = Readonly<Record<string, Action<SignedInVisit>>>;

function toDone({ c }: SignedInVisit, name: string): Response {
  return c.redirect(`${PATH}?done=${name}`, 303);
}

/** Verification of an address. */
function listProofs({ emails, codeSending, steps }: Parts): Actions {
  return {
    "/send": {
      submit: async (visit, form) => {
        await emails.sendCode(visit.subject, { ...parseForm(idSchema, form), caller: visit.caller });
        return toDone(visit, "codeSent");
      },
    },
    "/verify": {
      fields: { email_taken: "code" },
      isOnce: true,
      submit: async (visit, form) => {
        const { id, code } = parseForm(
          idSchema.extend({
            code: z
              .string()
              .max(20)
              .overwrite((text) => text.replaceAll(/\s/gu, "")),
          }),
          form,
        );
        await emails.verify(visit.subject, { id, code, caller: visit.caller });
        return toDone(visit, "emailVerified");
      },
    },
    "/prove-primary": {
      submit: async (visit) => {
        const { subject, caller, c } = visit;
        const { email } = subject.user;
        const challengeId = await codeSending.send({ email, purpose: "verify", caller, subject });
        steps.write(c, { kind: "mailbox", email, challengeId, next: `${PATH}?done=emailVerified` });
        return c.redirect("/verify", 303);
      },
    },
  };
}

/** Adding, changing and removing addresses. */
function listChanges({ emails, expiry }: Parts): Actions {
  return {
    "/add": {
      isOnce: true,
      submit: async (visit, form) => {
        const { subject, caller, c } = visit;
        const { address } = parseForm(z.object({ address: emailSchema }), form);
        // The input is kept during the verification.
        if (!isRecent(subject, expiry.now())) {
          const back = `${PATH}?add=${encodeURIComponent(address)}`;
          return c.redirect(`/account/confirm?rd=${encodeURIComponent(back)}`, 303);
        }
        await emails.add(subject, { address, purposes: readPurposes(form), caller });
        return toDone(visit, "codeSent");
      },
    },
    "/primary": {
      submit: async (visit, form) => {
        await emails.makePrimary(visit.subject, { ...parseForm(idSchema, form), caller: visit.caller });
        return toDone(visit, "primaryChanged");
      },
    },
    "/purposes": {
      submit: async (visit, form) => {
        const { id } = parseForm(idSchema, form);
        const { subject, caller } = visit;
        await emails.setPurposes(subject, { id, purposes: readPurposes(form), caller });
        return toDone(visit, "saved");
      },
    },
    "/remove": {
      submit: async (visit, form) => {
        await emails.remove(visit.subject, { ...parseForm(idSchema, form), caller: visit.caller });
        return toDone(visit, "emailRemoved");
      },
    },
  };
}

export function addEmailsPage(pages: PageRoutes, parts: Parts): void {
  pages.addPersonal({
    path: PATH,
    show: async (visit, state) =>
      visit.render({
        title: visit.t("emails.title"),
        place: PATH,
        status: state.status,
        body: showEmails(visit, state, {
          list: await parts.emails.list(visit.subject.user.id),
          isDelayed: parts.outbox.isDelayed(),
        }),
      }),
    actions: { ...listChanges(parts), ...listProofs(parts) },
  });
}
