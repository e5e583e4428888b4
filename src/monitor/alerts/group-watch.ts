/** Judges checks of groups by the states of their members, on the node that leads. */
import type { Clock } from "../../kit/time/clock.ts";
import { type GroupTarget, MAX_NAMED_MEMBERS } from "../checks/schema.ts";
import type { CheckIntake, Judgement } from "../checks/standings.ts";
import type { Dependencies, DependencyState } from "./dependencies.ts";
import { type GroupCheck, canBeMember, isGroupCheck } from "./group-check.ts";
import type { Scoped } from "./evaluate.ts";
import type { Watched } from "./kinds/watched.ts";
import type { WatchedDirectory } from "./watched-directory.ts";

/** Until agents have connected again, what is known of servers is from before the start. */
const SETTLE_MS = 60_000;
/** A process without a tick for this long was suspended. */
const STALL_MS = 3_000;
/** A verdict is given again this often, so that what depends on a group sees that it still holds. */
const AGAIN_MS = 10_000;
const MAX_DETAIL = 200;

export interface GroupWatchDeps {
  readonly clock: Clock;
  readonly watched: Pick<WatchedDirectory, "all" | "findStanding">;
  readonly dependencies: Pick<Dependencies, "stateOf">;
  readonly checkIntake: Pick<CheckIntake, "judge">;
  readonly nodes: { readonly isLeader: boolean };
  /** Whether the known state of a server is current; without it, always. */
  readonly canJudge?: ((serverId: string) => boolean) | undefined;
  /** Whether a member is in planned maintenance: then it does not count. */
  readonly isInMaintenance?: ((record: Scoped) => boolean) | undefined;
}

interface Member {
  readonly name: string;
  readonly state: Exclude<DependencyState, "paused">;
}

/** How many members must be down. */
function toLeast({ downWhen, count }: GroupTarget, total: number): number {
  if (downWhen === "any") return 1;
  return downWhen === "all" ? total : Math.min(count, total);
}

function toDetail(down: readonly string[], total: number): string {
  if (down.length === 0) return "";
  const detail = `${down.length} of ${total} down: ${down.join(", ")}`;
  return detail.length <= MAX_DETAIL ? detail : `${detail.slice(0, MAX_DETAIL - 1)}…`;
}

/** The verdict, whatever members of unknown state turn out to be; unknown when it depends on them. */
export function judgeGroup(
  target: GroupTarget,
  members: readonly Member[],
): Pick<Judgement, "state" | "fault" | "detail" | "members"> {
  const none = { total: 0, down: 0, names: [] };
  if (members.length === 0)
    return { state: "unknown", detail: "The group has no members that count", members: none };
  const least = toLeast(target, members.length);
  const down = members.filter(({ state }) => state === "down").map(({ name }) => name);
  const unknown = members.filter(({ state }) => state === "unknown").length;
  const detail = toDetail(down, members.length);
  const counts = {
    total: members.length,
    down: down.length,
    names: down.slice(0, MAX_NAMED_MEMBERS),
  };
  if (down.length >= least) return { state: "down", fault: "members", detail, members: counts };
  if (down.length + unknown < least) return { state: "up", detail, members: counts };
  return { state: "unknown", detail, members: counts };
}

export class GroupWatch {
  readonly #deps: GroupWatchDeps;
  #tickedMs = -Infinity;
  /** Since when this node leads without a break, monotonic milliseconds. */
  #sinceMs: number | undefined;
  readonly #judgedMs = new Map<string, number>();

  constructor(deps: GroupWatchDeps) {
    this.#deps = deps;
  }

  /** Judges every group; call it every second. */
  tick(): void {
    const { clock, nodes } = this.#deps;
    const nowMs = clock.monotonic();
    const isLate = nowMs - this.#tickedMs >= STALL_MS;
    this.#tickedMs = nowMs;
    if (!nodes.isLeader) this.#sinceMs = undefined;
    else if (this.#sinceMs === undefined || isLate) this.#sinceMs = nowMs;
    if (this.#sinceMs === undefined) return;
    const all = [...this.#deps.watched.all()];
    const groups = all.flatMap(({ type, record }) =>
      type === "check" && isGroupCheck(record) ? record : [],
    );
    if (groups.length === 0) return;
    const byName = this.#listMembers(all);
    for (const group of groups)
      if (!group.paused) this.#judge(group, byName.get(group.target.group) ?? [], nowMs);
  }

  #judge(group: GroupCheck, members: readonly Watched[], nowMs: number): void {
    const { clock, watched, checkIntake } = this.#deps;
    const hasServers = members.some(({ type }) => type === "server");
    const standing = watched.findStanding(group.id);
    const isOld = standing?.revision !== group.revision || standing.places.length === 0;
    // The stored verdict stays until servers had the time to report; a new one waits for them too.
    if (hasServers && nowMs - (this.#sinceMs ?? nowMs) < SETTLE_MS && !isOld) return;
    const verdict = judgeGroup(
      group.target,
      members.flatMap((one) => this.#look(one) ?? []),
    );
    const said = standing?.places[0];
    const isSame =
      !isOld &&
      standing.state === verdict.state &&
      said?.detail === verdict.detail &&
      standing.members?.total === verdict.members?.total;
    if (isSame && nowMs - (this.#judgedMs.get(group.id) ?? -Infinity) < AGAIN_MS) return;
    this.#judgedMs.set(group.id, nowMs);
    checkIntake.judge(group.id, { ...verdict, at: clock.now() });
  }

  /** Undefined: it does not count, because it is paused, never reported, or is in maintenance. */
  #look(member: Watched): Member | undefined {
    const { dependencies, canJudge, isInMaintenance } = this.#deps;
    const { id, name } = member.record;
    const state = dependencies.stateOf(member);
    if (state === "paused" || isInMaintenance?.(member.record) === true) return undefined;
    if (member.type === "server" && state === "unknown") return undefined;
    const isCurrent = member.type === "check" || (canJudge?.(id) ?? true);
    return { name, state: isCurrent ? state : "unknown" };
  }

  #listMembers(all: readonly Watched[]): ReadonlyMap<string, readonly Watched[]> {
    const byName = new Map<string, Watched[]>();
    for (const one of all) {
      if (!canBeMember(one)) continue;
      const { group } = one.record;
      const known = byName.get(group);
      if (known === undefined) byName.set(group, [one]);
      else known.push(one);
    }
    return byName;
  }
}
