/** Where people reach the monitor: the one answer for links, install lines, cookies and the check of origins. */
import type { SettingsFields } from "./schema.ts";

/** The address as it is now. Changes in place: read it, do not keep it. */
export interface PublicAddress {
  /** Without a trailing slash; undefined if not set. */
  readonly publicUrl: string | undefined;
  /** The same; if it is not set, as the client of `requestUrl` sees it. */
  toUrl(requestUrl: string): string;
}

/** The address that the settings name, else the environment's. */
export class SiteAddress implements PublicAddress {
  readonly fromEnvironment: string | undefined;
  readonly #basePath: string;
  #publicUrl: string | undefined;

  /** `basePath` is the path of the service, such as "/status"; "" at the root. */
  constructor(fromEnvironment: string | undefined, basePath: string) {
    this.fromEnvironment = fromEnvironment;
    this.#basePath = basePath;
    this.take({ publicUrl: "" });
  }

  get publicUrl(): string | undefined {
    return this.#publicUrl;
  }

  toUrl(requestUrl: string): string {
    return this.#publicUrl ?? new URL(requestUrl).origin + this.#basePath;
  }

  /** Applies the current settings. */
  take({ publicUrl }: Pick<SettingsFields, "publicUrl">): void {
    const url = publicUrl === "" ? this.fromEnvironment : new URL(publicUrl).origin + this.#basePath;
    this.#publicUrl = url?.replace(/(?<!\/)\/+$/u, "");
  }
}
