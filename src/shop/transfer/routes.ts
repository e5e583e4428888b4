/** Products in and out for administrators, as CSV or NDJSON. */
import { z } from "@hono/zod-openapi";
import { encodings } from "../../kit/files/decode-text.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { csvSeparatorSchema, jsonResponse } from "../../kit/http/schemas.ts";
import { findEncoding, readBytes, readUtf8Type, toMediaType } from "../../kit/http/request-body.ts";
import { toByteStream } from "../../kit/text/byte-lines.ts";
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
const reportSchema = z
  .object({
    dryRun: z.boolean(),
    created: z.int(),
    updated: z.int(),
    errors: z.array(z.object({ line: z.int(), code: z.string(), message: z.string() })),
    read: z
      .object({
        encoding: z.enum(encodings),
        separator: z.enum([",", ";", "\t", "|"]),
        sample: z.string().optional().openapi({ description: "The first word that is not plain ASCII" }),
      })
      .optional()
      .openapi({ description: "How a CSV was read" }),
  })
  .openapi("ProductImportReport", {
    example: {
      dryRun: true,
      created: 2,
      updated: 1,
      errors: [{ line: 3, code: "invalid", message: "price: is needed without variants" }],
      read: { encoding: "windows-1252", separator: ";", sample: "Größe" },
    },
  });

function readFormat(header: string | undefined): TransferFormat {
  if (toMediaType(header) === CSV) return "csv";
  if (readUtf8Type(header) === NDJSON) return "ndjson";
  throw new AppError("unsupported_media_type", `Send ${CSV}, or ${NDJSON} in UTF-8`);
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
    summary: "Make and change products, found by id, else by slug; nothing is stored when a line is wrong",
    description:
      `CSV has these columns, of which any may be left out: ${productColumns.join(", ")}. One row is one variant; ` +
      "rows of one product follow each other with the same id or slug, and only the first one says more of the product. " +
      "Amounts are minor units (1999 for 19.99); priceDecimal, compareAtPriceDecimal, variantPriceDecimal and " +
      "variantCompareAtPriceDecimal in their place take prices as people write them (19.99, 1.234,50, 12.50 €). " +
      "Separators are commas, semicolons, tabs or pipes, as found or as a first line sep=; says. UTF-8, UTF-16, Windows-1252 and " +
      `GBK are recognized; the charset of Content-Type names others (${encodings.join(", ")}). ` +
      "tags, collectionIds, relatedIds and variantOptions (name=value) are divided by |, inputs and translations are JSON. " +
      "A column that is left out changes nothing; an empty cell of a text, of a list, of categoryId, compareAtPrice, maxPerCustomer, lowStockThreshold, " +
      "inputs or translations, and of a variant's compareAtPrice or image clears it, any other says nothing. With variant columns, variants that are not in the file go. " +
      "onHand sets the units on hand. An apostrophe before = + - @ is taken away. " +
      "NDJSON has on each line what POST /api/admin/products takes, and id. " +
      "Pictures, keys and shared secrets do not travel, and stay as they are; variantImage is the hash of one of the " +
      "product's pictures, and is left out where there is none. With createCategories, categories that there are not are made. At most 20,000 products.",
    request: {
      query: z.object({
        dryRun: flag.openapi({ description: "Only report what would happen" }),
        partial: flag.openapi({ description: "Store the good ones although others are wrong" }),
        createCategories: flag.openapi({
          description: "Make the categories that lines name and that there are not; titles come from the ids",
        }),
      }),
      body: { required: true, content: bodies },
    },
    responses: { 200: jsonResponse("The result of the import", reportSchema) },
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
    summary: "All products, the oldest first, in the form that an import takes",
    request: {
      query: z.object({
        format: z.enum(["csv", "ndjson"]).default("csv"),
        prices: z.enum(["minor", "decimal"]).default("minor").openapi({
          description: "Prices of a CSV in minor units, or in columns such as priceDecimal",
        }),
        separator: csvSeparatorSchema,
      }),
    },
    responses: {
      200: {
        description: "CSV with a byte order mark, or a JSON object on each line; streamed",
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
