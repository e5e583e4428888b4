/** Clients of a shop beside its buyers and staff: one kind for each further promise. */
import type { ClientParts } from "../world/client.ts";
import { Workloads } from "../world/workload.ts";
import { Chat } from "./chat.ts";
import { Corrections } from "./corrections.ts";
import { GiftCards } from "./gift-cards.ts";
import { Imports } from "./imports.ts";
import { Payers } from "./payers.ts";
import { Seats } from "./seats.ts";
import { Shelf } from "./shelf.ts";
import type { Staff } from "./staff.ts";
import { Subscribers } from "./subscribers.ts";

const LONG_HOURS = 240;

export function createShopWorkloads(
  parts: (purpose: string) => ClientParts,
  staff: Staff,
  { pauseMs, people, hours }: { readonly pauseMs: number; readonly people: number; readonly hours: number },
): Workloads {
  return new Workloads([
    new Seats({ ...parts("seats"), pauseMs }, staff),
    new GiftCards({ ...parts("gift cards"), pauseMs }, staff),
    new Shelf({ ...parts("shelf"), pauseMs }, staff),
    new Imports({ ...parts("imports"), pauseMs }),
    new Corrections({ ...parts("corrections"), pauseMs }, staff),
    // Their periods are months.
    ...(hours >= LONG_HOURS ? [new Subscribers(parts("subscribers"), staff)] : []),
    new Payers({ ...parts("payers"), pauseMs }, staff),
    // Who has no account writes by email.
    ...(people > 0 ? [new Chat({ ...parts("chat"), pauseMs })] : []),
  ]);
}
