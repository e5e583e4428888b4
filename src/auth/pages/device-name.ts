/** The name of a device on pages. */
import { UNKNOWN_DEVICE } from "../sessions/device-label.ts";
import type { Visit } from "./visit.tsx";

/** The device of a label, in the language of the page; what is no label stays as it is. */
export function nameDevice({ t }: Pick<Visit, "t">, label: string): string {
  if (label === UNKNOWN_DEVICE) return t("sessions.unknownDevice");
  const [, browser, system] = /^(\w+) on (\w+)$/u.exec(label) ?? [];
  return browser === undefined || system === undefined ? label : t("sessions.device", { browser, system });
}
