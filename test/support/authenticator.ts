/** An authenticator made of software: passkeys by the book (Web Authentication Level 3 section 6), and wrong on request. */
import {
  type JsonWebKey,
  type KeyObject,
  createHash,
  generateKeyPairSync,
  randomBytes,
  sign,
} from "node:crypto";

type Algorithm = "ES256" | "EdDSA" | "RS256";

export interface AuthenticatorOptions {
  readonly origin?: string;
  readonly algorithm?: Algorithm;
  /** Keeps its passkeys in more places than one. */
  readonly isSynced?: boolean;
  /** Counts its signatures. */
  readonly counts?: boolean;
}

/** What is not as it should be. */
export interface Faults {
  /** The person was not checked. */
  readonly isUnverified?: boolean;
  /** The signature is of something else. */
  readonly isBogus?: boolean;
  readonly origin?: string;
  /** The page is in a frame of another site. */
  readonly isFramed?: boolean;
  readonly rpId?: string;
  readonly type?: string;
  readonly counter?: number;
  /** undefined for none. */
  readonly userHandle?: string | undefined;
}

interface Options {
  readonly challenge: string;
}
export interface CreationOptions extends Options {
  readonly rp: { readonly id?: string | undefined };
  readonly user: { readonly id: string };
}
export interface RequestOptions extends Options {
  readonly rpId?: string | undefined;
}

const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest();

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  const bytes = Buffer.from([(major << 5) | 25, 0, 0]);
  bytes.writeUInt16BE(value, 1);
  return bytes;
}

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

/** CBOR of what authenticators say (RFC 8949): whole numbers, texts, bytes and maps. */
export function toCbor(value: Cbor): Buffer {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const pairs = [...value].flatMap(([key, member]) => [toCbor(key), toCbor(member)]);
  return Buffer.concat([head(5, value.size), ...pairs]);
}

const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? "", "base64url");

/** A public key as COSE has it (RFC 9053). */
function toCose({ x, y, n, e }: JsonWebKey, algorithm: Algorithm): Map<number, Cbor> {
  switch (algorithm) {
    case "ES256":
      return new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]);
    case "EdDSA":
      return new Map<number, Cbor>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, bytes(x)],
      ]);
    case "RS256":
      return new Map<number, Cbor>([
        [1, 3],
        [3, -257],
        [-1, bytes(n)],
        [-2, bytes(e)],
      ]);
  }
}

function makeKeys(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === "ES256") return generateKeyPairSync("ec", { namedCurve: "P-256" });
  return algorithm === "EdDSA"
    ? generateKeyPairSync("ed25519")
    : generateKeyPairSync("rsa", { modulusLength: 2048 });
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Creates one with room for a single passkey. */
export function createAuthenticator(options: AuthenticatorOptions = {}) {
  const { algorithm = "ES256", isSynced = false, counts = false } = options;
  const { publicKey, privateKey } = makeKeys(algorithm);
  const credentialId = randomBytes(32);
  const id = credentialId.toString("base64url");
  let handle = "";
  let counter = 0;

  function toClientData(type: string, { challenge }: Options, faults: Faults): Buffer {
    const { origin = options.origin ?? "http://localhost", isFramed = false } = faults;
    return Buffer.from(
      JSON.stringify({ type: faults.type ?? type, challenge, origin, crossOrigin: isFramed }),
    );
  }

  /** Flags: present 1, verified 4, may be copied 8, is copied 16, has a key 64. */
  function toData(rpId: string, faults: Faults, credential?: Buffer): Buffer {
    if (counts) counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(faults.counter ?? counter);
    const verified = faults.isUnverified === true ? 0 : 4;
    const flags = 1 | verified | (isSynced ? 24 : 0) | (credential === undefined ? 0 : 64);
    const parts = [sha256(faults.rpId ?? rpId), Buffer.from([flags]), count];
    return Buffer.concat(credential === undefined ? parts : [...parts, credential]);
  }

  const common = { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
  return {
    id,
    /** What `navigator.credentials.create()` would give. */
    create: (asked: CreationOptions, faults: Faults = {}) => {
      handle = asked.user.id;
      const key = toCbor(toCose(publicKey.export({ format: "jwk" }), algorithm));
      const length = Buffer.from([0, credentialId.length]);
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, key]);
      const authData = toData(asked.rp.id ?? "", faults, credential);
      const attestation = new Map<string, Cbor>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]);
      return {
        ...common,
        response: {
          clientDataJSON: toClientData("webauthn.create", asked, faults).toString("base64url"),
          attestationObject: toCbor(attestation).toString("base64url"),
          transports: ["internal"],
        },
      };
    },
    /** What `navigator.credentials.get()` would give. */
    get: (asked: RequestOptions, faults: Faults = {}) => {
      const clientData = toClientData("webauthn.get", asked, faults);
      const data = toData(asked.rpId ?? "", faults);
      const signed = Buffer.concat([data, sha256(faults.isBogus === true ? "another" : clientData)]);
      const signature = sign(algorithm === "EdDSA" ? undefined : "sha256", signed, privateKey);
      return {
        ...common,
        response: {
          clientDataJSON: clientData.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: signature.toString("base64url"),
          userHandle: "userHandle" in faults ? faults.userHandle : handle,
        },
      };
    },
  };
}
