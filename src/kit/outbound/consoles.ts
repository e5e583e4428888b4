/** The consoles of an install, so that each leads to the others. */
import { serviceNames } from "../services.ts";
import { z } from "zod";

export const consoleAddressSchema = z.object({
  service: z.enum(serviceNames),
  url: z.string().describe("URL of the console, such as https://status.example.org/admin"),
});
export type ConsoleAddress = z.infer<typeof consoleAddressSchema>;

/** A service with a console: its public URL, or if none is set, its own port or its path on the shared port. */
export interface ConsolePlace {
  readonly service: ConsoleAddress["service"];
  readonly url: string | undefined;
  readonly port?: number;
  readonly basePath?: string;
}

function toAddress({ url, port, basePath }: ConsolePlace, request: URL): string | undefined {
  if (url !== undefined) return url;
  if (basePath !== undefined) return request.origin + basePath;
  return port === undefined || port === 0 ? undefined : `${request.protocol}//${request.hostname}:${port}`;
}

/** Where the consoles are for who came by `requestUrl`: on the same host, where no public address is known. */
export function toConsoleAddresses(places: readonly ConsolePlace[], requestUrl: string): ConsoleAddress[] {
  const request = new URL(requestUrl);
  return places.flatMap((place) => {
    const address = toAddress(place, request);
    return address === undefined ? [] : [{ service: place.service, url: `${address}/admin` }];
  });
}
