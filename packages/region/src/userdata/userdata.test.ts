import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { publicKeys } from '../sshca/public-key.fixture.ts';
import { checkAugmentable, checkUserData, guestUserData, readUserData, type UserData } from './index.ts';

const authorityKey = `${publicKeys.ed25519} the CA: "of" Zoë`;
const bytes = (text: string) => Buffer.from(text, 'latin1');
const merged = (userData?: Uint8Array) => guestUserData({ userData, authorityKey }) ?? Buffer.alloc(0);

function multipartIn(payload: Uint8Array) {
  const userData = checkUserData(payload);
  if (userData.format !== 'multipart') throw new Error(`${userData.format} instead of multipart`);
  return userData;
}

/** Headers by lower-case name, and the body as its bytes. */
function open(part: string): { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } {
  const [head = '', ...rest] = part.split('\n\n');
  const headers = Object.fromEntries(
    head.split('\n').map((line) => [line.split(':', 1).join('').toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return {
    headers,
    body: Buffer.from(rest.join('\n\n'), headers['content-transfer-encoding'] === 'base64' ? 'base64' : 'latin1'),
  };
}

const message = (...parts: readonly string[]) =>
  [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed;',
    '\tboundary="user \'s"',
    '',
    'a preamble',
    ...parts.flatMap((part) => ["--user 's", part]),
    "--user 's--",
    'an epilogue',
  ].join('\r\n');

const markers = [
  ['## template: jinja', 'text/jinja2'],
  ['#cloud-config', 'text/cloud-config'],
  ['#cloud-config-archive', 'text/cloud-config-archive'],
  ['#cloud-config-jsonp', 'text/cloud-config-jsonp'],
  ['#!/bin/sh', 'text/x-shellscript'],
  ['#cloud-boothook', 'text/cloud-boothook'],
  ['#include', 'text/x-include-url'],
  ['#include-once', 'text/x-include-once-url'],
  ['#part-handler', 'text/part-handler'],
] as const;

const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.string().map(bytes),
  fc
    .constantFrom('', '\n', '\r\n\r\n', '\n--unikorn-user-data--\n', '\n--unikorn-user-data-\n', 'From nobody\n')
    .map(bytes),
);
const singles = fc
  .tuple(fc.constantFrom(...markers.map(([marker]) => marker)), bodies)
  .map(([marker, body]) => Buffer.concat([bytes(`${marker}\n`), body]));
const partTexts = fc
  .tuple(
    fc.constantFrom('', 'Content-Type: text/cloud-config\r\n', 'content-type:\r\n text/x-shellscript\r\nX-Own: 1\r\n'),
    fc.stringMatching(/^[\t\n\r -~]*$/),
  )
  .map(([head, body]) => `${head}\r\n${body}`);
const multiparts = fc.array(partTexts, { minLength: 1, maxLength: 4 }).map((parts) => bytes(message(...parts)));

describe('recognised user data', () => {
  it.each(markers)('%s is %s', (marker, contentType) => {
    expect(checkUserData(bytes(`  ${marker} \r\nmore`))).toMatchObject({ format: 'part', contentType });
  });

  it('absent user data is accepted', () => {
    expect(checkUserData(Buffer.alloc(0))).toEqual({ format: 'empty' });
  });

  it('a multipart message is, with its headers in any order and case', () => {
    const { multipart } = multipartIn(
      bytes('X-Any: 1\ncontent-TYPE: Multipart/Mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nhello\n--b--\n'),
    );
    expect(multipart.parts).toEqual(['Content-Type: text/plain\n\nhello']);
  });

  it('compressed data is, unless an authority must be added', () => {
    const compressed = bytes('\x1f\x8b\x08anything');
    expect(checkUserData(compressed).format).toBe('gzip');
    expect(guestUserData({ userData: compressed })).toEqual(compressed);
    expect(() => checkAugmentable(compressed)).toThrow(
      expect.objectContaining({
        code: 'unprocessable_content',
        message: expect.stringMatching(/^spec\.userData: it must not be compressed/) as string,
      }),
    );
    expect(() => merged(compressed)).toThrow('must not be compressed');
  });

  it('data that was base64-encoded twice is decoded, and booted as such', () => {
    fc.assert(
      fc.property(fc.oneof(singles, multiparts), fc.constantFrom('', '\n', '\r\n'), (payload, wrap) => {
        const encoded = bytes(payload.toString('base64').replaceAll(/.{76}/g, `$&${wrap}`));
        expect(readUserData(encoded)).toEqual(readUserData(payload));
        expect(guestUserData({ userData: encoded })).toEqual(payload);
        expect(merged(encoded)).toEqual(merged(payload));
      }),
    );
  });
});

describe('refused user data', () => {
  it.each([
    ['plain text', 'echo hi', 'it must be cloud-init user data: begin with one of ## template: jinja,'],
    ['another case', '#Cloud-Config\n', 'it must be cloud-init user data'],
    ['a blank first line', '\n#cloud-config\n', 'the first line must not be blank'],
    [
      'base64 of plain text',
      Buffer.from('echo hi!').toString('base64'),
      'after decoding its base64, it must be cloud-init user data',
    ],
    [
      'base64 of base64',
      Buffer.from(Buffer.from('#!/bin/sh\n').toString('base64')).toString('base64'),
      'after decoding its base64, it must be',
    ],
    [
      'a single mime part',
      'Content-Type: text/cloud-config\n\na: b\n',
      'the content type of its MIME headers must be multipart',
    ],
    ['no boundary', 'Content-Type: multipart/mixed\n\n--b\n\n--b--\n', 'must name a boundary'],
    [
      'no closing boundary',
      'Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n',
      'must end with its closing boundary',
    ],
    ['no part', 'Content-Type: multipart/mixed; boundary=b\n\n--b--\n', 'must contain at least one part'],
    [
      'a part without a blank line',
      'Content-Type: multipart/mixed; boundary=b\n\n--b\n\nok\n--b\nhello\n--b--\n',
      'part 2 of the multipart message must begin with MIME headers',
    ],
    ['headers without an end', 'Content-Type: multipart/mixed; boundary=b', 'it must be cloud-init user data'],
  ])('%s', (_, text, reason) => {
    expect(() => checkUserData(bytes(text))).toThrow(
      expect.objectContaining({
        code: 'unprocessable_content',
        message: expect.stringMatching(/^spec\.userData: /) as string,
      }),
    );
    expect(() => checkUserData(bytes(text))).toThrow(reason);
    expect(() => merged(bytes(text))).toThrow(reason);
  });

  it('of old servers is still booted unchanged', () => {
    expect(guestUserData({ userData: bytes('echo hi') })).toEqual(bytes('echo hi'));
    expect(guestUserData({})).toBeUndefined();
  });

  it('any bytes are either recognised or refused with a reason', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.string().map(bytes),
          fc.string().map((text) => bytes(`Content-Type: multipart/mixed; boundary=b\n\n--b\n${text}\n--b--`)),
        ),
        (payload) => {
          const reading = readUserData(payload);
          const expected: (UserData | { format: 'unrecognised' })['format'][] = [
            'empty',
            'part',
            'multipart',
            'gzip',
            'unrecognised',
          ];
          expect(expected).toContain(reading.format);
          if (reading.format === 'unrecognised') expect(() => merged(payload)).toThrow(reading.reason);
        },
      ),
    );
  });
});

