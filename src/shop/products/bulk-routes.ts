/** Many products at once, and a product made from another one, for administrators. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse } from "../../kit/http/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { bulkChangeSchema } from "./bulk-schema.ts";
import { changeMany } from "./bulk.ts";
import type { Products } from "./products.ts";
import { adminProductSchema, productBulkResultsSchema } from "./answer-schema.ts";
import { exampleAdminProduct, toAdminProductView, toProductTag } from "./views.ts";

const TAG = "admin products";
const PATH = "/api/admin/products";

interface BulkParts {
  readonly products: Products;
  readonly admin: AdminGuard;
}

function addBulkRoute(app: ServiceApp, { products, admin }: BulkParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/bulk`,
    operationId: "adminChangeProducts",
    summary:
      "Publish, hide, archive, categorize or delete up to 100 products. Each product has its own result",
    description:
      "hide turns products into drafts. Products that were sold cannot be deleted; archive them instead.",
    request: {
      body: jsonBody(bulkChangeSchema.clone().openapi("ProductBulkChange"), {
        action: "publish",
        ids: [exampleAdminProduct.id],
      }),
    },
    responses: {
      200: jsonResponse("The result for each item", productBulkResultsSchema, {
        items: [{ id: exampleAdminProduct.id, result: "done" }],
      }),
    },
  });
  app.openapi(route, async (c) => {
    const wanted = { ...c.req.valid("json"), actor: c.var.actor };
    return c.json({ items: await changeMany(products, wanted) }, 200);
  });
}

function addDuplicateRoute(app: ServiceApp, { products, admin }: BulkParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/{id}/duplicate`,
    operationId: "adminDuplicateProduct",
    summary: "Duplicate a product as a draft with its images, but without stock, license keys and files",
    request: { params: idParams(exampleAdminProduct.id) },
    responses: {
      201: jsonResponse("The new product", adminProductSchema, exampleAdminProduct),
    },
  });
  app.openapi(route, async (c) => {
    const made = await products.duplicate(c.req.valid("param").id, c.var.actor);
    c.header("etag", toProductTag(made.product));
    c.header("location", `${PATH}/${made.product.id}`);
    return c.json(toAdminProductView(made), 201);
  });
}

export function addProductBulkRoutes(app: ServiceApp, parts: BulkParts): void {
  addBulkRoute(app, parts);
  addDuplicateRoute(app, parts);
}
