/** Responses of the catalogue: in the requested language, from cached texts, with entity tags. */
import type { Context } from "hono";
import { isKnownTag } from "../../kit/http/etag.ts";
import { toAcceptedLanguages } from "../../kit/text/accepted-languages.ts";
import { languageTag } from "../../kit/text/schemas.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CatalogueItem } from "./item.ts";
import { chooseLanguage } from "./languages.ts";
import { hashText } from "./text-hash.ts";
import { createProductTexts, toListedView, type ProductText, type ViewContext } from "./views.ts";

/** The query parameter that names a language. */
export const lang = languageTag
  .optional()
  .openapi({ description: "One of the shop's languages. Takes precedence over Accept-Language" });

/** The languages that a request asks for, the most wanted first: the one in the query, then those of the header. */
export function toLanguageRanges(asked: string | undefined, header: string = ""): string[] {
  const ranges = toAcceptedLanguages(header);
  return asked === undefined ? ranges : [asked, ...ranges];
}

/** Headers of every response in a language. */
function toHeaders(language: string): Record<string, string> {
  return { "cache-control": "no-cache", vary: "Accept-Language", "content-language": language };
}

const JSON_TYPE = { "content-type": "application/json" };

export type CatalogueAnswers = ReturnType<typeof createAnswers>;

/** Creates the answers of a catalogue; texts of products are shared by all its lists. */
export function createAnswers(catalogue: Pick<Catalogue, "site" | "tree">) {
  const toText = createProductTexts(toListedView);

  function readContext(c: Context, asked: string | undefined): ViewContext {
    const site = catalogue.site();
    const language = chooseLanguage(site.languages, toLanguageRanges(asked, c.req.header("accept-language")));
    return { site, tree: catalogue.tree(), language };
  }

  function send(c: Context, answer: ProductText, language: string) {
    const headers = { ...toHeaders(language), etag: answer.etag() };
    if (isKnownTag(c.req.header("if-none-match"), headers.etag)) return c.body(null, 304, headers);
    return c.body(answer.json, 200, { ...headers, ...JSON_TYPE });
  }

  return {
    readContext,
    /** Answers with a text that was made. */
    sendText: send,
    /** Answers with products, and where the next page begins. */
    sendList: (
      c: Context,
      list: {
        readonly items: readonly CatalogueItem[];
        readonly nextCursor?: string | undefined;
        readonly lang: string | undefined;
      },
    ) => {
      const context = readContext(c, list.lang);
      const texts = list.items.map((item) => toText(item, context));
      const rest = list.nextCursor === undefined ? "}" : `,"nextCursor":"${list.nextCursor}"}`;
      const etag = `"${hashText([...texts.map((text) => text.etag()), rest].join())}"`;
      const headers = { etag, ...toHeaders(context.language) };
      if (isKnownTag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
      const json = texts.map((text) => text.json).join(",");
      return c.body(`{"items":[${json}]${rest}`, 200, { ...headers, ...JSON_TYPE });
    },
  };
}

/** For the document. */
export const exampleProduct = {
  id: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
  slug: "red-mug",
  title: "Red mug",
  summary: "Holds a third of a litre",
  images: [],
  categoryId: "kitchen",
  tags: ["mug"],
  price: 1_290,
  currency: "EUR",
  sku: "MUG-R",
  variants: [],
  stock: { status: "in_stock" as const, mode: "tracked" as const, available: 12 },
  minQuantity: 1,
  maxQuantity: 10,
  deliveryType: "shipping" as const,
  inputs: [],
  views: 40,
  sold: 3,
  createdAt: "2026-01-31T12:00:00.000+00:00",
  updatedAt: "2026-01-31T12:00:00.000+00:00",
  version: 2,
};
