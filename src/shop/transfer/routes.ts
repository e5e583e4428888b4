/** Products in and out for administrators, as CSV or NDJSON. */
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonResponse, problemResponses, writeErrors } from "../../kit/http/schemas.ts";
import { findBodyFailure } from "../../kit/http/request-body.ts";
import { productColumns } from "./product-rows.ts";
import type { ProductTransfer, TransferFormat } from "./product-transfer.ts";
import { type AdminGuard, adminErrors, adminRoute } from "../http/admin-guard.ts";

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
  })
  .openapi("ProductImportReport", {
    example: {
      ...{ dryRun: true, created: 2, updated: 1 },
      errors: [{ line: 3, code: "invalid", message: "price: is needed without variants" }],
    },
  });

function readFormat(header: string | undefined): TransferFormat {
  const [type = "", ...parameters] = (header ?? "").toLowerCase().split(";");
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/u.test(charset);
  if (isUtf8 && type.trim() === CSV) return "csv";
  if (isUtf8 && type.trim() === NDJSON) return "ndjson";
  throw new AppError("unsupported_media_type", `Send ${CSV} or ${NDJSON} in UTF-8`);
}

async function readBytes(c: Context): Promise<Uint8Array> {
  try {
    return new Uint8Array(await c.req.arrayBuffer());
  } catch (cause) {
    throw findBodyFailure(c) ?? new AppError("bad_request", "The body could not be read", { cause });
  }
}

interface TransferParts {
  readonly transfer: ProductTransfer;
  readonly admin: AdminGuard;
}

function addImportRoute(app: ServiceApp, { transfer, admin }: TransferParts): void {
  app.openapi(
    createRoute({
      ...adminRoute(TAG, admin),
      method: "post",
      path: "/api/admin/products/import",
      operationId: "adminImportProducts",
      summary: "Make and change products, found by id, else by slug; nothing is stored when a line is wrong",
      description:
        `CSV has these columns, of which any may be left out: ${productColumns.join(", ")}. One row is one variant; ` +
        "rows of one product follow each other with the same id or slug, and only the first one says more of the product. " +
        "Amounts are minor units. tags and variantOptions (name=value) are divided by |, inputs and translations are JSON. " +
        "A column that is left out changes nothing; an empty cell of a text, of tags, categoryId, compareAtPrice, inputs or " +
        "translations clears it, any other says nothing. With variant columns, variants that are not in the file go. " +
        "onHand sets the units on hand. An apostrophe before = + - @ is taken away. " +
        "NDJSON has on each line what POST /api/admin/products takes, and id. " +
        "Pictures, keys and shared secrets do not travel, and stay as they are. At most 20,000 products.",
      request: {
        query: z.object({
          dryRun: flag.openapi({ description: "Only report what would happen" }),
          partial: flag.openapi({ description: "Store the good ones although others are wrong" }),
        }),
        body: { required: true, content: bodies },
      },
      responses: {
        200: jsonResponse("What became of the lines", reportSchema),
        ...problemResponses(...adminErrors, ...writeErrors),
      },
    }),
    async (c) => {
      const format = readFormat(c.req.header("content-type"));
      const query = c.req.valid("query");
      const [dryRun, partial] = [query.dryRun === "true", query.partial === "true"];
      const options = { format, dryRun, partial, actor: c.var.actor };
      return c.json({ dryRun, ...(await transfer.import(await readBytes(c), options)) }, 200);
    },
  );
}

/** Reads on only as fast as the client takes it; the first part is read before there is an answer, which may be a refusal. */
async function toStream(
  parts: AsyncGenerator<string, void>,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const encoder = new TextEncoder();
  let first: IteratorResult<string, void> | undefined = await parts.next();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = first ?? (await parts.next());
        first = undefined;
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await parts.return();
      },
    },
    { highWaterMark: 0 },
  );
}

function addExportRoute(app: ServiceApp, { transfer, admin }: TransferParts): void {
  app.openapi(
    createRoute({
      ...adminRoute(TAG, admin),
      method: "get",
      path: "/api/admin/products/export",
      operationId: "adminExportProducts",
      summary: "All products, the oldest first, in the form that an import takes",
      request: { query: z.object({ format: z.enum(["csv", "ndjson"]).default("csv") }) },
      responses: {
        200: {
          description: "CSV with a byte order mark, or a JSON object on each line; streamed",
          content: bodies,
        },
        ...problemResponses(...adminErrors, "invalid"),
      },
    }),
    async (c) => {
      const { format } = c.req.valid("query");
      return c.body(await toStream(transfer.export(format)), 200, {
        "content-type": format === "csv" ? `${CSV}; charset=utf-8` : NDJSON,
        "content-disposition": `attachment; filename="products.${format}"`,
        "cache-control": "no-store",
      });
    },
  );
}

/** Adds import and export; before the routes of {id}, which would take "export" for one. */
export function addAdminProductTransferRoutes(app: ServiceApp, parts: TransferParts): void {
  addImportRoute(app, parts);
  addExportRoute(app, parts);
}
