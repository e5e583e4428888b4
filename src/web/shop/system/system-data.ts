/** What GET /api/admin/system-status answers. */

export type Check = "ok" | "failing" | "unknown";

export interface Warning {
  readonly code: string;
  readonly message: string;
}

export interface ProviderRow {
  readonly word: string;
  readonly enabled: boolean;
  readonly lastNoticeAt?: string;
  readonly unverified: number;
  readonly openReviews: number;
}

export interface JobRow {
  readonly name: string;
  readonly lastRunAt?: string;
  readonly lastError?: string;
}

export interface StatusView {
  readonly version: string;
  readonly program?: string;
  readonly runtime?: {
    readonly uptimeSeconds: number;
    readonly residentBytes: number;
    readonly eventLoopDelayMaxMs: number;
  };
  readonly store: {
    readonly status: Check;
    readonly kind?: "files" | "postgresql";
    readonly records: number;
  };
  readonly auth: Check;
  readonly smtp: { readonly state: "on" | "environment" | "off"; readonly host: string };
  readonly outbox: { readonly waiting: number; readonly failed: number; readonly sent: number };
  readonly disk?: { readonly freeBytes: number; readonly totalBytes: number };
  readonly hasBackups?: boolean;
  readonly backups?: { readonly lastAt?: string; readonly nextAt?: string; readonly failure?: string };
  readonly webhooks: readonly ProviderRow[];
  readonly jobs: readonly JobRow[];
  readonly warnings: readonly Warning[];
}

/** Where what a warning is about is mended; elsewhere it is told how. */
export const warningPlaces: Readonly<Record<string, string>> = {
  mail_off: "/admin/mail",
  mails_failing: "/admin/mail",
  clock_skew: "/admin/providers",
  silent_provider: "/admin/providers",
  unsecured_webhook: "/admin/providers",
  no_webhook_secret: "/admin/providers",
  provider_currency: "/admin/providers",
  demo_provider_enabled: "/admin/providers",
  no_payment_provider: "/admin/providers",
};
