/** Help with VAT for administrators: the default rates, and a check of a VAT number. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { taxRatesSchema, vatNumberQuerySchema, vatNumberSchema } from "./answer-schema.ts";
import { EU_RATES_AS_OF, euRates } from "./eu-rates.ts";
import { hasVatForm, readVatId } from "./vat-id.ts";

const knownRates = Object.entries(euRates).flatMap(([country, rates]) =>
  Object.entries(rates).map(([taxClass, basisPoints]) => ({
    country,
    taxClass,
    basisPoints: Number(basisPoints),
  })),
);

/** Adds the routes below /api/admin/tax. */
export function addAdminTaxRoutes(app: ServiceApp, { admin }: { readonly admin: AdminGuard }): void {
  const rates = createRoute({
    ...adminRoute("admin site", admin),
    method: "get",
    path: "/api/admin/tax/rates",
    operationId: "adminListTaxRates",
    summary: "Get the default EU VAT rates",
    responses: {
      200: jsonResponse("Rates by country and class", taxRatesSchema, {
        asOf: EU_RATES_AS_OF,
        items: [{ country: "DE", taxClass: "standard", basisPoints: 1_900 }],
      }),
    },
  });
  app.openapi(rates, (c) => c.json({ asOf: EU_RATES_AS_OF, items: knownRates }, 200));

  const number = createRoute({
    ...adminRoute("admin site", admin),
    method: "get",
    path: "/api/admin/tax/vat-number",
    operationId: "adminCheckVatNumber",
    summary:
      "Validate the format and check digits of an EU VAT ID. Its registration is not verified with VIES",
    request: { query: vatNumberQuerySchema },
    responses: {
      200: jsonResponse("The result", vatNumberSchema, {
        isWellFormed: true,
        hasRightCheckDigits: false,
        fault: "digits",
      }),
    },
    errors: ["invalid"],
  });
  app.openapi(number, (c) => {
    const { number: typed } = c.req.valid("query");
    const read = readVatId(typed);
    const isWellFormed = hasVatForm(typed);
    if (typeof read === "string")
      return c.json({ isWellFormed, hasRightCheckDigits: false, fault: read }, 200);
    return c.json({ isWellFormed, hasRightCheckDigits: true, country: read.country }, 200);
  });
}
