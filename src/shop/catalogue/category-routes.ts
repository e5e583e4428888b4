/** GET /api/site/categories: all categories with how many products each has. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import type { CategoryRecord } from "../categories/schema.ts";
import { createRoute } from "../edge/create-route.ts";
import { categorySchema } from "../site/schema.ts";
import { type CatalogueAnswers, lang } from "./answers-views.ts";
import type { Catalogue } from "./catalogue.ts";
import { shownWordsIn } from "./languages.ts";
import { hashText } from "./text-hash.ts";
import { imageSchema, toImageView, type ProductText, type ViewContext } from "./views.ts";

const categoryViewSchema = z.object({
  ...categorySchema.shape,
  image: imageSchema.optional(),
  products: z
    .int()
    .min(0)
    .openapi({ description: "Number of published products in the category and its subcategories" }),
});
const categoriesSchema = z.object({ items: z.array(categoryViewSchema) }).openapi("SiteCategories");

const summary = "List the categories in display order";
const route = createRoute({
  tags: ["site"],
  "x-access": "public" as const,
  method: "get",
  path: "/api/site/categories",
  operationId: "listSiteCategories",
  summary,
  request: { query: z.object({ lang }) },
  responses: {
    200: jsonResponse(summary, categoriesSchema, {
      items: [
        {
          id: "mugs",
          title: "Mugs",
          description: "",
          parentId: "kitchen",
          sortOrder: 2,
          products: 12,
        },
      ],
    }),
    304: { description: "Not modified since the ETag in If-None-Match" },
  },
  errors: ["invalid"],
});

function toView(catalogue: Pick<Catalogue, "countIn">, category: CategoryRecord, context: ViewContext) {
  const { id, parentId = "", sortOrder, image } = category;
  return {
    id,
    ...shownWordsIn(category, context.language),
    parentId,
    sortOrder,
    image: image && toImageView(image),
    products: catalogue.countIn(context.tree.withDescendants(id)),
  };
}

/** Texts of the whole list by language, until a category or what is in one changes. */
function createTexts(catalogue: Pick<Catalogue, "countIn" | "inCategories">) {
  let texts = new Map<string, ProductText>();
  let madeFor: { readonly tree: object; readonly inCategories: object } | undefined;
  return (context: ViewContext): ProductText => {
    const inCategories = catalogue.inCategories();
    if (madeFor?.tree !== context.tree || madeFor.inCategories !== inCategories) {
      texts = new Map();
      madeFor = { tree: context.tree, inCategories };
    }
    const known = texts.get(context.language);
    if (known !== undefined) return known;
    const items = context.tree.visible.map((category) => toView(catalogue, category, context));
    const json = JSON.stringify({ items });
    const etag = `"${hashText(json)}"`;
    const made = { json, etag: () => etag };
    texts.set(context.language, made);
    return made;
  };
}

export function addCategoryRoute(
  app: ServiceApp,
  { catalogue, answers }: { readonly catalogue: Catalogue; readonly answers: CatalogueAnswers },
): void {
  const toText = createTexts(catalogue);
  app.openapi(route, (c) => {
    const context = answers.readContext(c, c.req.valid("query").lang);
    return answers.sendText(c, toText(context), context.language);
  });
}
