/** @jsxImportSource hono/jsx */
/** Proving again who one is, before what only the owner may do; then back to where the person was. */
import { z } from "zod";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import { withReturn } from "../../../html/return-path.ts";
import type { Outbox } from "../../../records/outbox.ts";
import type { CodeSending } from "../../codes/code-sending.ts";
import { passkeyInvalid } from "../../passkeys/challenges.ts";
import type { PasskeySignIn } from "../../passkeys/passkey-sign-in.ts";
import type { Passkeys } from "../../passkeys/passkeys.ts";
import type { Passwords } from "../../passwords/passwords.ts";
import { hasSecondFactor } from "../../accounts/status.ts";
import { toTypedFactor } from "../../second-factor/typed-code.ts";
import type { FormState } from "../../../html/faults.ts";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import type { FindDestination } from "../oidc/destination.tsx";
import { PasskeyPlace, readAssertion } from "../passkey-place.tsx";
import { addPersonalOptions } from "../passkey-options.ts";
import { Done } from "../done.tsx";
import { MailDelay } from "../mail-delay.tsx";
import { type SentForm, parseForm } from "../../../html/sent-form.ts";
import { type PageRoutes, findNext, toNext } from "../page.ts";
import {
  CONFIRM_PATH as PATH,
  ENROLMENT_PATH,
  type NeededProof,
  readNeed,
  readNeedOf,
  withNeed,
} from "../step-up.ts";
import type { SignedInVisit, Visits } from "../visit.tsx";

interface Parts {
  readonly passwords: Passwords;
  readonly codeSending: CodeSending;
  readonly visits: Visits;
  readonly browserSignIn: BrowserSignIn;
  readonly outbox: Outbox;
  readonly passkeys: Passkeys;
  readonly passkeySignIn: PasskeySignIn;
  readonly findDestination: FindDestination;
}

const proofSchema = z.object({
  password: z.string().max(1_024).default(""),
  emailCode: z.string().max(20).default(""),
  factorCode: z.string().max(40).default(""),
});

interface ConfirmProps {
  readonly visit: SignedInVisit;
  readonly state: FormState;
  readonly isDelayed: boolean;
  readonly hasPasskeys: boolean;
  /** The application that requires it, unless it is the center. */
  readonly application: string | undefined;
  /** The required authentication; undefined: any. */
  readonly need: NeededProof | undefined;
}

/** Whether a password and a code of an app are enough proof. */
function takesPassword({ user }: SignedInVisit["subject"], need: NeededProof | undefined): boolean {
  return need === undefined || (need === "two-factor" && hasSecondFactor(user));
}

/** The password or a code of the mailbox, and the second factor. */
function Proofs({ visit, state }: Pick<ConfirmProps, "visit" | "state">) {
  const { t, c } = visit;
  const { user } = visit.subject;
  return (
    <>
      {user.passwordHash === undefined ? (
        <Field
          name="emailCode"
          label={t("field.mailCode")}
          state={state}
          value={c.req.query("code")}
          autocomplete="one-time-code"
          inputmode="numeric"
          hint={t("confirm.codeHint", { email: user.email })}
        />
      ) : (
        <>
          <input type="text" name="username" value={user.username} autocomplete="username" hidden />
          <Field
            name="password"
            label={t("field.password")}
            state={state}
            type="password"
            autocomplete="current-password"
            required
          />
        </>
      )}
      {hasSecondFactor(user) ? (
        <Field
          name="factorCode"
          label={t("field.code")}
          state={state}
          autocomplete="one-time-code"
          hint={t("confirm.factorHint")}
          required
        />
      ) : (
        <></>
      )}
    </>
  );
}

function toLead({ visit: { t }, application, need }: ConfirmProps): string {
  if (need !== undefined) return t(need === "two-factor" ? "confirm.leadTwoFactor" : "confirm.leadPasskey");
  return application === undefined ? t("confirm.lead") : t("confirm.leadFor", { application });
}

