/** The caller of a request, in the form that logic and records use. */

/** A person whom the auth center knows. */
export interface ShopUser {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly emailVerified: boolean;
  /** The administrator of the auth center who acts in the account: may look, and see no delivered goods. */
  readonly impersonatedBy?: string | undefined;
}

/** A request's origin. */
export interface Caller {
  /** Absent for guests. */
  readonly user?: ShopUser;
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly requestId: string;
}

export interface Actor {
  readonly name: string;
  readonly clientId: string;
  readonly requestId: string;
}
