/** Wrong proofs of notices, and what secrets of providers are sealed for. */
import { AppError } from "../../kit/errors.ts";

/** Sealed secrets of providers open for this purpose only. */
export const PROVIDER_PURPOSE = "provider";

/** A wrong secret or signature: many of them indicate guessing. */
export class WrongProof extends AppError {
  constructor(message: string) {
    super("unauthenticated", message);
  }
}
