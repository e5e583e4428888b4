/** @jsxImportSource hono/jsx */
/** Switching the second factor on with an authenticator app, and its recovery codes, shown until they are put away. */
import { z } from "zod";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import { QrCode } from "../../../html/qr-code.tsx";
import type { SecondFactor } from "../../second-factor/second-factor.ts";
import type { Steps } from "../next-step.ts";
import { parseForm } from "../../../html/sent-form.ts";
import { withReturn } from "../../../html/return-path.ts";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import { type PageRoutes, findNext } from "../page.ts";
import type { SignedInVisit } from "../visit.tsx";

interface Parts {
  readonly secondFactor: SecondFactor;
  readonly steps: Steps;
  readonly browserSignIn: BrowserSignIn;
}

const PATH = "/account/security/second-factor";
const CODES = "/account/security/recovery-codes";

interface SetUpProps {
  readonly visit: SignedInVisit;
  readonly state: FormState;
  readonly pending: { readonly secret: string; readonly uri: string };
}

function SetUp({ visit, state, pending }: SetUpProps) {
  const { t, formToken } = visit;
  const grouped = pending.secret.match(/.{1,4}/gu)?.join(" ") ?? pending.secret;
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("setUp.title")}</h1>
        <p class="muted">{t("setUp.lead")}</p>
      </div>
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <section class="card stack">
        <QrCode text={pending.uri} label={t("setUp.qr")} />
        <p>
          {t("setUp.orType")} <span class="mono">{grouped}</span>
        </p>
        <a href={pending.uri}>{t("setUp.open")}</a>
        <Form action={PATH} token={formToken} next={findNext(visit, state)}>
          <Field
            name="code"
            label={t("field.code")}
            state={state}
            autocomplete="one-time-code"
            inputmode="numeric"
            hint={t("setUp.codeHint")}
            required
          />
          <button class="button primary wide" type="submit">
            {t("setUp.button")}
          </button>
        </Form>
      </section>
      <p class="small">
        <a href="/account/security">{t("setUp.cancel")}</a>
      </p>
    </>
  );
}

function addSetUp(pages: PageRoutes, { secondFactor, steps, browserSignIn }: Parts): void {
  pages.addPersonal({
    path: PATH,
    mayEnrol: true,
    show: async (visit, state) => {
      const { subject, c, t } = visit;
      // Owners who return to it later must verify their identity again, or it would show the secret to anyone at the
      // screen.
      const pending = await secondFactor.findPending(subject);
      if (pending === undefined) return c.redirect(findNext(visit, state) ?? "/account/security", 303);
      return visit.render({
        title: t("setUp.title"),
        place: "/account/security",
        narrow: true,
        status: state.status,
        body: <SetUp visit={visit} state={state} pending={pending} />,
      });
    },
    actions: {
      "": {
        isOnce: true,
        submit: async (visit, form) => {
          const { subject, caller, c } = visit;
          const { code } = parseForm(z.object({ code: z.string().min(1).max(20) }), form);
          const codes = await secondFactor.confirm(subject, code, caller);
          await browserSignIn.renew(visit);
          steps.write(c, { kind: "recovery", userId: subject.user.id, codes, next: findNext(visit, form) });
          return c.redirect(CODES, 303);
        },
      },
      "/begin": {
        submit: async (visit, form) => {
          const { subject, c } = visit;
          await secondFactor.begin(subject);
          return c.redirect(withReturn(PATH, findNext(visit, form)), 303);
        },
      },
    },
  });
}

function RecoveryCodes({
  visit,
  codes,
}: {
  readonly visit: SignedInVisit;
  readonly codes: readonly string[];
}) {
  const { t, subject, settings, formToken } = visit;
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("codes.title")}</h1>
        <p class="muted">{t("codes.lead")}</p>
      </div>
      <section class="card stack">
        <p class="small muted">
          {settings.siteName} · {subject.user.username}
        </p>
        <ul class="codes">
          {codes.map((code) => (
            <li>{code}</li>
          ))}
        </ul>
        <p class="small muted no-print">{t("codes.print")}</p>
        <Form action={`${CODES}/download`} token={formToken} class="no-print">
          <button class="button wide" type="submit">
            {t("codes.download")}
          </button>
        </Form>
        <Form action={`${CODES}/kept`} token={formToken} class="no-print">
          <button class="button primary wide" type="submit">
            {t("codes.kept")}
          </button>
        </Form>
      </section>
    </>
  );
}

function addCodes(pages: PageRoutes, { secondFactor, steps }: Parts): void {
  pages.addPersonal({
    path: CODES,
    show: (visit, state) => {
      const { t, c, subject } = visit;
      const step = steps.read(c, "recovery");
      if (step?.userId !== subject.user.id) return c.redirect("/account/security", 303);
      return visit.render({
        title: t("codes.title"),
        place: "/account/security",
        narrow: true,
        status: state.status,
        body: <RecoveryCodes visit={visit} codes={step.codes} />,
      });
    },
    actions: {
      "": {
        isOnce: true,
        submit: async ({ subject, caller, c }) => {
          const codes = await secondFactor.renewRecoveryCodes(subject, caller);
          steps.write(c, { kind: "recovery", userId: subject.user.id, codes });
          return c.redirect(CODES, 303);
        },
      },
      "/download": {
        submit: async ({ c, subject, settings, t }) => {
          const step = steps.read(c, "recovery");
          if (step?.userId !== subject.user.id) return c.redirect("/account/security", 303);
          const lines = [
            t("codes.title"),
            `${settings.siteName} · ${subject.user.username}`,
            "",
            ...step.codes,
          ];
          c.header("cache-control", "no-store");
          c.header("content-disposition", 'attachment; filename="recovery-codes.txt"');
          return c.body(`${lines.join("\r\n")}\r\n`, 200, { "content-type": "text/plain; charset=utf-8" });
        },
      },
      "/kept": {
        submit: async ({ c }) => {
          const next = steps.read(c, "recovery")?.next;
          steps.clear(c);
          return c.redirect(next ?? "/account/security?done=factorOn", 303);
        },
      },
    },
  });
}

/** Adds /account/security/second-factor and /account/security/recovery-codes. */
export function addSecondFactorPages(pages: PageRoutes, parts: Parts): void {
  addSetUp(pages, parts);
  addCodes(pages, parts);
}
