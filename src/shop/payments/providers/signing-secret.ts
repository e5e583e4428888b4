/** The secret of providers that sign with MD5 over fields and secret, in the settings. */
import { z } from "zod";

const MIN_LENGTH = 16;

/**
 * What a new secret must be like. A buyer sees such a signature, and can guess a short secret offline, without a
 * request to anyone. Secrets that are stored already go on working.
 */
export const signingSecret = z
  .string()
  .min(
    MIN_LENGTH,
    `must have at least ${MIN_LENGTH} characters: buyers see its signatures and could guess a shorter secret. Set a longer one at the payment provider first`,
  )
  .max(200);
