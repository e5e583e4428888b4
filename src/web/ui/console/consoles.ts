/** The consoles of this install, for the switch in the header; empty until somebody has signed in to one. */
import { signal } from "@preact/signals";

/** The console of a service. */
export interface ConsoleAddress {
  readonly service: "monitor" | "auth" | "shop";
  readonly url: string;
}

/** All of them in their order; the one in sight is among them. */
export const consoles = signal<readonly ConsoleAddress[]>([]);
