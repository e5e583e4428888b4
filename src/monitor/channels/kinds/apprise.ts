/** An Apprise API server, which passes notifications on to any of its services. */
import { z } from "zod";
import { line } from "../../../kit/text/schemas.ts";
import { webAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { postJson, toMessage, toPath, toUrgency } from "./messages.ts";

const settings = () => ({
  serverUrl: webAddress(),
  /** Which of the configuration's services; empty: all. */
  tag: line(200).default(""),
});
const secrets = () => ({
  configKey: z
    .string()
    .regex(/^[\w-]{1,128}$/u, "must be the key of a configuration: letters, digits, - or _")
    .optional(),
});

const types = { info: "info", warning: "warning", critical: "failure" } as const;

export const apprise: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["configKey"],
  server: ({ serverUrl }) => serverUrl,
  // https://github.com/caronc/apprise-api#persistent-stateful-storage-solution
  request: ({ serverUrl, tag }, { secrets: { configKey = "" }, notice }) => {
    const { kind, title, url } = notice;
    const body = [toMessage(notice), ...(url === undefined ? [] : [url])].join("\n\n");
    return postJson(toPath(serverUrl, `/notify/${configKey}`), {
      title,
      body,
      type: kind === "resolved" ? "success" : types[toUrgency(notice)],
      format: "text",
      ...(tag !== "" && { tag }),
    });
  },
};

export const appriseFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  serverUrl: { placeholder: "https://apprise.example.org" },
  configKey: {},
  tag: {},
};

export const appriseForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.apprise.title",
  destination: ({ serverUrl, tag }) => serverUrl.replace(/\/$/u, "") + (tag === "" ? "" : ` (${tag})`),
};
