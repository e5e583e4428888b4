/**
 * Heartbeats by name: `/ping/<ping key of the monitor>/<slug>`, as with the ping key of a project at healthchecks.io.
 * A slug stands for a key of a heartbeat that only who knows the monitor's key can compute, so nothing is stored for it.
 */
import type { LimitSource } from "../../bus/shared-limit.ts";
import { AppError } from "../../kit/errors.ts";
import type { RateLimit } from "../../kit/limits/rate-limit.ts";
import { signText } from "../../kit/secrets/hmac.ts";
import { isSameText } from "../../kit/secrets/same-text.ts";
import type { Checks } from "../checks/checks.ts";
import type { CheckDirectory } from "../checks/standings.ts";
import { checkInputSchema } from "../checks/view-schema.ts";
import { type Pings, isHeartbeat } from "./pings.ts";

const SLUG = /^[a-z0-9_-]{1,100}$/u;
const KEY_CHARACTERS = 26;
/** Heartbeats that pings create, together. */
const CREATIONS = 100;
const CREATIONS_WINDOW_MS = 10 * 60_000;
/** From so many heartbeats on, only administrators create more. */
const MAX_HEARTBEATS = 1_000;
const actor = { name: "ping", requestId: "" };

export interface PingSlugsDeps {
  /** The monitor's; without it, there are no slugs. */
  readonly pingKey?: string | undefined;
  readonly checks: Pick<Checks, "create">;
  readonly checkDirectory: Pick<CheckDirectory, "records">;
  readonly limits: LimitSource;
}

/** What a slug stands for. */
export interface SluggedHeartbeat {
  readonly id: string;
  readonly key: string;
  readonly isNew: boolean;
}

export class PingSlugs {
  readonly #deps: PingSlugsDeps;
  readonly #pings: Pick<Pings, "find" | "findKnown">;
  readonly #creations: RateLimit;

  constructor(deps: PingSlugsDeps, pings: Pick<Pings, "find" | "findKnown">) {
    this.#deps = deps;
    this.#pings = pings;
    const limit = { limit: CREATIONS, windowMs: CREATIONS_WINDOW_MS };
    this.#creations = deps.limits.create("heartbeat-creations", limit);
  }

  /** Whether it is the monitor's ping key. */
  isKey(key: string): boolean {
    const { pingKey } = this.#deps;
    return pingKey !== undefined && isSameText(key, pingKey);
  }

  /**
   * The heartbeat of a slug; with `creates`, it is created where there is none.
   * @throws AppError `bad_request`, `not_found`, `rate_limited`; `conflict` when there are too many
   */
  async find(
    slug: string,
    { creates, clientAddress }: { creates: boolean; clientAddress: string },
  ): Promise<SluggedHeartbeat> {
    if (!SLUG.test(slug))
      throw new AppError(
        "bad_request",
        "A slug is 1 to 100 lowercase letters, digits, hyphens and underscores",
      );
    const key = signText(`ping-slug:${slug}`, this.#deps.pingKey ?? "")
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .slice(0, KEY_CHARACTERS);
    if (!creates) return { id: await this.#findOrRefuse(slug, { key, clientAddress }), key, isNew: false };
    const known = await this.#pings.findKnown(key);
    return known === undefined ? this.#create(slug, key) : { id: known, key, isNew: false };
  }

  async #findOrRefuse(
    slug: string,
    { key, clientAddress }: { key: string; clientAddress: string },
  ): Promise<string> {
    try {
      return await this.#pings.find(key, clientAddress);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "not_found") throw error;
      throw new AppError("not_found", `No heartbeat has the slug "${slug}". Add ?create=1 to create it`);
    }
  }

  async #create(slug: string, key: string): Promise<SluggedHeartbeat> {
    const { checks, checkDirectory } = this.#deps;
    const { allowed, retryAfterSeconds } = this.#creations.hit("all");
    if (!allowed)
      throw new AppError("rate_limited", `Pings create up to ${CREATIONS} heartbeats in 10 minutes`, {
        retryAfterSeconds,
      });
    if (checkDirectory.records().filter(isHeartbeat).length >= MAX_HEARTBEATS)
      throw new AppError(
        "conflict",
        `Pings create no heartbeats beyond ${MAX_HEARTBEATS}. Add it in the console`,
      );
    try {
      const input = checkInputSchema.parse({ name: slug, target: { kind: "heartbeat" } });
      const { id } = await checks.create(input, { actor, pingKey: key });
      return { id, key, isNew: true };
    } catch (error) {
      // Another ping created it at the same time.
      const id = await this.#pings.findKnown(key);
      if (id === undefined) throw error;
      return { id, key, isNew: false };
    }
  }
}
