/** @jsxImportSource hono/jsx */
/** Typing a code that was sent to a mailbox, and having another one sent. */
import { z } from "zod";
import type { FormState } from "../../../html/faults.ts";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import { emailSchema } from "../../accounts/schema.ts";
import { type Destination, EntryHeading, toHintedEmail } from "../oidc/destination.tsx";
import { Done } from "../done.tsx";
import type { Steps } from "../next-step.ts";
import type { FormStatus } from "../../../html/form-pages.ts";
import { type SentForm, parseForm } from "../../../html/sent-form.ts";
import { findNext } from "../page.ts";
import { MailDelay } from "../mail-delay.tsx";
import type { Visit } from "../visit.tsx";

/** As people copy it from a mail: "1234 5678". */
export const mailedCodeText = z
  .string()
  .max(20)
  .overwrite((code) => code.replaceAll(/\s/gu, ""))
  .min(1);
export const mailedCodeSchema = z.object({ email: emailSchema, code: mailedCodeText });

/** The mailbox that a page is about: as typed, as a mail's link says, or as the browser keeps it; "" for none. */
export function findMailbox({ c }: Visit, state: FormState, steps: Steps): string {
  // An invalid address can be typed again.
  if (state.faults.some(({ field }) => field === "email" || field === "sendTo")) return "";
  const { email, sendTo } = state.values;
  return email ?? sendTo ?? c.req.query("email") ?? steps.read(c, "mailbox")?.email ?? "";
}

/** The mailbox that a new code is wanted for. Throws `invalid`. */
export function readSendTo({ values }: SentForm): string {
  const given = { values: { email: values["sendTo"] ?? "" }, files: {} };
  return parseForm(z.object({ email: emailSchema }), given).email;
}

interface MailedCodeProps {
  readonly visit: Visit;
  readonly state: FormState;
  readonly path: keyof typeof wordsOf;
  readonly email: string;
  readonly isDelayed: boolean;
  /** Where the person goes on to, besides what the page's address says. */
  readonly next?: string | undefined;
  readonly destination?: Destination | undefined;
  /** Where another address is chosen. */
  readonly other: string;
  /** Where the person signs in otherwise. */
  readonly back?: string;
}

/** Texts of the two pages. */
const wordsOf = {
  "/verify": {
    title: "verify.title",
    lead: "verify.lead",
    leadUnknown: "verify.leadUnknown",
    button: "verify.button",
  },
  "/sign-in/code": {
    title: "codeSignIn.title",
    lead: "codeSignIn.lead",
    leadUnknown: "codeSignIn.leadUnknown",
    button: "signIn.button",
  },
} as const;

function CodeForm({ visit, state, path, email, next }: MailedCodeProps) {
  const { t, c, formToken } = visit;
  return (
    <Form action={path} token={formToken} class="card is-raised stack" next={findNext(visit, state) ?? next}>
      {email === "" ? (
        <Field
          name="email"
          label={t("field.email")}
          state={state}
          type="email"
          autocomplete="email"
          required
        />
      ) : (
        <input type="hidden" name="email" value={email} />
      )}
      <Field
        name="code"
        label={t("field.mailCode")}
        state={state}
        value={c.req.query("code")}
        autocomplete="one-time-code"
        inputmode="numeric"
        hint={t("verify.codeHint")}
        required
      />
      <button class="button primary wide" type="submit">
        {t(wordsOf[path].button)}
      </button>
    </Form>
  );
}

/** `isFirst`: nothing can be typed before a code was sent. */
function SendForm(props: MailedCodeProps & { readonly isFirst: boolean }) {
  const { visit, state, path, email, isFirst, destination } = props;
  const { t, formToken } = visit;
  const look = isFirst ? "card is-raised stack" : "stack";
  const next = findNext(visit, state) ?? props.next;
  return (
    <Form action={`${path}/send`} token={formToken} class={look} next={next}>
      {email === "" ? (
        <Field
          name="sendTo"
          label={t(isFirst ? "field.email" : "verify.sendTo")}
          state={state}
          value={isFirst ? toHintedEmail(destination) : undefined}
          type="email"
          autocomplete="email"
          required={isFirst}
        />
      ) : (
        <input type="hidden" name="sendTo" value={email} />
      )}
      {isFirst ? <></> : <span class="small muted">{t("verify.nothing")}</span>}
      <button class={isFirst ? "button primary wide" : "button wide"} type="submit">
        {t(isFirst ? "signIn.sendCode" : "verify.send")}
      </button>
    </Form>
  );
}

/** The page's forms: the code, and a new one. */
function MailedCode(props: MailedCodeProps) {
  const { visit, state, path, email, isDelayed, other, back, destination } = props;
  const { t } = visit;
  const words = wordsOf[path];
  // After a registration, a code was sent already; for a sign-in, it has to be sent first.
  const isFirst = email === "" && path === "/sign-in/code";
  return (
    <>
      <EntryHeading
        visit={visit}
        title={t(words.title)}
        destination={destination}
        lead={email === "" ? t(words.leadUnknown) : t(words.lead, { email })}
      />
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Done visit={visit} />
      {isFirst ? <></> : <MailDelay visit={visit} isDelayed={isDelayed} />}
      {isFirst ? <></> : <CodeForm {...props} />}
      <SendForm {...props} isFirst={isFirst} />
      <p class="small row">
        {isFirst ? <></> : <a href={other}>{t("verify.other")}</a>}
        {back === undefined ? (
          <></>
        ) : (
          <a class={isFirst ? undefined : "push"} href={back}>
            {t("signIn.back")}
          </a>
        )}
      </p>
    </>
  );
}

/** The page on which a mailed code is typed. */
export function renderMailedCode(
  props: MailedCodeProps & { readonly state: { readonly status: FormStatus } },
): Response | Promise<Response> {
  const { visit, state, path } = props;
  return visit.render({
    title: visit.t(wordsOf[path].title),
    narrow: true,
    status: state.status,
    body: <MailedCode {...props} />,
  });
}
