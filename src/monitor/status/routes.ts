/** Administration of status pages: list, create, replace, change, delete. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { AppError } from "../../kit/errors.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import { adminRoute, resourceRoutes } from "../edge/create-route.ts";
import type { PublicAddress } from "../base/public-url.ts";
import { type StatusPageView, statusPageViewSchema } from "./post-schema.ts";
import { type StatusPageRecord, statusPageFieldsSchema } from "./schema.ts";
import type { Status } from "./status.ts";

const example = {
  slug: "main",
  title: "Northwind status",
  components: [
    { name: "Website", source: { type: "check" as const, checkId: "chk_01jd5v6m0c8f3k2n7q4x9y1z5a" } },
  ],
};
const exampleView: StatusPageView = {
  ...statusPageFieldsSchema.parse(example),
  id: "stp_01jd5v6m0c8f3k2n7q4x9y1z5a",
  version: 1,
  statuses: { cmp_01jd5v6m0c8f3k2n7q4x9y1z5b: "operational" },
  createdAt: "2025-11-20T12:00:00+00:00",
  updatedAt: "2025-11-20T12:00:00+00:00",
};

/** The parameter of the routes of one page. */
export const pageParams = z.object({
  pageId: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: "pageId", in: "path" }, example: exampleView.id }),
});
const version = z.number().int().min(1).optional();
const replaceSchema = statusPageFieldsSchema.extend({ version });
const changeSchema = toPatchSchema(statusPageFieldsSchema).extend({ version });

/** Dependencies of administrators' routes. */
export interface StatusRouteParts {
  readonly status: Pick<Status, "pages" | "posts" | "board">;
  readonly guard: MiddlewareHandler<GuardEnv>;
}

interface PageRouteParts extends StatusRouteParts {
  /** Where people reach the monitor: no page takes that host. */
  readonly address: PublicAddress;
}

/** @throws AppError `invalid` for the host by which the monitor itself is reached: its console would be gone */
function checkHost({ address }: PageRouteParts, host: unknown, requestUrl: string): void {
  if (host === undefined || host === "") return;
  const own = [requestUrl, address.toUrl(requestUrl)].map((url) => new URL(url).hostname);
  if (typeof host !== "string" || !own.includes(host)) return;
  const message = "is the host of the monitor, whose console would become unreachable";
  const errors = [{ pointer: "/host", code: "invalid", message }];
  throw new AppError("invalid", "The host is not allowed for a status page", { errors });
}

function toView({ board }: StatusRouteParts["status"], record: StatusPageRecord): StatusPageView {
  const { createdAt, updatedAt, ...fields } = record;
  const components = board.findById(record.id)?.components ?? [];
  return {
    ...fields,
    statuses: Object.fromEntries(components.map(({ id, status }) => [id, status])),
    createdAt: toIsoTime(createdAt),
    updatedAt: toIsoTime(updatedAt),
  };
}

/** Adds the routes below /api/admin/status-pages that are about pages themselves. */
export function addStatusPageRoutes(app: ServiceApp, parts: PageRouteParts): void {
  const { status, guard } = parts;
  const { pages } = status;
  resourceRoutes(app, {
    route: adminRoute("status", guard),
    path: "/api/admin/status-pages",
    name: "StatusPage",
    noun: "status page",
    params: pageParams,
    view: statusPageViewSchema,
    example: exampleView,
    show: (record: StatusPageRecord) => toView(status, record),
    listAll: {
      summary: "List status pages. The first published page is also at /status",
      run: pages.list,
    },
    get: { run: pages.get },
    create: {
      body: statusPageFieldsSchema,
      example,
      errors: ["conflict"],
      run: (fields, { actor, context }) => {
        checkHost(parts, fields.host, context.req.url);
        return pages.create(fields, actor);
      },
    },
    replace: {
      summary: "Replace a status page. Components keep their uptime history if their ID is sent back",
      body: replaceSchema,
      example: { ...example, version: 1 },
      errors: ["conflict"],
      run: (id, fields, by) => {
        checkHost(parts, fields.host, by.context.req.url);
        return pages.replace(id, { fields, ...by });
      },
    },
    change: {
      summary: "Change some fields of a status page. Lists are replaced as a whole",
      body: changeSchema,
      example: { title: "Status of Northwind" },
      errors: ["conflict"],
      run: (id, patch, by) => {
        checkHost(parts, patch.host, by.context.req.url);
        return pages.change(id, { patch, ...by });
      },
    },
    remove: {
      summary: "Delete a status page with its posts and subscribers",
      run: (id, { actor }) => pages.remove(id, actor),
    },
  });
}
