/** The consoles of this install, for the switch in the header; empty until somebody has signed in to one. */
import { signal } from "@preact/signals";
import type { ConsoleAddress } from "../../../kit/outbound/consoles.ts";

export type { ConsoleAddress };

/** All of them in their order; the one in sight is among them. */
export const consoles = signal<readonly ConsoleAddress[]>([]);
