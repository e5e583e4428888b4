/** The secret of providers that sign with MD5 over fields and secret, in the settings. */
import { z } from "zod";

const MIN_LENGTH = 16;

/**
 * Rules for new secrets. A buyer sees such a signature, and can guess a short secret offline. Stored secrets keep
 * working.
 */
export const signingSecret = z
  .string()
  .min(
    MIN_LENGTH,
    `must have at least ${MIN_LENGTH} characters: buyers see its signatures and could guess a shorter secret. Set a longer one at the payment provider first`,
  )
  .max(200);
