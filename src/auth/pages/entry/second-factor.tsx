/** @jsxImportSource hono/jsx */
/** The second step of a sign-in: a code of an app, a recovery code, or a passkey. */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import type { UserRecord } from "../../accounts/schema.ts";
import { passkeyInvalid } from "../../passkeys/challenges.ts";
import type { TokenSet } from "../../sessions/sessions.ts";
import { withReturn } from "../../../html/return-path.ts";
import { type SentForm, parseForm } from "../../../html/sent-form.ts";
import { type Destination, EntryHeading } from "../oidc/destination.tsx";
import { type PageRoutes, type ShownState, findNext, toEntry } from "../page.ts";
import { addOptions } from "../passkey-options.ts";
import { PasskeyDevice, PasskeyPlace, readAssertion } from "../passkey-place.tsx";
import type { Visit } from "../visit.tsx";
import type { SignInParts } from "./sign-in.tsx";

const PATH = "/sign-in/second-factor";

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
  destination,
}: {
  visit: Visit;
  state: FormState;
  hasRecovery: boolean;
  hasPasskey: boolean;
  next: string;
  destination: Destination | undefined;
}) {
  const { t, formToken } = visit;
  const isRecovery = hasRecovery && (state.values["method"] ?? visit.c.req.query("method")) === "recovery";
  return (
    <>
      <EntryHeading
        visit={visit}
        title={t("factor.title")}
        destination={destination}
        lead={isRecovery ? t("factor.leadRecovery") : t("factor.lead")}
      />
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Form action={PATH} token={formToken} class="card is-raised stack" next={next}>
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
          action={`${PATH}/passkey`}
          label={t("passkeys.use")}
          next={next}
        />
      ) : (
        <></>
      )}
      <p class="small row">
        {!hasRecovery ? (
          <></>
        ) : isRecovery ? (
          <a href={withReturn(PATH, next)}>{t("factor.useApp")}</a>
        ) : (
          <a href={withReturn(`${PATH}?method=recovery`, next)}>{t("factor.useRecovery")}</a>
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

/** The step with the place that this tab leads to: another tab may have begun a sign-in since. Or the way to begin again. */
function readStep({ steps }: SignInParts, visit: Visit, form: SentForm) {
  const step = steps.read(visit.c, "factor");
  const next = findNext(visit, form);
  if (step === undefined) return visit.c.redirect(toEntry("/sign-in?done=expired", next), 303);
  return { ...step, next: next ?? step.next };
}

async function showFactor(parts: SignInParts, visit: Visit, state: ShownState): Promise<Response> {
  const step = parts.steps.read(visit.c, "factor");
  if (step === undefined) return visit.c.redirect(toEntry("/sign-in", findNext(visit, state)), 303);
  const { methods } = step;
  const next = findNext(visit, state) ?? step.next;
  const destination = await parts.findDestination(visit, next);
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
        next={next}
        destination={destination}
      />
    ),
  });
}

export function addSecondFactorPage(pages: PageRoutes, parts: SignInParts): void {
  const { signIn, steps, passkeySignIn, visits, toOffer } = parts;
  addOptions(pages, visits, {
    path: `${PATH}/passkey/options`,
    begin: async ({ c }, browser) => {
      const { challengeId = "" } = steps.read(c, "factor") ?? {};
      return passkeySignIn.factor.begin(challengeId, browser);
    },
  });

  pages.addEntry({
    path: PATH,
    show: (visit, state) => showFactor(parts, visit, state),
    actions: {
      "": {
        isOnce: true,
        submit: async (visit, form) => {
          const step = readStep(parts, visit, form);
          if (step instanceof Response) return step;
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
          const step = readStep(parts, visit, form);
          if (step instanceof Response) return step;
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