describe('adding a certificate authority', () => {
  it('without user data gives a cloud-config that trusts it', () => {
    const config = merged().toString();
    expect(config).toMatch(/^#cloud-config\n/);
    const { write_files: files, runcmd } = parse(config) as {
      write_files: { path: string; content: string; permissions: string; owner: string; encoding: string }[];
      runcmd: string[][];
    };
    expect(
      files.map(({ path, owner, permissions, encoding, content }) => [
        path,
        owner,
        permissions,
        encoding,
        Buffer.from(content, 'base64').toString(),
      ]),
    ).toEqual([
      ['/etc/ssh/trusted-user-ca-keys.pub', 'root:root', '0644', 'b64', `${authorityKey}\n`],
      [
        '/etc/ssh/sshd_config.d/90-unikorn-trusted-user-ca.conf',
        'root:root',
        '0644',
        'b64',
        'TrustedUserCAKeys /etc/ssh/trusted-user-ca-keys.pub\n',
      ],
    ]);
    expect(runcmd).toEqual([['sh', '-c', expect.stringContaining('systemctl reload-or-restart')]]);
  });

  it('keeps the lists of the user: the part appends to them', () => {
    const { multipart } = multipartIn(merged(bytes('#cloud-config\nwrite_files: []\nruncmd: [a]\n')));
    const { headers, body } = open(multipart.parts.at(-1) ?? '');
    expect(headers).toMatchObject({
      'content-type': 'text/cloud-config',
      'merge-type': 'list(append)+dict(no_replace,recurse_list)+str()',
      'content-disposition': 'attachment; filename="unikorn-ssh-certificate-authority"',
    });
    expect(Object.values(parse(body.toString()) as object).every(Array.isArray)).toBe(true);
    expect(body).toEqual(merged());
  });

  it('puts a single payload first, byte for byte, under its own type', () => {
    fc.assert(
      fc.property(singles, (payload) => {
        const { parts } = multipartIn(merged(payload)).multipart;
        const { headers, body } = open(parts[0] ?? '');
        expect(parts).toHaveLength(2);
        expect(body).toEqual(payload);
        expect(checkUserData(payload)).toMatchObject({ contentType: headers['content-type'] });
      }),
    );
  });

  it('keeps plain text readable', () => {
    expect(merged(bytes('#!/bin/sh\necho hi\n')).toString()).toContain(
      '\n\n#!/bin/sh\necho hi\n\n--unikorn-user-data\n',
    );
  });

  it.each(['#!/bin/sh\necho é\n', '#!/bin/sh\r\n', '#!/bin/sh\n\0'])(
    'encodes %j, which a mail parser would change',
    (text) => {
      const { headers } = open(multipartIn(merged(Buffer.from(text))).multipart.parts[0] ?? '');
      expect(headers['content-transfer-encoding']).toBe('base64');
    },
  );

  it('leaves every byte of a multipart message and adds its part last', () => {
    fc.assert(
      fc.property(multiparts, (payload) => {
        const before = multipartIn(payload);
        const after = multipartIn(merged(payload));
        const added = after.text.length - before.text.length;
        expect(after.text.slice(0, before.multipart.end) + after.text.slice(before.multipart.end + added)).toBe(
          before.text,
        );
        expect(after.multipart.parts.slice(0, -1)).toEqual(before.multipart.parts);
        expect(after.multipart.parts.at(-1)).toContain('unikorn-ssh-certificate-authority');
      }),
    );
  });

  it('changes a multipart message so that cloud-init recognises it as MIME', () => {
    expect(merged(bytes('Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n--b--')).toString()).toMatch(
      /^MIME-Version: 1\.0\nContent-Type: multipart/,
    );
  });

  it('a second time changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(singles, multiparts, fc.constant(Buffer.alloc(0))), (payload) => {
        const once = merged(payload);
        expect(merged(once)).toEqual(once);
        expect(merged(payload)).toEqual(once);
      }),
    );
  });

  it('another authority is added beside the first', () => {
    const both = multipartIn(
      guestUserData({ userData: merged(bytes('#!/bin/sh\n')), authorityKey: publicKeys.rsa }) ?? Buffer.alloc(0),
    );
    expect(both.multipart.parts).toHaveLength(3);
  });
});
