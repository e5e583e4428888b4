/**
 * Whether the monitor's own network is down, and not a target. Other targets that were up are the witnesses: when none
 * of them responds, in unrelated networks, the state of the targets is unknown. Without witnesses a failure counts as
 * what it looks like: a small installation must get alerts.
 */
import ipaddr from "ipaddr.js";
import { classifyAddress } from "../../../kit/outbound/allowed-networks.ts";
import type { ProbeFault } from "../../../kit/probes/probe.ts";
import { kindOf } from "../../../kit/probes/kinds/kinds.ts";
import type { Target } from "../../../kit/probes/targets.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Log } from "../../../kit/observe/log.ts";

/** Fewer witnesses prove nothing: with the suspect they make three networks. */
const MIN_WITNESSES = 2;
const MAX_WITNESSES = 4;
/** A result is valid this long. */
const HOLD_MS = 5_000;
/** How long the network of a host is remembered. */
const REMEMBER_MS = 3_600_000;
const MAX_HOSTS = 20_000;
/** An anchor that has not answered for so long is none. */
const TRUST_MS = 3_600_000;

/** Faults that a network of one's own that is away looks like. */
const networkFaults: ReadonlySet<ProbeFault> = new Set(["timeout", "unreachable", "dns"]);

/** Whether a try ended as it would without a network. */
export function isNetworkFault(fault: ProbeFault | undefined): boolean {
  return fault !== undefined && networkFaults.has(fault);
}

type Scope = "public" | "private";

/** Where a target is: a /24 of IPv4 or a /48 of IPv6. */
interface Place {
  readonly scope: Scope;
  readonly network: string;
}

/** A host and port that must answer, be it with a refusal. */
export interface Anchor {
  readonly host: string;
  readonly port: number;
}

export interface OwnNetworkDeps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Log;
  /** Whether a target answers now, whatever its answer is. Never rejects. */
  readonly ask: (target: Target) => Promise<boolean>;
  /** The addresses of a host. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** Targets that are not down. */
  readonly witnesses: () => Iterable<Target>;
  /** Configured anchors; trusted once they have responded. */
  readonly anchors: readonly Anchor[];
}

function hostOf(target: Target): string | undefined {
  return kindOf(target).host(target);
}

/** Whether it may be checked once more than its interval says. */
function isHarmless(target: Target): boolean {
  return kindOf(target).isHarmless?.(target) ?? true;
}

function toPlace(addresses: readonly string[]): Place | undefined {
  const valid = addresses.filter((address) => ipaddr.isValid(address));
  const address = valid.find((one) => classifyAddress(one) === "public") ?? valid[0];
  if (address === undefined) return undefined;
  const bytes = ipaddr.process(address).toByteArray();
  const network = bytes.slice(0, bytes.length === 4 ? 3 : 6).join(".");
  return { scope: classifyAddress(address) === "public" ? "public" : "private", network };
}

/** The state of this monitor's own network. */
export class OwnNetwork {
  readonly #deps: OwnNetworkDeps;
  readonly #hosts = new Map<string, { readonly place: Place; readonly atMs: number }>();
  /** When a network answered last, monotonic milliseconds. */
  readonly #answered = new Map<string, number>();
  readonly #anchorsMs = new Map<Anchor, number>();
  readonly #found = new Map<Scope, { readonly isAway: boolean; readonly atMs: number }>();
  readonly #asking = new Map<Scope, Promise<boolean>>();

  constructor(deps: OwnNetworkDeps) {
    this.#deps = deps;
  }

