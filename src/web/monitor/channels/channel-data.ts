/** Where channels come from. */
import type { ChannelView } from "../../../monitor/channels/schema.ts";

export const CHANNELS = "/api/admin/channels";
/** The mail server that e-mail channels send through. */
export const MAIL_SERVER = "/api/admin/smtp";

export interface ChannelList {
  readonly items: readonly ChannelView[];
}
