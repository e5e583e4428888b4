/** Amounts of bytes with a unit, as people type them. */

/** Units that can be chosen; providers of machines mean now this, now that, by "a terabyte". */
export const byteUnits = ["B", "MB", "MiB", "GB", "GiB", "TB", "TiB"] as const;
export type ByteUnit = (typeof byteUnits)[number];

const sizes: Readonly<Record<ByteUnit, bigint>> = {
  B: 1n,
  MB: 1_000_000n,
  MiB: 1_048_576n,
  GB: 1_000_000_000n,
  GiB: 1_073_741_824n,
  TB: 1_000_000_000_000n,
  TiB: 1_099_511_627_776n,
};
const THOUSANDTHS = 1_000n;

export interface ByteAmount {
  readonly value: string;
  readonly unit: ByteUnit;
}

function toDecimal(thousandths: bigint): string {
  const fraction = String(thousandths % THOUSANDTHS)
    .padStart(3, "0")
    .replace(/(?<!0)0+$/u, "");
  const whole = String(thousandths / THOUSANDTHS);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** The largest unit in which the amount has at most three digits after the point. */
export function toByteAmount(bytes: number): ByteAmount {
  if (bytes === 0) return { value: "", unit: "GB" };
  const thousandths = BigInt(bytes) * THOUSANDTHS;
  for (const unit of [...byteUnits].reverse()) {
    const size = sizes[unit];
    if (BigInt(bytes) >= size && thousandths % size === 0n)
      return { value: toDecimal(thousandths / size), unit };
  }
  return { value: String(bytes), unit: "B" };
}

/** Whole bytes; nothing typed is 0, undefined when it is no amount. */
export function parseByteAmount({ value, unit }: ByteAmount): number | undefined {
  const text = value.trim().replace(",", ".");
  if (text === "") return 0;
  const parts = /^(\d{1,16})(?:\.(\d{0,3}))?$/u.exec(text);
  if (parts === null) return undefined;
  const [, whole = "", fraction = ""] = parts;
  const bytes = (BigInt(whole + fraction.padEnd(3, "0")) * sizes[unit]) / THOUSANDTHS;
  return bytes > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(bytes);
}
