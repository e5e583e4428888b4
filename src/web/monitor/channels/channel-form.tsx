/** The form of a channel: its kind decides the fields; stored secrets are kept unless new ones are entered. */
import type { JSX } from "preact";
import { channelForm } from "../../../monitor/channels/form-schema.ts";
import { type ChannelType, channelForms } from "../../../monitor/channels/kinds/kinds.ts";
import type { ChannelView } from "../../../monitor/channels/schema.ts";
import type { MailServerView } from "../../../monitor/channels/mail-schema.ts";
import type { RemedySetting } from "../../../monitor/site/schema.ts";
import { text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import type { FieldForm } from "../../ui/resource/form.ts";
import { everyKind } from "../../ui/resource/every-kind.ts";
import type { KindOf } from "../../ui/resource/kind.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import { type SiteAddress, hasAddress } from "../site-url.ts";
import { referenceKind } from "../../ui/resource/reference-kinds.tsx";
import { Remedy } from "../remedy.tsx";
import { CHANNELS, MAIL_SERVER } from "./channel-data.ts";
import { onCallKind } from "./on-call-kind.tsx";
import { Note } from "../../ui/console/note.tsx";

/** Another administrator, or a button of the form, may set what is missing. */
const POLL_MS = 10_000;

/** The form's context. */
export interface ChannelContext {
  readonly isNew: boolean;
  /** Whether the settings have no mail server. */
  readonly lacksMail: boolean;
  readonly lacksAddress: boolean;
  /** Reads both again. */
  readonly refresh: () => void;
}

/** The same, once it is loaded. */
export function useChannelContext(view?: ChannelView): ChannelContext | undefined {
  const mail = usePolled<MailServerView>(MAIL_SERVER, POLL_MS);
  const site = usePolled<SiteAddress>("/api/admin/settings", POLL_MS);
  if (mail.data === undefined && mail.error === undefined) return undefined;
  return {
    isNew: view === undefined,
    lacksMail: mail.data?.source === "none",
    lacksAddress: site.data !== undefined && !hasAddress(site.data),
    refresh: () => {
      void mail.refresh();
      void site.refresh();
    },
  };
}

/** Something that the settings lack, with the button for it. */
function Lacking(props: { setting: RemedySetting; onDone: () => void; children: string }): JSX.Element {
  const { setting, onDone, children } = props;
  return (
    <Note kind="warn" icon="info">
      {children}
      <Remedy setting={setting} onDone={onDone} />
    </Note>
  );
}

/** The name of a type of channel. */
export function toTypeName(type: ChannelType): string {
  return text(channelForms[type].title);
}

const chosen = choiceKind<ChannelContext>({
  // `as`: the choices are the types.
  toLabel: (type) => toTypeName(type as ChannelType),
  as: "list",
});

/** The type of a new channel; that of a stored one stays. */
const typeKind: KindOf<ChannelContext> = (json) => {
  const kind = chosen(json);
  return {
    ...kind,
    Field: (props) => (
      <>
        {props.context.isNew && <kind.Field {...props} />}
        {props.context.lacksMail && props.value === "email" && (
          <Lacking setting="mailServer" onDone={props.context.refresh}>
            {text("admin.channel.no-mail")}
          </Lacking>
        )}
        {props.context.lacksAddress && (
          <Lacking setting="publicUrl" onDone={props.context.refresh}>
            {text("admin.channel.no-address")}
          </Lacking>
        )}
      </>
    ),
  };
};

const kinds = everyKind<ChannelContext>({
  channel: referenceKind({
    path: CHANNELS,
    toChoice: ({ id, name }: ChannelView) => ({ value: id, label: name }),
  }),
});

export const channelFields: FieldForm<typeof channelForm, ChannelContext> = {
  schema: channelForm,
  words: "channel",
  kinds,
  fields: {
    type: { kind: typeKind, label: "admin.channel.type" },
    name: { label: "admin.field.name", hint: "admin.channel.name.hint", missing: "admin.fault.name" },
    oncall: { kind: onCallKind(kinds) },
  },
};

const HEADER = "headers/";

/** A channel as its form reads it: secrets, masked, are fields like others. */
export function toFields({ secrets, ...view }: ChannelView): object {
  const names = Object.entries(secrets);
  const headers = names.filter(([name]) => name.startsWith(HEADER));
  return {
    ...view,
    ...Object.fromEntries(names),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.slice(HEADER.length), value])),
  };
}
