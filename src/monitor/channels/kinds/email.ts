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
  title: { en: "E-mail", zh: "电子邮件", de: "E-Mail" },
  fields: [
    {
      name: "to",
      input: "words",
      label: { en: "Recipients", zh: "收件人", de: "Empfänger" },
      hint: {
        en: "Each gets an e-mail of their own. Needs the mail server of the settings.",
        zh: "每位收件人单独收到一封邮件。需要先在设置中配置邮件服务器。",
        de: "Jeder bekommt eine eigene E-Mail. Braucht den Mailserver der Einstellungen.",
      },
      fault: {
        en: "must name at least one address",
        zh: "至少填写一个地址",
        de: "muss mindestens eine Adresse nennen",
      },
    },
  ],
  destination: ({ to }) => to.join(", "),
};
