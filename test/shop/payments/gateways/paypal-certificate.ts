/** A certificate named as PayPal's are and its key, and one of another name; made for these tests alone, good until 2124. */
import { createSign } from "node:crypto";
import { crc32 } from "./crc32.ts";

export const certificate = `-----BEGIN CERTIFICATE-----
MIIC0jCCAboCAQEwDQYJKoZIhvcNAQELBQAwLjEsMCoGA1UEAwwjbWVzc2FnZXZl
cmlmaWNhdGlvbmNlcnRzLnBheXBhbC5jb20wIBcNMjQwMTAxMDAwMDAwWhgPMjEy
NDAxMDEwMDAwMDBaMC4xLDAqBgNVBAMMI21lc3NhZ2V2ZXJpZmljYXRpb25jZXJ0
cy5wYXlwYWwuY29tMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxP12
6NcKUxeXMRCXDhLJ1PI2PaY+tsUcF+6sZEsIF9R2a1gY99g03c0J1FgPr95Y61M3
T1jI+xAro9mgktyyqDVB+n4rdZ2mDFwsEz38E5XcmLF/mZdS1bmHtLePFLepZNIz
vymsocLf2HmIPmRy3pWRBrh3Xvuv9yOv+Zc2OHTvVNKuAZtN7RMuYtidl8RoVfzL
4v9F5nL964bXMkfthfOpArtlvX9jSV8wBx6esNy6yM9gFm90+Tnc4Fly1Bt9sfWE
12VaClqbij9XVimRUrv6YUG2KYsopUMj0AHICLzyeW9FAMdOEPX4NXv53q9yI9QN
/t9VivcVIFwuuxguNwIDAQABMA0GCSqGSIb3DQEBCwUAA4IBAQCGt94iK3yriqpQ
WmXXpEDUyl/oWODrK89xX5i8SWOVYbugHscsUrOM9/2CkrlzxWhEJXaF5kmbzdVu
lbDd5hoVI72w379aLynVfD13+3/AA9e+p5+CWWm/gU4HpYFX3ek+n2pw5zgm9bcd
hcv63G0OwsrtgU5TdpZMCtfYZre8iHTVmLNC2rznaN55YWWnSCVJ3EXjalb4R7Dx
ysG1FirC5wh8yYbyWySAtH0K/QtDPl4PTpMgUtFmtg/7Bqkv1GFlDyYyQEBrefDJ
Acy0JakpUBz9dz8JAQhgA3g+x6s62ta+YKP/oM7znN1bwDsmX1/lHGVQxATPEVko
Fagwk4XD
-----END CERTIFICATE-----
`;

export const privateKey = `-----BEGIN PRIVATE KEY-----
MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQDE/Xbo1wpTF5cx
EJcOEsnU8jY9pj62xRwX7qxkSwgX1HZrWBj32DTdzQnUWA+v3ljrUzdPWMj7ECuj
2aCS3LKoNUH6fit1naYMXCwTPfwTldyYsX+Zl1LVuYe0t48Ut6lk0jO/Kayhwt/Y
eYg+ZHLelZEGuHde+6/3I6/5lzY4dO9U0q4Bm03tEy5i2J2XxGhV/Mvi/0Xmcv3r
htcyR+2F86kCu2W9f2NJXzAHHp6w3LrIz2AWb3T5OdzgWXLUG32x9YTXZVoKWpuK
P1dWKZFSu/phQbYpiyilQyPQAcgIvPJ5b0UAx04Q9fg1e/ner3Ij1A3+31WK9xUg
XC67GC43AgMBAAECggEARsYyBLHN+dCN94jYXKwPa7yiFEA4Y/4pe8e6lEYI4Fbr
POHoBpPdWpsiHvKMoEkodVPumUly3BERPMshz+IPJjQMQm02PAmp8OLkyv0IJhk/
qnSLPamKj1MbGKiidXUPHTQQd2wHpA6Z0fLIKnJ4etQNyPZZnPycWhSuUuQrDNkE
+YFdtUsc+14l6D5TbS1WyPzE+dQJ0o8+oWuDmaAR7xESEGIr2hZfC6rOJUZQUR9R
kpf0unlEDdvQadx/tdC/1LlzQhqBOdKYGhYoM9oLaiDbwjA/uoAo9uhD8/dpRjKA
5hi6714+oZxuqZpqzSZyDyX59gb7Q0fb+kpbKgRCYQKBgQDn0uxzvf1IwWGdDPKt
wcvR9axAm4vfiY5BdzqnXzbI7ZCqZazp2ilkTrJOeBQVdTjFLBDByFgvfkuR//KZ
QkgFyqra4uAEoTGh5sgIltOO5qnpMWOO7ieYXz9NBtYF/NC8mRnaGzLRY1eTXvQP
+lRzlo9cAGJRA6b9ZLER/kpQvwKBgQDZiJI8ikdMqXPXrN/Uh6kAmGu0G+29OfAu
wkAsM9WWzsJautgepOH/ZFWUCcNZNIMeDu5VY/dSn52SxJomdJMQg2eKftdcoF8p
54CW5WiAGr4XJ8dYD/dNe+ga7lx5bHMfzIc+wQlBgzR+j8MTlMzFY7bBeewvJTBP
YEWdM3MIiQKBgAK6LYPzET7A36gcVeKLbB1tOXiNG+kmUiEdCPidGyTj/paymYUq
xt/iOSDJMttJxMA1E4FkHP16C+OM0krRR82ho77telszlkTkVSgctiJxPkB7D0PI
M3kMbc83LF9nqQD/ABnbxg5Gj+ow7MgfVs0BUXBwpLd1Roqmm5qtliw7AoGAOpWv
XKKZBSp1ylYCighnGYPzLbR/2IBsEQu7oKvtEAprCWhcoBQj0VZCPfZLKBEeZs/6
nACqMRRPqaFNKqImoUHidsgmVAnU10JDvV/XPvj0zOOnqi3SmomOPwKG4SS19JBu
tBXk2kHtt1AcZ3+hjl+GbqDZXPEVC6uP1ABxMJECgYB2pGKR1T74PXN12yN0FVUx
ZOGKZ1Fv75pimaQrHeKBFvAooCCyfZVEKQuaZk6g3LzArk07sNcxXSR5ktzIlesP
o7X49k+qlXvC4xXbKsoGTVtVo66iP3rVTeWRyHFN3v6UQjTibXjqpwqIUo5ETEEE
Neh6YW1d3fMBh7ITlEK7dA==
-----END PRIVATE KEY-----
`;

