/** How the shop's own pages look, and the sections of its home page. */
import { z } from "zod";
import { languageTag, line, slug, text } from "../../kit/text/schemas.ts";

/** Sets of fonts, proportions and layouts (src/html/styles/storefront/looks). */
export const looks = ["plain", "editorial", "market"] as const;
export type Look = (typeof looks)[number];

/** Proportions of pictures in lists; "auto" is that of most pictures. */
export const pictureShapes = ["auto", "square", "portrait", "landscape"] as const;
export type PictureShape = (typeof pictureShapes)[number];

/** Symbols beside the reasons to trust the shop. */
export const columnIcons = ["none", "truck", "return", "shield", "heart", "leaf", "clock", "chat"] as const;

/** Sections of a home page at most. */
const MAX_SECTIONS = 24;

const sectionId = z
  .string()
  .regex(/^[a-z0-9-]{1,40}$/u, "must consist of lowercase letters, digits and hyphens");

/** A page of this shop, or another site. */
const link = line(500)
  .regex(
    /^(?:\/(?![/\\])[^\s\\]*|https?:\/\/[^\s\\]+)?$/u,
    "must be a path of this shop such as /collections/new, or a URL that starts with https:// or http://",
  )
  .default("");

/** A picture of POST /api/admin/site/pictures, as those of products are. */
export const sectionPictureSchema = z.object({
  hash: z.string().regex(/^[\da-f]{64}$/u, "must be the hash of an uploaded picture"),
  mediaType: z.enum(["image/png", "image/jpeg", "image/webp"]),
  width: z.number().int().min(1),
  height: z.number().int().min(1),
  bytes: z.number().int().min(0),
  alt: line(300),
});

/** The same words in languages beside the first of the site's. */
const inLanguages = <S extends z.ZodRawShape>(words: S) =>
  z.record(languageTag, z.strictObject(words).partial()).default({});

const shared = { id: sectionId };
const title = line(160);
const words = { title, text: text(1_000), button: line(60) };

/** A large picture with a title and one button. */
export const heroSchema = z.strictObject({
  ...shared,
  type: z.literal("hero"),
  title: title.default(""),
  text: text(1_000).default(""),
  button: line(60).default(""),
  link,
  image: sectionPictureSchema.optional(),
  translations: inLanguages(words),
});

/** Products of a collection. */
export const collectionSectionSchema = z.strictObject({
  ...shared,
  type: z.literal("collection"),
  collectionId: slug,
  /** "" is the title of the collection. */
  title: title.default(""),
  limit: z.number().int().min(2).max(24).default(4),
  translations: inLanguages({ title }),
});

/** Products of the shop: all with sorting and filters, or the newest or best selling. */
export const productsSectionSchema = z.strictObject({
  ...shared,
  type: z.literal("products"),
  show: z.enum(["all", "newest", "sold"]).default("all"),
  title: title.default(""),
  /** Of the newest and best selling. */
  limit: z.number().int().min(2).max(24).default(8),
  translations: inLanguages({ title }),
});

/** Text beside a picture. */
export const storySchema = z.strictObject({
  ...shared,
  type: z.literal("story"),
  title: title.default(""),
  /** Markdown. */
  text: text(5_000).default(""),
  button: line(60).default(""),
  link,
  image: sectionPictureSchema.optional(),
  /** Where the picture is, beside the text. */
  side: z.enum(["start", "end"]).default("start"),
  translations: inLanguages({ ...words, text: text(5_000) }),
});

const columnWords = { title: line(80), text: text(300) };
const columnSchema = z.strictObject({
  icon: z.enum(columnIcons).default("none"),
  title: columnWords.title.default(""),
  text: columnWords.text.default(""),
  translations: inLanguages(columnWords),
});

/** Reasons to trust the shop, side by side. */
export const columnsSchema = z.strictObject({
  ...shared,
  type: z.literal("columns"),
  title: title.default(""),
  items: z.array(columnSchema).max(4).default([]),
  translations: inLanguages({ title }),
});

