/**
 * The port of a payment provider: its settings, how a payment begins, what its notifications mean, and how it is
 * queried. Each kind has a file here, and `kinds.ts` lists them. All use the same notification rules.
 */
import type { z } from "zod";
import type { Address } from "../../orders/schema.ts";
import type { NoticeType } from "../schema.ts";

export type ValuesOf<S extends z.ZodRawShape> = z.infer<z.ZodObject<S>>;

/** A payment that a service is to collect. */
export interface PaymentRequest {
  readonly orderId: string;
  /** For people: "261121-7KQ4MP". */
  readonly number: string;
  /** 1, 2, …: another try of the same order. With the order's id it makes the key by which a service knows a repeat. */
  readonly attempt: number;
  /** Whole minor units of `currency`. */
  readonly amount: number;
  /** ISO 4217, capitals. */
  readonly currency: string;
  /** One line for the buyer, such as "Order 261121-7KQ4MP at Ada's shop". */
  readonly description: string;
  readonly email: string;
  /** BCP 47. */
  readonly language: string;
  readonly address?: Address;
  /** The buyer's network address, where a service wants it. */
  readonly clientAddress?: string;
  /** Where the buyer goes afterwards; says nothing about whether it was paid. */
  readonly returnUrl: string;
  /** Where notices of this provider go. */
  readonly notifyUrl: string;
  /** When the order stops waiting, epoch milliseconds. */
  readonly expiresAt: number;
  /** What pays it is charged again later, without the buyer: the checkout says so. */
  readonly isKept?: boolean;
}

/** How the buyer pays; `reference` is the service's name of the payment ("" while it has none). */
export type PaymentStart = {
  readonly reference: string;
  /** When the service gives up, epoch milliseconds; absent: with the order. */
  readonly expiresAt?: number;
  /** Whatever the adapter needs again to ask or refund; never shown. */
  readonly state?: Readonly<Record<string, string>>;
} & (
  | { readonly kind: "redirect"; readonly url: string }
  /** `text` is what a QR code holds; `url` opens the same on a phone. */
  | { readonly kind: "qr"; readonly text: string; readonly url?: string }
  /** A form that the buyer's browser posts. */
  | { readonly kind: "form"; readonly url: string; readonly fields: Readonly<Record<string, string>> }
  /** Nothing to open: the instructions of the provider and the order's number. */
  | { readonly kind: "instructions" }
);

/** A provider's statement about one payment. */
export interface ProviderNotice {
  /** The service's id of the event; the same again is a repeat. */
  readonly eventId: string;
  /** The service's id of the payment, refund or dispute. */
  readonly reference: string;
  /** ID or number of the order that the provider got; "" if it only returns its own reference. */
  readonly orderId: string;
  readonly type: NoticeType;
  readonly amount: number;
  readonly currency: string;
  /** Epoch milliseconds. */
  readonly paidAt?: number;
  /** State for refunds, such as a capture's ID. */
  readonly state?: Readonly<Record<string, string>>;
  /** Of what goes back, where no order is named: the reference of the payment. */
  readonly of?: string;
}

/** A subscription as the shop wants it to be at the service. */
export interface WantedSubscription {
  /** The shop's id of it: the service's metadata name it, and its keys for repeats. */
  readonly id: string;
  readonly number: string;
  readonly orderId: string;
  readonly productId: string;
  readonly title: string;
  /** The service's name of it; "" while it has none. */
  readonly reference: string;
  /** The adapter's state, at first that of the payment of the first order. */
  readonly state: Readonly<Record<string, string>>;
  /** Of one period, whole minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly every: "month" | "year";
  readonly count: number;
  /** When the next period is charged, epoch milliseconds; in the past: as the service has planned. */
  readonly chargeAt: number;
  /** Whether it ends instead. */
  readonly isEnding: boolean;
  /** Whether nothing is charged any longer, also not what failed. */
  readonly isOver: boolean;
}

/** What a service charged, or could not charge, for one period. */
export interface ChargedPeriod {
  /** The service's name of its invoice. */
  readonly reference: string;
  /** When the period begins, epoch milliseconds. */
  readonly from: number;
  /** What was paid, and what of it went back; none: it is not paid. Each names no order. */
  readonly notices: readonly ProviderNotice[];
  readonly hasFailed: boolean;
  /** Where the buyer pays with another card. */
  readonly payUrl?: string;
}

