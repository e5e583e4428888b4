/** Taking accounts over from elsewhere and giving them away, as NDJSON. */
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import { findBodyFailure } from "../../kit/http/request-body.ts";
import type { UserExport } from "./export.ts";
import type { UserImport } from "./import.ts";
import { adminErrors } from "../http/admin-guard.ts";
import { type AdminMiddleware, adminRoute } from "../http/admin-views.ts";

const MEDIA_TYPE = "application/x-ndjson";
const exampleLine = '{"username":"ann","email":"ann@example.org","emailVerified":true,"points":30}\n';
/** Its type does not name the media type: zod-openapi's types take every name with "json" in it for JSON. */
const lines: Record<string, { schema: { type: "string" }; example: string }> = {
  [MEDIA_TYPE]: { schema: { type: "string" }, example: exampleLine },
};
const flag = z.enum(["true", "false"]).default("false");

const reportSchema = z
  .object({
    dryRun: z.boolean(),
    created: z.int(),
    skipped: z.int(),
    errors: z.array(z.object({ line: z.int(), code: z.string(), message: z.string() })),
  })
  .openapi("ImportReport", {
    example: {
      dryRun: false,
      created: 2,
      skipped: 1,
      errors: [{ line: 3, code: "username_taken", message: 'The username "ann" is taken' }],
    },
  });

function checkMediaType(header: string | undefined): void {
  const [type = "", ...parameters] = (header ?? "").toLowerCase().split(";");
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/u.test(charset);
  if (type.trim() === MEDIA_TYPE && isUtf8) return;
  throw new AppError("unsupported_media_type", `Send ${MEDIA_TYPE} in UTF-8: a JSON object on each line`);
}

async function readBytes(c: Context): Promise<Uint8Array> {
  try {
    return new Uint8Array(await c.req.arrayBuffer());
  } catch (cause) {
    throw findBodyFailure(c) ?? new AppError("bad_request", "The body could not be read", { cause });
  }
}

interface Parts {
  readonly userImport: UserImport;
  readonly userExport: UserExport;
  readonly admin: AdminMiddleware;
}

function addImportRoute(app: ServiceApp, { userImport, admin }: Parts): void {
  app.openapi(
    createRoute({
      ...adminRoute("users", admin),
      method: "post",
      path: "/api/admin/users/import",
      operationId: "adminImportUsers",
      summary: "Make an account of each line; at most 50,000 lines of 64 KiB",
      description:
        "A line has username, email and optionally emailVerified, displayName, passwordHash (argon2, bcrypt, " +
        "scrypt, pbkdf2), role, status, suspendedUntil, suspendedReason, points, createdAt, locale, timeZone. " +
        "Names and addresses that have an account are skipped.",
      request: {
        query: z.object({ dryRun: flag.openapi({ description: "Only tell what would happen" }) }),
        body: { required: true, content: { [MEDIA_TYPE]: { schema: z.string(), example: exampleLine } } },
      },
      responses: {
        200: jsonResponse("What became of the lines", reportSchema),
        ...problemResponses(
          ...adminErrors,
          "bad_request",
          "too_large",
          "unsupported_media_type",
          "invalid",
          "store_unavailable",
        ),
      },
    }),
    async (c) => {
      checkMediaType(c.req.header("content-type"));
      const dryRun = c.req.valid("query").dryRun === "true";
      const report = await userImport.run(await readBytes(c), { dryRun, actor: c.var.actor });
      return c.json({ ...report, errors: [...report.errors] }, 200);
    },
  );
}

/** Reads on only as fast as the client takes it. */
function toStream(parts: AsyncGenerator<string, void>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
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

function addExportRoute(app: ServiceApp, { userExport, admin }: Parts): void {
  app.openapi(
    createRoute({
      ...adminRoute("users", admin),
      method: "get",
      path: "/api/admin/users/export",
      operationId: "adminExportUsers",
      summary: "All accounts but deleted ones, the oldest first, in the form that an import takes",
      request: {
        query: z.object({ hashes: flag.openapi({ description: "With password hashes" }) }),
      },
      responses: {
        200: {
          description: "A JSON object on each line; streamed",
          content: lines,
        },
        ...problemResponses(...adminErrors, "invalid", "store_unavailable"),
      },
    }),
    async (c) => {
      const hashes = c.req.valid("query").hashes === "true";
      const parts = await userExport.start({ hashes, actor: c.var.actor });
      return c.body(toStream(parts), 200, {
        "content-type": MEDIA_TYPE,
        "content-disposition": 'attachment; filename="users.ndjson"',
        "cache-control": "no-store",
      });
    },
  );
}

/** Adds import and export; before the routes of {id}, which would take "export" for one. */
export function addAdminTransferRoutes(app: ServiceApp, parts: Parts): void {
  addImportRoute(app, parts);
  addExportRoute(app, parts);
}
