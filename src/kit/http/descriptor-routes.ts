/** A service's descriptor at `/` and `/api`. */
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "./app.ts";

export interface DescriptorOptions<T extends z.ZodType> {
  /** Name of the document; default "descriptor". */
  readonly noun?: "descriptor" | "index";
  /** Default "What this service is". */
  readonly summary?: string;
  readonly schema: T;
  /** Asked at each request, since routes are added after these. */
  readonly describe: () => z.output<T>;
  /** The page that people get at `/` instead. */
  readonly page?: {
    readonly name: string;
    readonly wants: (c: Context<AppEnv>) => boolean;
    readonly show: (c: Context<AppEnv>) => Promise<Response>;
  };
}

export function addDescriptorRoutes<T extends z.ZodType>(
  app: ServiceApp,
  options: DescriptorOptions<T>,
): void {
  const { noun = "descriptor", summary = "Service descriptor", schema, describe } = options;
  for (const path of ["/", "/api"]) {
    const page = path === "/" ? options.page : undefined;
    const route = createRoute({
      method: "get",
      path,
      operationId: `get${path === "/" ? "Root" : ""}${noun === "index" ? "Index" : "Descriptor"}`,
      tags: ["operation"],
      "x-access": "public",
      summary,
      responses: {
        200: {
          description: `The ${noun}${page === undefined ? "" : `, or ${page.name} if the client accepts HTML`}`,
          content: {
            "application/json": { schema },
            ...(page === undefined ? {} : { "text/html": { schema: z.string() } }),
          },
        },
      },
    });
    app.openapi(route, async (c) => {
      if (page === undefined) return c.json(describe(), 200);
      return page.wants(c) ? page.show(c) : c.json(describe(), 200, { vary: "Accept" });
    });
  }
}
