// Verifies a license file without a network.
//   cargo run -- FILE PUBLIC_KEY PRODUCT_ID [FINGERPRINT]
use ring::signature::{UnparsedPublicKey, ED25519};
use serde_json::Value;
use std::time::{SystemTime, UNIX_EPOCH};

/// Devices may be a day wrong.
const CLOCK_SECONDS: u64 = 86_400;

/// Base64url without padding; rejects other spellings of the same bytes.
fn decode(text: &str) -> Result<Vec<u8>, String> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for character in text.bytes() {
        let value = alphabet.iter().position(|&each| each == character).ok_or("the file was changed")?;
        bits = (bits << 6) | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    if bits != 0 || count >= 6 { Err("the file was changed".into()) } else { Ok(bytes) }
}

fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_slice(&decode(text)?).map_err(|_| "the file was changed".into())
}

pub struct Expected<'a> {
    pub public_key: &'a str,
    pub product_id: u64,
    pub fingerprint: Option<&'a str>,
    pub now: u64,
}

pub fn verify_license(file: &str, expected: &Expected) -> Result<Value, String> {
    let parts: Vec<&str> = file.trim().split('.').collect();
    let [header, payload, signature] = parts[..] else { return Err("this is no license file".into()) };
    let kind = parse(header)?;
    if kind["alg"] != "EdDSA" || kind["typ"] != "license+jwt" {
        return Err("this is no license file".into());
    }
    UnparsedPublicKey::new(&ED25519, decode(expected.public_key)?)
        .verify(format!("{header}.{payload}").as_bytes(), &decode(signature)?)
        .map_err(|_| "the signature is wrong")?;
    let license = parse(payload)?;
    if license["product_id"].as_u64() != Some(expected.product_id) {
        return Err("the license is for another product".into());
    }
    if license["iat"].as_u64().unwrap_or(u64::MAX) > expected.now + CLOCK_SECONDS {
        return Err("the clock of this device is wrong".into());
    }
    if license["exp"].as_u64().unwrap_or(0) <= expected.now {
        return Err("the file has expired: connect to the internet to renew it".into());
    }
    match license["fingerprint"].as_str() {
        Some(known) if Some(known) != expected.fingerprint => Err("the license is for another device".into()),
        _ => Ok(license),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let expected = Expected {
        public_key: &arguments[1],
        product_id: arguments[2].parse().expect("PRODUCT_ID is a number"),
        fingerprint: arguments.get(3).map(String::as_str),
        now: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
    };
    let file = std::fs::read_to_string(&arguments[0]).unwrap_or_default();
    match verify_license(&file, &expected) {
        Ok(license) => println!("valid: {}", license["product_name"].as_str().unwrap_or("")),
        Err(reason) => {
            println!("invalid: {reason}");
            std::process::exit(1);
        }
    }
}
