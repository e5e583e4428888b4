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
  title: { en: "E-mail", zh: "电子邮件" },
  fields: [
    {
      name: "to",
      input: "words",
      label: { en: "Recipients", zh: "收件人" },
      hint: {
        en: "Each gets a mail of their own. Needs SMTP_URL.",
        zh: "每位收件人单独收到一封邮件。需要设置 SMTP_URL。",
      },
      fault: { en: "must name at least one address", zh: "至少填写一个地址" },
    },
  ],
  destination: ({ to }) => to.join(", "),
};
