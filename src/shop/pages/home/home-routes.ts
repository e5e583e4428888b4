/** The home page for administrators: its pictures, and how it would look. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../../kit/http/schemas.ts";
import { languages } from "../../../kit/text/languages.ts";
import { line } from "../../../kit/text/schemas.ts";
import type { Blobs } from "../../base/blobs.ts";
import type { ImageSizePlace } from "../../base/resize.ts";
import { type AdminGuard, adminRoute } from "../../edge/admin-guard.ts";
import { createRoute } from "../../edge/create-route.ts";
import { takeUpload } from "../../images/images.ts";
import { pictureErrors, readPicture, uploadBody, uploadMediaTypes } from "../../images/picture-views.ts";
import { adminImageSchema } from "../../products/answer-schema.ts";
import { toImageView } from "../../products/views.ts";
import { sitePatchSchema } from "../../settings/answer-schema.ts";
import {
  type SectionType,
  type knownSectionSchema,
  UNKNOWN_SECTION,
  sectionComponents,
  sectionTypes,
} from "../../site/storefront-schema.ts";
import type { SiteAdmin } from "../../settings/settings-admin.ts";
import { toColorSheet } from "../../site/brand-routes.ts";
import type { Visits } from "../visit.tsx";
import { type HomePreview, homePreviewSchema } from "./answer-schema.ts";
import { type HomeParts, showHome } from "./home.tsx";
import { findSectionProblem } from "./section-state.ts";

interface HomeRouteParts extends HomeParts {
  readonly admin: AdminGuard;
  readonly blobs: Blobs;
  readonly sizes?: ImageSizePlace;
  readonly siteAdmin: Pick<SiteAdmin, "preview">;
  readonly visits: Pick<Visits, "openPreview">;
}

const TAG = "admin site";
const exampleHash = "9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab";

const exampleImage = {
  hash: exampleHash,
  mediaType: "image/jpeg" as const,
  width: 2_400,
  height: 1_200,
  bytes: 412_345,
  alt: "A table with mugs",
  url: `/api/images/${exampleHash}`,
  srcset: `/api/images/${exampleHash}?w=640 640w, /api/images/${exampleHash} 2400w`,
};

/** One of each type. */
const sectionExamples = {
  hero: { id: "hero", type: "hero", title: "Mugs that last", button: "Shop now", link: "/products" },
  collection: { id: "summer", type: "collection", collectionId: "summer", limit: 4 },
  products: { id: "all", type: "products", show: "all" },
  story: { id: "about", type: "story", title: "One kiln", text: "Made **by hand**.", side: "end" },
  columns: { id: "why", type: "columns", items: [{ icon: "truck", title: "Free shipping" }] },
  questions: {
    id: "faq",
    type: "questions",
    items: [{ question: "Can I return a product?", answer: "Within 30 days." }],
  },
} as const satisfies Record<SectionType, z.input<typeof knownSectionSchema>>;

/** Sections of the other types. */
const unknownSection = z.looseObject({
  id: z.string(),
  type: z.string().openapi({ not: { enum: [...sectionTypes] } }),
});

const previewBodySchema = z
  .strictObject({
    ...sitePatchSchema.pick({ storefront: true, branding: true }).shape,
    language: z.enum(languages).default("en"),
    theme: z.enum(["auto", "light", "dark"]).default("auto"),
  })
  .openapi("HomePreviewRequest");

function addPictureRoute(app: ServiceApp, { admin, ...deps }: HomeRouteParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: "/api/admin/site/pictures",
    operationId: "adminAddSitePicture",
    summary: "Upload a picture for a section of the home page. A section shows it as its image",
    request: {
      query: z.object({ alt: line(300).default("").openapi({ description: "Alternative text" }) }),
      body: uploadBody,
    },
    responses: { 201: jsonResponse("The picture", adminImageSchema, exampleImage) },
    errors: pictureErrors,
  });
  app.openapi(route, async (c) => {
    const kept = await takeUpload(deps, await readPicture(c.req, uploadMediaTypes));
    return c.json(toImageView({ ...kept, alt: c.req.valid("query").alt }), 201);
  });
}

function addPreviewRoute(app: ServiceApp, parts: HomeRouteParts): void {
  const { admin, siteAdmin, visits, catalogue, findLost } = parts;
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: "/api/admin/site/preview",
    operationId: "adminPreviewHome",
    "x-scope": "shop-settings:read",
    summary:
      "Render the home page with settings that are not stored, and list the sections that are left out",
    request: {
      body: jsonBody(previewBodySchema, {
        storefront: {
          look: "editorial",
          sections: [sectionExamples.hero, sectionExamples.products],
        },
        language: "en",
      }),
    },
    responses: {
      200: jsonResponse("The page, and what is wrong with its sections", homePreviewSchema, {
        html: "<!doctype html>…",
        problems: [{ id: "summer", problem: "collection_gone" }],
      }),
    },
    errors: [...writeErrors],
  });
  app.openapi(route, async (c) => {
    const { language, theme, ...patch } = c.req.valid("json");
    const site = await siteAdmin.preview(patch);
    const { color } = site.branding;
    // `as`: pages set none of the variables that only administrators' requests have.
    const visit = await visits.openPreview(c as unknown as Context<AppEnv>, {
      site,
      language,
      theme,
      styles: color === "" ? [] : [toColorSheet(color)],
    });
    const page = await showHome(visit, parts);
    const lost = await findLost(site);
    const problems = site.storefront.sections.flatMap((section): HomePreview["problems"] => {
      const problem = findSectionProblem(section, { catalogue, lost });
      return problem === undefined ? [] : [{ id: section.id, problem }];
    });
    return c.json({ html: await page.text(), problems }, 200);
  });
}

/** Adds POST /api/admin/site/pictures and /api/admin/site/preview. */
export function addHomeRoutes(app: ServiceApp, parts: HomeRouteParts): void {
  for (const type of sectionTypes) {
    const { name, schema } = sectionComponents[type];
    // Created here: schemas of other modules may lack the method that the registry calls.
    const described = z.strictObject({ ...schema.shape }).openapi({ example: sectionExamples[type] });
    app.openAPIRegistry.register(name, described);
  }
  app.openAPIRegistry.register(UNKNOWN_SECTION, unknownSection);
  addPictureRoute(app, parts);
  addPreviewRoute(app, parts);
}
