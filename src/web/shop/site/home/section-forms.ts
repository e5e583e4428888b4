/** The fields of each type of section of the home page. */
import type { CollectionView } from "../../../../shop/categories/answer-schema.ts";
import {
  type Section,
  type SectionType,
  type UnknownSection,
  collectionSectionSchema,
  columnsSchema,
  heroSchema,
  productsSectionSchema,
  questionsSchema,
  sectionTypes,
  storySchema,
} from "../../../../shop/site/storefront-schema.ts";
import { text } from "../../../app/texts.ts";
import type { Fault, ParsedForm } from "../../../ui/forms/parsed.ts";
import {
  type MadeForm,
  makeForm,
  pickFields,
  readForm,
  toBlank,
  toTyped,
} from "../../../ui/resource/form.ts";
import { listKind } from "../../../ui/resource/group-kinds.tsx";
import { type Form, toText } from "../../../ui/resource/kind.ts";
import { choiceKind } from "../../../ui/resource/kinds.tsx";
import { listedKind } from "../../../ui/resource/set-kinds.tsx";
import { translationsKind } from "../../kinds/translations-kind.tsx";
import { pictureKind } from "./picture-kind.tsx";

/** What the fields must know. */
export interface HomeContext {
  readonly languages: readonly string[];
  readonly collections: readonly Pick<CollectionView, "id" | "title">[];
}

const noFields = { id: false, type: false } as const;
const title = { title: "shop.home.title" } as const;
const sayings = { title: "shop.home.title", text: "shop.home.text", button: "shop.home.button" } as const;

const forms = {
  hero: makeForm<typeof heroSchema, HomeContext>({
    schema: heroSchema,
    words: "shop.home",
    fields: {
      ...noFields,
      image: { kind: pictureKind },
      translations: { kind: translationsKind<HomeContext>(sayings) },
    },
  }),
  story: makeForm<typeof storySchema, HomeContext>({
    schema: storySchema,
    words: "shop.home",
    fields: {
      ...noFields,
      text: { hint: "shop.home.markdown" },
      image: { kind: pictureKind },
      translations: { kind: translationsKind<HomeContext>(sayings) },
    },
  }),
  collection: makeForm<typeof collectionSectionSchema, HomeContext>({
    schema: collectionSectionSchema,
    words: "shop.home",
    fields: {
      ...noFields,
      collectionId: {
        kind: listedKind(({ context }) =>
          context.collections.map(({ id, title: label }) => ({ value: id, label })),
        ),
      },
      title: { hint: "shop.home.title.collection" },
      translations: { kind: translationsKind<HomeContext>(title) },
    },
  }),
  products: makeForm<typeof productsSectionSchema, HomeContext>({
    schema: productsSectionSchema,
    words: "shop.home",
    fields: {
      ...noFields,
      limit: { when: ({ show }) => show !== "all", keep: true },
      translations: { kind: translationsKind<HomeContext>(title) },
    },
  }),
  columns: makeForm<typeof columnsSchema, HomeContext>({
    schema: columnsSchema,
    words: "shop.home",
    fields: {
      ...noFields,
      items: {
        label: "shop.home.columns",
        kind: listKind<HomeContext>(
          { choice: choiceKind({ as: "list" }) },
          {
            members: {
              translations: {
                kind: translationsKind({ title: "shop.home.title", text: "shop.home.text" }),
              },
            },
            nameOf: (row, at) => toText(row["title"]) || text("shop.home.column", { number: at + 1 }),
            isHeaded: true,
          },
        ),
      },
      translations: { kind: translationsKind<HomeContext>(title) },
    },
  }),
  questions: makeForm<typeof questionsSchema, HomeContext>({
    schema: questionsSchema,
    words: "shop.home",
    fields: {
      ...noFields,
      items: {
        label: "shop.home.questions",
        kind: listKind<HomeContext>(
          {},
          {
            members: {
              translations: {
                kind: translationsKind({
                  question: "shop.home.questions.question",
                  answer: "shop.home.questions.answer",
                }),
              },
            },
            nameOf: (row, at) => toText(row["question"]) || text("shop.home.question", { number: at + 1 }),
            isHeaded: true,
          },
        ),
      },
      translations: { kind: translationsKind<HomeContext>(title) },
    },
  }),
} as const satisfies Record<SectionType, unknown>;

/** A section as it is edited; one of a newer version has no form. */
export interface SectionForm {
  readonly id: string;
  readonly type: string;
  readonly form: Form;
  /** As it is stored. */
  readonly kept?: UnknownSection;
}

/** The form of a type; undefined for one that this version does not know. */
export function findForm(type: string): MadeForm<HomeContext, never> | undefined {
  const known = sectionTypes.find((each) => each === type);
  return known && forms[known];
}

export function toSectionForm(section: Section | UnknownSection, context: HomeContext): SectionForm {
  const { id, type } = section;
  const form = findForm(type);
  if (form === undefined) return { id, type, form: {}, kept: section };
  return { id, type, form: toTyped(form, pickFields(form, section), context) };
}

/** A new one of a type. */
export function makeSection(type: SectionType, context: HomeContext): SectionForm {
  const form = findForm(type);
  const blank = form === undefined ? {} : toBlank(form);
  const [first] = context.collections;
  return {
    id: `${type}-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? "0"}`,
    type,
    form: type === "collection" && first !== undefined ? { ...blank, collectionId: first.id } : blank,
  };
}

/** The sections to send, or what is wrong with them. */
export function parseSections(
  sections: readonly SectionForm[],
  context: HomeContext,
): ParsedForm<{ sections: readonly object[] }, Fault> {
  const faults = new Map<string, Fault>();
  const read = sections.map(({ id, type, form: typed, kept }, index) => {
    const form = findForm(type);
    if (form === undefined) return kept ?? { id, type };
    const parsed = readForm<HomeContext, object>(form, typed, { context });
    if (parsed.ok) return { id, type, ...parsed.fields };
    for (const [at, fault] of parsed.faults) faults.set(`/storefront/sections/${index}${at}`, fault);
    return { id, type };
  });
  return faults.size > 0 ? { ok: false, faults } : { ok: true, fields: { sections: read } };
}
