/** Where channels come from. */
import type { Items } from "../../ui/console/paged.ts";
import type { ChannelView } from "../../../monitor/channels/schema.ts";

export const CHANNELS = "/api/admin/channels";
/** The mail server that e-mail channels send through. */
export const MAIL_SERVER = "/api/admin/smtp";

export type ChannelList = Items<ChannelView>;