/** The form with the password or a mailed code, and the way to get one. */
function ByTyping({ visit, state, need }: Pick<ConfirmProps, "visit" | "state" | "need">) {
  const { t, formToken, subject } = visit;
  const next = findNext(visit, state);
  const carried = need === undefined ? <></> : <input type="hidden" name="need" value={need} />;
  return (
    <>
      <Form action={PATH} token={formToken} class="card is-raised stack" next={next}>
        {carried}
        <Proofs visit={visit} state={state} />
        <button class="button primary wide" type="submit">
          {t("confirm.button")}
        </button>
      </Form>
      {subject.user.passwordHash === undefined ? (
        <Form action={`${PATH}/send`} token={formToken} next={next}>
          {carried}
          <button class="button wide" type="submit">
            {t("verify.send")}
          </button>
        </Form>
      ) : (
        <></>
      )}
    </>
  );
}

function Confirm(props: ConfirmProps) {
  const { visit, state, isDelayed, hasPasskeys, need } = props;
  const { t, subject, c } = visit;
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("confirm.title")}</h1>
        <p class="muted">{toLead(props)}</p>
      </div>
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Done visit={visit} />
      <MailDelay visit={visit} isDelayed={c.req.query("done") === "codeSent" && isDelayed} />
      {takesPassword(subject, need) ? <ByTyping visit={visit} state={state} need={need} /> : <></>}
      {hasPasskeys ? (
        <PasskeyPlace
          visit={visit}
          kind="get"
          action={`${PATH}/passkey`}
          label={t("passkeys.use")}
          next={findNext(visit, state)}
        />
      ) : (
        <></>
      )}
    </>
  );
}

export function addConfirmPage(pages: PageRoutes, parts: Parts): void {
  const { passwords, codeSending, visits, browserSignIn, passkeys, passkeySignIn } = parts;

  async function goOn(visit: SignedInVisit, form: SentForm): Promise<Response> {
    await browserSignIn.renew(visit);
    return visit.c.redirect(toNext(visit, form), 303);
  }

  addPersonalOptions(pages, visits, {
    path: `${PATH}/passkey/options`,
    begin: ({ subject }, browser) => passkeySignIn.proof.begin(subject, browser),
  });
  pages.addPersonal({
    path: PATH,
    mayEnrol: true,
    toAddress: ({ need }) => withNeed(PATH, readNeedOf(need)),
    show: async (visit, state) => {
      const hasPasskeys = (await passkeys.list(visit.subject.user.id)).length > 0;
      const need = readNeed(visit, state);
      if (!hasPasskeys && !takesPassword(visit.subject, need))
        return visit.c.redirect(withReturn(withNeed(ENROLMENT_PATH, need), toNext(visit, state)), 303);
      const isDelayed = parts.outbox.isDelayed();
      const application = (await parts.findDestination(visit, findNext(visit, state)))?.client.name;
      const more = { isDelayed, hasPasskeys, application, need };
      return visit.render({
        title: visit.t("confirm.title"),
        narrow: true,
        hasPasskeys,
        status: state.status,
        body: <Confirm visit={visit} state={state} {...more} />,
      });
    },
    actions: {
      "": {
        fields: {
          secondFactor: "factorCode",
          "code_invalid.totp": "factorCode",
          "code_invalid.recovery": "factorCode",
          code_invalid: "emailCode",
        },
        isOnce: true,
        submit: async (visit, form) => {
          const { subject, caller } = visit;
          const { password, emailCode, factorCode } = parseForm(proofSchema, form);
          const secondFactor = toTypedFactor(factorCode);
          const hasPassword = subject.user.passwordHash !== undefined;
          const proof = hasPassword ? { password } : { emailCode: emailCode.replaceAll(/\s/gu, "") };
          await passwords.reauthenticate(subject, { ...proof, secondFactor, caller });
          return goOn(visit, form);
        },
      },
      "/passkey": {
        isOnce: true,
        submit: async (visit, form) => {
          const answer = readAssertion(form);
          if (answer === undefined) throw passkeyInvalid();
          const { subject, caller, c } = visit;
          await passkeySignIn.proof.finish(subject, { ...answer, browser: visits.toBrowserKey(c), caller });
          return goOn(visit, form);
        },
      },
      "/send": {
        submit: async (visit, form) => {
          const { subject, caller, c } = visit;
          await codeSending.send({ email: subject.user.email, purpose: "reauth", caller, subject });
          const back = withReturn(withNeed(PATH, readNeed(visit, form)), toNext(visit, form));
          return c.redirect(`${back}&done=codeSent`, 303);
        },
      },
    },
  });
}
