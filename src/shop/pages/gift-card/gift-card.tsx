/** @jsxImportSource hono/jsx */
/** The balance of a gift card, for who types its code. */
import { z } from "zod";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import { parseInput } from "../../../html/sent-form.ts";
import type { FindBalance } from "../../gift-cards/balance.ts";
import { MAX_CODE, type GiftCardRecord } from "../../gift-cards/schema.ts";
import type { PageRoutes } from "../page.ts";
import type { Visit } from "../visit.tsx";

const sentSchema = z.object({ code: z.string().trim().min(1).max(MAX_CODE) });
const PATH = "/gift-card";

function Balance({ card, visit }: { readonly card: GiftCardRecord; readonly visit: Visit }) {
  const { t, money, time } = visit;
  const { balance, currency, lastFour, expiresAt } = card;
  return (
    <section class="card stack is-tight" role="status">
      <h2 class="num">{money(balance, currency)}</h2>
      <p class="muted">{t("giftCard.of", { code: `••••${lastFour}` })}</p>
      {expiresAt === undefined ? <></> : <p>{t("giftCard.until", { time: time(expiresAt) })}</p>}
    </section>
  );
}

function GiftCardPage(props: {
  readonly visit: Visit;
  readonly state: FormState;
  readonly card: GiftCardRecord | undefined;
}) {
  const { visit, state, card } = props;
  const { t, formToken } = visit;
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("giftCard.title")}</h1>
        <p class="muted">{t("giftCard.text")}</p>
      </div>
      {card === undefined ? <></> : <Balance card={card} visit={visit} />}
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Form action={PATH} token={formToken} class="card is-raised stack">
        <Field name="code" label={t("giftCard.code")} state={state} autocomplete="off" required />
        <button class="button primary wide" type="submit">
          {t("giftCard.check")}
        </button>
      </Form>
    </>
  );
}

export function addGiftCardPage(
  pages: PageRoutes,
  { findBalance }: { readonly findBalance: FindBalance },
): void {
  const show = (visit: Visit, state: FormState & { readonly status?: 200 | 422 }, card?: GiftCardRecord) =>
    visit.render({
      title: visit.t("giftCard.title"),
      narrow: true,
      body: <GiftCardPage visit={visit} state={state} card={card} />,
    });
  pages.addPublic({
    path: PATH,
    show: (visit, state) =>
      visit.render({
        title: visit.t("giftCard.title"),
        narrow: true,
        status: state.status,
        body: <GiftCardPage visit={visit} state={state} card={undefined} />,
      }),
    actions: {
      "": {
        fields: { "giftCardCodes.0": "code", giftCardCodes: "code", rate_limited: "code" },
        submit: async (visit, { values }) => {
          const { code } = parseInput(sentSchema, values);
          const card = await findBalance(code, visit.caller.clientAddress);
          // The code is not put into an address: the page is the answer to the form.
          return show(visit, { action: "", values: {}, faults: [] }, card);
        },
      },
    },
  });
}
