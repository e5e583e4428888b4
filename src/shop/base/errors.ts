/** The error codes that only the shop has. */
import { defineErrors } from "../../kit/errors.ts";
import { grpcStatus } from "../../runtime/runtime.ts";

/** An error of the shop: a common code or one of these. */
export class ShopError extends defineErrors({
  checkout_closed: { http: 403, grpc: grpcStatus.permissionDenied, title: "Nothing can be ordered now" },
  order_refused: { http: 403, grpc: grpcStatus.permissionDenied, title: "The order cannot be taken" },
  out_of_stock: { http: 409, grpc: grpcStatus.failedPrecondition, title: "There is not enough left" },
  price_changed: { http: 409, grpc: grpcStatus.failedPrecondition, title: "The price is another one now" },
  idempotency_in_progress: {
    http: 409,
    grpc: grpcStatus.aborted,
    title: "The same request is being worked on",
  },
  idempotency_key_reused: {
    http: 422,
    grpc: grpcStatus.invalidArgument,
    title: "The key was used for another request",
  },
  illegal_transition: {
    http: 409,
    grpc: grpcStatus.failedPrecondition,
    title: "The order cannot become that",
  },
  coupon_invalid: { http: 422, grpc: grpcStatus.failedPrecondition, title: "The coupon cannot be used" },
  quantity_limit: { http: 422, grpc: grpcStatus.invalidArgument, title: "Too few or too many" },
  too_many_pending: {
    http: 429,
    grpc: grpcStatus.resourceExhausted,
    title: "Too many orders wait for payment",
  },
  range_unsatisfiable: {
    http: 416,
    grpc: grpcStatus.invalidArgument,
    title: "The range begins behind the end",
  },
  link_expired: { http: 410, grpc: grpcStatus.notFound, title: "The link is not good any more" },
  download_ended: { http: 403, grpc: grpcStatus.permissionDenied, title: "It cannot be downloaded any more" },
  smtp_failed: { http: 502, grpc: grpcStatus.unavailable, title: "The mail server did not take it" },
  payment_service_failed: {
    http: 502,
    grpc: grpcStatus.unavailable,
    title: "The payment service did not do it",
  },
  auth_unavailable: {
    http: 503,
    grpc: grpcStatus.unavailable,
    title: "The auth center cannot be asked now",
  },
}) {}
