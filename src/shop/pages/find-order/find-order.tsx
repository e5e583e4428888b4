/** @jsxImportSource hono/jsx */
/**
 * Finds an order again: its number and email address send an email with the link, without revealing whether the order
 * exists.
 */
import { z } from "zod";
import { trimmedLine } from "../../../kit/text/schemas.ts";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import { parseInput } from "../../../html/sent-form.ts";
import type { OrderFinder } from "../../order-finder/find-order.ts";
import { emailSchema } from "../../orders/schema.ts";
import type { PageRoutes } from "../page.ts";
import { EmailField } from "../pieces/email-field.tsx";
import type { Visit } from "../visit.tsx";

const knownSchema = z.object({ number: trimmedLine(60), email: emailSchema });

function FindOrder({ visit, state }: { readonly visit: Visit; readonly state: FormState }) {
  const { t, formToken, c } = visit;
  const isDone = state.action === undefined && c.req.query("done") !== undefined;
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("find.title")}</h1>
        <p class="muted">{t("find.text")}</p>
      </div>
      {isDone ? (
        <p class="note is-good" role="status">
          {t("find.done")}
        </p>
      ) : (
        <></>
      )}
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Form action="/find-order" token={formToken} class="card is-raised stack">
        <Field
          name="number"
          label={t("find.number")}
          state={state}
          hint={t("find.numberHint")}
          autocomplete="off"
          required
        />
        <EmailField visit={visit} state={state} hint={t("find.emailHint")} />
        <button class="button primary wide" type="submit">
          {t("find.send")}
        </button>
      </Form>
    </>
  );
}

export function addFindOrderPage(
  pages: PageRoutes,
  { orderFinder }: { readonly orderFinder: OrderFinder },
): void {
  pages.addPublic({
    path: "/find-order",
    show: (visit, state) =>
      visit.render({
        title: visit.t("find.title"),
        narrow: true,
        status: state.status,
        body: <FindOrder visit={visit} state={state} />,
      }),
    actions: {
      "": {
        isOnce: true,
        submit: async ({ c, caller }, { values }) => {
          await orderFinder.find(parseInput(knownSchema, values), caller.clientAddress);
          return c.redirect("/find-order?done=sent", 303);
        },
      },
    },
  });
}
