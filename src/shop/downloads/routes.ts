/** Files that go out: to buyers by the links of their order, and to administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import type { ProductFiles } from "../files/product-files.ts";
import { versionParams } from "../files/routes.ts";
import { contentResponses, toContentAnswer, toRangeProblem } from "./content-views.ts";
import type { Downloads } from "./downloads.ts";

interface DownloadParts {
  readonly downloads: Downloads;
  readonly productFiles: ProductFiles;
  readonly admin: AdminGuard;
}

/** Adds the routes that send files. */
export function addDownloadRoutes(app: ServiceApp, { downloads, productFiles, admin }: DownloadParts): void {
  const getDownload = createRoute({
    tags: ["downloads"],
    "x-access": "public",
    method: "get",
    path: "/api/downloads/{token}",
    operationId: "getDownload",
    summary: "Download a purchased file, or a byte range of it, by the link from its order",
    description:
      "Each link counts as one download when the first bytes are sent, regardless of the number of requests. HEAD requests do not count.",
    request: { params: z.object({ token: z.string().min(1).max(600) }) },
    responses: contentResponses,
    errors: [
      ...(["invalid", "not_found", "link_expired", "download_ended", "range_unsatisfiable"] as const),
      ...(["rate_limited", "store_unavailable"] as const),
    ],
  });
  app.openapi(getDownload, async (c) => {
    const found = await downloads.find(c.req.valid("param").token, c.var.clientAddress);
    const answer = toContentAnswer(c.req, found.version);
    if (answer === undefined) return toRangeProblem(found.version, c.var.requestId);
    const { status, headers, range } = answer;
    if (range === undefined) return c.body(null, status, headers);
    return c.body(await downloads.open(found, range, c.var.clientAddress), status, headers);
  });

  const adminGetFileContent = createRoute({
    ...adminRoute("admin files", admin),
    method: "get",
    path: "/api/admin/products/{id}/files/{fileId}/versions/{number}/content",
    operationId: "adminGetFileContent",
    summary: "Download a version of a file without counting it",
    request: { params: versionParams },
    responses: contentResponses,
    errors: ["invalid", "not_found", "range_unsatisfiable", "rate_limited", "store_unavailable"],
  });
  app.openapi(adminGetFileContent, async (c) => {
    const { id, ...params } = c.req.valid("param");
    const { version, stored } = await productFiles.find(id, params);
    const answer = toContentAnswer(c.req, version);
    if (answer === undefined) return toRangeProblem(version, c.var.requestId);
    const { status, headers, range } = answer;
    if (range === undefined) return c.body(null, status, headers);
    return c.body(downloads.openForAdmin(stored, range), status, headers);
  });
}
