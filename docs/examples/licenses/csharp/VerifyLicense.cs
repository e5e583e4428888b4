// Verifies a license file without a network. .NET Framework 4.6, .NET 6, Unity, Mono, or newer; no packages.
//   mcs -r:System.Numerics,System.Runtime.Serialization,System.Xml.Linq VerifyLicense.cs
//   VerifyLicense.exe FILE PUBLIC_KEY PRODUCT_ID [FINGERPRINT]
// Ed25519 (RFC 8032) is here because .NET has none. With BouncyCastle, use Org.BouncyCastle.Math.EC.Rfc8032.Ed25519.Verify.
using System;
using System.IO;
using System.Linq;
using System.Numerics;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Xml;
using System.Xml.Linq;

public static class Ed25519
{
    static readonly BigInteger P = BigInteger.Pow(2, 255) - 19;
    static readonly BigInteger L =
        BigInteger.Pow(2, 252) + BigInteger.Parse("27742317777372353535851937790883648493");
    static readonly BigInteger D = Mod(-121665 * Inverse(121666));
    static readonly BigInteger Root = BigInteger.ModPow(2, (P - 1) / 4, P);
    static readonly BigInteger[] Base = Decode(Enumerable.Repeat((byte)0x66, 32).Select((b, i) => i == 0 ? (byte)0x58 : b).ToArray());

    static BigInteger Mod(BigInteger a) { a %= P; return a.Sign < 0 ? a + P : a; }
    static BigInteger Inverse(BigInteger a) { return BigInteger.ModPow(Mod(a), P - 2, P); }
    static BigInteger Number(byte[] bytes) { return new BigInteger(bytes.Concat(new byte[] { 0 }).ToArray()); }

    /// A point in extended coordinates (section 5.1.4); null if the bytes are none.
    static BigInteger[] Decode(byte[] bytes)
    {
        bool isOdd = (bytes[31] & 0x80) != 0;
        var y = Number(bytes.Take(31).Concat(new[] { (byte)(bytes[31] & 0x7f) }).ToArray());
        if (y >= P) return null;
        var square = Mod((y * y - 1) * Inverse(D * y * y + 1));
        var x = BigInteger.ModPow(square, (P + 3) / 8, P);
        if (Mod(x * x - square) != 0) x = Mod(x * Root);
        if (Mod(x * x - square) != 0 || (x.IsZero && isOdd)) return null;
        if (x.IsEven == isOdd) x = P - x;
        return new[] { x, y, BigInteger.One, Mod(x * y) };
    }

    static BigInteger[] Add(BigInteger[] a, BigInteger[] b)
    {
        BigInteger e = Mod((a[1] - a[0]) * (b[1] - b[0])), f = Mod((a[1] + a[0]) * (b[1] + b[0]));
        BigInteger g = Mod(2 * a[3] * b[3] * D), h = Mod(2 * a[2] * b[2]);
        BigInteger i = f - e, j = h - g, k = h + g, l = f + e;
        return new[] { Mod(i * j), Mod(k * l), Mod(j * k), Mod(i * l) };
    }

    static BigInteger[] Multiply(BigInteger[] point, BigInteger times)
    {
        var sum = new[] { BigInteger.Zero, BigInteger.One, BigInteger.One, BigInteger.Zero };
        for (; times > 0; times >>= 1, point = Add(point, point))
            if (!times.IsEven) sum = Add(sum, point);
        return sum;
    }

    public static bool Verify(byte[] signature, byte[] message, byte[] publicKey)
    {
        if (signature.Length != 64 || publicKey.Length != 32) return false;
        byte[] r = signature.Take(32).ToArray();
        BigInteger[] pointR = Decode(r), pointA = Decode(publicKey);
        var s = Number(signature.Skip(32).ToArray());
        if (pointR == null || pointA == null || s >= L) return false;
        byte[] hash;
        using (var sha = SHA512.Create()) hash = sha.ComputeHash(r.Concat(publicKey).Concat(message).ToArray());
        BigInteger[] left = Multiply(Base, s), right = Add(pointR, Multiply(pointA, Number(hash) % L));
        return Mod(left[0] * right[2] - right[0] * left[2]) == 0 && Mod(left[1] * right[2] - right[1] * left[2]) == 0;
    }
}

public static class VerifyLicense
{
    /// Devices may be a day wrong.
    const long ClockSeconds = 86400;

    static byte[] Decode(string text)
    {
        try
        {
            string padded = text.Replace('-', '+').Replace('_', '/') + new string('=', (4 - text.Length % 4) % 4);
            byte[] bytes = Convert.FromBase64String(padded);
            string again = Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');
            // .NET accepts other spellings of the same bytes: a changed file must not pass.
            if (again == text) return bytes;
        }
        catch (FormatException) { }
        throw new InvalidDataException("the file was changed");
    }

    static XElement Parse(string text)
    {
        try { return XElement.Load(JsonReaderWriterFactory.CreateJsonReader(Decode(text), XmlDictionaryReaderQuotas.Max)); }
        catch (XmlException) { throw new InvalidDataException("the file was changed"); }
    }

    static string Get(XElement json, string name)
    {
        XElement member = json.Element(name);
        return member == null || (string)member.Attribute("type") == "null" ? null : member.Value;
    }

    public static XElement Verify(string file, string publicKey, long productId, string fingerprint, long now)
    {
        string[] parts = file.Trim().Split('.');
        if (parts.Length != 3) throw new InvalidDataException("this is no license file");
        XElement kind = Parse(parts[0]);
        if (Get(kind, "alg") != "EdDSA" || Get(kind, "typ") != "license+jwt")
            throw new InvalidDataException("this is no license file");
        byte[] message = Encoding.ASCII.GetBytes(parts[0] + "." + parts[1]);
        if (!Ed25519.Verify(Decode(parts[2]), message, Decode(publicKey)))
            throw new InvalidDataException("the signature is wrong");
        XElement license = Parse(parts[1]);
        if (Get(license, "product_id") != productId.ToString())
            throw new InvalidDataException("the license is for another product");
        if (long.Parse(Get(license, "iat")) > now + ClockSeconds)
            throw new InvalidDataException("the clock of this device is wrong");
        if (long.Parse(Get(license, "exp")) <= now)
            throw new InvalidDataException("the file has expired: connect to the internet to renew it");
        string known = Get(license, "fingerprint");
        if (known != null && known != fingerprint) throw new InvalidDataException("the license is for another device");
        return license;
    }

    public static int Main(string[] arguments)
    {
        try
        {
            long now = (long)(DateTime.UtcNow - new DateTime(1970, 1, 1)).TotalSeconds;
            string fingerprint = arguments.Length > 3 ? arguments[3] : null;
            string file = File.ReadAllText(arguments[0]);
            XElement license = Verify(file, arguments[1], long.Parse(arguments[2]), fingerprint, now);
            Console.WriteLine("valid: " + Get(license, "product_name"));
            return 0;
        }
        catch (InvalidDataException error)
        {
            Console.WriteLine("invalid: " + error.Message);
            return 1;
        }
    }
}
