/** Every kind of channel, and its form. A kind that is missing in one of the two does not compile. */
import { discord, discordForm } from "./discord.ts";
import { email, emailForm } from "./email.ts";
import { gotify, gotifyForm } from "./gotify.ts";
import { http, httpForm } from "./http.ts";
import type { ChannelForm, ChannelKind } from "./kind.ts";
import { ntfy, ntfyForm } from "./ntfy.ts";
import { slack, slackForm } from "./slack.ts";
import { matrix, matrixForm } from "./matrix.ts";
import { pushover, pushoverForm } from "./pushover.ts";
import { teams, teamsForm } from "./teams.ts";
import { bark, barkForm } from "./bark.ts";
import { feishu, feishuForm } from "./feishu.ts";
import { dingtalk, dingtalkForm } from "./dingtalk.ts";
import { wecom, wecomForm } from "./wecom.ts";
import { serverchan, serverchanForm } from "./serverchan.ts";
import { telegram, telegramForm } from "./telegram.ts";

export const channelKinds = {
  email,
  ntfy,
  gotify,
  telegram,
  discord,
  slack,
  matrix,
  pushover,
  teams,
  bark,
  feishu,
  dingtalk,
  wecom,
  serverchan,
  http,
};
export type ChannelType = keyof typeof channelKinds;

/** In the order in which the dashboard offers them. */
export const channelForms = {
  email: emailForm,
  ntfy: ntfyForm,
  gotify: gotifyForm,
  telegram: telegramForm,
  discord: discordForm,
  slack: slackForm,
  matrix: matrixForm,
  pushover: pushoverForm,
  teams: teamsForm,
  bark: barkForm,
  feishu: feishuForm,
  dingtalk: dingtalkForm,
  wecom: wecomForm,
  serverchan: serverchanForm,
  http: httpForm,
} satisfies Record<ChannelType, ChannelForm>;

const byType: Readonly<Record<ChannelType, ChannelKind>> = channelKinds;

/** The kind of a channel's settings. */
export function kindOf({ type }: { readonly type: ChannelType }): ChannelKind {
  return byType[type];
}