  /** Whether some of it was found away last. */
  get isAwayNow(): boolean {
    return [...this.#found.values()].some(({ isAway }) => isAway);
  }

  /** A target answered: its network is there, and it can be a witness. */
  noteAnswer(target: Target): void {
    const host = hostOf(target);
    if (host === undefined) return;
    const nowMs = this.#deps.clock.monotonic();
    const known = this.#hosts.get(host);
    if (known !== undefined) this.#noteNetwork(known.place, nowMs);
    if (known === undefined || nowMs - known.atMs >= REMEMBER_MS) void this.#learn(host);
  }

  /** Contacts the anchors, which are trusted from then on; call it every few minutes. Never rejects. */
  async tryAnchors(): Promise<void> {
    await Promise.all(this.#deps.anchors.map((anchor) => this.#askAnchor(anchor)));
  }

  /** Whether a target that seems not to be reachable says more of this network than of itself. Never rejects. */
  async isAway(suspect: Target, sinceMs: number): Promise<boolean> {
    const host = hostOf(suspect);
    const place = host === undefined ? undefined : await this.#findPlace(host);
    const scope = place?.scope ?? "public";
    if (this.#hasAnswerSince(scope, place?.network, sinceMs)) return this.#note(scope, false);
    const found = this.#found.get(scope);
    if (found !== undefined && this.#deps.clock.monotonic() - found.atMs < HOLD_MS) return found.isAway;
    const asking = this.#asking.get(scope) ?? this.#inquire(scope, place?.network);
    this.#asking.set(scope, asking);
    try {
      return await asking;
    } finally {
      this.#asking.delete(scope);
    }
  }

  async #inquire(scope: Scope, network: string | undefined): Promise<boolean> {
    const trusted = scope === "public" ? this.#trustedAnchors() : [];
    if (trusted.length > 0)
      return this.#note(scope, !(await someTrue(trusted.map((anchor) => this.#askAnchor(anchor)))));
    const witnesses = this.#chooseWitnesses(scope, network);
    if (witnesses.length < MIN_WITNESSES) return this.#note(scope, false);
    return this.#note(scope, !(await someTrue(witnesses.map((target) => this.#deps.ask(target)))));
  }

  #note(scope: Scope, isAway: boolean): boolean {
    const { clock, log } = this.#deps;
    const wasAway = this.#found.get(scope)?.isAway ?? false;
    if (isAway && !wasAway)
      log.warn("The monitor's own network is down: checks that fail here are unknown", { scope });
    if (!isAway && wasAway) log.info("The monitor's own network is up again", { scope });
    this.#found.set(scope, { isAway, atMs: clock.monotonic() });
    return isAway;
  }

  #hasAnswerSince(scope: Scope, network: string | undefined, sinceMs: number): boolean {
    for (const [key, atMs] of this.#answered)
      if (atMs >= sinceMs && key.startsWith(scope) && key !== `${scope} ${network}`) return true;
    return false;
  }

  #noteNetwork({ scope, network }: Place, nowMs: number): void {
    const key = `${scope} ${network}`;
    this.#answered.delete(key);
    this.#answered.set(key, nowMs);
    if (this.#answered.size > MAX_HOSTS) this.#answered.clear();
  }

  #chooseWitnesses(scope: Scope, network: string | undefined): readonly Target[] {
    const chosen = new Map<string, Target>();
    for (const target of this.#deps.witnesses()) {
      const place = this.#hosts.get(hostOf(target) ?? "")?.place;
      if (place === undefined || place.scope !== scope || place.network === network) continue;
      if (!isHarmless(target) || chosen.has(place.network)) continue;
      // A host that never responded is no witness.
      if (!this.#answered.has(`${scope} ${place.network}`)) continue;
      chosen.set(place.network, target);
      if (chosen.size === MAX_WITNESSES) break;
    }
    return [...chosen.values()];
  }

  #trustedAnchors(): readonly Anchor[] {
    const nowMs = this.#deps.clock.monotonic();
    return this.#deps.anchors.filter(
      (anchor) => nowMs - (this.#anchorsMs.get(anchor) ?? -Infinity) < TRUST_MS,
    );
  }

  async #askAnchor(anchor: Anchor): Promise<boolean> {
    const answers = await this.#deps.ask({ kind: "ping", way: "tcp", ...anchor });
    if (answers) this.#anchorsMs.set(anchor, this.#deps.clock.monotonic());
    return answers;
  }

  async #findPlace(host: string): Promise<Place | undefined> {
    return this.#hosts.get(host)?.place ?? this.#learn(host);
  }

  async #learn(host: string): Promise<Place | undefined> {
    const addresses = ipaddr.isValid(host) ? [host] : await this.#deps.resolve(host).catch(() => []);
    const place = toPlace(addresses);
    if (place === undefined) return undefined;
    if (this.#hosts.size >= MAX_HOSTS) this.#hosts.clear();
    this.#hosts.set(host, { place, atMs: this.#deps.clock.monotonic() });
    return place;
  }
}

/** Whether one of them is true, as soon as it is. */
async function someTrue(answers: readonly Promise<boolean>[]): Promise<boolean> {
  const wanted = answers.map(async (answer) => {
    if (!(await answer)) throw new Error("No response");
  });
  return Promise.any(wanted).then(
    () => true,
    () => false,
  );
}
