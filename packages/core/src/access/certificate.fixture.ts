const pem = `-----BEGIN CERTIFICATE-----
MIIBrzCCAVWgAwIBAgIUKUSfZZ3za2aBYpg0zD+mJyQuTU8wCgYIKoZIzj0EAwIw
LDEQMA4GA1UECgwHdW5pa29ybjEYMBYGA1UEAwwPdW5pa29ybi1jb21wdXRlMCAX
DTI2MTExNTE3MTcwNFoYDzIxMjYxMDIyMTcxNzA0WjAsMRAwDgYDVQQKDAd1bmlr
b3JuMRgwFgYDVQQDDA91bmlrb3JuLWNvbXB1dGUwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARnnB/ANDfqOWSpx4mYwVT/wHrE2VBDRTDRvCmZ5ck07L4cN1LuTxpY
HZi9NG8kKGZ0NNSfycN8wMSDKRIEoBDxo1MwUTAdBgNVHQ4EFgQUYggdHF/d6rr8
1pLFIQ8S+Y+ze0AwHwYDVR0jBBgwFoAUYggdHF/d6rr81pLFIQ8S+Y+ze0AwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAwvOpqEvzPQXwzLtuaiOb
adMFa1iOkJm6j+0noeO0EOwCIEdJ63dk8GYeY9Io/pQba6nCemiSbeLcgEu1aUeK
Euq7
-----END CERTIFICATE-----
`;

/** A self-signed certificate of `CN=unikorn-compute`, as a TLS terminator forwards it. */
export const forwardedCertificate = encodeURIComponent(pem);
