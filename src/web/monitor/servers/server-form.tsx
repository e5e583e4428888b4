/** The form of a server: its fields and panels, and the names that other servers have used. */
import { listZoneNames } from "../../../kit/text/zone-names.ts";
import { serverChangeSchema } from "../../../monitor/base/schema.ts";
import type { AdminServer, AdminServerList } from "../../../monitor/fleet/view-schema.ts";
import { usePolled } from "../../ui/console/polled.ts";
import type { FieldForm } from "../../ui/resource/form.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import { suggestKind } from "../../ui/resource/reference-kinds.tsx";
import { suggestedTagsKind } from "../../ui/resource/set-kinds.tsx";
import { dependsKind } from "../alerts/depends-kind.tsx";
import { listGroups, listProviders, listTags, SERVERS } from "../server-data.ts";
import { billingKind, bytesKind, muteKind, regionKind } from "./server-kinds.tsx";
import { TrafficUse } from "./traffic-use.tsx";

/** The form's context. */
export interface ServerContext {
  /** Undefined for a new one. */
  readonly server: AdminServer | undefined;
  readonly groups: readonly string[];
  readonly tags: readonly string[];
  readonly providers: readonly string[];
}

/** Suggests the names of other servers once they have loaded. */
export function useServerContext(server?: AdminServer): ServerContext {
  const { data } = usePolled<AdminServerList>(SERVERS, 0);
  const all = data?.items ?? [];
  return { server, groups: listGroups(all), tags: listTags(all), providers: listProviders(all) };
}

export const serverForm: FieldForm<typeof serverChangeSchema, ServerContext> = {
  schema: serverChangeSchema,
  words: "admin.field",
  only: "panels",
  kinds: { group: billingKind },
  fields: {
    name: { missing: "admin.fault.name" },
    group: { kind: suggestKind(({ groups }) => groups) },
    tags: { kind: suggestedTagsKind(({ tags }) => tags) },
    region: { kind: regionKind() },
    provider: { kind: suggestKind(({ providers }) => providers) },
    hidden: { label: "admin.field.hidden.label" },
    disabled: { label: "admin.field.disabled.label" },
    billing: { kind: billingKind },
    "traffic/limitBytes": { kind: bytesKind(), label: "admin.field.limit" },
    "traffic/mode": { kind: choiceKind({ as: "list", words: "admin.mode" }), label: "admin.field.mode" },
    "traffic/resetDay": {
      label: "admin.field.resetDay",
      fault: "admin.fault.day",
      missing: "admin.fault.day",
    },
    "traffic/timeZone": { kind: suggestKind(listZoneNames), label: "admin.field.timeZone" },
    "lists/mounts": { label: "admin.field.lists.mounts" },
    "lists/interfaces": { label: "admin.field.lists.interfaces" },
    "lists/sensors": { label: "admin.field.lists.sensors" },
    "lists/containers": { label: "admin.field.lists.containers" },
    "lists/units": { label: "admin.field.lists.units" },
    mute: { kind: muteKind },
    dependsOn: { label: "admin.depends.parents", kind: dependsKind() },
  },
  panels: [
    {
      title: "admin.server.identity",
      fields: [["name", "group"], "tags", ["region", "provider"]],
    },
    { title: "admin.server.visibility", fields: ["hidden", "disabled", "publicNote", "note"] },
    { title: "admin.field.billing", hint: "admin.field.billing.hint", fields: ["billing"] },
    {
      title: "admin.field.traffic",
      hint: "admin.field.traffic.hint",
      fields: [
        ["traffic/limitBytes", "traffic/mode"],
        ["traffic/resetDay", "traffic/timeZone"],
      ],
      Below: ({ context: { server } }) => server && <TrafficUse server={server} />,
    },
    {
      title: "admin.field.lists",
      hint: "admin.field.lists.hint",
      fields: [["lists/mounts", "lists/interfaces"], ["lists/sensors", "lists/containers"], ["lists/units"]],
    },
    { title: "admin.field.mute", hint: "admin.field.mute.hint", fields: ["mute"] },
    { title: "admin.depends.title", hint: "admin.depends.hint", folded: true, fields: ["dependsOn"] },
  ],
};
