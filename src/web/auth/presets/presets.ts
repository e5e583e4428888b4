/**
 * Programs that sign people in here: what each is registered with, and what is typed there. The names of settings are
 * those of the programs' documentation; docs/applications.md has the same blocks, which a test holds.
 */
import type { ClientFields } from "../../../auth/applications/schema.ts";

/** Answers for a preset. */
export interface Answers {
  /** Where people open the program, without a slash at its end. */
  readonly address: string;
  /** The application's name for this center, if its callback URL contains it. */
  readonly source: string;
}

/** The center's metadata at /.well-known/openid-configuration. */
export interface Center {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly userinfo_endpoint: string;
}

/** A program that is registered. */
export interface Registered extends Answers {
  readonly id: string;
  readonly secret: string;
}

/** Text to paste, or values for fields by label. */
export type Block = string | readonly (readonly [label: string, value: string])[];

export interface Preset {
  readonly name: string;
  /** The client id that is proposed. */
  readonly id: string;
  /** An address such as people have. */
  readonly example: string;
  /** Whether the callback address names the source. */
  readonly hasSource: boolean;
  readonly toFields: (answers: Answers) => Partial<ClientFields>;
  readonly toBlock: (program: Registered, center: Center) => Block;
}

/** The default of the application's name for this center. */
export const SOURCE = "trivet";

export function toDiscovery({ issuer }: Center): string {
  return `${issuer}/.well-known/openid-configuration`;
}

/** Scopes of each application. */
const withGroups = "openid profile email groups";

const grafana: Preset = {
  name: "Grafana",
  id: "grafana",
  example: "https://grafana.example.org",
  hasSource: false,
  toFields: ({ address }) => ({ redirectUris: [`${address}/login/generic_oauth`] }),
  toBlock: ({ id, secret }, center) => `[auth.generic_oauth]
enabled = true
name = Trivet
client_id = ${id}
client_secret = ${secret}
scopes = ${withGroups}
auth_url = ${center.authorization_endpoint}
token_url = ${center.token_endpoint}
api_url = ${center.userinfo_endpoint}
auth_style = InHeader
use_pkce = true
login_attribute_path = preferred_username
name_attribute_path = name
groups_attribute_path = groups
role_attribute_path = contains(groups[*], 'trivet-admins') && 'Admin' || 'Viewer'`,
};

const gitea: Preset = {
  name: "Gitea, Forgejo",
  id: "gitea",
  example: "https://git.example.org",
  hasSource: true,
  toFields: ({ address, source }) => ({
    redirectUris: [`${address}/user/oauth2/${source}/callback`],
    requirePkce: false,
  }),
  toBlock: ({ id, secret, source }, center) => `gitea admin auth add-oauth \\
  --name '${source}' \\
  --provider openidConnect \\
  --key '${id}' \\
  --secret '${secret}' \\
  --auto-discover-url '${toDiscovery(center)}' \\
  --scopes openid --scopes email --scopes profile --scopes groups \\
  --group-claim-name groups`,
};

const nextcloud: Preset = {
  name: "Nextcloud",
  id: "nextcloud",
  example: "https://cloud.example.org",
  hasSource: true,
  toFields: ({ address, source }) => ({
    redirectUris: [`${address}/apps/user_oidc/code`, `${address}/index.php/apps/user_oidc/code`],
    postLogoutRedirectUris: [`${address}/`],
    backchannelLogoutUri: `${address}/apps/user_oidc/backchannel-logout/${source}`,
    claimsInIdToken: true,
  }),
  toBlock: ({ id, secret, source }, center) => `occ user_oidc:provider '${source}' \\
  --clientid '${id}' \\
  --clientsecret '${secret}' \\
  --discoveryuri '${toDiscovery(center)}' \\
  --scope '${withGroups}' \\
  --send-id-token-hint 1 \\
  --group-provisioning 1 \\
  --mapping-groups groups`,
};

const immich: Preset = {
  name: "Immich",
  id: "immich",
  example: "https://photos.example.org",
  hasSource: false,
  toFields: ({ address }) => ({
    redirectUris: [`${address}/auth/login`, `${address}/user-settings`, "app.immich:///oauth-callback"],
  }),
  toBlock: ({ id, secret }, { issuer }) => [
    ["Issuer URL", issuer],
    ["Client ID", id],
    ["Client Secret", secret],
    ["Scope", "openid profile email"],
    ["Token Endpoint Auth Method", "client_secret_basic"],
  ],
};

