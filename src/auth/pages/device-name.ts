/** What pages call a device. */
import { translateDeviceLabel } from "../sessions/device-label.ts";
import type { Visit } from "./visit.tsx";

/** The device of a label, in the language of the page. */
export function nameDevice({ t }: Pick<Visit, "t">, label: string): string {
  return translateDeviceLabel(label, {
    unknown: t("sessions.unknownDevice"),
    onSystem: (parts) => t("sessions.device", { ...parts }),
  });
}