/** A subscription as it is at the service. */
export interface SyncedSubscription {
  readonly reference: string;
  readonly state: Readonly<Record<string, string>>;
  /** It ended there. */
  readonly isOver: boolean;
  /** The newest ones. */
  readonly periods: readonly ChargedPeriod[];
}

/** Which subscription changed at a service: the shop's id of it, or the service's. */
export interface SubscriptionHint {
  readonly id?: string;
  readonly reference?: string;
}

/** The response that a provider expects. */
export interface NoticeAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A notice as it came: any method, any body. */
export interface NoticeRequest {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  /** The parsed body, if its type is JSON. */
  readonly json?: unknown;
}

/** The content of a verified notification. */
export interface NoticeReading {
  /** None: nothing that concerns the books, such as an event that the adapter does not know. */
  readonly notices: readonly ProviderNotice[];
  readonly verified: "signature" | "secret" | "none";
  /** Subscriptions to look at: whatever came first or twice, their service says how they are. */
  readonly subscriptions?: readonly SubscriptionHint[];
  /** True where a signature is no proof of payment: each is applied only after `ask` said the same. */
  readonly mustAsk?: boolean;
  /** The answer once all is durable; default: JSON with the outcome. Whatever is refused is answered as a problem. */
  readonly answer?: NoticeAnswer;
}

/** A payment that was begun: what a service is queried for. */
export interface PendingPayment {
  readonly orderId: string;
  readonly number: string;
  readonly attempt: number;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly state: Readonly<Record<string, string>>;
}

/** What a provider reports about an order. */
export type AskResult =
  | { readonly kind: "notices"; readonly notices: readonly ProviderNotice[] }
  /** It waits, or the service does not know it. */
  | { readonly kind: "unpaid"; readonly isOver: boolean };

/** Money that goes back. */
export interface RefundRequest {
  readonly orderId: string;
  readonly number: string;
  /** Of the payment that is given back. */
  readonly reference: string;
  readonly state: Readonly<Record<string, string>>;
  /** The paid amount, and the part to refund now. */
  readonly paid: number;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
  /** The same whenever this refund is tried again. */
  readonly key: string;
}

/** "moved": done. "pending": the provider will report it later, by a notification or a query. */
export interface RefundResult {
  readonly kind: "moved" | "pending";
  readonly reference: string;
}

/** The setting that a provider complains about, if that is known. */
export const faultParts = [
  ...(["url", "merchant", "credentials", "signature", "clock", "amount", "currency", "order"] as const),
] as const;
export type FaultPart = (typeof faultParts)[number];

/** A service refused or could not be reached. */
export class ProviderFault extends Error {
  override readonly name = "ProviderFault";
  /** "unavailable": another try may succeed. "unclear": it may have happened; ask before trying again. */
  readonly kind: "refused" | "unavailable" | "unclear";
  readonly part: FaultPart | undefined;
  /** The service's own words, up to 500 characters, without secrets. */
  readonly said: string;

  constructor(
    kind: ProviderFault["kind"],
    message: string,
    { part, said = "" }: { part?: FaultPart; said?: string } = {},
  ) {
    super(message);
    this.kind = kind;
    this.part = part;
    this.said = said.slice(0, 500);
  }
}

export interface ServiceAnswer {
  readonly status: number;
  /** Up to 64 KiB. */
  readonly text: string;
  readonly headers?: Headers;
}

export interface ServiceRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly body?: string;
}

/** Tools of adapters; all I/O goes through them. */
export interface ProviderTools {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /**
   * Follows no redirect. Throws `ProviderFault` "unavailable" (the request was not received) or "unclear" (it may have
   * been). 10 s at most.
   */
  readonly send: (request: ServiceRequest) => Promise<ServiceAnswer>;
}

