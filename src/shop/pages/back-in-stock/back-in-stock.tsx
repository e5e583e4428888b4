/** @jsxImportSource hono/jsx */
/** Asking for an email when a product is back in stock, and the page of the link that verifies a mailbox. */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import { parseInput } from "../../../html/sent-form.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { getAddresses } from "../../edge/user-guard.ts";
import { emailSchema } from "../../orders/schema.ts";
import { toProductPath } from "../../products/slug.ts";
import { REQUEST_PATH, type StockRequests, nameOf } from "../../stock-requests/stock-requests.ts";
import type { UserCheck } from "../../users/user-check.ts";
import { readBuyer } from "../account/buyers.ts";
import type { PageRoutes } from "../page.ts";
import { EmailField } from "../pieces/email-field.tsx";
import type { Visit } from "../visit.tsx";

const idSchema = z.string().min(1).max(100);
const sentSchema = z.object({
  productId: idSchema,
  variantId: z.union([z.literal(""), idSchema]).optional(),
  email: emailSchema,
});

interface Parts {
  readonly stockRequests: StockRequests;
  readonly catalogue: Pick<Catalogue, "find">;
  readonly userCheck: UserCheck;
}

/** The form, on the page of a product that is sold out. */
export function StockForm({
  visit,
  state,
  productId,
  variantId,
  isTitled = true,
}: {
  readonly visit: Pick<Visit, "t" | "formToken">;
  readonly state: FormState;
  readonly productId: string;
  readonly variantId: string | undefined;
  /** Whether it says what it is for; a page about it alone does. */
  readonly isTitled?: boolean;
}) {
  const { t, formToken } = visit;
  return (
    <Form action={REQUEST_PATH} token={formToken} class="card stack" label={t("stockRequest.title")}>
      {isTitled ? <h2>{t("stockRequest.title")}</h2> : <></>}
      <input type="hidden" name="productId" value={productId} />
      <input type="hidden" name="variantId" value={variantId ?? ""} />
      <EmailField visit={visit} state={state} hint={t("stockRequest.hint")} />
      <button class="button" type="submit">
        {t("stockRequest.ask")}
      </button>
    </Form>
  );
}

function Note({
  visit,
  text,
  path,
}: {
  readonly visit: Visit;
  readonly text: string;
  readonly path: string;
}) {
  return (
    <>
      <h1>{visit.t("stockRequest.title")}</h1>
      <p class="note is-good" role="status">
        {text}
      </p>
      <a class="button" href={path}>
        {visit.t("stockRequest.back")}
      </a>
    </>
  );
}

async function showLink(
  visit: Visit,
  state: FormState,
  { stockRequests, catalogue }: Parts,
): Promise<Response> {
  const { c, t, formToken, sellersLanguage } = visit;
  const [id = "", token = ""] = [c.req.query("request"), c.req.query("token")];
  const title = t("stockRequest.title");
  const about = state.values["productId"] ?? c.req.query("product");
  const product = catalogue.find(about ?? "")?.product;
  const path = product === undefined ? "/" : toProductPath(product.slug);
  const done = c.req.query("done");
  if (done === "mailed" || done === "confirmed")
    return visit.render({
      title,
      narrow: true,
      body: <Note visit={visit} text={t(`stockRequest.${done}`)} path={path} />,
    });
  if (id === "") {
    if (about === undefined) throw new AppError("not_found", "The link is incomplete");
    const variantId = state.values["variantId"] || undefined;
    const asked = { visit, state, productId: about, variantId, isTitled: false };
    const body = (
      <>
        <h1>{title}</h1>
        <FormFaults title={t("form.faults")} faults={state.faults} />
        <StockForm {...asked} />
      </>
    );
    return visit.render({ title, narrow: true, status: state.action === undefined ? 200 : 422, body });
  }
  const found = await stockRequests.find(id, token);
  const name = found.product && nameOf(found.product, found.request.variantId, sellersLanguage);
  const body = (
    <>
      <h1>{title}</h1>
      <p>{name}</p>
      <Form action={`${REQUEST_PATH}/confirm`} token={formToken}>
        <input type="hidden" name="request" value={id} />
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="product" value={found.request.productId} />
        <button class="button primary wide" type="submit">
          {t("stockRequest.confirm")}
        </button>
      </Form>
    </>
  );
  return visit.render({ title, narrow: true, body });
}

export function addBackInStockPage(pages: PageRoutes, parts: Parts): void {
  const { stockRequests, userCheck } = parts;
  pages.addForm(`${REQUEST_PATH}/confirm`, async ({ c }, { values }) => {
    await stockRequests.confirm(values["request"] ?? "", values["token"] ?? "");
    return c.redirect(
      `${REQUEST_PATH}?done=confirmed&product=${encodeURIComponent(values["product"] ?? "")}`,
      303,
    );
  });
  pages.addPublic({
    path: REQUEST_PATH,
    show: (visit, state) => showLink(visit, state, parts),
    actions: {
      "": {
        isOnce: true,
        submit: async (visit, { values }) => {
          const { productId, variantId = "", email } = parseInput(sentSchema, values);
          const buyer = await readBuyer(userCheck, visit);
          const isOwn = buyer.user !== undefined && buyer.user.impersonatedBy === undefined;
          const verified = isOwn ? await getAddresses(userCheck, visit.c.req.raw).catch(() => []) : [];
          const requested = await stockRequests.ask({
            productId,
            variantId: variantId || undefined,
            email,
            language: visit.sellersLanguage,
            verified: verified ?? [],
            clientAddress: visit.caller.clientAddress,
          });
          const product = encodeURIComponent(productId);
          return visit.c.redirect(`${REQUEST_PATH}?done=${requested}&product=${product}`, 303);
        },
      },
    },
  });
}
