/** Where channels come from, and what they are called. */
import type { ChannelForm } from "../../../monitor/channels/kinds/kind.ts";
import { type ChannelType, channelForms } from "../../../monitor/channels/kinds/kinds.ts";
import type { ChannelView } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";

export const CHANNELS = "/api/admin/channels";
/** The mail server that e-mail channels send through. */
export const MAIL_SERVER = "/api/admin/smtp";

export interface ChannelList {
  readonly items: readonly ChannelView[];
}

/** The path of one channel. */
export function toChannelPath(id: string): string {
  return `${CHANNELS}/${encodeURIComponent(id)}`;
}

/** The name of a type of channel. */
export function toTypeName(type: ChannelType): string {
  return text(channelForms[type].title);
}

/** Where a channel leads to, in a few words; secrets stay masked. */
export function toDestination(view: ChannelView): string {
  const form: ChannelForm = channelForms[view.type];
  return form.destination(view, view.secrets);
}
