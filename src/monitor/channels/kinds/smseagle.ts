/** SMS by an SMSEagle device, through its API v2. */
import { z } from "zod";
import { phoneNumber, token, webAddress } from "../receivers/receiver-schemas.ts";
import { findItemFault } from "../receivers/answers.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { postJson, toPath, toUrgency } from "./messages.ts";
import { toShortMessage } from "./short-message.ts";

const settings = () => ({
  serverUrl: webAddress(),
  to: z.array(phoneNumber()).min(1).max(20),
});
const secrets = () => ({ accessToken: token().optional() });

/** Of 0 to 9; what is higher leaves the device first. */
const priorities = { info: 0, warning: 5, critical: 9 } as const;

export const smseagle: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["accessToken"],
  server: ({ serverUrl }) => serverUrl,
  recipients: ({ to }) => to,
  // https://www.smseagle.eu/docs/apiv2/
  request: ({ serverUrl }, { secrets: { accessToken = "" }, notice, to }) => {
    const { text, isUnicode } = toShortMessage(notice);
    const priority = priorities[toUrgency(notice)];
    const body = { to: [to], text, encoding: isUnicode ? "unicode" : "standard", priority };
    return postJson(toPath(serverUrl, "/api/v2/messages/sms"), body, { "access-token": accessToken });
  },
  findFailure: (answer) => findItemFault(answer, { member: "status", good: "queued" }),
};

export const smseagleFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  serverUrl: { placeholder: "https://smseagle.local" },
  accessToken: {},
  to: {},
};

export const smseagleForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.smseagle.title",
  destination: ({ to }) => to.join(", "),
};
