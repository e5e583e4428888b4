/** Categories for administrators: /api/admin/categories. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { resourceRoutes } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import type { Categories } from "./categories.ts";
import { categoryChangeSchema, newCategorySchema } from "./change-schema.ts";
import { addShownRoutes } from "./shown-routes.ts";
import { adminCategoriesSchema, adminCategorySchema } from "./answer-schema.ts";
import { exampleCategory, toCategoryView } from "./views.ts";

const version = z.int().min(1).optional().openapi({ description: "Stale: 409" });
const changeSchema = categoryChangeSchema.extend({ version }).openapi("CategoryChange");
const newSchema = newCategorySchema.clone().openapi("NewCategory");

export function addAdminCategoryRoutes(
  app: ServiceApp,
  { categories, admin }: { readonly categories: Categories; readonly admin: AdminGuard },
): void {
  const kind = {
    path: "/api/admin/categories",
    tag: "admin categories",
    name: "Category",
    names: "Categories",
    noun: "category",
    nouns: "categories",
    params: idParams(exampleCategory.id),
    view: adminCategorySchema,
    example: exampleCategory,
    page: adminCategoriesSchema,
  } as const;
  resourceRoutes(app, {
    ...kind,
    route: adminRoute(kind.tag, admin),
    show: toCategoryView,
    listAll: { summary: "List all categories, including hidden ones", page: kind.page, run: categories.list },
    get: { summary: "A category", run: categories.get },
    create: {
      summary: "Create a category. If no ID is given, it is derived from the title. The ID is part of URLs",
      body: newSchema,
      example: { title: "Mugs", parentId: "kitchen" },
      errors: ["already_exists", "conflict"],
      run: (fields, { actor }) => categories.create(fields, actor),
    },
    change: {
      summary: "Change some fields; null clears a field",
      body: changeSchema,
      example: { status: "hidden", version: 3 },
      run: categories.change,
    },
    remove: {
      summary: "Delete a category. Its products are kept",
      ifMatch: true,
      errors: ["conflict"],
      run: categories.remove,
    },
  });
  addShownRoutes(
    app,
    {
      ...kind,
      arrangeSummary: "Set the order of the categories and their parents (parentId; null: top level)",
      arrange: async (items, actor) => (await categories.arrange(items, actor)).map(toCategoryView),
      setImage: async (id, options) => toCategoryView(await categories.setImage(id, options)),
      removeImage: async (id, by) => toCategoryView(await categories.removeImage(id, by)),
    },
    admin,
  );
}
