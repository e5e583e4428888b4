/** Clients of an auth center beside its people: one kind for each further promise. */
import type { ClientParts } from "../world/client.ts";
import { Workloads } from "../world/workload.ts";
import { Arrivals } from "./arrivals.ts";
import { Invites } from "./invites.ts";
import { Members } from "./members.ts";
import { Points } from "./points.ts";
import { SettingsEditors } from "./settings-editors.ts";

export function createAccountWorkloads(parts: (purpose: string) => ClientParts, pauseMs: number): Workloads {
  return new Workloads([
    new Arrivals({ ...parts("arrivals"), pauseMs }),
    new Invites({ ...parts("invites"), pauseMs }),
    new Members({ ...parts("members"), pauseMs }),
    new Points({ ...parts("points"), pauseMs }),
    new SettingsEditors({ ...parts("settings"), pauseMs }),
  ]);
}
