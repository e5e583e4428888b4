/** @jsxImportSource hono/jsx */
/** The sections that the owner set for the home page. */
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { listCollected } from "../../catalogue/chosen.ts";
import { findWordsIn, shownWordsIn } from "../../catalogue/languages.ts";
import { search } from "../../catalogue/search.ts";
import { renderMarkdown } from "../../legal/markdown.ts";
import { imageWidths, toImageAddress, toPlate, toSrcset } from "../../products/image-url.ts";
import type { ProductImage } from "../../products/schema.ts";
import type { Section } from "../../site/storefront-schema.ts";
import { Icon } from "../pieces/icons.tsx";
import type { Visit } from "../visit.tsx";
import { ProductRow } from "./product-row.tsx";

type OfType<T extends Section["type"]> = Extract<Section, { type: T }>;

interface SectionProps<T extends Section["type"]> {
  readonly section: OfType<T>;
  readonly visit: Visit;
  /** The first one has the page's title, and is in sight at once. */
  readonly isFirst: boolean;
}

/** Words in the visitor's language; those that it lacks stay. */
function inLanguage<T extends { readonly translations: Readonly<Record<string, object>> }>(
  source: T,
  language: string,
): T {
  const own = Object.entries(findWordsIn(source.translations, language) ?? {});
  return { ...source, ...Object.fromEntries(own.filter(([, word]) => word !== "")) };
}

function toHeadingId({ id }: Section): string {
  return `section-${id}`;
}

function Heading({
  id,
  isFirst,
  children,
}: {
  readonly id: string;
  readonly isFirst: boolean;
  readonly children: Child;
}) {
  return isFirst ? <h1 id={id}>{children}</h1> : <h2 id={id}>{children}</h2>;
}

function Picture({
  image,
  sizes,
  isFirst,
}: {
  readonly image: ProductImage;
  readonly sizes: string;
  readonly isFirst: boolean;
}) {
  return (
    <img
      class={`home-picture${toPlate(image)}`}
      src={`${toImageAddress(image.hash)}?w=${imageWidths[3]}`}
      srcset={toSrcset(image)}
      sizes={sizes}
      width={image.width}
      height={image.height}
      alt={image.alt}
      loading={isFirst ? undefined : "lazy"}
      fetchpriority={isFirst ? "high" : undefined}
    />
  );
}

/** The section's button; nothing without words and a target. */
function Action({
  button,
  link,
  isMain,
}: {
  readonly button: string;
  readonly link: string;
  readonly isMain: boolean;
}) {
  if (button === "" || link === "") return <></>;
  return (
    <p>
      <a class={isMain ? "button primary" : "button"} href={link}>
        {button}
      </a>
    </p>
  );
}

function Hero({ section, visit, isFirst }: SectionProps<"hero">) {
  const { image, title, text, button, link } = inLanguage(section, visit.sellersLanguage);
  const id = toHeadingId(section);
  return (
    <section
      class={image === undefined ? "home-hero" : "home-hero has-picture"}
      aria-labelledby={title === "" ? undefined : id}
    >
      {image === undefined ? <></> : <Picture image={image} sizes="100vw" isFirst={isFirst} />}
      {title === "" && text === "" && (button === "" || link === "") ? (
        <></>
      ) : (
        <div class="home-words stack">
          {title === "" ? (
            <></>
          ) : (
            <Heading id={id} isFirst={isFirst}>
              {title}
            </Heading>
          )}
          {text === "" ? <></> : <p class="lead pre-line">{text}</p>}
          <Action button={button} link={link} isMain />
        </div>
      )}
    </section>
  );
}

function Story({ section, visit }: SectionProps<"story">) {
  const { image, title, text, button, link, side } = inLanguage(section, visit.sellersLanguage);
  const id = toHeadingId(section);
  return (
    <section
      class={`home-story is-${side}${image === undefined ? "" : " has-picture"}`}
      aria-labelledby={title === "" ? undefined : id}
    >
      {image === undefined ? (
        <></>
      ) : (
        <Picture image={image} sizes="(max-width: 48rem) 100vw, 42rem" isFirst={false} />
      )}
      <div class="home-words stack">
        {title === "" ? <></> : <h2 id={id}>{title}</h2>}
        {text === "" ? <></> : <div class="text">{raw(renderMarkdown(text))}</div>}
        <Action button={button} link={link} isMain={false} />
      </div>
    </section>
  );
}

