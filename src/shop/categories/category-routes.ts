/** Categories for administrators: /api/admin/categories. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import type { AdminGuard } from "../edge/admin-guard.ts";
import type { Categories } from "./categories.ts";
import { categoryChangeSchema, newCategorySchema } from "./input.ts";
import { addShownRoutes } from "./shown-routes.ts";
import { adminCategorySchema, exampleCategory, toCategoryView } from "./views.ts";

const version = z.int().min(1).optional().openapi({ description: "Stale: 409" });
const changeSchema = categoryChangeSchema.extend({ version }).openapi("CategoryChange");
const newSchema = newCategorySchema.openapi("NewCategory");

export function addAdminCategoryRoutes(
  app: ServiceApp,
  { categories, admin }: { readonly categories: Categories; readonly admin: AdminGuard },
): void {
  addShownRoutes(
    app,
    {
      path: "/api/admin/categories",
      tag: "admin categories",
      name: "Category",
      plural: "Categories",
      schemas: { new: newSchema, change: changeSchema },
      viewSchema: adminCategorySchema,
      examples: { new: { title: "Mugs", parentId: "kitchen" }, view: exampleCategory },
      arrangeSummary:
        "Put categories in this order, and below others where parentId says so (null: at the top)",
      list: async () => (await categories.list()).map(toCategoryView),
      get: async (id) => toCategoryView(await categories.get(id)),
      create: async (body, actor) => toCategoryView(await categories.create(newSchema.parse(body), actor)),
      change: async (id, body, by) => {
        const { version: fromBody, ...fields } = changeSchema.parse(body);
        return toCategoryView(await categories.change(id, fields, { ...by, version: fromBody }));
      },
      remove: categories.remove,
      arrange: async (items, actor) => (await categories.arrange(items, actor)).map(toCategoryView),
      setImage: async (id, options) => toCategoryView(await categories.setImage(id, options)),
      removeImage: async (id, by) => toCategoryView(await categories.removeImage(id, by)),
    },
    admin,
  );
}