const answerWords = { question: line(200), answer: text(3_000) };
const answerSchema = z.strictObject({
  question: answerWords.question.default(""),
  /** Markdown. */
  answer: answerWords.answer.default(""),
  translations: inLanguages(answerWords),
});

/** Questions that open to their answers. */
export const questionsSchema = z.strictObject({
  ...shared,
  type: z.literal("questions"),
  title: title.default(""),
  items: z.array(answerSchema).max(30).default([]),
  translations: inLanguages({ title }),
});

export const knownSectionSchema = z.discriminatedUnion("type", [
  heroSchema,
  collectionSectionSchema,
  productsSectionSchema,
  storySchema,
  columnsSchema,
  questionsSchema,
]);
export type Section = z.infer<typeof knownSectionSchema>;
export type SectionType = Section["type"];
export const sectionTypes = [
  "hero",
  "collection",
  "products",
  "story",
  "columns",
  "questions",
] as const satisfies readonly SectionType[];

/** A section of a newer version: it is kept as it is, and not shown. */
export type UnknownSection = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly type: string;
};

/** Whether this version can show a section. */
export function isKnownSection(section: Section | UnknownSection): section is Section {
  return sectionTypes.some((type) => type === section.type);
}

/** The names of the known types in the OpenAPI document, where each is a component. */
export const sectionComponents = {
  hero: { name: "HeroSection", schema: heroSchema },
  collection: { name: "CollectionSection", schema: collectionSectionSchema },
  products: { name: "ProductsSection", schema: productsSectionSchema },
  story: { name: "StorySection", schema: storySchema },
  columns: { name: "ColumnsSection", schema: columnsSchema },
  questions: { name: "QuestionsSection", schema: questionsSchema },
} as const satisfies Record<SectionType, { name: string; schema: z.ZodType }>;

export const UNKNOWN_SECTION = "UnknownSection";

/** A union by its type, for clients that are generated: the schema below would read as an object with any members. */
function describeSections(): Record<string, unknown> {
  const refs = sectionTypes.map((type) => {
    const $ref = `#/components/schemas/${sectionComponents[type].name}`;
    return [type, { $ref }] as const;
  });
  return {
    type: "object",
    description: "A section. Answers may have sections that another version added, which requests may not",
    oneOf: [
      {
        type: "object",
        oneOf: refs.map(([, ref]) => ref),
        discriminator: {
          propertyName: "type",
          mapping: Object.fromEntries(refs.map(([type, { $ref }]) => [type, $ref])),
        },
      },
      { $ref: `#/components/schemas/${UNKNOWN_SECTION}` },
    ],
  };
}

const anySectionSchema = z
  .looseObject({ id: sectionId, type: z.string().min(1).max(40) })
  .transform((section, context): Section | UnknownSection => {
    if (!isKnownSection(section)) return section;
    const parsed = knownSectionSchema.safeParse(section);
    if (parsed.success) return parsed.data;
    // Each with the place of the member that is wrong.
    for (const { path, message } of parsed.error.issues)
      context.addIssue({ code: "custom", path, message, input: section });
    return z.NEVER;
  })
  .meta(describeSections());

export const storefrontSchema = z.strictObject({
  look: z.enum(looks).default("plain"),
  pictures: z.enum(pictureShapes).default("auto"),
  /** Of the home page, in their order; none: all collections and products. */
  sections: z
    .array(anySectionSchema)
    .max(MAX_SECTIONS)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "must not repeat an ID")
    .default([]),
  footer: z
    .strictObject({
      /** A sentence about the shop, on every page. */
      text: text(500).default(""),
      translations: z.record(languageTag, text(500)).default({}),
    })
    .prefault({}),
});
export type Storefront = z.infer<typeof storefrontSchema>;
