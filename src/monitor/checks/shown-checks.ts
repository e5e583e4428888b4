/** Checks of the dashboard, by audience: what visitors see, and the whole. Visitors see nothing that is not named here. */
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { toAddress } from "./address.ts";
import { CENTER, type CheckRecord, type CheckStanding, type PlaceResult } from "./schema.ts";
import type { ShownCheck } from "./shown-schema.ts";
import type { CheckDirectory } from "./standings.ts";

export type Audience = "public" | "administrators";

/** A check of an audience: its record and its state. */
interface Shown {
  readonly record: CheckRecord;
  readonly standing: CheckStanding;
}

/** The location that says why it is down. */
function findWhy({ state, places }: CheckStanding): PlaceResult | undefined {
  if (state === "up" || state === "paused") return undefined;
  return (
    places.find(({ isDown, fault }) => isDown && fault !== undefined) ?? places.find(({ fault }) => fault)
  );
}

function findLatency({ places }: CheckStanding): number | undefined {
  const own = places.find(({ place, latencyMs }) => place === CENTER && latencyMs !== undefined);
  return (own ?? places.find(({ latencyMs }) => latencyMs !== undefined))?.latencyMs;
}

/** What changes when the state or the record does; not with each result. */
function toFacts({ record, standing }: Shown, audience: Audience): ShownCheck {
  const { id, name, group, tags, target } = record;
  const { state, since, members } = standing;
  const own = { id, name, group, tags, kind: target.kind, state, since: toIsoTime(since) };
  if (audience === "public") return own;
  const why = findWhy(standing);
  return {
    ...own,
    hidden: record.public ? undefined : true,
    address: toAddress(record),
    fault: why?.fault,
    detail: why?.detail,
    members: members && { total: members.total, down: members.down },
  };
}

export interface ShownChecksDeps {
  readonly directory: CheckDirectory;
  /** End of the planned maintenance that a check is in, epoch milliseconds. */
  readonly maintenanceUntil: (record: CheckRecord) => number | undefined;
}

/** The checks of the dashboard. */
export class ShownChecks {
  readonly #deps: ShownChecksDeps;
  /** What each audience was shown last of a check, by its ID. */
  readonly #facts: Readonly<Record<Audience, Map<string, string>>> = {
    public: new Map(),
    administrators: new Map(),
  };
  readonly #revisions: Record<Audience, number> = { public: 1, administrators: 1 };

  constructor(deps: ShownChecksDeps) {
    this.#deps = deps;
    deps.directory.onChange((id) => this.#note(id));
  }

  /** Increases when the audience is to be shown something else, except for response times and maintenance. */
  revision(audience: Audience): number {
    return this.#revisions[audience];
  }

  /** The checks of an audience, by group and name. */
  list(audience: Audience): readonly ShownCheck[] {
    return this.#deps.directory.records().flatMap((record) => {
      const shown = this.#find(record.id, audience);
      if (shown === undefined) return [];
      const { state } = shown.standing;
      return {
        ...toFacts(shown, audience),
        maintenanceUntil: toIsoTimeIfAny(this.#deps.maintenanceUntil(record)),
        latencyMs: state === "paused" ? undefined : findLatency(shown.standing),
      };
    });
  }

  /** Whether the audience sees this check. */
  has(id: string, audience: Audience): boolean {
    return this.#find(id, audience) !== undefined;
  }

  #find(id: string, audience: Audience): Shown | undefined {
    const { directory } = this.#deps;
    const record = directory.findRecord(id);
    const standing = directory.findStanding(id);
    if (record === undefined || standing === undefined) return undefined;
    return audience === "public" && !record.public ? undefined : { record, standing };
  }

  #note(id: string): void {
    for (const audience of ["public", "administrators"] as const) {
      const known = this.#facts[audience];
      const shown = this.#find(id, audience);
      const facts = shown && JSON.stringify(toFacts(shown, audience));
      if (facts === known.get(id)) continue;
      if (facts === undefined) known.delete(id);
      else known.set(id, facts);
      this.#revisions[audience] += 1;
    }
  }
}
