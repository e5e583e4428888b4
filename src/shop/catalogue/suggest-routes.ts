/** GET /api/search/suggestions: for a search field that helps while people type. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { line } from "../../kit/text/schemas.ts";
import { createRoute } from "../edge/create-route.ts";
import { toCaller } from "../edge/user-guard.ts";
import { type CatalogueAnswers, exampleProduct, lang } from "./answers-views.ts";
import { shownWordsIn, wordsIn } from "./languages.ts";
import type { Suggest } from "./suggest.ts";
import { imageSchema, toImageView } from "./views.ts";

const MAX_PRODUCTS = 6;

const suggestionsSchema = z
  .object({
    products: z.array(
      z.object({
        id: z.string(),
        slug: z.string(),
        title: z.string(),
        price: z.int().min(0).openapi({ description: "Of the cheapest variant, in minor units" }),
        currency: z.string(),
        image: imageSchema.optional(),
      }),
    ),
    categories: z.array(z.object({ id: z.string(), title: z.string() })),
    total: z.int().min(0).openapi({ description: "Number of products that a search for `q` finds" }),
    match: z.enum(["exact", "similar", "partial"]).openapi({
      description:
        "exact: the products have all terms. similar: they have words that are spelled nearly so. partial: they have most of the terms",
    }),
    corrected: z
      .string()
      .optional()
      .openapi({ description: "`q` with likely typing errors corrected, if no product has it as typed" }),
  })
  .openapi("SearchSuggestions");

const summary = "Suggest products and categories while a visitor types";
const route = createRoute({
  tags: ["catalogue"],
  "x-access": "public" as const,
  method: "get",
  path: "/api/search/suggestions",
  operationId: "suggestProducts",
  summary,
  description: "Up to 300 requests a minute from one IP address.",
  request: {
    query: z.object({
      q: line(200).openapi({ description: "What was typed so far", example: "red mgu" }),
      lang,
    }),
  },
  responses: {
    200: jsonResponse(summary, suggestionsSchema, {
      products: [
        {
          id: exampleProduct.id,
          slug: exampleProduct.slug,
          title: exampleProduct.title,
          price: exampleProduct.price,
          currency: exampleProduct.currency,
        },
      ],
      categories: [{ id: "mugs", title: "Mugs" }],
      total: 1,
      match: "similar",
      corrected: "red mug",
    }),
  },
  errors: ["invalid", "rate_limited"],
});

export function addSuggestRoute(
  app: ServiceApp,
  { answers, suggest }: { readonly answers: CatalogueAnswers; readonly suggest: Suggest },
): void {
  app.openapi(route, (c) => {
    const { q, lang: asked } = c.req.valid("query");
    const { language } = answers.readContext(c, asked);
    const { items, categories, total, match, corrected } = suggest(q, {
      address: toCaller(c).clientAddress,
      count: MAX_PRODUCTS,
    });
    const products = items.map(({ product, price }) => {
      const { id, slug, currency, images } = product;
      const [image] = images;
      return {
        id,
        slug,
        title: wordsIn(product, language).title,
        price,
        currency,
        image: image && toImageView(image),
      };
    });
    return c.json(
      {
        products,
        categories: categories.map((category) => ({
          id: category.id,
          title: shownWordsIn(category, language).title,
        })),
        total,
        match,
        corrected,
      },
      200,
      { "cache-control": "no-store", "content-language": language },
    );
  });
}
