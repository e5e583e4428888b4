/** What adapters throw, for `assert.rejects` and `assert.throws`. */
import { AppError } from "../../../../src/kit/errors.ts";
import { WrongProof } from "../../../../src/shop/payments/notice-proof.ts";
import { type FaultPart, ProviderFault } from "../../../../src/shop/payments/providers/provider.ts";

/** An AppError of a code that is no wrong proof, which would count as a guess. */
export function isAppError(code: string, message?: RegExp): (error: unknown) => boolean {
  return (error) =>
    error instanceof AppError &&
    !(error instanceof WrongProof) &&
    error.code === code &&
    (message?.test(error.message) ?? true);
}

export function isWrongProof(error: unknown): boolean {
  return error instanceof WrongProof;
}

/** A fault of a kind about a part of the settings. */
export function isFault(
  kind: ProviderFault["kind"],
  part?: FaultPart,
  message?: RegExp,
): (error: unknown) => boolean {
  return (error) =>
    error instanceof ProviderFault &&
    error.kind === kind &&
    error.part === part &&
    (message?.test(`${error.message} ${error.said}`) ?? true);
}
