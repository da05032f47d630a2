import { expect, it } from 'vitest';

import { returnedAddress } from './pasted.ts';

it.each([
  ['the whole address', ' http://127.0.0.1/callback?code=abc&state=s \n', 'http://127.0.0.1/callback?code=abc&state=s'],
  ['an address without its beginning', '127.0.0.1/callback?code=abc&state=s', 'http://127.0.0.1/callback?code=abc&state=s'],
  ['the code alone', 'a-Code_1', 'http://127.0.0.1/callback?code=a-Code_1'],
  ['the address of a refusal', 'http://127.0.0.1/callback?error=access_denied', 'http://127.0.0.1/callback?error=access_denied'],
])('%s can be pasted', (_what, pasted, address) => {
  expect(returnedAddress(pasted)?.href).toBe(address);
});

it.each(['', 'http://127.0.0.1/callback', 'https://cloud.example.com/identity/oauth2/v2/login/x', 'two words'])('what is neither an address nor a code is not taken for one: %j', (pasted) => {
  expect(returnedAddress(pasted)).toBeUndefined();
});
