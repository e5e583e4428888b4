/** @jsxImportSource hono/jsx */
/** A license below its key on an order's page: whether it is valid, its devices, and their license files. */
import { Form } from "../../../html/form.tsx";
import type { BuyersLicense } from "../../licenses/order-licenses.ts";
import type { Visit } from "../visit.tsx";

export const DEVICE_ACTION = "/deactivate-device";

interface LicenseProps {
  readonly visit: Visit;
  /** Of the order. */
  readonly number: string;
  readonly found: BuyersLicense;
}

function toStateWords({ license, status }: BuyersLicense, { t, time }: Visit): string {
  const { expiresAt, maxDevices, used } = license;
  if (status === "disabled") return t("license.disabled");
  const devices =
    maxDevices === undefined ? t("license.devices", { used }) : t("license.ofDevices", { used, maxDevices });
  if (expiresAt === undefined) return devices;
  const end = t(status === "expired" ? "license.expired" : "license.until", { time: time(expiresAt) });
  return `${end} · ${devices}`;
}

/** The license. */
export function LicensePart({ visit, number, found }: LicenseProps) {
  const { t, time, formToken } = visit;
  const isValid = found.status === "active" || found.status === "inactive";
  return (
    <div class="stack is-tight">
      <p class={isValid ? "small muted" : "small note"}>{toStateWords(found, visit)}</p>
      {found.devices.length === 0 ? (
        <></>
      ) : (
        <ul class="lines" aria-label={t("license.list")}>
          {found.devices.map(({ id, name, createdAt }) => {
            const shown = name === "" ? t("license.unnamed") : name;
            return (
              <li>
                <span class="stack is-tight">
                  <span>{shown}</span>
                  <span class="small muted">{t("license.since", { time: time(createdAt) })}</span>
                </span>
                <span class="row no-print">
                  {isValid ? (
                    <a class="small" href={`/orders/${number}/licenses/${id}`} download>
                      {t("license.file")}
                    </a>
                  ) : (
                    <></>
                  )}
                  <Form
                    action={`/orders/${number}${DEVICE_ACTION}`}
                    token={formToken}
                    label={t("license.deactivateOf", { name: shown })}
                  >
                    <input type="hidden" name="device" value={id} />
                    <button class="button" type="submit">
                      {t("license.deactivate")}
                    </button>
                  </Form>
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