function Columns({ section, visit }: SectionProps<"columns">) {
  const { title, items } = inLanguage(section, visit.sellersLanguage);
  const id = toHeadingId(section);
  return (
    <section class="home-columns stack" aria-labelledby={title === "" ? undefined : id}>
      {title === "" ? <></> : <h2 id={id}>{title}</h2>}
      <ul>
        {items.map((item) => {
          const { icon, title: name, text } = inLanguage(item, visit.sellersLanguage);
          if (name === "" && text === "") return <></>;
          return (
            <li>
              {icon === "none" ? <></> : <Icon name={icon} />}
              <div>
                {name === "" ? <></> : <p class="home-column-name">{name}</p>}
                {text === "" ? <></> : <p class="muted pre-line">{text}</p>}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Questions({ section, visit }: SectionProps<"questions">) {
  const { title, items } = inLanguage(section, visit.sellersLanguage);
  const id = toHeadingId(section);
  return (
    <section class="home-questions stack" aria-labelledby={title === "" ? undefined : id}>
      {title === "" ? <></> : <h2 id={id}>{title}</h2>}
      <div>
        {items.map((item) => {
          const { question, answer } = inLanguage(item, visit.sellersLanguage);
          if (question === "" || answer === "") return <></>;
          return (
            <details>
              <summary>{question}</summary>
              <div class="text">{raw(renderMarkdown(answer))}</div>
            </details>
          );
        })}
      </div>
    </section>
  );
}

function Collected({
  section,
  visit,
  catalogue,
}: SectionProps<"collection"> & { readonly catalogue: Catalogue }) {
  const collection = catalogue.collections().find(({ id }) => id === section.collectionId);
  if (collection === undefined) return <></>;
  const own = shownWordsIn(collection, visit.sellersLanguage);
  const { title } = inLanguage(section, visit.sellersLanguage);
  return (
    <ProductRow
      id={toHeadingId(section)}
      title={title || own.title}
      description={own.description}
      path={`/collections/${collection.id}`}
      items={listCollected(catalogue, collection).slice(0, section.limit)}
      visit={visit}
    />
  );
}

/** The newest or best selling products. */
function Chosen({ section, visit, catalogue }: SectionProps<"products"> & { readonly catalogue: Catalogue }) {
  const { title, limit, show } = inLanguage(section, visit.sellersLanguage);
  const sort = show === "sold" ? "sold" : "newest";
  const { items } = search(catalogue, { isInStock: false, sort, limit });
  if (items.length === 0) return <></>;
  return (
    <ProductRow
      id={toHeadingId(section)}
      title={title || visit.t(sort === "sold" ? "list.sort.sold" : "home.newest")}
      description=""
      path={`/products?sort=${sort}`}
      items={items}
      visit={visit}
    />
  );
}

export interface HomeSectionsProps {
  /** Those that can be shown. */
  readonly sections: readonly Section[];
  readonly visit: Visit;
  readonly catalogue: Catalogue;
  /** The list of all products, with a title of its own or the usual one. */
  readonly showAll: (title: string) => Child;
}

function One({
  section,
  visit,
  catalogue,
  isFirst,
  showAll,
}: Omit<HomeSectionsProps, "sections"> & { readonly section: Section; readonly isFirst: boolean }): Child {
  const props = { visit, isFirst };
  switch (section.type) {
    case "hero":
      return <Hero section={section} {...props} />;
    case "story":
      return <Story section={section} {...props} />;
    case "columns":
      return <Columns section={section} {...props} />;
    case "questions":
      return <Questions section={section} {...props} />;
    case "collection":
      return <Collected section={section} {...props} catalogue={catalogue} />;
    case "products":
      return section.show === "all" ? (
        showAll(inLanguage(section, visit.sellersLanguage).title)
      ) : (
        <Chosen section={section} {...props} catalogue={catalogue} />
      );
  }
}

export function HomeSections({ sections, visit, ...rest }: HomeSectionsProps) {
  const [first] = sections;
  const hasTitle = first?.type === "hero" && inLanguage(first, visit.sellersLanguage).title !== "";
  return (
    <>
      {hasTitle ? <></> : <h1 class="for-readers">{visit.site.name}</h1>}
      {sections.map((section) => (
        <One section={section} visit={visit} isFirst={section === first} {...rest} />
      ))}
    </>
  );
}
