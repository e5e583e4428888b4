/** Any error → the status that a gRPC client sees. */
import { type GrpcStatus, GrpcError, grpcStatus } from "../../runtime/runtime.ts";
import { StoreError } from "../../store/store.ts";
import { AppError, commonErrors } from "../errors.ts";

/** The status of a finished call and whether its cause is a defect of ours. */
export interface GrpcOutcome {
  readonly status: GrpcStatus;
  readonly message: string;
  /** True for unexpected errors: their text is logged and not sent. */
  readonly unexpected: boolean;
}

const maxMessageLength = 1024;

function toSafeText(text: string): string {
  // Half a surrogate pair cannot be percent-encoded, and trailers share the header size limit.
  return text.slice(0, maxMessageLength).replace(/\p{Surrogate}/gu, "\ufffd");
}

/** The gRPC status of a thrown value. */
export function toGrpcOutcome(error: unknown): GrpcOutcome {
  if (error instanceof GrpcError) {
    return { status: error.status, message: toSafeText(error.message), unexpected: false };
  }
  if (error instanceof AppError && error.code !== "internal") {
    return { status: error.kind.grpc, message: toSafeText(error.message), unexpected: false };
  }
  if (error instanceof StoreError && error.code === "store_unavailable") {
    // Its text names files; the store logs the reason.
    const kind = commonErrors.store_unavailable;
    return { status: kind.grpc, message: kind.title, unexpected: false };
  }
  if (error instanceof Error && error.name === "AbortError") {
    return { status: grpcStatus.cancelled, message: "The call was canceled", unexpected: false };
  }
  return { status: grpcStatus.internal, message: commonErrors.internal.title, unexpected: true };
}

/** The log text of a thrown value. */
export function toErrorText(error: unknown): string {
  if (error instanceof Error) return error.stack ?? error.message;
  return typeof error === "string" ? error : `a thrown ${typeof error}`;
}
