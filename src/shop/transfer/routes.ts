/** Products in and out for administrators, as CSV or NDJSON. */
import { z } from "@hono/zod-openapi";
import { encodings } from "../../kit/files/decode-text.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { csvSeparatorSchema, jsonResponse } from "../../kit/http/schemas.ts";
import { findEncoding, readBytes, readUtf8Type, toMediaType } from "../../kit/http/request-body.ts";
import { toByteStream } from "../../kit/text/byte-lines.ts";
import { productImportReportSchema } from "./answer-schema.ts";
import { productColumns } from "./product-rows.ts";
import type { ProductTransfer, TransferFormat } from "./product-transfer.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";

const CSV = "text/csv";
const NDJSON = "application/x-ndjson";
const TAG = "admin products";

const exampleCsv =
  "slug,title,price,variantSku,variantPrice,onHand\nmug,Mug,,MUG-L,1290,12\nmug,,,MUG-M,1190,8\n";
const exampleNdjson = '{"slug":"mug","title":"Mug","price":1290,"onHand":12}\n';
/** Its type does not name the media types: zod-openapi's types take every name with "json" in it for JSON. */
const bodies: Record<string, { schema: { type: "string" }; example: string }> = {
  [CSV]: { schema: { type: "string" }, example: exampleCsv },
  [NDJSON]: { schema: { type: "string" }, example: exampleNdjson },
};

const flag = z.enum(["true", "false"]).default("false");
function readFormat(header: string | undefined): TransferFormat {
  if (toMediaType(header) === CSV) return "csv";
  if (readUtf8Type(header) === NDJSON) return "ndjson";
  throw new AppError("unsupported_media_type", `The Content-Type must be ${CSV}, or ${NDJSON} in UTF-8`);
}

interface TransferParts {
  readonly transfer: ProductTransfer;
  readonly admin: AdminGuard;
}

function addImportRoute(app: ServiceApp, { transfer, admin }: TransferParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: "/api/admin/products/import",
    operationId: "adminImportProducts",
    summary:
      "Import products: create new ones and update existing ones, matched by ID or slug. If a line is invalid, nothing is stored",
    description:
      `CSV columns, all optional: ${productColumns.join(", ")}. Every row is a variant; ` +
      "rows of a product follow each other with the same id or slug, and only the first one has the other columns of the product. " +
      "Amounts are minor units (1999 for 19.99); priceDecimal, compareAtPriceDecimal, variantPriceDecimal and " +
      "variantCompareAtPriceDecimal accept decimal prices instead (19.99, 1.234,50, 12.50 €). " +
      "tierPrices and variantTierPrices are quantity=price separated by | (10=900|50=755); tierPricesDecimal and " +
      "variantTierPricesDecimal accept decimal prices (10=9.00). payWhatYouWant and payWhatYouWantDecimal are minimum or minimum|maximum; parts of a bundle are product ID=quantity or product ID/variant ID=quantity, separated by |. " +
      "Separators are commas, semicolons, tabs or pipes, detected or set by a first line such as sep=;. UTF-8, UTF-16, Windows-1252 and " +
      `GBK are detected; other encodings can be set with the charset of Content-Type (${encodings.join(", ")}). ` +
      "tags, collectionIds, relatedIds and variantOptions (name=value) are separated by |; inputs and translations are JSON. " +
      "An omitted column changes nothing. An empty cell of a text, a list, categoryId, compareAtPrice, tierPrices, payWhatYouWant, parts, maxPerCustomer, lowStockThreshold, " +
      "inputs or translations, or of a variant's compareAtPrice or image, clears the field; other empty cells are ignored. With variant columns, variants that are not in the file are deleted. " +
      "onHand sets the units on hand. An apostrophe before = + - @ is removed. " +
      "Every NDJSON line is a body of POST /api/admin/products with an id. " +
      "Images, license keys and shared secrets are not imported and do not change. variantImage is the hash of one of the " +
      "product's images; if it does not exist, it is ignored. With createCategories, missing categories are created. Up to 20,000 products.",
    request: {
      query: z.object({
        dryRun: flag.openapi({ description: "Whether to validate only, without storing anything" }),
        partial: flag.openapi({ description: "Whether to store valid lines even if others are invalid" }),
        createCategories: flag.openapi({
          description: "Whether to create missing categories. Their titles are derived from the IDs",
        }),
      }),
      body: { required: true, content: bodies },
    },
    responses: { 200: jsonResponse("The result of the import", productImportReportSchema) },
  });
  app.openapi(route, async (c) => {
    const format = readFormat(c.req.header("content-type"));
    const query = c.req.valid("query");
    const [dryRun, partial] = [query.dryRun === "true", query.partial === "true"];
    const createCategories = query.createCategories === "true";
    const encoding = format === "csv" ? findEncoding(c.req.header("content-type")) : undefined;
    const options = { format, dryRun, partial, createCategories, encoding, actor: c.var.actor };
    return c.json({ dryRun, ...(await transfer.import(await readBytes(c), options)) }, 200);
  });
}

function addExportRoute(app: ServiceApp, { transfer, admin }: TransferParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: "/api/admin/products/export",
    operationId: "adminExportProducts",
    summary: "Export all products, oldest first, in the import format",
    request: {
      query: z.object({
        format: z.enum(["csv", "ndjson"]).default("csv"),
        prices: z.enum(["minor", "decimal"]).default("minor").openapi({
          description: "Prices in the CSV: minor units, or decimal numbers in columns such as priceDecimal",
        }),
        separator: csvSeparatorSchema,
      }),
    },
    responses: {
      200: {
        description: "CSV with a byte order mark, or one JSON object per line, streamed",
        content: bodies,
      },
    },
    errors: ["invalid"],
  });
  app.openapi(route, async (c) => {
    const options = c.req.valid("query");
    const { format } = options;
    return c.body(await toByteStream(transfer.export(options)), 200, {
      "content-type": format === "csv" ? `${CSV}; charset=utf-8` : NDJSON,
      "content-disposition": `attachment; filename="products.${format}"`,
      "cache-control": "no-store",
    });
  });
}

/** Adds import and export; before the routes of {id}, which would take "export" for one. */
export function addAdminProductTransferRoutes(app: ServiceApp, parts: TransferParts): void {
  addImportRoute(app, parts);
  addExportRoute(app, parts);
}
