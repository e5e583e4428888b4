/** @jsxImportSource hono/jsx */
/** Everything that is kept about an account as a file, and the end of the account. */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import { type FormState, stateOf } from "../../../html/faults.ts";
import type { Me } from "../../me/me.ts";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import { parseForm } from "../../../html/sent-form.ts";
import type { PageRoutes } from "../page.ts";
import type { SignedInVisit } from "../visit.tsx";

const PATH = "/account/data";

interface Parts {
  readonly me: Me;
  readonly browserSignIn: BrowserSignIn;
}

function Data({ visit, state }: { readonly visit: SignedInVisit; readonly state: FormState }) {
  const { t, formToken, subject } = visit;
  return (
    <>
      <h1>{t("data.title")}</h1>
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <div class="cards">
        <section class="card stack">
          <div class="stack is-tight">
            <h2>{t("data.export")}</h2>
            <p class="muted">{t("data.exportLead")}</p>
          </div>
          <Form action={`${PATH}/export`} token={formToken}>
            <button class="button" type="submit">
              {t("data.exportButton")}
            </button>
          </Form>
        </section>
        <section class="card stack">
          <div class="stack is-tight">
            <h2>{t("data.delete")}</h2>
            <p class="muted">{t("data.deleteLead")}</p>
          </div>
          <Form action={`${PATH}/delete`} token={formToken}>
            <Field
              name="confirmation"
              label={t("field.confirmation", { name: subject.user.username })}
              state={stateOf(state, "/delete")}
              autocomplete="off"
              required
            />
            <button class="button danger" type="submit">
              {t("data.deleteButton")}
            </button>
          </Form>
        </section>
      </div>
    </>
  );
}

export function addDataPage(pages: PageRoutes, { me, browserSignIn }: Parts): void {
  pages.addPersonal({
    path: PATH,
    show: (visit, state) =>
      visit.render({
        title: visit.t("data.title"),
        place: PATH,
        status: state.status,
        body: <Data visit={visit} state={state} />,
      }),
    actions: {
      "/export": {
        submit: async ({ subject, caller, c }) => {
          const everything = await me.export(subject, caller);
          c.header("cache-control", "no-store");
          c.header("content-disposition", 'attachment; filename="account.json"');
          return c.body(`${JSON.stringify(everything, undefined, 2)}\n`, 200, {
            "content-type": "application/json",
          });
        },
      },
      "/delete": {
        isOnce: true,
        submit: async (visit, form) => {
          const { subject, caller, c } = visit;
          const { confirmation } = parseForm(z.object({ confirmation: z.string().max(100) }), form);
          if (confirmation.trim().toLowerCase() !== subject.user.usernameLower) {
            const message = "Type the username to delete the account";
            const errors = [{ pointer: "/confirmation", code: "not_same", message }];
            throw new AppError("invalid", message, { errors });
          }
          await me.remove(subject, caller);
          await browserSignIn.end(visit);
          return c.redirect("/sign-in?done=deleted", 303);
        },
      },
    },
  });
}
