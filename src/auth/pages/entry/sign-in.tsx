/** @jsxImportSource hono/jsx */
/** Signing in with a name and a password or with a passkey, bringing a deleted account back, and signing out. */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import { withReturn } from "../../../html/return-path.ts";
import { emailSchema, passwordSchema } from "../../accounts/schema.ts";
import { passkeyInvalid } from "../../passkeys/challenges.ts";
import type { PasskeySignIn } from "../../passkeys/passkey-sign-in.ts";
import type { SignIn } from "../../sign-in/sign-in.ts";
import type { UpstreamRecord } from "../../upstream/schema.ts";
import type { Upstreams } from "../../upstream/upstreams.ts";
import type { PasskeyOffer } from "../account/passkeys.tsx";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import type { Steps } from "../next-step.ts";
import { type Destination, EntryHeading, type FindDestination } from "../oidc/destination.tsx";
import { Done } from "../done.tsx";
import { type SentForm, parseForm } from "../../../html/sent-form.ts";
import { type PageRoutes, findNext, toEntry, toNext } from "../page.ts";
import { addOptions } from "../passkey-options.ts";
import { UpstreamButtons } from "./upstream-buttons.tsx";
import { PasskeyDevice, PasskeyPlace, findCredential, readAssertion } from "../passkey-place.tsx";
import type { Visit, Visits } from "../visit.tsx";

export interface SignInParts {
  readonly signIn: SignIn;
  readonly browserSignIn: BrowserSignIn;
  readonly steps: Steps;
  readonly upstreams: Upstreams;
  readonly passkeySignIn: PasskeySignIn;
  readonly toOffer: PasskeyOffer;
  readonly visits: Visits;
  readonly findDestination: FindDestination;
}

const credentialsSchema = z.object({ identifier: z.string().min(1).max(254), password: passwordSchema });
interface CredentialsProps {
  readonly visit: Visit;
  readonly state: FormState;
  /** Initial value of the name field. */
  readonly identifier?: string;
  readonly action: string;
  readonly button: string;
}

function Credentials({ visit, state, identifier, action, button }: CredentialsProps) {
  const { t, formToken } = visit;
  const next = findNext(visit, state);
  return (
    <Form action={action} token={formToken} class="card is-raised stack" next={next}>
      <Field
        name="identifier"
        label={t("field.identifier")}
        state={state}
        value={identifier}
        autocomplete="username webauthn"
        required
      />
      <Field
        name="password"
        label={t("field.password")}
        state={state}
        type="password"
        autocomplete="current-password"
        required
        beside={<a href={toEntry("/forgot", next)}>{t("signIn.forgot")}</a>}
      />
      <PasskeyDevice visit={visit} />
      <button class="button primary wide" type="submit">
        {button}
      </button>
    </Form>
  );
}

function showSignIn(
  visit: Visit,
  state: FormState,
  { providers, destination }: { providers: readonly UpstreamRecord[]; destination: Destination | undefined },
): Parameters<Visit["render"]>[0]["body"] {
  const { t, c, settings } = visit;
  const next = findNext(visit, state);
  return (
    <>
      <EntryHeading visit={visit} title={t("signIn.title")} destination={destination} />
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Done visit={visit} />
      {c.req.query("done") === "deleted" ? (
        <p>
          <a href="/restore">{t("restore.title")}</a>
        </p>
      ) : (
        <></>
      )}
      <Credentials
        visit={visit}
        state={state}
        action="/sign-in"
        button={t("signIn.button")}
        identifier={destination?.loginHint}
      />
      <PasskeyPlace
        visit={visit}
        kind="get"
        action="/sign-in/passkey"
        label={t("passkeys.signIn")}
        next={next}
        unknown={
          state.faults.some(({ field }) => field === "passkey") ? findCredential(state.values) : undefined
        }
        // Not again by itself what was just refused.
        autofill={state.action !== "/passkey"}
      />
      <a class="button wide" href={withReturn("/sign-in/code", next ?? "/account")}>
        {t("signIn.byCode")}
      </a>
      <UpstreamButtons visit={visit} providers={providers} next={next} />
      <p class="small muted">
        {settings.mode === "closed" ? (
          t("signUp.closed")
        ) : (
          <>
            {t("signIn.new")} <a href={toEntry("/sign-up", next)}>{t("signIn.create")}</a>
          </>
        )}
      </p>
    </>
  );
}

