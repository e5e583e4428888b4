/** The form of a status page. */
import { type Language, languageNames } from "../../../kit/text/languages.ts";
import type { StatusPageView } from "../../../monitor/status/post-schema.ts";
import { statusPageFieldsSchema } from "../../../monitor/status/schema.ts";
import { text } from "../../app/texts.ts";
import { type KindOf, isTypedGroup, toText } from "../../ui/resource/kind.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import { proposedKind } from "../../ui/resource/reference-kinds.tsx";
import type { Resource } from "../../ui/resource/resource.ts";
import { type Sources, componentsKind, useSources } from "./components-kind.tsx";
import { MissingForFollowers } from "./missing-for-followers.tsx";
import { STATUS_PAGES } from "./status-data.ts";

/** A page's URL made of its title: what an administrator would type. */
export function toSlug(title: string): string {
  return title
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .slice(0, 60)
    .split("-")
    .filter((part) => part !== "")
    .join("-");
}

/** Follows the title until somebody types another. */
const slugKind: KindOf<Sources> = (json) => {
  const kind = proposedKind<Sources>({ from: "title", propose: toSlug })(json);
  return {
    ...kind,
    Field: (props) => {
      const isOwn = isTypedGroup(props.value) && props.value["own"] === true;
      const slug =
        isOwn && isTypedGroup(props.value)
          ? toText(props.value["typed"])
          : toSlug(toText(props.form["title"]));
      return (
        <kind.Field {...props} hint={text("admin.status.slug.hint", { slug: slug === "" ? "…" : slug })} />
      );
    },
  };
};

const isSlug = (slug: string): boolean => /^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(slug);

/** Status pages with their form; their list is another one (status-list-page.tsx). */
export const statusPages: Resource<StatusPageView, typeof statusPageFieldsSchema, Sources> = {
  api: STATUS_PAGES,
  home: "/admin/status",
  navigation: "admin.nav.status",
  texts: "admin.status",
  write: "status-pages:write",
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  table: {},
  useContext: useSources,
  creation: { action: () => "admin.save" },
  schema: statusPageFieldsSchema,
  words: "admin.status",
  fields: {
    title: { label: "admin.field.title", missing: "admin.fault.title" },
    slug: { kind: slugKind, missing: "admin.status.fault.slug" },
    language: {
      // `as`: the choices are the languages.
      kind: choiceKind({ as: "list", toLabel: (code) => languageNames[code as Language] }),
    },
    access: { kind: choiceKind({ as: "list" }) },
    components: { kind: componentsKind },
    subscribers: false,
    "subscribers/mail": { label: "admin.status.byMail" },
    "subscribers/webhook": { label: "admin.status.byWebhook" },
    host: { json: { placeholder: "status.example.org" } },
    homeUrl: { json: { placeholder: "https://example.org", keyboard: "url" } },
  },
  panels: [
    {
      title: "admin.status.page",
      fields: [["title", "slug"], "description", ["language", "access"], "published"],
    },
    { title: "admin.status.components", hint: "admin.status.components.hint", fields: ["components"] },
    {
      title: "admin.status.followers",
      hint: "admin.status.followers.hint",
      fields: ["subscribers/mail", "subscribers/webhook"],
      Below: ({ form }) => (
        <MissingForFollowers
          byMail={form["subscribers/mail"] === true}
          byWebhook={form["subscribers/webhook"] === true}
          host={toText(form["host"])}
        />
      ),
    },
    { title: "admin.status.told", fields: ["showsMaintenance", "publishesAlerts"] },
    { title: "admin.status.look", fields: [["host", "homeUrl"], "noIndex", "customCss"] },
  ],
  check: ({ slug }) =>
    new Map(slug === undefined || isSlug(slug) ? [] : [["/slug", "admin.status.fault.slug" as const]]),
};
