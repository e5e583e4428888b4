/** What programs ask about a license key: activate, validate and deactivate a device, and the license file of one. */
import { createKeyedQueue } from "../../kit/limits/keyed-queue.ts";
import { type RateLimit, addressKey } from "../../kit/limits/rate-limit.ts";
import type { ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import {
  type DeviceRecord,
  deviceNameSchema,
  fingerprintSchema,
  toLicenseStatus,
} from "../licence-keys/license-schema.ts";
import { devices } from "../licence-keys/records.ts";
import { activateDevice, endDevice, findActivationFault } from "./devices.ts";
import type { LicenseFiles } from "./license-file.ts";
import { MAX_KEY_LENGTH, type SoldLicense, findLicense, readSale } from "./find-license.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Offices have one address for all of their devices. */
const REQUESTS_A_MINUTE = 600;
/** Keys that do not exist, of one address. */
const GUESSES_AN_HOUR = 30;

export const licenseActions = ["activate", "validate", "deactivate", "file"] as const;
export type LicenseAction = (typeof licenseActions)[number];

export const licenseResults = [
  "ok",
  "denied",
  "unknown_key",
  "unknown_device",
  "invalid",
  "limited",
] as const;
export type LicenseResult = (typeof licenseResults)[number];

/** A request of a program. */
export interface LicenseRequest {
  readonly licenseKey: string;
  readonly instanceName?: string | undefined;
  readonly instanceId?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly address: string;
}

/** The answer; `error` is undefined where it is a success. */
export interface LicenseAnswer {
  readonly status: 200 | 400 | 404 | 422 | 429;
  readonly error?: string | undefined;
  readonly sold?: SoldLicense | undefined;
  readonly device?: DeviceRecord | undefined;
  /** The signed file. */
  readonly file?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** The sentences that programs know. */
const faults = {
  disabled: "This license key is disabled.",
  expired: "This license key is expired.",
  limit: "This license key has reached the activation limit.",
  fingerprint: "The fingerprint is not that of the device.",
} as const;
const KEY_NOT_FOUND: LicenseAnswer = { status: 404, error: "license_key not found." };
const DEVICE_NOT_FOUND = "instance_id not found.";

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "limits" | "log"> & {
  readonly licenseFiles: LicenseFiles;
};

function toResult({ status, error }: LicenseAnswer): LicenseResult {
  if (status === 200) return "ok";
  if (status === 404) return error === DEVICE_NOT_FOUND ? "unknown_device" : "unknown_key";
  return status === 400 ? "denied" : status === 422 ? "invalid" : "limited";
}

function readField(name: string, value: string | undefined, most: number): string | undefined {
  if (value === undefined || value.trim() === "") return `The ${name} field is required.`;
  return value.length > most ? `The ${name} field must not be longer than ${most} characters.` : undefined;
}

/** What is wrong with the fields of a request. */
function findFault(action: LicenseAction, request: LicenseRequest): string | undefined {
  const { licenseKey, instanceName, instanceId, fingerprint } = request;
  const key = readField("license_key", licenseKey, MAX_KEY_LENGTH);
  if (key !== undefined) return key;
  if (action === "validate") return undefined;
  const isActivation = action === "activate";
  const named = isActivation
    ? readField("instance_name", instanceName, 200)
    : readField("instance_id", instanceId, 200);
  if (named !== undefined) return named;
  if (isActivation && !deviceNameSchema.safeParse(instanceName).success)
    return "The instance_name field must be one line.";
  if (fingerprint === undefined || fingerprintSchema.safeParse(fingerprint).success) return undefined;
  return "The fingerprint field must be one line of up to 200 characters.";
}

/** The device that a request names, if it is one of the license. */
async function findDevice(
  tx: ReadTx,
  licenseId: string,
  id: string | undefined,
): Promise<DeviceRecord | undefined> {
  const device = id === undefined ? undefined : await tx.get(devices, id.trim());
  return device?.licenseId === licenseId ? device : undefined;
}

/** The license API of programs. */
export class LicenseApi {
  readonly #deps: Deps;
  readonly #requests: RateLimit;
  readonly #guesses: RateLimit;
  /** Devices that start at once would have the store try again and again. */
  readonly #queue = createKeyedQueue();
  readonly #counts = new Map<string, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
    const { limits } = deps;
    this.#requests = limits.create("license-requests", { limit: REQUESTS_A_MINUTE, windowMs: MINUTE_MS });
    this.#guesses = limits.create("license-guesses", { limit: GUESSES_AN_HOUR, windowMs: HOUR_MS });
  }

  /** @throws AppError `store_unavailable` */
  async ask(action: LicenseAction, request: LicenseRequest): Promise<LicenseAnswer> {
    const answer = await this.#run(action, request);
    const series = `${action} ${toResult(answer)}`;
    this.#counts.set(series, (this.#counts.get(series) ?? 0) + 1);
    return answer;
  }

  /** Requests since the start, by action and result. */
  counts(): { readonly labels: { action: string; result: string }; readonly value: number }[] {
    return Array.from(this.#counts, ([series, value]) => {
      const [action = "", result = ""] = series.split(" ");
      return { labels: { action, result }, value };
    });
  }

  async #run(action: LicenseAction, request: LicenseRequest): Promise<LicenseAnswer> {
    const error = findFault(action, request);
    if (error !== undefined) return { status: 422, error };
    const key = addressKey(request.address);
    const refused = [this.#requests.hit(key), this.#guesses.check(key)].find(({ allowed }) => !allowed);
    if (refused !== undefined) {
      const { retryAfterSeconds } = refused;
      return { status: 429, error: "Too many requests. Try again later.", retryAfterSeconds };
    }
    const answer = await this.#answer(action, request);
    if (answer.status === 404 && answer.sold === undefined) this.#guesses.hit(key);
    return answer;
  }

  #answer(action: LicenseAction, request: LicenseRequest): Promise<LicenseAnswer> {
    if (action === "validate") return this.#validate(request);
    if (action === "file") return this.#issueFile(request);
    const work = (): Promise<LicenseAnswer> =>
      action === "activate" ? this.#activate(request) : this.#deactivate(request);
    return this.#queue(this.#deps.box.mac(request.licenseKey, "license-queue"), work);
  }

  #activate({ licenseKey, instanceName = "", fingerprint }: LicenseRequest): Promise<LicenseAnswer> {
    const { store, clock, box } = this.#deps;
    return store.transact(async (tx): Promise<LicenseAnswer> => {
      const license = await findLicense(tx, box, licenseKey);
      if (license === undefined) return KEY_NOT_FOUND;
      const fault = findActivationFault(license, clock.now());
      const sold = await readSale(tx, license);
      if (fault !== undefined) return { status: 400, error: faults[fault], sold };
      const wanted = { name: instanceName.trim(), fingerprint: fingerprint?.trim(), atMs: clock.now() };
      const added = await activateDevice(tx, license, wanted);
      return { status: 200, sold: { ...sold, license: added.license }, device: added.device };
    });
  }

  async #validate({ licenseKey, instanceId }: LicenseRequest): Promise<LicenseAnswer> {
    const { store, clock, box } = this.#deps;
    const nowMs = clock.now();
    const answer = await store.read(async (tx): Promise<LicenseAnswer> => {
      const license = await findLicense(tx, box, licenseKey);
      if (license === undefined) return KEY_NOT_FOUND;
      const sold = await readSale(tx, license);
      const status = toLicenseStatus(license, nowMs);
      const isNamed = instanceId !== undefined && instanceId.trim() !== "";
      const device = isNamed ? await findDevice(tx, license.id, instanceId) : undefined;
      const active = device?.state === "active" ? device : undefined;
      if (status === "disabled" || status === "expired")
        return { status: 400, error: faults[status], sold, device: active };
      if (isNamed && active === undefined) return { status: 404, error: DEVICE_NOT_FOUND, sold };
      return { status: 200, sold, device: active };
    });
    const { device } = answer;
    if (device !== undefined && nowMs - (device.lastSeenAt ?? 0) >= DAY_MS)
      await this.#noteSeen(device, nowMs);
    return answer;
  }

  /** Notes the day on which a device was last seen; a failure is no reason to refuse the device. */
  async #noteSeen({ id }: DeviceRecord, atMs: number): Promise<void> {
    const { store, log } = this.#deps;
    const noted = store.transact(async (tx) => {
      const device = await tx.get(devices, id);
      if (device?.state === "active") await tx.put(devices, { ...device, lastSeenAt: atMs });
    });
    await noted.catch((error: unknown) =>
      log.warn("The last use of a device could not be stored", { device: id, error }),
    );
  }

  async #issueFile({ licenseKey, instanceId, fingerprint }: LicenseRequest): Promise<LicenseAnswer> {
    const { store, clock, box, licenseFiles } = this.#deps;
    const given = fingerprint?.trim();
    const answer = await store.transact(async (tx): Promise<LicenseAnswer> => {
      const license = await findLicense(tx, box, licenseKey);
      if (license === undefined) return KEY_NOT_FOUND;
      const sold = await readSale(tx, license);
      const status = toLicenseStatus(license, clock.now());
      if (status === "disabled" || status === "expired") return { status: 400, error: faults[status], sold };
      const device = await findDevice(tx, license.id, instanceId);
      if (device?.state !== "active") return { status: 404, error: DEVICE_NOT_FOUND, sold };
      const known = device.fingerprint;
      if (given !== undefined && known !== undefined && given !== known)
        return { status: 400, error: faults.fingerprint, sold };
      const isNew = given !== undefined && known === undefined;
      return {
        status: 200,
        sold,
        device: isNew ? await tx.put(devices, { ...device, fingerprint: given }) : device,
      };
    });
    const { sold, device } = answer;
    if (answer.status !== 200 || sold === undefined || device === undefined) return answer;
    return { ...answer, file: await licenseFiles.issue(sold, device) };
  }

  #deactivate({ licenseKey, instanceId }: LicenseRequest): Promise<LicenseAnswer> {
    const { store, clock, box } = this.#deps;
    return store.transact(async (tx): Promise<LicenseAnswer> => {
      const license = await findLicense(tx, box, licenseKey);
      if (license === undefined) return KEY_NOT_FOUND;
      const sold = await readSale(tx, license);
      const device = await findDevice(tx, license.id, instanceId);
      if (device === undefined) return { status: 404, error: DEVICE_NOT_FOUND, sold };
      const left = await endDevice(tx, license, { device, by: "program", atMs: clock.now() });
      return { status: 200, sold: { ...sold, license: left } };
    });
  }
}
