# Verifies a license file without a network. Python 3.9 or newer with the package "cryptography".
#   python3 verify_license.py FILE PUBLIC_KEY PRODUCT_ID [FINGERPRINT]
import base64
import json
import sys
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

CLOCK_SECONDS = 86_400  # devices may be a day wrong


def decode(text):
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    # Python accepts other spellings of the same bytes: a changed file must not pass.
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != text:
        raise ValueError("the file was changed")
    return data


def verify_license(file, public_key, product_id, fingerprint, now):
    parts = file.strip().split(".")
    if len(parts) != 3:
        raise ValueError("this is no license file")
    header, payload, signature = parts
    kind = json.loads(decode(header))
    if kind.get("alg") != "EdDSA" or kind.get("typ") != "license+jwt":
        raise ValueError("this is no license file")
    key = Ed25519PublicKey.from_public_bytes(decode(public_key))
    try:
        key.verify(decode(signature), f"{header}.{payload}".encode())
    except InvalidSignature:
        raise ValueError("the signature is wrong") from None
    license = json.loads(decode(payload))
    if license["product_id"] != product_id:
        raise ValueError("the license is for another product")
    if license["iat"] > now + CLOCK_SECONDS:
        raise ValueError("the clock of this device is wrong")
    if license["exp"] <= now:
        raise ValueError("the file has expired: connect to the internet to renew it")
    if license["fingerprint"] is not None and license["fingerprint"] != fingerprint:
        raise ValueError("the license is for another device")
    return license


if __name__ == "__main__":
    name, public_key, product_id, *rest = sys.argv[1:]
    try:
        with open(name, encoding="ascii") as file:
            found = verify_license(
                file.read(), public_key, int(product_id), rest[0] if rest else None, time.time()
            )
        print(f"valid: {found['product_name']}")
    except ValueError as error:
        print(f"invalid: {error}")
        sys.exit(1)
