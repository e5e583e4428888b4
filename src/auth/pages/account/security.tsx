/** @jsxImportSource hono/jsx */
/** The password and the second factor of an account, each with what changes it. */
import { z } from "zod";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import { type FormState, stateOf } from "../../../html/faults.ts";
import { withReturn } from "../../../html/return-path.ts";
import { passwordSchema } from "../../accounts/schema.ts";
import { isRecent } from "../../sessions/subject.ts";
import { hasSecondFactor } from "../../accounts/status.ts";
import type { Passkeys } from "../../passkeys/passkeys.ts";
import type { Passwords } from "../../passwords/passwords.ts";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import { Done } from "../done.tsx";
import { parseForm } from "../../../html/sent-form.ts";
import type { PageRoutes } from "../page.ts";
import { NewPasswordField } from "../new-password.tsx";
import { type LinkParts, LinkedCard, createLinkActions, readLinked } from "../upstream/security-card.tsx";
import type { SignedInVisit } from "../visit.tsx";

interface Parts extends LinkParts {
  readonly passkeys: Passkeys;
  readonly passwords: Passwords;
  readonly browserSignIn: BrowserSignIn;
}

const PATH = "/account/security";
const passwordForm = z.object({
  currentPassword: z.string().max(1_024).optional(),
  password: passwordSchema,
});

/** Whether the current password is the proof: if there is one and no second factor. */
function asksForPassword({ subject }: SignedInVisit): boolean {
  return subject.user.passwordHash !== undefined && !hasSecondFactor(subject.user);
}

function Password({ visit, state }: { readonly visit: SignedInVisit; readonly state: FormState }) {
  const { t, formToken, subject, time } = visit;
  const { user } = subject;
  return (
    <section class="card stack">
      <div class="stack is-tight">
        <h2>{t("security.password")}</h2>
        <p class="small muted">
          {user.passwordHash === undefined
            ? t("security.noPassword")
            : t("security.passwordSince", { day: time(user.passwordChangedAt ?? user.createdAt, "day") })}
        </p>
      </div>
      <Form action={`${PATH}/password`} token={formToken}>
        <input type="text" name="username" value={user.username} autocomplete="username" hidden />
        {asksForPassword(visit) ? (
          <Field
            name="currentPassword"
            label={t("field.currentPassword")}
            state={state}
            type="password"
            autocomplete="current-password"
            required
          />
        ) : (
          <></>
        )}
        <NewPasswordField visit={visit} state={state} />
        <button class="button primary" type="submit">
          {t("security.changePassword")}
        </button>
        <p class="small muted">{t("security.passwordEnds")}</p>
      </Form>
    </section>
  );
}

function Factor({ visit }: { readonly visit: SignedInVisit }) {
  const { t, formToken, subject, time } = visit;
  const { totp, recovery } = subject.user.mfa;
  const isOn = hasSecondFactor(subject.user);
  return (
    <section class="card stack">
      <div class="row">
        <h2>{t("security.factor")}</h2>
        <span class={`push tag ${isOn ? "is-good" : "is-warn"}`}>{t(isOn ? "state.on" : "state.off")}</span>
      </div>
      {isOn ? (
        <>
          <p class="muted">
            {t("security.factorSince", { day: time(totp?.confirmedAt ?? 0, "day"), codes: recovery.length })}
          </p>
          <div class="row">
            <Form action="/account/security/recovery-codes" token={formToken}>
              <button class="button" type="submit">
                {t("security.newCodes")}
              </button>
            </Form>
            <Form action={`${PATH}/remove-factor`} token={formToken}>
              <button class="button danger" type="submit">
                {t("security.removeFactor")}
              </button>
            </Form>
          </div>
        </>
      ) : (
        <>
          <p class="muted">{t("security.factorLead")}</p>
          <Form action="/account/security/second-factor/begin" token={formToken}>
            <button class="button primary" type="submit">
              {t("security.addFactor")}
            </button>
          </Form>
        </>
      )}
    </section>
  );
}

function PasskeyCard({ visit: { t }, count }: { readonly visit: SignedInVisit; readonly count: number }) {
  return (
    <section class="card stack">
      <div class="row">
        <h2>{t("passkeys.title")}</h2>
        {count === 0 ? <></> : <span class="push tag is-good">{count}</span>}
      </div>
      <p class="muted">{t("passkeys.lead")}</p>
      <a class={count === 0 ? "button primary" : "button"} href="/account/security/passkeys">
        {t(count === 0 ? "passkeys.add" : "passkeys.manage")}
      </a>
    </section>
  );
}

export function addSecurityPage(
  pages: PageRoutes,
  parts: Parts & { readonly removeFactor: (visit: SignedInVisit) => Promise<void> },
): void {
  const { passwords, browserSignIn, expiry } = parts;
  pages.addPersonal({
    path: PATH,
    show: async (visit, state) => {
      const count = (await parts.passkeys.list(visit.subject.user.id)).length;
      return visit.render({
        title: visit.t("security.title"),
        place: PATH,
        status: state.status,
        body: (
          <>
            <h1>{visit.t("security.title")}</h1>
            <FormFaults title={visit.t("form.faults")} faults={state.faults} />
            <Done visit={visit} />
            <div class="cards">
              <Password visit={visit} state={stateOf(state, "/password")} />
              <PasskeyCard visit={visit} count={count} />
              <Factor visit={visit} />
              <LinkedCard visit={visit} linked={await readLinked(parts, visit.subject.user.id)} />
            </div>
          </>
        ),
      });
    },
    actions: {
      ...createLinkActions(parts),
      "/password": {
        fields: { invalid_credentials: "currentPassword" },
        isOnce: true,
        submit: async (visit, form) => {
          const { currentPassword = "", password } = parseForm(passwordForm, form);
          const isAsked = asksForPassword(visit);
          // Checked first, so that the new password is not typed in vain.
          if (!isAsked && !isRecent(visit.subject, expiry.now()))
            return visit.c.redirect(withReturn("/account/confirm", PATH), 303);
          const tokens = await passwords.change(visit.subject, {
            ...(isAsked ? { currentPassword } : {}),
            password,
            caller: visit.caller,
          });
          await browserSignIn.replace(visit, tokens);
          return visit.c.redirect(`${PATH}?done=passwordChanged`, 303);
        },
      },
      "/remove-factor": {
        submit: async (visit) => {
          await parts.removeFactor(visit);
          return visit.c.redirect(`${PATH}?done=factorRemoved`, 303);
        },
      },
    },
  });
}