const proxmox: Preset = {
  name: "Proxmox VE",
  id: "proxmox",
  example: "https://pve.example.org:8006",
  hasSource: true,
  toFields: ({ address }) => ({ redirectUris: [address] }),
  toBlock: ({ id, secret, source }, { issuer }) => `pveum realm add '${source}' --type openid \\
  --issuer-url '${issuer}' \\
  --client-id '${id}' \\
  --client-key '${secret}' \\
  --scopes '${withGroups}' \\
  --groups-claim groups \\
  --autocreate 1 \\
  --groups-autocreate 1`,
};

const vaultwarden: Preset = {
  name: "Vaultwarden",
  id: "vaultwarden",
  example: "https://vault.example.org",
  hasSource: false,
  toFields: ({ address }) => ({ redirectUris: [`${address}/identity/connect/oidc-signin`] }),
  toBlock: ({ id, secret, address }, { issuer }) => `DOMAIN=${address}
SSO_ENABLED=true
SSO_AUTHORITY=${issuer}
SSO_CLIENT_ID=${id}
SSO_CLIENT_SECRET=${secret}
SSO_SCOPES="email profile offline_access"
SSO_PKCE=true`,
};

const jellyfin: Preset = {
  name: "Jellyfin",
  id: "jellyfin",
  example: "https://jellyfin.example.org",
  hasSource: true,
  toFields: ({ address, source }) => ({
    redirectUris: [`${address}/sso/OID/redirect/${source}`],
    launchUrl: `${address}/sso/OID/start/${source}`,
  }),
  toBlock: ({ id, secret, source, address }, { issuer }) => [
    ["Name of OpenID Provider", source],
    ["OpenID Endpoint", issuer],
    ["OpenID Client ID", id],
    ["OpenID client secret", secret],
    ["Role Claim", "groups"],
    ["Request Additional Scopes", "groups"],
    ["Set default username claim", "preferred_username"],
    ["Scheme Override", new URL(address).protocol.slice(0, -1)],
  ],
};

const pocketbase: Preset = {
  name: "Beszel, PocketBase",
  id: "beszel",
  example: "https://beszel.example.org",
  hasSource: false,
  toFields: ({ address }) => ({ redirectUris: [`${address}/api/oauth2-redirect`] }),
  toBlock: ({ id, secret }, center) => [
    ["Client ID", id],
    ["Client secret", secret],
    ["Display name", "Trivet"],
    ["Auth URL", center.authorization_endpoint],
    ["Token URL", center.token_endpoint],
    ["Fetch user info from", "User info URL"],
    ["User info URL", center.userinfo_endpoint],
  ],
};

/** Anything else that speaks OpenID Connect: its callback address is asked for itself. */
const generic: Preset = {
  name: "OpenID Connect",
  id: "",
  example: "https://app.example.org/auth/callback",
  hasSource: false,
  toFields: ({ address }) => ({ redirectUris: [address], launchUrl: "" }),
  toBlock: ({ id, secret }, center) => [
    ["Issuer", center.issuer],
    ["Discovery", toDiscovery(center)],
    ["Client ID", id],
    ["Client secret", secret],
    ["Scopes", withGroups],
    ["Authorization endpoint", center.authorization_endpoint],
    ["Token endpoint", center.token_endpoint],
    ["Userinfo endpoint", center.userinfo_endpoint],
  ],
};

export const presets = {
  grafana,
  gitea,
  nextcloud,
  immich,
  proxmox,
  vaultwarden,
  jellyfin,
  pocketbase,
  generic,
} as const satisfies Readonly<Record<string, Preset>>;
export type PresetName = keyof typeof presets;

/** The name within a sentence. */
export function toSpoken(name: string): string {
  return name.replace(", ", " / ");
}

/** The address as it is used: without the slash at its end; what is no address stays as it is, and is refused at its field. */
export function toAddress(preset: PresetName, typed: string): string {
  const text = typed.trim();
  if (preset === "generic" || !URL.canParse(text)) return text;
  const { origin, pathname } = new URL(text);
  return origin === "null" ? text : `${origin}${pathname}`.replace(/\/$/u, "");
}

/** Whether it is allowed in a callback URL and in a command. */
export function isSource(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/u.test(text);
}

/** The fields to register the application with. */
export function toClientFields(preset: PresetName, answers: Answers): Partial<ClientFields> {
  const isAddress = URL.canParse(answers.address);
  const launchUrl = isAddress ? `${answers.address}/` : "";
  return { launchUrl, ...presets[preset].toFields(answers) };
}
