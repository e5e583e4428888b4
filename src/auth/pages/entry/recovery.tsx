/** @jsxImportSource hono/jsx */
/** A forgotten password: asking for a link, and setting a new one with it. */
import { z } from "zod";
import { withQuery } from "../../../kit/text/with-query.ts";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import type { Outbox } from "../../../records/outbox.ts";
import { emailSchema, passwordSchema } from "../../accounts/schema.ts";
import type { Passwords } from "../../passwords/passwords.ts";
import { MailDelay } from "../mail-delay.tsx";
import { type FindDestination, toHintedEmail } from "../oidc/destination.tsx";
import { NewPasswordField } from "../new-password.tsx";
import { parseForm } from "../../../html/sent-form.ts";
import type { Steps } from "../next-step.ts";
import { type PageRoutes, findNext, toEntry } from "../page.ts";

interface Parts {
  readonly passwords: Passwords;
  readonly outbox: Outbox;
  readonly steps: Steps;
  readonly findDestination: FindDestination;
}

const emailForm = z.object({ email: emailSchema });
const resetForm = z.object({ token: z.string().trim().min(1).max(100), password: passwordSchema });

function addForgot(pages: PageRoutes, { passwords, outbox, steps, findDestination }: Parts): void {
  pages.addPublic({
    path: "/forgot",
    isConstant: true,
    show: async (visit, state) => {
      const { t, c, formToken } = visit;
      const next = findNext(visit, state);
      const email = toHintedEmail(await findDestination(visit, next));
      const isSent = c.req.query("done") === "linkSent" && state.action === undefined;
      return visit.render({
        title: t("forgot.title"),
        narrow: true,
        status: state.status,
        body: isSent ? (
          <>
            <div class="stack is-tight">
              <h1>{t("forgot.sentTitle")}</h1>
              <p class="muted">{t("forgot.sent")}</p>
            </div>
            <MailDelay visit={visit} isDelayed={outbox.isDelayed()} />
            <a class="button wide" href={toEntry("/sign-in", next)}>
              {t("signIn.back")}
            </a>
          </>
        ) : (
          <>
            <div class="stack is-tight">
              <h1>{t("forgot.title")}</h1>
              <p class="muted">{t("forgot.lead")}</p>
            </div>
            <FormFaults title={t("form.faults")} faults={state.faults} />
            <Form action="/forgot" token={formToken} class="card is-raised stack" next={next}>
              <Field
                name="email"
                label={t("field.email")}
                state={state}
                type="email"
                value={email}
                autocomplete="email"
                required
              />
              <button class="button primary wide" type="submit">
                {t("forgot.button")}
              </button>
            </Form>
            <p class="small">
              <a href={toEntry("/sign-in", next)}>{t("signIn.back")}</a>
            </p>
          </>
        ),
      });
    },
    actions: {
      "": {
        submit: async (visit, form) => {
          await passwords.forgot({ ...parseForm(emailForm, form), caller: visit.caller });
          const next = findNext(visit, form);
          if (next !== undefined) steps.write(visit.c, { kind: "reset", next });
          return visit.c.redirect(toEntry("/forgot?done=linkSent", next), 303);
        },
      },
    },
  });
}

function addReset(pages: PageRoutes, { passwords, steps }: Parts): void {
  pages.addPublic({
    path: "/reset",
    toAddress: ({ token = "" }) => (token === "" ? "/reset" : withQuery("/reset", { token })),
    show: (visit, state) => {
      const { t, c, formToken } = visit;
      const token = state.values["token"] ?? c.req.query("token") ?? "";
      const next = steps.read(c, "reset")?.next;
      const isWrong = state.faults.some(({ field }) => field === "token");
      return visit.render({
        title: t("reset.title"),
        narrow: true,
        status: state.status,
        body: (
          <>
            <div class="stack is-tight">
              <h1>{t("reset.title")}</h1>
              <p class="muted">{t("reset.lead")}</p>
            </div>
            <FormFaults title={t("form.faults")} faults={state.faults} />
            <Form action="/reset" token={formToken} class="card is-raised stack">
              {token === "" || isWrong ? (
                <Field
                  name="token"
                  label={t("field.token")}
                  state={state}
                  hint={t("reset.tokenHint")}
                  required
                />
              ) : (
                <input type="hidden" name="token" value={token} />
              )}
              <NewPasswordField visit={visit} state={state} />
              <button class="button primary wide" type="submit">
                {t("reset.button")}
              </button>
            </Form>
            <p class="small">
              <a href={toEntry("/forgot", next)}>{t("reset.again")}</a>
            </p>
          </>
        ),
      });
    },
    actions: {
      "": {
        fields: { token_invalid: "token" },
        isOnce: true,
        submit: async (visit, form) => {
          await passwords.reset({ ...parseForm(resetForm, form), caller: visit.caller });
          const next = steps.read(visit.c, "reset")?.next;
          return visit.c.redirect(toEntry("/sign-in?done=passwordSet", next), 303);
        },
      },
    },
  });
}

/** Adds /forgot and /reset. */
export function addRecoveryPages(pages: PageRoutes, parts: Parts): void {
  addForgot(pages, parts);
  addReset(pages, parts);
}
