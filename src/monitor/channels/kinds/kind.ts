/**
 * A kind of channel: its settings, its secrets, its requests, and its form in the dashboard. Each kind has a file
 * here, and `kinds.ts` lists them.
 */
import type { z } from "zod";
import type { Refined } from "../../../kit/fields/refine.ts";
import type { OutboundRequest } from "../../../kit/outbound/outbound.ts";
import type { KindText } from "../../base/labels.ts";
import type { Notice } from "./notice.ts";

/** Secrets by name; members of an object as `<name>/<member>`, such as `headers/Authorization`. */
export type ChannelSecrets = Readonly<Record<string, string>>;

export type ValuesOf<S extends z.ZodRawShape> = z.infer<z.ZodObject<S>>;

/** Parts of a request. */
export interface ChannelParcel {
  readonly secrets: ChannelSecrets;
  readonly notice: Notice;
  /** The same whenever this notice is sent again. */
  readonly id: string;
  /** The recipient, of kinds that have several. */
  readonly to: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** HMAC-SHA-256 in Base64; given, because the dashboard takes the forms of these files. */
  readonly sign: (text: string, key: string) => string;
}

/** The kind's logic. `S`: the schema of its settings. `X`: that of its secrets. */
export interface ChannelKind<
  S extends z.ZodRawShape = z.ZodRawShape,
  X extends z.ZodRawShape = z.ZodRawShape,
> {
  /** Shown again. Created on demand, so that the dashboard, which uses the forms, needs no schemas. */
  settings(): S;
  /** Encrypted and never shown again: all optional, since PUT keeps omitted ones; "" removes one. */
  secrets(): X;
  /** The secrets that it cannot do without. */
  readonly needed: readonly (keyof X & string)[];
  /** Why settings and secrets do not go together, with the pointer of the member; undefined when they do. */
  findFault?(
    settings: ValuesOf<S>,
    secrets: ChannelSecrets,
  ): { pointer: string; message: string } | undefined;
  /** An address of the server that secrets go to, unless the address is the secret. */
  server?(settings: ValuesOf<S>, secrets: ChannelSecrets): string;
  /** Whom it notifies, each apart; by mail unless it has a request. */
  recipients?(settings: ValuesOf<S>): readonly string[];
  /**
   * Whether its receiver keeps alerts of its own: it gets a notice of each alert, never one of several, and also of
   * acknowledgement.
   */
  keepsAlerts?(settings: ValuesOf<S>): boolean;
  /** The request to its receiver. */
  request?(settings: ValuesOf<S>, parcel: ChannelParcel): OutboundRequest;
  /** Why an answer of a good status says that the message was not taken, or undefined. */
  findFailure?(answer: string): string | undefined;
}

/** The fields of a kind's form in their order, with what its schemas do not say of them. */
export type ChannelFields<
  S extends z.ZodRawShape = z.ZodRawShape,
  X extends z.ZodRawShape = Record<never, never>,
> = { readonly [K in keyof S | keyof X]: Refined };

/** How the dashboard shows a kind; texts of its fields begin with "channel.<kind>". */
export interface ChannelForm<S extends z.ZodRawShape = z.ZodRawShape> {
  readonly title: KindText;
  /** Where a channel leads to, in a few words; `secrets` are masked. */
  destination(settings: ValuesOf<S>, secrets: ChannelSecrets): string;
}
