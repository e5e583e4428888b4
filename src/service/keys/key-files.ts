/** The files of sealing keys in a data folder. Apart from what reads them: that knows the records of all services. */
import { type ServiceName, serviceNames } from "../../kit/services.ts";

/** The name of a service's file. */
export function toKeyFile(service: ServiceName): string {
  return `${service}-secret.json`;
}

/** Whether a file of a data folder is a sealing key. */
export function isKeyFile(path: string): boolean {
  return serviceNames.some((service) => toKeyFile(service) === path);
}
