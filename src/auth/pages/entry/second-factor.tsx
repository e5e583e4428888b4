/** @jsxImportSource hono/jsx */
/** The second step of a sign-in: a code of an app, a recovery code, or a passkey. */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { Field, Form, FormFaults } from "../../../pages/form.tsx";
import type { FormState } from "../../../pages/faults.ts";
import type { UserRecord } from "../../accounts/schema.ts";
import { passkeyInvalid } from "../../passkeys/challenges.ts";
import type { TokenSet } from "../../sessions/sessions.ts";
import { parseForm } from "../../../pages/sent-form.ts";
import { type PageRoutes, toEntry } from "../page.ts";
import { addOptions } from "../passkey-options.ts";
import { PasskeyDevice, PasskeyPlace, readAssertion } from "../passkey-place.tsx";
import type { Visit } from "../visit.tsx";
import type { SignInParts } from "./sign-in.tsx";

const codeSchema = z.object({
  code: z.string().min(1).max(40),
  method: z.enum(["totp", "recovery"]).default("totp"),
});

function SecondFactor({
  visit,
  state,
  hasRecovery,
  hasPasskey,
  next,
}: {
  visit: Visit;
  state: FormState;
  hasRecovery: boolean;
  hasPasskey: boolean;
  next: string;
}) {
  const { t, formToken } = visit;
  const isRecovery = hasRecovery && (state.values["method"] ?? visit.c.req.query("method")) === "recovery";
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("factor.title")}</h1>
        <p class="muted">{isRecovery ? t("factor.leadRecovery") : t("factor.lead")}</p>
      </div>
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Form action="/sign-in/second-factor" token={formToken} class="card is-raised stack">
        <input type="hidden" name="method" value={isRecovery ? "recovery" : "totp"} />
        <Field
          name="code"
          label={isRecovery ? t("field.recoveryCode") : t("field.code")}
          state={state}
          autocomplete="one-time-code"
          inputmode={isRecovery ? undefined : "numeric"}
          required
        />
        <PasskeyDevice visit={visit} />
        <button class="button primary wide" type="submit">
          {t("factor.button")}
        </button>
      </Form>
      {hasPasskey ? (
        <PasskeyPlace
          visit={visit}
          kind="get"
          action="/sign-in/second-factor/passkey"
          label={t("passkeys.use")}
        />
      ) : (
        <></>
      )}
      <p class="small row">
        {!hasRecovery ? (
          <></>
        ) : isRecovery ? (
          <a href="/sign-in/second-factor">{t("factor.useApp")}</a>
        ) : (
          <a href="/sign-in/second-factor?method=recovery">{t("factor.useRecovery")}</a>
        )}
        <a class="push" href={toEntry("/sign-in", next)}>
          {t("factor.restart")}
        </a>
      </p>
    </>
  );
}

/** Finishes the second step; leads to the first where it is over: after ten minutes, five wrong codes, or its use in another tab. */
async function finishFactor(
  { browserSignIn, steps }: SignInParts,
  visit: Visit,
  parts: {
    step: { next: string };
    next: (user: UserRecord) => Promise<string>;
    work: () => Promise<TokenSet>;
  },
): Promise<Response> {
  try {
    const tokens = await parts.work();
    return await browserSignIn.complete(visit, { kind: "tokens", tokens }, await parts.next(tokens.user));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_credentials") throw error;
    steps.clear(visit.c);
    return visit.c.redirect(toEntry("/sign-in?done=expired", parts.step.next), 303);
  }
}

/** Adds /sign-in/second-factor. */
export function addSecondFactorPage(pages: PageRoutes, parts: SignInParts): void {
  const { signIn, steps, passkeySignIn, visits, toOffer } = parts;
  addOptions(pages, visits, {
    path: "/sign-in/second-factor/passkey/options",
    begin: async ({ c }, browser) => {
      const { challengeId = "" } = steps.read(c, "factor") ?? {};
      return passkeySignIn.factor.begin(challengeId, browser);
    },
  });
  pages.addEntry({
    path: "/sign-in/second-factor",
    show: (visit, state) => {
      const step = steps.read(visit.c, "factor");
      if (step === undefined) return visit.c.redirect("/sign-in", 303);
      const { methods } = step;
      const hasPasskey = methods.includes("passkey");
      return visit.render({
        title: visit.t("factor.title"),
        narrow: true,
        hasPasskeys: true,
        status: state.status,
        body: (
          <SecondFactor
            visit={visit}
            state={state}
            hasRecovery={methods.includes("recovery")}
            hasPasskey={hasPasskey}
            next={step.next}
          />
        ),
      });
    },
    actions: {
      "": {
        isOnce: true,
        submit: async (visit, form) => {
          const step = steps.read(visit.c, "factor");
          if (step === undefined) return visit.c.redirect("/sign-in?done=expired", 303);
          const { code, method } = parseForm(codeSchema, form);
          const { challengeId, next } = step;
          return finishFactor(parts, visit, {
            step,
            next: (user) => toOffer(visit, form, user, next),
            work: () => signIn.withSecondFactor({ challengeId, method, code, caller: visit.caller }),
          });
        },
      },
      "/passkey": {
        isOnce: true,
        submit: async (visit, form) => {
          const step = steps.read(visit.c, "factor");
          if (step === undefined) return visit.c.redirect("/sign-in?done=expired", 303);
          const answer = readAssertion(form);
          const { c, caller } = visit;
          const browser = visits.toBrowserKey(c);
          return finishFactor(parts, visit, {
            step,
            next: async () => step.next,
            work: async () => {
              if (answer !== undefined)
                return passkeySignIn.factor.finish(step.challengeId, { ...answer, browser, caller });
              // There were no options: why not is said by asking again.
              await passkeySignIn.factor.begin(step.challengeId, browser);
              throw passkeyInvalid();
            },
          });
        },
      },
    },
  });
}