async function takePasskey(
  { passkeySignIn, browserSignIn, visits }: SignInParts,
  visit: Visit,
  form: SentForm,
): Promise<Response> {
  const answer = readAssertion(form);
  if (answer === undefined) throw passkeyInvalid();
  const { caller, c } = visit;
  const tokens = await passkeySignIn.finish({ ...answer, browser: visits.toBrowserKey(c), caller });
  return browserSignIn.complete(visit, { kind: "tokens", tokens }, toNext(visit, form));
}

function addSignIn(pages: PageRoutes, parts: SignInParts): void {
  const { signIn, browserSignIn, steps, passkeySignIn, visits, toOffer, upstreams, findDestination } = parts;
  addOptions(pages, visits, {
    path: "/sign-in/passkey/options",
    begin: async (_visit, browser) => passkeySignIn.begin(browser),
  });
  pages.addEntry({
    path: "/sign-in",
    isConstant: true,
    variant: () => upstreams.readVersion(),
    show: async (visit, state) => {
      const destination = await findDestination(visit, findNext(visit, state));
      return visit.render({
        title: visit.t("signIn.title"),
        narrow: true,
        hasPasskeys: true,
        status: state.status,
        body: showSignIn(visit, state, { providers: await upstreams.listEnabled(), destination }),
      });
    },
    actions: {
      "/passkey": {
        fields: { passkey_unknown: "passkey" },
        isOnce: true,
        submit: (visit, form) => takePasskey(parts, visit, form),
      },
      "": {
        submit: async (visit, form) => {
          const credentials = parseForm(credentialsSchema, form);
          const next = toNext(visit, form);
          try {
            const signedIn = await signIn.withPassword({ ...credentials, caller: visit.caller });
            const onward =
              signedIn.kind === "tokens" ? await toOffer(visit, form, signedIn.tokens.user, next) : next;
            return await browserSignIn.complete(visit, signedIn, onward);
          } catch (error) {
            if (!(error instanceof AppError) || error.code !== "email_unverified") throw error;
            const { identifier } = credentials;
            const isEmail = emailSchema.safeParse(identifier).success;
            const known = isEmail ? { email: identifier } : { email: "", username: identifier };
            steps.write(visit.c, { kind: "mailbox", ...known, next });
            return visit.c.redirect("/verify?done=unverified", 303);
          }
        },
      },
    },
  });
}

function addRestore(pages: PageRoutes, { signIn, browserSignIn }: SignInParts): void {
  pages.addEntry({
    path: "/restore",
    isConstant: true,
    show: (visit, state) =>
      visit.render({
        title: visit.t("restore.title"),
        narrow: true,
        status: state.status,
        body: (
          <>
            <div class="stack is-tight">
              <h1>{visit.t("restore.title")}</h1>
              <p class="muted">{visit.t("restore.lead")}</p>
            </div>
            <FormFaults title={visit.t("form.faults")} faults={state.faults} />
            <Credentials visit={visit} state={state} action="/restore" button={visit.t("restore.button")} />
            <p class="small">
              <a href="/sign-in">{visit.t("signIn.back")}</a>
            </p>
          </>
        ),
      }),
    actions: {
      "": {
        isOnce: true,
        submit: async (visit, form) => {
          const attempt = { ...parseForm(credentialsSchema, form), caller: visit.caller, restores: true };
          const signedIn = await signIn.withPassword(attempt);
          return browserSignIn.complete(visit, signedIn, "/account?done=restored");
        },
      },
    },
  });
}

function addSignOut(pages: PageRoutes, { browserSignIn }: SignInParts): void {
  pages.addForm("/sign-out", async (visit) => {
    await browserSignIn.end(visit);
    return visit.c.redirect("/signed-out", 303);
  });
  pages.addEntry({
    path: "/signed-out",
    isConstant: true,
    show: (visit) =>
      visit.render({
        title: visit.t("signedOut.title"),
        narrow: true,
        body: (
          <>
            <div class="stack is-tight">
              <h1>{visit.t("signedOut.title")}</h1>
              <p class="muted">{visit.t("signedOut.lead")}</p>
            </div>
            <a class="button primary wide" href="/sign-in">
              {visit.t("signedOut.again")}
            </a>
          </>
        ),
      }),
  });
}

/** Adds /sign-in, /restore, /sign-out and /signed-out. */
export function addSignInPages(pages: PageRoutes, parts: SignInParts): void {
  addSignIn(pages, parts);
  addRestore(pages, parts);
  addSignOut(pages, parts);
}