/** The same key under another name. */
export const foreignCertificate = `-----BEGIN CERTIFICATE-----
MIIC7DCCAdQCAQIwDQYJKoZIhvcNAQELBQAwOzE5MDcGA1UEAwwwbWVzc2FnZXZl
cmlmaWNhdGlvbmNlcnRzLnBheXBhbC5jb20uZXZpbC5leGFtcGxlMCAXDTI0MDEw
MTAwMDAwMFoYDzIxMjQwMTAxMDAwMDAwWjA7MTkwNwYDVQQDDDBtZXNzYWdldmVy
aWZpY2F0aW9uY2VydHMucGF5cGFsLmNvbS5ldmlsLmV4YW1wbGUwggEiMA0GCSqG
SIb3DQEBAQUAA4IBDwAwggEKAoIBAQDE/Xbo1wpTF5cxEJcOEsnU8jY9pj62xRwX
7qxkSwgX1HZrWBj32DTdzQnUWA+v3ljrUzdPWMj7ECuj2aCS3LKoNUH6fit1naYM
XCwTPfwTldyYsX+Zl1LVuYe0t48Ut6lk0jO/Kayhwt/YeYg+ZHLelZEGuHde+6/3
I6/5lzY4dO9U0q4Bm03tEy5i2J2XxGhV/Mvi/0Xmcv3rhtcyR+2F86kCu2W9f2NJ
XzAHHp6w3LrIz2AWb3T5OdzgWXLUG32x9YTXZVoKWpuKP1dWKZFSu/phQbYpiyil
QyPQAcgIvPJ5b0UAx04Q9fg1e/ner3Ij1A3+31WK9xUgXC67GC43AgMBAAEwDQYJ
KoZIhvcNAQELBQADggEBAJQf3en66Iy6Bcl5h5NqNrBIigQi435NsBvaU3SH6Bc5
FiC/0A1VZESMsifxhjO89rbV23Pc2arCIuqCc2k8Sgnv7d1Aco5GEfj6NO1jBqoR
qIgvVpA+uf3dgy9n/T9J2ryunUWlXvIRDt2viTqA6WjqNGv1gaH7Pshq+BZsCY+F
ehckIKPTkvkAdz5m8w46oXNjWq5j3Om2paZlxiWTmvgZ6PPrfgV5ND21hD7dNwmi
WcBandLN2CZO6ZAwwWSpjWrZYuLXWHcrS8rI0n5CuQpqGP10KLZ7Ff7+Y7qLBl6J
m7EbeTAIGQD6k0+0m7+13qlG/Wo2ScwatzFgBy+QEBE=
-----END CERTIFICATE-----
`;

/** The headers with which PayPal signs an event. */
export function signPaypal(
  body: string,
  { id, time, webhookId, certificateUrl }: Record<"id" | "time" | "webhookId" | "certificateUrl", string>,
): Record<string, string> {
  const signature = createSign("RSA-SHA256")
    .update(`${id}|${time}|${webhookId}|${crc32(body)}`)
    .sign(privateKey, "base64");
  return {
    "content-type": "application/json",
    "paypal-transmission-id": id,
    "paypal-transmission-time": time,
    "paypal-transmission-sig": signature,
    "paypal-cert-url": certificateUrl,
    "paypal-auth-algo": "SHA256withRSA",
  };
}