/** A provider of the settings, opened: what an adapter is called with. */
export interface ProviderSetup<S extends z.ZodRawShape = z.ZodRawShape> {
  /** The word of its path, /api/webhooks/<word>-pay. */
  readonly word: string;
  readonly options: ValuesOf<S>;
  /** Secrets by name, opened. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** A field of a kind; its label and hint are the texts `provider.<kind>.<name>` and `….hint`. */
export interface ProviderField {
  readonly name: string;
  readonly isSecret: boolean;
  /** Has several lines, such as a key in PEM. */
  readonly isLong?: boolean;
  /** Events of the service that the hint names. */
  readonly events?: readonly string[] | undefined;
}

/** A field that is shown again. */
export function openField(name: string, events?: readonly string[]): ProviderField {
  return { name, isSecret: false, events };
}

/** A field that is sealed and never shown again. */
export function secretField(name: string, events?: readonly string[]): ProviderField {
  return { name, isSecret: true, events };
}

/** A key or certificate of several lines, sealed and never shown again. */
export function keyField(name: string): ProviderField {
  return { name, isSecret: true, isLong: true };
}

/** The logic of one kind. `S`: the schema of its options, which are shown again. */
export interface ProviderKind<S extends z.ZodRawShape = z.ZodRawShape> {
  readonly title: string;
  /** URL of its documentation, for people who set it up. */
  readonly documentation: string;
  /** Shown again. */
  readonly options: S;
  /** Encrypted and never shown again, by name; `needed` ones must be set before it can be switched on. */
  readonly credentials: Readonly<
    Record<string, { readonly schema: z.ZodType<string>; readonly needed: boolean }>
  >;
  readonly fields: readonly ProviderField[];
  /** Currencies that it takes; absent: any. */
  readonly currencies?: readonly string[];
  /** Whether it can charge an amount of such a currency; absent: any. */
  takesAmount?(amount: number, currency: string): boolean;
  /** Origins that credentials are sent to or that are trusted for them; with another one all credentials must be typed again. */
  origins(options: ValuesOf<S>): readonly string[];
  /** Why the settings cannot be used, with the member's pointer. */
  findFault?(setup: ProviderSetup<S>): { readonly pointer: string; readonly message: string } | undefined;
  /** Absent: the buyer pays by the instructions, or at `payUrlTemplate`. The same request again gives the same payment. */
  begin?(setup: ProviderSetup<S>, request: PaymentRequest, tools: ProviderTools): Promise<PaymentStart>;
  /** Throws AppError `unauthenticated` (WrongProof for a wrong signature), `invalid`, `bad_request`. Absent: it takes no notices. */
  read?(setup: ProviderSetup<S>, request: NoticeRequest, tools: ProviderTools): Promise<NoticeReading>;
  /** Absent: it has no queries. Throws `ProviderFault`. */
  ask?(setup: ProviderSetup<S>, payment: PendingPayment, tools: ProviderTools): Promise<AskResult>;
  /** When a waiting order is polled, in minutes after it was placed; default 1, 3, 10, 30. */
  readonly askAfterMinutes?: readonly number[];
  /** Ends an unneeded payment (expired, canceled, paid otherwise). Throws `ProviderFault`. */
  cancel?(
    setup: ProviderSetup<S>,
    payment: Pick<PendingPayment, "orderId" | "reference" | "state">,
    tools: ProviderTools,
  ): Promise<void>;
  /** Absent: refunds are recorded only. Throws `ProviderFault`. */
  refund?(setup: ProviderSetup<S>, refund: RefundRequest, tools: ProviderTools): Promise<RefundResult>;
  /** For services that charge each period by themselves. */
  readonly subscriptions?: {
    /**
     * Makes the service's subscription as it is wanted, and says how it is. The same again changes nothing. Throws
     * `ProviderFault`: "refused" where the buyer cannot be charged again.
     */
    sync(
      setup: ProviderSetup<S>,
      wanted: WantedSubscription,
      tools: ProviderTools,
    ): Promise<SyncedSubscription>;
    /** A page of the service where the buyer changes the card, for some minutes. Throws `ProviderFault`. */
    manage(
      setup: ProviderSetup<S>,
      about: { readonly state: Readonly<Record<string, string>>; readonly returnUrl: string },
      tools: ProviderTools,
    ): Promise<string>;
  };
  /** A session of the smallest amount; its own words. Default: `begin` of the smallest amount. Throws `ProviderFault`. */
  test?(setup: ProviderSetup<S>, tools: ProviderTools): Promise<{ readonly said: string }>;
}
