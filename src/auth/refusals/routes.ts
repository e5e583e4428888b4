/** Why sign-ins by an application failed, for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { type AdminMiddleware, adminRoute } from "../edge/admin-views.ts";
import { createRoute } from "../edge/create-route.ts";
import { clientIdSchema } from "../base/ledger-schema.ts";
import { findDeviceLabel } from "../sessions/device-label.ts";
import { type RefusalView, refusalFieldsSchema } from "../applications/refusal-schema.ts";
import type { Refusals } from "./refusals.ts";

const refusalSchema = z
  .object({
    id: z.string(),
    ...refusalFieldsSchema.shape,
    at: isoTime,
    device: z
      .string()
      .openapi({ description: "Browser and operating system, or the User-Agent of a program" }),
    username: z.string().optional().openapi({ description: "The user who was denied, if known" }),
  })
  .openapi("ApplicationRefusal");
const toView = createView(refusalSchema);
/** As much of the user agent of a program that is no known browser. */
const MAX_DEVICE = 60;

/** Adds GET /api/admin/clients/{id}/refusals. */
export function addRefusalRoutes(
  app: ServiceApp,
  { refusals, admin }: { readonly refusals: Refusals; readonly admin: AdminMiddleware },
): void {
  const route = createRoute({
    ...adminRoute("applications", admin),
    method: "get",
    path: "/api/admin/clients/{id}/refusals",
    operationId: "adminListClientRefusals",
    summary: `List failed sign-ins to an application with their reasons, newest first. The ID "unknown" covers client IDs that are not registered`,
    request: {
      params: z.object({
        id: z
          .string()
          .pipe(clientIdSchema)
          .openapi({ param: { name: "id", in: "path" }, example: "grafana" }),
      }),
      query: pageQuerySchema,
    },
    responses: {
      200: jsonResponse("A page of refusals", pageSchema(refusalSchema), {
        items: [
          {
            id: "grafana:5f0c",
            at: "2025-11-20T12:10:00.000+00:00",
            reason: "redirect_uri",
            sent: "https://grafana.example.org/login/generic_oauth/",
            ipPrefix: "192.0.2.0/24",
            userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            device: "Firefox on Linux",
            times: 3,
            reference: "6f9f1b1e-5f0c-4c53-9c1b-0f6f7a1d2e3f",
          },
        ],
      }),
    },
  });
  app.openapi(route, async (c) => {
    const page = await refusals.list(c.req.valid("param").id, c.req.valid("query"));
    return c.json(
      toPageView(
        page,
        (item) =>
          toView(item, {
            device: findDeviceLabel(item.userAgent) ?? item.userAgent.slice(0, MAX_DEVICE),
          }) satisfies RefusalView,
      ),
      200,
    );
  });
}
