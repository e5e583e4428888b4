/** Every kind of channel, and its form. A kind that is missing in one of the lists does not compile. */
import { discord, discordFields, discordForm } from "./discord.ts";
import { email, emailFields, emailForm } from "./email.ts";
import { gotify, gotifyFields, gotifyForm } from "./gotify.ts";
import { http, httpFields, httpForm } from "./http.ts";
import type { ChannelFields, ChannelForm, ChannelKind } from "./kind.ts";
import { mattermost, mattermostFields, mattermostForm } from "./mattermost.ts";
import { rocketchat, rocketchatFields, rocketchatForm } from "./rocketchat.ts";
import { signal, signalFields, signalForm } from "./signal.ts";
import { line, lineFields, lineForm } from "./line.ts";
import { homeassistant, homeassistantFields, homeassistantForm } from "./homeassistant.ts";
import { apprise, appriseFields, appriseForm } from "./apprise.ts";
import { pagerduty, pagerdutyFields, pagerdutyForm } from "./pagerduty.ts";
import { opsgenie, opsgenieFields, opsgenieForm } from "./opsgenie.ts";
import { zulip, zulipFields, zulipForm } from "./zulip.ts";
import { twilio, twilioFields, twilioForm } from "./twilio.ts";
import { smseagle, smseagleFields, smseagleForm } from "./smseagle.ts";
import { oncall, oncallFields, oncallForm } from "./oncall.ts";
import { ntfy, ntfyFields, ntfyForm } from "./ntfy.ts";
import { slack, slackFields, slackForm } from "./slack.ts";
import { matrix, matrixFields, matrixForm } from "./matrix.ts";
import { pushover, pushoverFields, pushoverForm } from "./pushover.ts";
import { teams, teamsFields, teamsForm } from "./teams.ts";
import { bark, barkFields, barkForm } from "./bark.ts";
import { feishu, feishuFields, feishuForm } from "./feishu.ts";
import { dingtalk, dingtalkFields, dingtalkForm } from "./dingtalk.ts";
import { wecom, wecomFields, wecomForm } from "./wecom.ts";
import { serverchan, serverchanFields, serverchanForm } from "./serverchan.ts";
import { telegram, telegramFields, telegramForm } from "./telegram.ts";

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
  mattermost,
  rocketchat,
  signal,
  line,
  homeassistant,
  apprise,
  pagerduty,
  opsgenie,
  zulip,
  twilio,
  smseagle,
  oncall,
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
  mattermost: mattermostForm,
  rocketchat: rocketchatForm,
  signal: signalForm,
  line: lineForm,
  homeassistant: homeassistantForm,
  apprise: appriseForm,
  pagerduty: pagerdutyForm,
  opsgenie: opsgenieForm,
  zulip: zulipForm,
  twilio: twilioForm,
  smseagle: smseagleForm,
  oncall: oncallForm,
  http: httpForm,
} satisfies Record<ChannelType, ChannelForm>;

/** Fields of their forms. */
export const channelFields = {
  email: emailFields,
  ntfy: ntfyFields,
  gotify: gotifyFields,
  telegram: telegramFields,
  discord: discordFields,
  slack: slackFields,
  matrix: matrixFields,
  pushover: pushoverFields,
  teams: teamsFields,
  bark: barkFields,
  feishu: feishuFields,
  dingtalk: dingtalkFields,
  wecom: wecomFields,
  serverchan: serverchanFields,
  mattermost: mattermostFields,
  rocketchat: rocketchatFields,
  signal: signalFields,
  line: lineFields,
  homeassistant: homeassistantFields,
  apprise: appriseFields,
  pagerduty: pagerdutyFields,
  opsgenie: opsgenieFields,
  zulip: zulipFields,
  twilio: twilioFields,
  smseagle: smseagleFields,
  oncall: oncallFields,
  http: httpFields,
} satisfies Record<ChannelType, ChannelFields>;

const byType: Readonly<Record<ChannelType, ChannelKind>> = channelKinds;

/** The kind of a channel's settings. */
export function kindOf({ type }: { readonly type: ChannelType }): ChannelKind {
  return byType[type];
}
