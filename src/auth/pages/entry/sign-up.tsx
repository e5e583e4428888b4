/** @jsxImportSource hono/jsx */
/** Registering, and proving the mailbox with the code that was sent to it. */
import { z } from "zod";
import { Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import { withQuery } from "../../../kit/text/with-query.ts";
import type { Outbox } from "../../../records/outbox.ts";
import { toEmailKey } from "../../accounts/accounts.ts";
import { passwordSchema } from "../../accounts/schema.ts";
import type { CodeSending } from "../../codes/code-sending.ts";
import type { Registration } from "../../registration/registration.ts";
import type { Verified } from "../../registration/verification.ts";
import type { UpstreamRecord } from "../../upstream/schema.ts";
import type { Upstreams } from "../../upstream/upstreams.ts";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import type { Steps } from "../next-step.ts";
import { type SentForm, parseForm } from "../../../html/sent-form.ts";
import { type PageRoutes, findNext, toEntry, toNext } from "../page.ts";
import { type Destination, EntryHeading, type FindDestination, toHintedEmail } from "../oidc/destination.tsx";
import { NewPasswordField } from "../new-password.tsx";
import type { Visit } from "../visit.tsx";
import { SignUpFields, signUpShape } from "./sign-up-fields.tsx";
import { UpstreamButtons } from "./upstream-buttons.tsx";
import { findMailbox, mailedCodeSchema, readSendTo, renderMailedCode } from "./mailed-code.tsx";

interface Parts {
  readonly registration: Registration;
  readonly codeSending: CodeSending;
  readonly browserSignIn: BrowserSignIn;
  readonly steps: Steps;
  readonly outbox: Outbox;
  readonly upstreams: Upstreams;
  readonly findDestination: FindDestination;
}

const signUpSchema = z.object({ ...signUpShape, password: passwordSchema });

interface SignUpProps {
  readonly visit: Visit;
  readonly state: FormState;
  readonly destination: Destination | undefined;
}

function SignUp({ visit, state, destination }: SignUpProps) {
  const { t, c, formToken } = visit;
  const next = findNext(visit, state);
  const { invite: inviteCode, username, email = toHintedEmail(destination) } = c.req.query();
  return (
    <Form action="/sign-up" token={formToken} class="card is-raised stack" next={next}>
      <SignUpFields visit={visit} state={state} values={{ inviteCode, email, username }}>
        <NewPasswordField visit={visit} state={state} label={t("field.password")} />
        {username === undefined ? <></> : <p class="small muted">{t("signUp.again")}</p>}
      </SignUpFields>
    </Form>
  );
}

function showSignUp(
  { visit, state, destination }: SignUpProps,
  providers: readonly UpstreamRecord[],
): Parameters<Visit["render"]>[0]["body"] {
  const { t, settings } = visit;
  const next = findNext(visit, state);
  if (settings.mode === "closed")
    return (
      <>
        <div class="stack is-tight">
          <h1>{t("signUp.closedTitle")}</h1>
          <p class="muted">{t("signUp.closed")}</p>
        </div>
        <a class="button wide" href={toEntry("/sign-in", next)}>
          {t("signIn.back")}
        </a>
      </>
    );
  return (
    <>
      <EntryHeading
        visit={visit}
        title={t("signUp.title")}
        destination={destination}
        lead={settings.mode === "approval" ? t("signUp.approval") : undefined}
      />
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <SignUp visit={visit} state={state} destination={destination} />
      <UpstreamButtons visit={visit} providers={providers} next={next} />
      <p class="small muted">
        {t("signUp.haveAccount")} <a href={toEntry("/sign-in", next)}>{t("signIn.title")}</a>
      </p>
    </>
  );
}

async function submitSignUp(visit: Visit, form: SentForm, parts: Parts): Promise<Response> {
  const { terms, ...input } = parseForm(signUpSchema, form);
  const { settings, language, caller, c } = visit;
  const termsVersion = terms === undefined ? undefined : settings.termsVersion;
  const registered = await parts.registration.register({ ...input, termsVersion, locale: language, caller });
  const next = toNext(visit, form);
  if (registered.kind === "pending") return c.redirect("/sign-in?done=pending", 303);
  if (registered.kind === "tokens") return parts.browserSignIn.complete(visit, registered, next);
  const { challengeId } = registered;
  const { email, username, inviteCode } = input;
  parts.steps.write(c, { kind: "mailbox", email, username, inviteCode, challengeId, next });
  return c.redirect("/verify", 303);
}

/** Where another address is chosen: who has no account yet registers again, with what was typed. */
function toOther({ subject, c }: Visit, email: string, steps: Steps): string {
  if (subject !== undefined) return "/account/emails";
  const { username = "", inviteCode = "", next } = steps.read(c, "mailbox") ?? {};
  const typed = Object.entries({ email, username, invite: inviteCode }).filter(([, text]) => text !== "");
  return toEntry(withQuery("/sign-up", Object.fromEntries(typed)), next);
}

function addVerify(pages: PageRoutes, parts: Parts): void {
  const { registration, codeSending, browserSignIn, steps } = parts;

  async function complete(visit: Visit, verified: Verified, next: string): Promise<Response> {
    if (verified.kind !== "pending") return browserSignIn.complete(visit, verified, next);
    steps.clear(visit.c);
    return visit.c.redirect("/sign-in?done=approval", 303);
  }

  pages.addPublic({
    path: "/verify",
    show: async (visit, state) => {
      const email = findMailbox(visit, state, steps);
      const next = findNext(visit, state) ?? steps.read(visit.c, "mailbox")?.next;
      const destination = await parts.findDestination(visit, next);
      const links = { other: toOther(visit, email, steps), isDelayed: parts.outbox.isDelayed() };
      return renderMailedCode({ visit, state, path: "/verify", email, next, destination, ...links });
    },
    actions: {
      "": {
        isOnce: true,
        submit: async (visit, form) => {
          const { c, caller, subject } = visit;
          const { email, code } = parseForm(mailedCodeSchema, form);
          const step = steps.read(c, "mailbox");
          const challengeId = step?.email === email ? step.challengeId : undefined;
          const next = findNext(visit, form) ?? step?.next ?? "/account";
          // The same form sent twice: the first one opened the account.
          if (subject?.user.emailVerifiedAt !== undefined && subject.user.emailLower === toEmailKey(email))
            return c.redirect(next, 303);
          const verified = await registration.verify({ email, code, challengeId, caller, subject });
          return complete(visit, verified, next);
        },
      },
      "/send": {
        fields: { email: "sendTo" },
        submit: async (visit, form) => {
          const { c, caller, subject } = visit;
          const email = readSendTo(form);
          const challengeId = await codeSending.send({ email, purpose: "verify", caller, subject });
          const step = steps.read(c, "mailbox");
          const { username, inviteCode } = step ?? {};
          const next = findNext(visit, form) ?? step?.next ?? "/account";
          steps.write(c, { kind: "mailbox", email, username, inviteCode, challengeId, next });
          return c.redirect("/verify?done=codeSent", 303);
        },
      },
    },
  });
}

export function addSignUpPages(pages: PageRoutes, parts: Parts): void {
  pages.addEntry({
    path: "/sign-up",
    isConstant: true,
    variant: () => parts.upstreams.readVersion(),
    show: async (visit, state) => {
      const providers = await parts.upstreams.listEnabled();
      const open = providers.filter(({ registration }) => registration === "site");
      const destination = await parts.findDestination(visit, findNext(visit, state));
      return visit.render({
        title: visit.t("signUp.title"),
        narrow: true,
        status: state.status,
        body: showSignUp({ visit, state, destination }, open),
      });
    },
    actions: { "": { isOnce: true, submit: (visit, form) => submitSignUp(visit, form, parts) } },
  });
  addVerify(pages, parts);
}
