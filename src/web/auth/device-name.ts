/** What the console calls a device. */
import { translateDeviceLabel } from "../../auth/sessions/device-label.ts";
import { text } from "../app/texts.ts";

/** The device of a label, in the reader's language. */
export function nameDevice(label: string): string {
  return translateDeviceLabel(label, {
    unknown: text("auth.ui.unknownDevice"),
    onSystem: (parts) => text("auth.ui.device", parts),
  });
}
