/** Access to the site, as a part of its settings. */
import type { JSX } from "preact";
import { settingsFieldsSchema } from "../../../monitor/base/schema.ts";
import type { SettingsView } from "../../../monitor/site/schema.ts";
import { text } from "../../app/texts.ts";
import { Icon } from "../../ui/icons.tsx";
import { type PanelPart, makeForm } from "../../ui/resource/form.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";

/** The stored settings. */
function Now({ context: { access } }: PanelPart<SettingsView>): JSX.Element {
  return (
    <p class={`admin-note ${access.isPrivate ? "is-good" : ""}`}>
      <Icon name={access.isPrivate ? "hidden" : "globe"} />
      <span>{text(access.isPrivate ? "admin.access.privateNow" : "admin.access.publicNow")}</span>
    </p>
  );
}

const who = choiceKind<SettingsView>({ as: "list", words: "admin.access.who" });

export const accessForm = makeForm<typeof settingsFieldsSchema, SettingsView>({
  schema: settingsFieldsSchema,
  words: "admin.access",
  only: "panels",
  fields: {
    "access/isPrivate": { label: "admin.access.private" },
    "access/viewers/who": { label: "admin.access.viewers", kind: who },
    "access/administrators/who": { label: "admin.access.administrators", kind: who },
    "access/viewers/usernames": {
      label: "admin.access.viewerNames",
      hint: "admin.access.names.hint",
      when: (form) => form["access/viewers/who"] === "listed",
    },
    "access/administrators/usernames": {
      label: "admin.access.administratorNames",
      hint: "admin.access.names.hint",
      when: (form) => form["access/administrators/who"] === "listed",
    },
  },
  panels: [
    { title: "admin.access.site", Above: Now, fields: ["access/isPrivate"] },
    {
      title: "admin.access.accounts",
      hint: "admin.access.accounts.hint",
      fields: [
        ["access/viewers/who", "access/administrators/who"],
        "access/viewers/usernames",
        "access/administrators/usernames",
      ],
    },
  ],
});
