/** Mails, one to each recipient. */
import { z } from "zod";
import { isMailAddress } from "../../../kit/mail/mail.ts";
import { line } from "../../../kit/text/schemas.ts";
import type { ChannelForm, ChannelKind } from "./kind.ts";

const MAX_RECIPIENTS = 20;

const settings = () => ({
  to: z.array(line(254).refine(isMailAddress, "must be one plain e-mail address")).min(1).max(MAX_RECIPIENTS),
});

export const email: ChannelKind<ReturnType<typeof settings>, Record<never, never>> = {
  settings,
  secrets: () => ({}),
  needed: [],
  recipients: ({ to }) => to,
};

export const emailForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.email.title",
  fields: [
    {
      name: "to",
      input: "words",
      label: "channel.email.to",
      hint: "channel.email.to.hint",
      fault: "channel.email.to.fault",
    },
  ],
  destination: ({ to }) => to.join(", "),
};
