/** The announcement above every page of the shop, in each of its languages. */
import type { JSX } from "preact";
import { type AdminSite, sitePatchSchema } from "../../../shop/settings/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { makeForm, nestFields } from "../../ui/resource/form.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import { SettingsForm } from "../../ui/resource/settings-form.tsx";
import { wordKind } from "../kinds/translations-kind.tsx";
import { SITE, type SiteTab } from "./site-data.ts";

type Context = Pick<AdminSite, "languages">;

export const announcementForm = makeForm<typeof sitePatchSchema, Context>({
  schema: sitePatchSchema,
  words: "shop.site",
  only: "panels",
  kinds: { choice: choiceKind({ as: "list" }) },
  panels: [
    {
      title: "shop.site.announcement",
      hint: "shop.site.announcement.hint",
      fields: [
        { name: "announcement/text", label: "shop.site.announcement.text", json: { long: true } },
        {
          name: "announcement/level",
          label: "shop.site.announcement.level",
          json: { initial: "info" },
        },
        ["announcement/startsAt", "announcement/endsAt"],
      ],
    },
    {
      title: "shop.site.translations",
      hint: "shop.site.translations.hint",
      fields: [
        {
          name: "announcement/translations",
          label: "shop.site.translations",
          kind: wordKind<Context>({ own: "announcement/text", label: "shop.site.announcement.text" }),
        },
      ],
    },
  ],
  fields: {
    "announcement/startsAt": { label: "shop.site.announcement.starts" },
    "announcement/endsAt": { label: "shop.site.announcement.ends" },
  },
  check: (fields) => {
    const read = (name: string): string => String(Reflect.get(fields, `announcement/${name}`) ?? "");
    const [startsAt, endsAt] = [read("startsAt"), read("endsAt")];
    const isWrong = startsAt !== "" && endsAt !== "" && Date.parse(endsAt) <= Date.parse(startsAt);
    return new Map(isWrong ? [["/announcement/endsAt", "admin.fault.after"]] : []);
  },
});

/** An announcement without words is none. */
function toBody(fields: Readonly<Record<string, unknown>>): object {
  const { announcement } = nestFields(fields);
  const words = fields["announcement/text"];
  const isNone = typeof words !== "string" || words.trim() === "";
  return { announcement: isNone ? null : announcement };
}

/** The form. */
export function AnnouncementTab({ stored, onSaved }: SiteTab): JSX.Element {
  return (
    <SettingsForm
      label={text("shop.site.announcement")}
      write="shop-settings:write"
      stored={stored}
      of={{ path: SITE, form: announcementForm, context: stored, toBody, onSaved }}
    />
  );
}
