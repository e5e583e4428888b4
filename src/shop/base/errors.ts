/** The error codes that only the shop has. */
import { defineErrors } from "../../kit/errors.ts";
import { grpcStatus } from "../../runtime/runtime.ts";

/** An error of the shop: a common code or one of these. */
export class ShopError extends defineErrors({
  checkout_closed: { http: 403, grpc: grpcStatus.permissionDenied, title: "The checkout is closed" },
  order_refused: { http: 403, grpc: grpcStatus.permissionDenied, title: "The order was rejected" },
  out_of_stock: { http: 409, grpc: grpcStatus.failedPrecondition, title: "Not enough stock" },
  price_changed: { http: 409, grpc: grpcStatus.failedPrecondition, title: "The price has changed" },
  idempotency_in_progress: {
    http: 409,
    grpc: grpcStatus.aborted,
    title: "A request with this key is in progress",
  },
  idempotency_key_reused: {
    http: 422,
    grpc: grpcStatus.invalidArgument,
    title: "The idempotency key was used for another request",
  },
  illegal_transition: {
    http: 409,
    grpc: grpcStatus.failedPrecondition,
    title: "Invalid status change",
  },
  coupon_invalid: { http: 422, grpc: grpcStatus.failedPrecondition, title: "Invalid coupon" },
  gift_card_invalid: {
    http: 422,
    grpc: grpcStatus.failedPrecondition,
    title: "Invalid gift card",
  },
  quantity_limit: { http: 422, grpc: grpcStatus.invalidArgument, title: "The quantity is not allowed" },
  too_many_pending: {
    http: 429,
    grpc: grpcStatus.resourceExhausted,
    title: "Too many unpaid orders",
  },
  range_unsatisfiable: {
    http: 416,
    grpc: grpcStatus.invalidArgument,
    title: "The range starts after the end of the file",
  },
  link_expired: { http: 410, grpc: grpcStatus.notFound, title: "The link has expired" },
  download_ended: {
    http: 403,
    grpc: grpcStatus.permissionDenied,
    title: "The download is no longer available",
  },
  smtp_failed: { http: 502, grpc: grpcStatus.unavailable, title: "The mail server rejected the email" },
  payment_service_failed: {
    http: 502,
    grpc: grpcStatus.unavailable,
    title: "The payment provider rejected the request",
  },
  auth_unavailable: {
    http: 503,
    grpc: grpcStatus.unavailable,
    title: "The auth center is unavailable",
  },
}) {}
