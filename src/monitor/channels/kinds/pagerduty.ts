/** PagerDuty, by its Events API v2: one incident there for each alert here. */
import { z } from "zod";
import { webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { clip, postJson, toKnownFacts, toMessage, toPath } from "./messages.ts";

/** https://developer.pagerduty.com/docs/send-alert-event, characters. */
const MAX_SUMMARY = 1_024;

const settings = () => ({
  /** That of the EU is events.eu.pagerduty.com. */
  apiUrl: webAddress().default("https://events.pagerduty.com"),
});
const secrets = () => ({
  routingKey: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9]{32}$/u, "must be an integration key of Events API v2: 32 letters and digits")
    .optional(),
});

export const pagerduty: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["routingKey"],
  server: ({ apiUrl }) => apiUrl,
  keepsAlerts: () => true,
  request: ({ apiUrl }, { secrets: { routingKey = "" }, notice, id }) => {
    const { kind, severity, title, url, facts } = notice;
    const key = facts?.key;
    const event = { routing_key: routingKey, dedup_key: key === undefined || key === "" ? id : key };
    const address = toPath(apiUrl, "/v2/enqueue");
    if (kind === "resolved") return postJson(address, { ...event, event_action: "resolve" });
    if (kind === "acknowledged") return postJson(address, { ...event, event_action: "acknowledge" });
    const known = toKnownFacts(notice);
    return postJson(address, {
      ...event,
      event_action: "trigger",
      client: "Trivet",
      client_url: url,
      payload: {
        summary: clip(title, MAX_SUMMARY),
        source: known["check"] ?? known["server"] ?? "Trivet",
        severity,
        group: known["group"],
        class: known["rule"],
        custom_details: { ...known, text: toMessage(notice) },
      },
    });
  },
};

export const pagerdutyFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  routingKey: {},
  apiUrl: {},
};

export const pagerdutyForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.pagerduty.title",
  destination: ({ apiUrl }) => new URL(apiUrl).host,
};
