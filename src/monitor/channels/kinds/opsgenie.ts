/** Opsgenie, and Jira Service Management with the same API: one alert there for each alert here. */
import { z } from "zod";
import { line } from "../../../kit/text/schemas.ts";
import { token, webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { clip, postJson, toKnownFacts, toMessage, toPath } from "./messages.ts";

/** https://docs.opsgenie.com/docs/alert-api, characters. */
const MAX_MESSAGE = 130;
const MAX_NOTE = 25_000;

const priority = () => z.enum(["P1", "P2", "P3", "P4", "P5"]);
const settings = () => ({
  /** That of the EU is api.eu.opsgenie.com. */
  apiUrl: webAddress().default("https://api.opsgenie.com"),
  tags: z.array(line(50).trim().min(1)).max(20).default([]),
  priorities: z
    .strictObject({
      info: priority().default("P5"),
      warning: priority().default("P3"),
      critical: priority().default("P1"),
    })
    .prefault({}),
});
const secrets = () => ({ apiKey: token().optional() });

export const opsgenie: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["apiKey"],
  server: ({ apiUrl }) => apiUrl,
  keepsAlerts: () => true,
  request: ({ apiUrl, tags, priorities }, { secrets: { apiKey = "" }, notice, id }) => {
    const { kind, severity, title, url, facts } = notice;
    const headers = { authorization: `GenieKey ${apiKey}` };
    const source = "Trivet";
    const alias = facts === undefined || facts.key === "" ? id : facts.key;
    if (kind === "resolved" || kind === "acknowledged") {
      const action = kind === "resolved" ? "close" : "acknowledge";
      const path = `/v2/alerts/${encodeURIComponent(alias)}/${action}?identifierType=alias`;
      return postJson(toPath(apiUrl, path), { source, note: clip(toMessage(notice), MAX_NOTE) }, headers);
    }
    const known = toKnownFacts(notice);
    const body = {
      message: clip(title, MAX_MESSAGE),
      alias,
      description: toMessage(notice),
      priority: priorities[severity],
      source,
      entity: known["check"] ?? known["server"],
      tags,
      details: { ...known, ...(url !== undefined && { url }) },
    };
    return postJson(toPath(apiUrl, "/v2/alerts"), body, headers);
  },
};

const levels = { kind: "choice", choices: ["P1", "P2", "P3", "P4", "P5"] } as const;

export const opsgenieFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  apiKey: {},
  apiUrl: {},
  tags: {},
  priorities: { fields: { info: levels, warning: levels, critical: levels } },
};

export const opsgenieForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.opsgenie.title",
  destination: ({ apiUrl }) => new URL(apiUrl).host,
};
