/**
 * Which events a transaction causes, derived from its changes to orders and stock: no part of the shop can forget one,
 * and multiple changes within a transaction cause one event.
 */
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import type { RecordChange } from "../../store/observed-store.ts";
import type { Collection, ReadTx, StoreRecord, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { draftOrders } from "../draft-orders/records.ts";
import type { DraftRecord } from "../draft-orders/schema.ts";
import type { DeviceRecord, LicenseRecord } from "../licence-keys/license-schema.ts";
import { devices, licenses } from "../licence-keys/records.ts";
import type { OrderRecord, OrderStatus } from "../orders/schema.ts";
import type { StockRecord } from "../products/schema.ts";
import { orders } from "../orders/records.ts";
import { products, stock } from "../products/records.ts";
import { readSite } from "../site/settings.ts";
import { toThreshold } from "../stock/low-stock.ts";
import { type ShopEvent, listActive, writeEvent } from "./events.ts";
import type { EventType } from "./schema.ts";

/** States with an event. */
const typeOf: Readonly<Record<OrderStatus, EventType | undefined>> = {
  pending_payment: "order.placed",
  paid: "order.paid",
  fulfilling: undefined,
  delivered: "order.delivered",
  completed: "order.completed",
  canceled: "order.canceled",
  expired: "order.expired",
};

/** An order in events: nothing of it says who ordered, or opens it. */
export function toOrderData(order: OrderRecord) {
  const { id, number, userId, status, paymentStatus, attention, currency, subtotal, discount } = order;
  const { shipping, total, amountPaid, amountRefunded, couponCode, paymentMethod, shipment, version } = order;
  return {
    id,
    number,
    userId,
    status,
    paymentStatus,
    attention,
    currency,
    subtotal,
    discount,
    shipping,
    total,
    amountPaid,
    amountRefunded,
    couponCode,
    paymentMethod,
    shipment,
    version,
    country: order.shippingAddress?.country,
    lines: order.lines.map((line) => {
      const { productId, variantId, sku, title, options, quantity, unitPrice, deliveryType } = line;
      return {
        id: line.id,
        productId,
        variantId,
        sku,
        title,
        options,
        quantity,
        unitPrice,
        deliveryType,
        discount: line.discount,
        total: line.total,
        deliveredAt: toIsoTimeIfAny(line.deliveredAt),
      };
    }),
    createdAt: toIsoTime(order.createdAt),
    updatedAt: toIsoTime(order.updatedAt),
    expiresAt: toIsoTime(order.expiresAt),
    paidAt: toIsoTimeIfAny(order.paidAt),
    deliveredAt: toIsoTimeIfAny(order.deliveredAt),
  };
}

/** The events of an order, in sequence. */
export function toOrderEvents(before: OrderRecord | undefined, order: OrderRecord): ShopEvent[] {
  const moves = order.history.slice(before?.history.length ?? 0);
  const told = moves.flatMap(({ to }): EventType[] => {
    const type = to === undefined ? undefined : typeOf[to];
    return type === undefined ? [] : [type];
  });
  const flags = order.attention.filter((flag) => before?.attention.includes(flag) !== true);
  const refunded = order.amountRefunded - (before?.amountRefunded ?? 0);
  if (told.length === 0 && flags.length === 0 && refunded <= 0) return [];
  const data = { order: toOrderData(order) };
  const thread = order.id;
  return [
    ...told.map((type) => ({ type, thread, data })),
    ...(refunded > 0 ? [{ type: "order.refunded", thread, data: { ...data, refunded } } as const] : []),
    ...(flags.length > 0 ? [{ type: "order.attention", thread, data: { ...data, flags } } as const] : []),
  ];
}

const draftTypes = {
  open: "draft_order.created",
  sent: "draft_order.sent",
  ordered: "draft_order.ordered",
} as const;

/** The event of a draft that came into another state, or whose link was sent once more. */
function toDraftEvents(before: DraftRecord | undefined, draft: DraftRecord): ShopEvent[] {
  const { id, number, state, orderId, orderNumber, version, quoted, link } = draft;
  const isSent = state === "sent" && link?.sentAt !== before?.link?.sentAt;
  if (state === before?.state && !isSent) return [];
  const { total, currency } = quoted ?? {};
  const data = { id, number, state, total, currency, orderId, orderNumber, version };
  return [{ type: draftTypes[state], thread: id, data: { draftOrder: data } }];
}

type Units = Pick<StockRecord, "onHand" | "reserved">;

const availableOf = ({ onHand, reserved }: Units): number => onHand - reserved;

/** The events of changed units; `threshold` is where low stock begins. */
export function toStockTypes(
  before: Units | undefined,
  after: Units,
  threshold: number,
): Extract<EventType, `stock.${string}`>[] {
  const was = before === undefined ? undefined : availableOf(before);
  const is = availableOf(after);
  if (was === is && before?.onHand === after.onHand) return [];
  const crosses = (limit: number): boolean => is <= limit && was !== undefined && was > limit;
  return [
    "stock.changed",
    ...(crosses(threshold) && is > 0 ? (["stock.low"] as const) : []),
    ...(crosses(0) ? (["stock.out"] as const) : []),
  ];
}

async function toStockEvents(tx: ReadTx, before: Units | undefined, record: StockRecord) {
  const product = await tx.get(products, record.productId);
  if (product === undefined) return [];
  const types = toStockTypes(before, record, toThreshold(product, await readSite(tx)));
  if (types.length === 0) return [];
  const { id, onHand, reserved } = record;
  const variant = product.variants.find((one) => one.id === id);
  const data = {
    productId: product.id,
    variantId: variant?.id,
    sku: (variant ?? product).sku,
    title: product.title,
    onHand,
    reserved,
    available: onHand - reserved,
  };
  return types.map((type) => ({ type, thread: id, data }));
}

/** A license in events: nothing of it is the key, or says who holds it. */
function toLicenseData(license: LicenseRecord) {
  const { id, version, number, productId, stockId, orderId, lineId, maxDevices, used } = license;
  return {
    id,
    version,
    number,
    productId,
    variantId: stockId === productId ? undefined : stockId,
    orderId,
    lineId,
    maxDevices,
    used,
    disabledReason: license.disabledReason,
    createdAt: toIsoTime(license.createdAt),
    expiresAt: toIsoTimeIfAny(license.expiresAt),
    disabledAt: toIsoTimeIfAny(license.disabledAt),
  };
}

/** The event of a changed license; its devices have events of their own. */
export function toLicenseEvents(before: LicenseRecord | undefined, license: LicenseRecord): ShopEvent[] {
  const isOn = license.disabledAt === undefined;
  const wasOn = before?.disabledAt === undefined;
  const isChanged = before?.expiresAt !== license.expiresAt || before?.maxDevices !== license.maxDevices;
  const type: EventType | undefined =
    before === undefined
      ? "license.created"
      : isOn !== wasOn
        ? `license.${isOn ? "enabled" : "disabled"}`
        : isChanged
          ? "license.changed"
          : undefined;
  return type === undefined ? [] : [{ type, thread: license.id, data: { license: toLicenseData(license) } }];
}

async function toDeviceEvents(
  tx: ReadTx,
  before: DeviceRecord | undefined,
  device: DeviceRecord,
): Promise<ShopEvent[]> {
  if (before?.state === device.state) return [];
  const license = await tx.get(licenses, device.licenseId);
  if (license === undefined) return [];
  const { id, createdAt, endedAt, endedBy } = device;
  const data = {
    license: toLicenseData(license),
    // Names of devices often say whose they are.
    device: { id, createdAt: toIsoTime(createdAt), endedAt: toIsoTimeIfAny(endedAt), endedBy },
  };
  const type = device.state === "active" ? "license.activated" : "license.deactivated";
  return [{ type, thread: license.id, data }];
}

/** Collections whose changes cause events. */
export const toldCollections = [orders, stock, licenses, devices, draftOrders] as const;

function isOf<T extends StoreRecord>(
  change: RecordChange,
  { name }: Collection<T>,
): change is RecordChange & { record: T; before: T | undefined } {
  return change.collection === name && change.record !== undefined;
}

/** Writes the events of what a transaction changed, at its end; resolves with the ids of endpoints that may have got one. */
export async function tellChanges(
  tx: Tx,
  deps: Pick<ShopDeps, "clock">,
  changes: readonly RecordChange[],
): Promise<readonly string[]> {
  const endpoints = await listActive(tx);
  if (endpoints.length === 0) return [];
  const wantsStock = endpoints.some(({ types }) => types.some((type) => type.startsWith("stock.")));
  for (const change of changes) {
    let events: ShopEvent[] = [];
    if (isOf(change, orders)) events = toOrderEvents(change.before, change.record);
    else if (isOf(change, draftOrders)) events = toDraftEvents(change.before, change.record);
    else if (isOf(change, licenses)) events = toLicenseEvents(change.before, change.record);
    else if (isOf(change, devices)) events = await toDeviceEvents(tx, change.before, change.record);
    else if (wantsStock && isOf(change, stock))
      events = await toStockEvents(tx, change.before, change.record);
    for (const event of events) await writeEvent(tx, deps, { event, endpoints });
  }
  return endpoints.map(({ id }) => id);
}
