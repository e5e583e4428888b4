/** A license key as a file describes it. */
export interface KeyDraft {
  readonly line: number;
  readonly value: string;
  /** How a product can be named, the surest first. */
  readonly products: readonly string[];
  readonly column: string | undefined;
  readonly variant: string | undefined;
  readonly source: string;
  readonly holderEmail: string | undefined;
  readonly holderName: string | undefined;
  readonly isDisabled: boolean;
  readonly maxDevices: number | undefined;
  readonly expiresAt: number | undefined;
  readonly createdAt: number | undefined;
}

/** A key as records of imports name it, which are not encrypted; none stays none. */
export function toMasked(key: string): string {
  if (key === "") return "";
  return `••••${key.length < 12 ? "" : key.slice(-4)}`;
}
