/** Zulip, into a topic of a channel. */
import { z } from "zod";
import { line } from "../../../kit/text/schemas.ts";
import { token, webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { clip, escapeMarkdown, toBasic, toForm, toPath, toWhole } from "./messages.ts";
import { findBodyFault, renderTemplate } from "./template.ts";

/** https://zulip.com/api/send-message, characters. */
const MAX_CONTENT = 10_000;
const MAX_TOPIC = 60;
/** Of notices that are about no single check or server. */
const ANY_TOPIC = "Trivet";

const settings = () => ({
  serverUrl: webAddress(),
  botEmail: z.email().max(200),
  channel: line(60).trim().min(1),
  /** A template: by default each check and server has its own topic. */
  topic: line(200).trim().min(1).default("{{check}}{{server}}"),
});
const secrets = () => ({ apiKey: token().optional() });

export const zulip: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["apiKey"],
  server: ({ serverUrl }) => serverUrl,
  findFault: ({ topic }) => {
    const message = findBodyFault(topic, "text/plain");
    return message === undefined ? undefined : { pointer: "/topic", message };
  },
  request: ({ serverUrl, botEmail, channel, topic }, { secrets: { apiKey = "" }, notice }) => {
    const rendered = renderTemplate(topic, notice).trim();
    return {
      method: "POST",
      url: toPath(serverUrl, "/api/v1/messages"),
      headers: { authorization: toBasic(botEmail, apiKey) },
      ...toForm({
        // Servers before version 9 know no other name of it.
        type: "stream",
        to: channel,
        topic: rendered === "" ? ANY_TOPIC : clip(rendered, MAX_TOPIC),
        content: clip(toWhole(notice, escapeMarkdown), MAX_CONTENT),
      }),
    };
  },
};

export const zulipFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  serverUrl: { placeholder: "https://example.zulipchat.com" },
  botEmail: { placeholder: "trivet-bot@example.zulipchat.com" },
  apiKey: {},
  channel: {},
  topic: {},
};

export const zulipForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.zulip.title",
  destination: ({ channel, topic }) => `#${channel} > ${topic}`,
};
