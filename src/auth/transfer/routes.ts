/** Taking accounts, groups and applications over from elsewhere and giving them away, as NDJSON. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { readBytes, readUtf8Type } from "../../kit/http/request-body.ts";
import { toByteStream } from "../../kit/text/byte-lines.ts";
import type { UserExport } from "./export.ts";
import type { UserImport } from "./import.ts";
import { type AdminMiddleware, adminRoute } from "../edge/admin-views.ts";
import { createRoute } from "../edge/create-route.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

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

interface Parts {
  readonly userImport: UserImport;
  readonly userExport: UserExport;
  readonly admin: AdminMiddleware;
}

function addImportRoute(app: ServiceApp, { userImport, admin }: Parts): void {
  const route = createRoute({
    ...adminRoute("users", admin),
    method: "post",
    path: "/api/admin/users/import",
    operationId: "adminImportUsers",
    "x-scope": "administrator",
    summary: "Import accounts, groups and applications, one per line. Up to 50,000 lines of 64 KiB each",
    description:
      "A line has username, email and optionally emailVerified, displayName, passwordHash (argon2, bcrypt, " +
      "scrypt, pbkdf2), role, status, suspendedUntil, suspendedReason, points, createdAt, locale, timeZone, " +
      "groups. With type group it has id, title; with type application what POST /api/admin/clients takes, " +
      "enabled and secretHash. Groups must precede the lines that use them. Existing records are skipped.",
    request: {
      query: z.object({
        dryRun: flag.openapi({ description: "Whether to validate only, without storing anything" }),
      }),
      body: { required: true, content: { [MEDIA_TYPE]: { schema: z.string(), example: exampleLine } } },
    },
    responses: { 200: jsonResponse("The result of the import", reportSchema) },
  });
  app.openapi(route, async (c) => {
    if (readUtf8Type(c.req.header("content-type")) !== MEDIA_TYPE)
      throw new AppError(
        "unsupported_media_type",
        `The body must be ${MEDIA_TYPE} in UTF-8, with one JSON object per line`,
      );
    const dryRun = c.req.valid("query").dryRun === "true";
    const report = await userImport.run(await readBytes(c), { dryRun, actor: c.var.actor });
    return c.json({ ...report, errors: [...report.errors] }, 200);
  });
}

function addExportRoute(app: ServiceApp, { userExport, admin }: Parts): void {
  const route = createRoute({
    ...adminRoute("users", admin),
    method: "get",
    [FRESH_PROOF]: true,
    path: "/api/admin/users/export",
    operationId: "adminExportUsers",
    "x-scope": "administrator",
    summary:
      "Export all accounts except deleted ones, oldest first, in the import format. Optionally includes groups and applications",
    request: {
      query: z.object({
        hashes: flag.openapi({
          description: "Whether to include password hashes and hashes of application secrets",
        }),
        applications: flag.openapi({
          description: "Whether to include groups, group members and applications",
        }),
      }),
    },
    responses: {
      200: {
        description: "One JSON object per line, streamed",
        content: lines,
      },
    },
    errors: ["invalid", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const { hashes, applications } = c.req.valid("query");
    const parts = await userExport.start({
      hashes: hashes === "true",
      applications: applications === "true",
      actor: c.var.actor,
    });
    return c.body(await toByteStream(parts), 200, {
      "content-type": MEDIA_TYPE,
      "content-disposition": 'attachment; filename="users.ndjson"',
      "cache-control": "no-store",
    });
  });
}

/** Adds import and export; before the routes of {id}, which would take "export" for one. */
export function addAdminTransferRoutes(app: ServiceApp, parts: Parts): void {
  addImportRoute(app, parts);
  addExportRoute(app, parts);
}
