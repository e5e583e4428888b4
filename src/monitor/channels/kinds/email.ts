/** Mails, one to each recipient. */
import { z } from "zod";
import { isMailAddress } from "../../../kit/mail/mail.ts";
import { line } from "../../../kit/text/schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";

const MAX_RECIPIENTS = 20;

const settings = () => ({
  to: z.array(line(254).refine(isMailAddress, "must be a single email address")).min(1).max(MAX_RECIPIENTS),
});

export const email: ChannelKind<ReturnType<typeof settings>, Record<never, never>> = {
  settings,
  secrets: () => ({}),
  needed: [],
  recipients: ({ to }) => to,
};

export const emailFields: ChannelFields<ReturnType<typeof settings>> = { to: {} };

export const emailForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.email.title",
  destination: ({ to }) => to.join(", "),
};
