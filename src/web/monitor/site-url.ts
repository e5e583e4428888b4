/** What the settings say of where people reach the monitor. */
export interface SiteAddress {
  readonly publicUrl: string;
  readonly environment: { readonly publicUrl?: string };
}

/** Whether anybody said where that is. */
export function hasAddress({ publicUrl, environment }: SiteAddress): boolean {
  return publicUrl !== "" || environment.publicUrl !== undefined;
}
