/** Signal, through signal-cli-rest-api. */
import { z } from "zod";
import { phoneNumber, webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { postJson, toPath, toWhole } from "./messages.ts";

const settings = () => ({
  serverUrl: webAddress(),
  /** The registered number that sends. */
  number: phoneNumber(),
  /** Phone numbers, or IDs of groups as the server lists them. */
  recipients: z
    .array(
      z
        .string()
        .trim()
        .regex(/^(?:\+[0-9]{5,20}|group\.[A-Za-z0-9+/=]{10,200})$/u, "must be a phone number or group.…"),
    )
    .min(1)
    .max(20),
});

export const signal: ChannelKind<ReturnType<typeof settings>, Record<never, never>> = {
  settings,
  secrets: () => ({}),
  needed: [],
  // https://bbernhard.github.io/signal-cli-rest-api/
  request: ({ serverUrl, number, recipients }, { notice }) =>
    postJson(toPath(serverUrl, "/v2/send"), { number, recipients, message: toWhole(notice) }),
};

export const signalFields: ChannelFields<ReturnType<typeof settings>, Record<never, never>> = {
  serverUrl: { placeholder: "http://signal.local:8080" },
  number: { placeholder: "+491701234567" },
  recipients: {},
};

export const signalForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.signal.title",
  destination: ({ recipients }) => recipients.join(", "),
};
