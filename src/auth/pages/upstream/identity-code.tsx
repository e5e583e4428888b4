/** @jsxImportSource hono/jsx */
/** The code that verifies the mailbox of a newcomer from a provider. */
import { z } from "zod";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import type { Outbox } from "../../../records/outbox.ts";
import { Done } from "../done.tsx";
import { mailedCodeText } from "../entry/mailed-code.tsx";
import { MailDelay } from "../mail-delay.tsx";
import { parseForm } from "../../../html/sent-form.ts";
import type { PageRoutes } from "../page.ts";
import type { Visit } from "../visit.tsx";
import { CODE_PATH, type ComerParts, IDENTITY_PATH, createComerPages } from "./comers.ts";
import type { Comer } from "./sealed-cookies.ts";

const codeSchema = z.object({ code: mailedCodeText });

interface CodeProps {
  readonly visit: Visit;
  readonly state: FormState;
  readonly comer: Comer;
  readonly isDelayed: boolean;
}

function CodeForm({ visit, state, comer, isDelayed }: CodeProps) {
  const { t, c, formToken } = visit;
  const email = comer.draft?.newcomer.email ?? "";
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("verify.title")}</h1>
        <p class="muted">{t("upstream.codeLead", { email })}</p>
      </div>
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Done visit={visit} />
      <MailDelay visit={visit} isDelayed={isDelayed} />
      <Form action={CODE_PATH} token={formToken} class="card is-raised stack">
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
          {t("signUp.button")}
        </button>
      </Form>
      <Form action={`${CODE_PATH}/send`} token={formToken}>
        <button class="button wide" type="submit">
          {t("verify.send")}
        </button>
      </Form>
      <p class="small">
        <a href={IDENTITY_PATH}>{t("upstream.change")}</a>
      </p>
    </>
  );
}

export function addIdentityCodePage(
  pages: PageRoutes,
  parts: ComerParts & { readonly outbox: Outbox },
): void {
  const { newcomers, outbox } = parts;
  const cookie = parts.upstreamCookies.comer;
  const { find, complete } = createComerPages(parts);

  pages.addPublic({
    path: CODE_PATH,
    show: async (visit, state) => {
      const found = await find(visit);
      if (found instanceof Response) return found;
      if (found.comer.draft === undefined) return visit.c.redirect(IDENTITY_PATH, 303);
      return visit.render({
        title: visit.t("verify.title"),
        narrow: true,
        status: state.status,
        body: <CodeForm visit={visit} state={state} comer={found.comer} isDelayed={outbox.isDelayed()} />,
      });
    },
    actions: {
      "": {
        isOnce: true,
        submit: async (visit, form) => {
          const found = await find(visit);
          if (found instanceof Response) return found;
          const { identity, draft, next } = found.comer;
          if (draft === undefined) return visit.c.redirect(IDENTITY_PATH, 303);
          const { code } = parseForm(codeSchema, form);
          const joining = { identity, ...draft, code, caller: visit.caller };
          const joined = await newcomers.joinWithCode(joining);
          return joined.kind === "code_sent"
            ? visit.c.redirect(CODE_PATH, 303)
            : complete(visit, joined, next);
        },
      },
      "/send": {
        submit: async (visit) => {
          const found = await find(visit);
          if (found instanceof Response) return found;
          const { comer } = found;
          const { identity, draft } = comer;
          if (draft === undefined) return visit.c.redirect(IDENTITY_PATH, 303);
          const { newcomer } = draft;
          const challengeId = await newcomers.sendCode({ identity, newcomer, caller: visit.caller });
          cookie.write(visit.c, { ...comer, draft: { newcomer, challengeId } });
          return visit.c.redirect(`${CODE_PATH}?done=codeSent`, 303);
        },
      },
    },
  });
}
