/** Logo, colours and the owner's own style sheet. */
import type { JSX } from "preact";
import { accentThemes, findAccentFault } from "../../../kit/brand/accent.ts";
import { siteSettingsSchema } from "../../../shop/site/schema.ts";
import { type TextName, text } from "../../app/texts.ts";
import { toChoiceText } from "../../ui/resource/kind.ts";
import { accentKind, logoKind } from "../../ui/resource/brand-kinds.tsx";
import { findMember, makeForm } from "../../ui/resource/form.ts";
import { SettingsForm } from "../../ui/resource/settings-form.tsx";
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

export const lookForm = makeForm({
  schema: siteSettingsSchema,
  words: "shop.site",
  only: "panels",
  panels: [
    {
      title: "shop.site.look",
      hint: "shop.site.look.hint",
      fields: [
        { name: "branding/logo", label: "admin.logo.label", kind: logoKind },
        { name: "branding/accent", label: "admin.accent.light", kind: accentKind },
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

/** The form. */
export function LookTab({ stored, onSaved }: SiteTab): JSX.Element {
  return (
    <SettingsForm
      label={text("shop.site.look")}
      write="shop-settings:write"
      stored={stored}
      of={{ path: SITE, form: lookForm, context: undefined, onSaved }}
    />
  );
}
