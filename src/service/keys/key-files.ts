/** The files of sealing keys in a data folder. Apart from what reads them: that knows the records of all services. */
import { type ServiceName, serviceNames } from "../../kit/services.ts";

/** The name of a service's file; also of the key that follows it while it is changed, and of the one before. */
export function toKeyFile(service: ServiceName, which: "" | ".next" | ".previous" = ""): string {
  return `${service}-secret${which}.json`;
}

/** Whether a file of a data folder is a sealing key. */
export function isKeyFile(path: string): boolean {
  return serviceNames.some((service) =>
    (["", ".next", ".previous"] as const).some((which) => toKeyFile(service, which) === path),
  );
}
