/** SMS by Twilio. */
import { z } from "zod";
import { phoneNumber, token, webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { toBasic, toForm, toPath } from "./messages.ts";
import { toShortMessage } from "./short-message.ts";

const settings = () => ({
  accountSid: z
    .string()
    .trim()
    .regex(/^AC[0-9a-fA-F]{32}$/u, "must be AC and 32 hex digits"),
  /** A number, a sender ID, or a messaging service. */
  from: z
    .string()
    .trim()
    .regex(
      /^(?:\+[0-9]{5,15}|MG[0-9a-fA-F]{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/u,
      "must be a phone number such as +15005550006, a messaging service (MG…) or a sender ID",
    ),
  to: z.array(phoneNumber()).min(1).max(20),
  apiUrl: webAddress().default("https://api.twilio.com"),
});
const secrets = () => ({ authToken: token().optional() });

export const twilio: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["authToken"],
  server: ({ apiUrl }) => apiUrl,
  recipients: ({ to }) => to,
  // https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource
  request: ({ accountSid, from, apiUrl }, { secrets: { authToken = "" }, notice, to }) => ({
    method: "POST",
    url: toPath(apiUrl, `/2010-04-01/Accounts/${accountSid}/Messages.json`),
    headers: { authorization: toBasic(accountSid, authToken) },
    ...toForm({
      To: to,
      ...(from.startsWith("MG") && from.length === 34 ? { MessagingServiceSid: from } : { From: from }),
      Body: toShortMessage(notice).text,
    }),
  }),
};

export const twilioFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  accountSid: {},
  authToken: {},
  from: { placeholder: "+15005550006" },
  to: {},
  apiUrl: {},
};

export const twilioForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.twilio.title",
  destination: ({ to }) => to.join(", "),
};
