/** The look of the storefront, logo, colors and the owner's own style sheet. */
import type { JSX } from "preact";
import { accentThemes, findAccentFault } from "../../../kit/brand/accent.ts";
import type { AdminSite } from "../../../shop/settings/answer-schema.ts";
import { siteSettingsSchema } from "../../../shop/site/schema.ts";
import { type TextName, text } from "../../app/texts.ts";
import { toChoiceText } from "../../ui/resource/kind.ts";
import { accentKind, logoKind } from "../../ui/resource/brand-kinds.tsx";
import { findMember, makeForm, nestFields, readForm } from "../../ui/resource/form.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import { SettingsForm } from "../../ui/resource/settings-form.tsx";
import { wordKind } from "../kinds/translations-kind.tsx";
import { colorKind } from "./color-kind.tsx";
import { HomePreview } from "./home/home-preview.tsx";
import { SITE, type SiteTab } from "./site-data.ts";

function findFaults(accent: object): ReadonlyMap<string, TextName> {
  const faults = new Map<string, TextName>();
  for (const theme of accentThemes) {
    const colour = toChoiceText(findMember(accent, theme));
    const isColour = /^#[\da-f]{6}$/iu.test(colour);
    if (colour !== "" && !isColour) faults.set(`/branding/accent/${theme}`, "admin.fault.colour");
    if (isColour && findAccentFault(colour, theme) !== undefined)
      faults.set(`/branding/accent/${theme}`, `admin.fault.contrast.${theme}`);
  }
  return faults;
}

type Context = Pick<AdminSite, "languages">;

export const lookForm = makeForm<typeof siteSettingsSchema, Context>({
  schema: siteSettingsSchema,
  words: "shop.site",
  only: "panels",
  panels: [
    {
      title: "shop.site.storefront",
      fields: [
        { name: "storefront/look", label: "shop.look.look" },
        { name: "storefront/pictures", label: "shop.look.pictures", kind: choiceKind({ as: "list" }) },
      ],
    },
    {
      title: "shop.site.look",
      hint: "shop.site.look.hint",
      fields: [
        { name: "branding/logo", label: "admin.logo.label", kind: logoKind },
        { name: "branding/color", label: "shop.look.color", kind: colorKind },
      ],
      fold: {
        title: "shop.look.accent",
        fields: [
          {
            name: "branding/accent",
            label: "admin.accent.light",
            kind: accentKind,
            when: (form) => form["branding/color"] === "",
            keep: true,
          },
        ],
      },
    },
    {
      title: "shop.look.footer",
      fields: [
        { name: "storefront/footer/text", label: "shop.look.footer.text" },
        {
          name: "storefront/footer/translations",
          label: "shop.site.translations",
          kind: wordKind<Context>({ own: "storefront/footer/text", label: "shop.look.footer.text" }),
        },
      ],
    },
    {
      title: "shop.site.css",
      hint: "shop.site.css.hint",
      fields: [{ name: "branding/customCss", label: "shop.site.css.rules" }],
    },
  ],
  check: (fields) => {
    const accent: unknown = Reflect.get(fields, "branding/accent");
    return typeof accent === "object" && accent !== null ? findFaults(accent) : new Map();
  },
});

/** The preview shows the logo and the owner's own rules as they are stored. */
function toPreviewed(fields: Readonly<Record<string, unknown>>): object {
  const { storefront } = nestFields(fields);
  return { storefront, branding: { color: fields["branding/color"] } };
}

/** The form with a preview. */
export function LookTab({ stored, onSaved }: SiteTab): JSX.Element {
  return (
    <SettingsForm
      label={text("shop.site.look")}
      write="shop-settings:write"
      stored={stored}
      of={{ path: SITE, form: lookForm, context: stored, onSaved }}
    >
      {({ form }) => {
        const parsed = readForm(lookForm, form, { context: stored });
        return (
          <HomePreview
            settings={parsed.ok ? toPreviewed(parsed.fields) : undefined}
            languages={stored.languages}
          />
        );
      }}
    </SettingsForm>
  );
}
