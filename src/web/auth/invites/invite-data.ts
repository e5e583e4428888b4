/** Invites as the administration's routes give them. */

export interface InviteView {
  readonly id: string;
  readonly prefix: string;
  readonly maxUses: number;
  readonly usedCount: number;
  readonly expiresAt?: string;
  readonly boundEmail?: string;
  readonly mailedAt?: string;
  readonly note: string;
  readonly state: "open" | "used" | "expired" | "disabled";
  readonly createdAt: string;
}

/** With the code, which is shown once. */
export interface NewInviteView extends InviteView {
  readonly code: string;
}

export interface InviteUseView {
  readonly userId: string;
  readonly username?: string;
  readonly at: string;
}

export const INVITES = "/api/admin/invites";

/** Languages that mails are written in. */
export const inviteLanguages = [
  { value: "en", label: "English", lang: "en" },
  { value: "de", label: "Deutsch", lang: "de" },
  { value: "zh", label: "中文", lang: "zh" },
] as const;
export type InviteLanguage = (typeof inviteLanguages)[number]["value"];
