/** Licenses: what programs may ask about a delivered key, and the devices that it is activated on. */
import { z } from "zod";
import { line, timeMs } from "../../kit/text/schemas.ts";
import { MAX_DEVICES, MAX_OFFLINE_DAYS } from "../products/license-schema.ts";

/** Why a license is disabled. */
export const disabledReasons = ["admin", "refund", "dispute", "canceled", "replaced", "import"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export const licenseStatuses = ["inactive", "active", "expired", "disabled"] as const;
export type LicenseStatus = (typeof licenseStatuses)[number];

/** The name of a device. */
export const deviceNameSchema = line(200).trim().min(1);
/** What a program computes of a device; a hash, never a serial number itself. */
export const fingerprintSchema = line(200).trim().min(1);

export const licenseRecordSchema = z.object({
  /** The id of its key. */
  id: z.string(),
  version: z.number().int(),
  /** For programs that expect a number; unique, and never another one. */
  number: z.number().int().min(1).max(0x7f_ff_ff_ff),
  /** A keyed hash of the key, by which programs find it. */
  mac: z.string(),
  productId: z.string(),
  /** The variant, or the product without variants. */
  stockId: z.string(),
  orderId: z.string().optional(),
  lineId: z.string().optional(),
  /** Who has it, where no order says so. */
  holderName: line(200).optional(),
  holderEmail: z.string().max(254).optional(),
  /** The mailbox in small letters; present as long as the email is. */
  holderMailbox: z.string().max(254).optional(),
  /** Absent: no limit. */
  maxDevices: z.number().int().min(1).max(MAX_DEVICES).optional(),
  /** Active devices. */
  used: z.number().int().min(0),
  /** Absent: never. */
  expiresAt: timeMs.optional(),
  offlineDays: z.number().int().min(1).max(MAX_OFFLINE_DAYS),
  disabledAt: timeMs.optional(),
  disabledReason: z.enum(disabledReasons).optional(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type LicenseRecord = z.infer<typeof licenseRecordSchema>;

/** An activation of a license. */
export const deviceRecordSchema = z.object({
  /** A UUID: the "instance" of programs. */
  id: z.string(),
  version: z.number().int(),
  licenseId: z.string(),
  state: z.enum(["active", "ended"]),
  name: line(200),
  fingerprint: line(200).optional(),
  createdAt: timeMs,
  /** To the day. */
  lastSeenAt: timeMs.optional(),
  endedAt: timeMs.optional(),
  /** Who ended it. */
  endedBy: z.enum(["program", "buyer", "admin"]).optional(),
});
export type DeviceRecord = z.infer<typeof deviceRecordSchema>;

/** The status of a license at a time. */
export function toLicenseStatus(
  { disabledAt, expiresAt, used }: Pick<LicenseRecord, "disabledAt" | "expiresAt" | "used">,
  nowMs: number,
): LicenseStatus {
  if (disabledAt !== undefined) return "disabled";
  if (expiresAt !== undefined && expiresAt <= nowMs) return "expired";
  return used > 0 ? "active" : "inactive";
}
