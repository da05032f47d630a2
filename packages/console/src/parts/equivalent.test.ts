import { expect, it } from 'vitest';

import { actionOf, commandOf, deletionOf, documentOf, fileOf, shellWord, type Writes } from './equivalent.ts';

const known = [
  [
    { metadata: { id: 'n1', name: 'frontend' } },
    { metadata: { id: 'g1', name: 'web' } },
    { metadata: { id: 'g2', name: 'twice' } },
    { metadata: { id: 'g3', name: 'twice' } },
  ],
];
const place = { organization: 'acme', project: 'shop', region: 'north' };

const creation: Writes = {
  noun: 'instance',
  name: 'web-1',
  body: {
    metadata: { name: 'web-1', tags: [{ name: 'team', value: 'a b' }] },
    spec: {
      organizationId: 'o1',
      projectId: 'p1',
      networkId: 'n1',
      networking: { publicIP: true, securityGroups: ['g1', 'g2'] },
      userData: btoa('#cloud-config\n'),
    },
  },
  known,
  place,
};

it('a creation is a command with names, and what a file would contain as its input', () => {
  expect(commandOf(creation)).toBe(
    [
      'npx unikorn instance create web-1',
      '--network frontend',
      '--security-group web',
      '--security-group g2',
      '--public-ip',
      '--user-data -',
      `--tag 'team=a b'`,
      '--organization acme',
      `--project shop <<'END'\n#cloud-config\n\nEND`,
    ].join(' \\\n  '),
  );
});

it('a creation is a document without the scope, which the command gives', () => {
  expect(documentOf(creation)).toEqual({
    kind: 'instance',
    metadata: { name: 'web-1', tags: { team: 'a b' } },
    spec: {
      networkId: 'frontend',
      networking: { publicIP: true, securityGroups: ['web', 'g2'] },
      userData: btoa('#cloud-config\n'),
    },
  });
  expect(fileOf(creation).command).toBe('npx unikorn apply -f instance.yaml --organization acme --project shop');
});

it('a change is a command with what is different only, and an empty value for what is removed', () => {
  const rule = { direction: 'ingress', protocol: 'tcp', port: 22, prefix: '0.0.0.0/0' };
  const change: Writes = {
    noun: 'securitygroup',
    name: 'web',
    body: { metadata: { name: 'site' }, spec: { rules: [] } },
    before: {
      metadata: { name: 'web', description: 'old', tags: [{ name: 'a', value: 'b' }] },
      spec: { rules: [rule] },
    },
    fixed: { networkId: 'n1' },
    known,
    place,
  };
  expect(commandOf(change)).toBe(
    [
      'npx unikorn securitygroup update web',
      `--rule ''`,
      '--name site',
      `--description ''`,
      '--untag a',
      '--organization acme',
      '--project shop',
    ].join(' \\\n  '),
  );
  expect(documentOf(change)).toMatchObject({ spec: { networkId: 'frontend', rules: [] } });
  expect(commandOf({ ...change, body: change.before ?? {} })).toBeUndefined();
});

it('rules are written as the command line reads them', () => {
  const rules = [
    { direction: 'ingress', protocol: 'tcp', port: 8000, portMax: 8080, prefix: '10.0.0.0/8' },
    { direction: 'egress', protocol: 'any' },
  ];
  expect(
    commandOf({ noun: 'securitygroup', name: 'x', body: { metadata: {}, spec: { rules } }, known, place: {} }),
  ).toBe('npx unikorn securitygroup create x \\\n  --rule ingress:tcp:8000-8080:10.0.0.0/8 \\\n  --rule egress:any');
});

it('an action names the resource, its flags, and where it is', () => {
  expect(actionOf({ noun: 'instance', verb: 'snapshot', name: 'web 1', flags: ['--image-name golden'], place })).toBe(
    "npx unikorn instance snapshot 'web 1' \\\n  --image-name golden \\\n  --organization acme \\\n  --project shop",
  );
});

it('a deletion has a file with only what finds the resource', () => {
  expect(deletionOf({ noun: 'network', name: 'web', place })).toEqual({
    command: 'npx unikorn delete -f network.yaml --organization acme --project shop',
    document: { kind: 'network', metadata: { name: 'web' }, spec: { regionId: 'north' } },
  });
  expect(deletionOf({ noun: 'instance', name: 'web-1', place }).document).toEqual({
    kind: 'instance',
    metadata: { name: 'web-1' },
  });
  expect(deletionOf({ noun: 'user', name: 'ann@example.com', place }).document).toEqual({
    kind: 'user',
    spec: { subject: 'ann@example.com' },
  });
});

it('a word of a command is quoted where a shell would split or change it', () => {
  expect(['web-1', 'a b', "it's", '', '{"a":1}'].map(shellWord)).toEqual([
    'web-1',
    "'a b'",
    `'it'\\''s'`,
    "''",
    `'{"a":1}'`,
  ]);
});
