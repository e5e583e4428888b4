/** ServerChan, which forwards to WeChat (SCT keys) or to its own app (SC3 keys). */
import { z } from "zod";
import { emptyText, webAddress } from "../receivers/receiver-schemas.ts";
import { findCodeFault } from "../receivers/answers.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { clip, postJson, toMessage, toPath } from "./messages.ts";

/** https://sct.ftqq.com/sendkey: longer titles are refused. */
const MAX_TITLE = 32;
const SCT = "https://sctapi.ftqq.com";

const settings = () => ({
  apiUrl: webAddress().or(emptyText()).default("").describe('"" for the address that belongs to the key'),
});
const secrets = () => ({
  sendKey: z
    .string()
    .regex(/^[A-Za-z0-9]{10,100}$/u, "must be a SendKey, such as SCT123… or sctp123t…")
    .optional(),
});

/** The host that a key belongs to: https://doc2.ft07.com/serverchan3/server/api */
function toAddress(apiUrl: string, sendKey: string): string {
  const uid = /^sctp(\d{1,20})t/u.exec(sendKey)?.[1];
  if (uid === undefined) return toPath(apiUrl === "" ? SCT : apiUrl, `/${sendKey}.send`);
  return toPath(apiUrl === "" ? `https://${uid}.push.ft07.com` : apiUrl, `/send/${sendKey}.send`);
}

export const serverchan: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["sendKey"],
  server: ({ apiUrl }) => (apiUrl === "" ? SCT : apiUrl),
  request: ({ apiUrl }, { secrets: { sendKey = "" }, notice }) => {
    const lines = [...toMessage(notice).split("\n"), notice.url ?? ""].filter((line) => line !== "");
    return postJson(toAddress(apiUrl, sendKey), {
      title: clip(notice.title, MAX_TITLE),
      // It reads Markdown, where two line breaks are one; the title may be clipped.
      desp: [notice.title, ...lines].join("\n\n"),
    });
  },
  findFailure: (answer) => findCodeFault(answer, { member: "code", good: 0, texts: ["message", "info"] }),
};

export const serverchanFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  sendKey: {},
  apiUrl: {},
};

export const serverchanForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.serverchan.title",
  destination: ({ apiUrl }, { sendKey = "" }) => (apiUrl === "" ? sendKey : apiUrl),
};
