import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { isProblem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { admit, assertFits, defineKind, type Candidate, type Resource } from './index.ts';
import { imageId, Machine, machine, stored, type MachineSpec } from './machine.fixture.ts';

function refusal(candidate: Candidate, previous?: Resource<typeof Machine>): string {
  try {
    admit(Machine, candidate, previous);
  } catch (error) {
    if (isProblem(error, 'invalid_object') || isProblem(error, 'request_entity_too_large')) return error.message;
    throw error;
  }
  return 'admitted';
}

const withSpec = (spec: object): Candidate => ({
  metadata: { name: 'a-machine' },
  spec: { image: imageId, cores: 4, ...spec },
});

describe('metadata', () => {
  it.each(['a', imageId, 'a.b-c.0', 'x'.repeat(253)])('the name %s is accepted', (name) => {
    expect(refusal(machine({}, { name }))).toBe('admitted');
  });

  it.each(['', 'A', '-a', 'a-', 'a..b', 'a_b', 'a/b', 'x'.repeat(254)])(
    'the name %j is refused without being repeated',
    (name) => {
      expect(refusal(machine({}, { name }))).toBe(
        'Machine: /metadata/name: must be a lower-case DNS name of at most 253 characters',
      );
    },
  );

  it.each([
    { 'unikorn-cloud.org/name': 'My_host.1' },
    { plain: '' },
    { [`${'x'.repeat(253)}/${'y'.repeat(63)}`]: 'z'.repeat(63) },
  ])('labels that Kubernetes takes are accepted', (labels) => {
    expect(refusal(machine({}, { labels }))).toBe('admitted');
  });

  it.each(['', '/a', 'a/', 'A.b/c', 'a/b/c', '-a', 'a b', 'y'.repeat(64)])(
    'the label and annotation key %j is refused',
    (key) => {
      expect(refusal(machine({}, { labels: { [key]: 'v' } }))).toContain('/metadata/labels/');
      expect(refusal(machine({}, { annotations: { [key]: 'v' } }))).toContain('/metadata/annotations/');
    },
  );

  it.each(['-secret', 'secret-', 'se cret', 'secret!', 'z'.repeat(64)])(
    'the label value %j is refused without being repeated',
    (value) => {
      const message = refusal(machine({}, { labels: { 'a.b/c': value } }));
      expect(message).toMatch(/^Machine a-machine: \/metadata\/labels\/a\.b~1c: must be empty or at most 63/);
      expect(message).not.toContain(value);
    },
  );

  it('a new object needs a required label; an object that was stored without it can still be changed', () => {
    const kind = defineKind({
      group: 'test.unikorn-cloud.org',
      version: 'v1',
      kind: 'Note',
      plural: 'notes',
      spec: Type.Object({}),
      status: {},
      requiredLabels: ['a.b/c'],
    });
    const labelled = (labels: Record<string, string>): Candidate => ({ metadata: { name: 'n', labels }, spec: {} });
    for (const labels of [{}, { 'a.b/c': '' }]) {
      expect(() => {
        admit(kind, labelled(labels));
      }).toThrow('Note n: /metadata/labels/a.b~1c: must be set');
    }
    admit(kind, labelled({ 'a.b/c': 'v' }));
    admit(kind, labelled({ other: 'v' }), {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      metadata: { name: 'n', uid: 'u', resourceVersion: '1', generation: 1, creationTimestamp: '' },
      spec: {},
    });
  });

  it('annotations are limited together, by bytes', () => {
    const half = 'ü'.repeat(limits.annotationsBytes / 4 - 1);
    expect(refusal(machine({}, { annotations: { a: half, b: half } }))).toBe('admitted');
    expect(refusal(machine({}, { annotations: { a: half, b: half, c: 'x'.repeat(2) } }))).toContain(
      '/metadata/annotations: must take at most',
    );
  });

  it('the framework finalizer, references and foreground deletion are accepted, once each', () => {
    const finalizers = ['unikorn', 'foregroundDeletion', `servers.region.unikorn-cloud.org/${imageId}`];
    expect(refusal(machine({}, { finalizers }))).toBe('admitted');
    expect(refusal(machine({}, { finalizers: [...finalizers, 'unikorn'] }))).toContain(
      '/metadata/finalizers: must not hold the same finalizer twice',
    );
    expect(refusal(machine({}, { finalizers: ['unikorn', ''] }))).toContain('/metadata/finalizers/1: must be a name');
  });

  it('an owner reference is complete and at most one is the controller', () => {
    const owner = { apiVersion: 'v1', kind: 'Machine', name: 'owner', uid: imageId };
    expect(refusal(machine({}, { ownerReferences: [owner, { ...owner, controller: true }] }))).toBe('admitted');
    expect(refusal(machine({}, { ownerReferences: [owner, { ...owner, uid: '' }] }))).toContain(
      '/metadata/ownerReferences/1/uid: must not be empty',
    );
    expect(
      refusal(
        machine(
          {},
          {
            ownerReferences: [
              { ...owner, controller: true },
              { ...owner, controller: true },
            ],
          },
        ),
      ),
    ).toContain('more than one controller');
  });
});

describe('schemas', () => {
  it.each<[string, object]>([
    ['/spec/cores: must be <= 64', { cores: 65 }],
    ['/spec/cores: must be integer', { cores: 1.5 }],
    ['/spec/load: must be < 1', { load: 1 }],
    ['/spec/power: must be one of on, off', { power: 'standby' }],
    ['/spec/tier: must be one of 1, 2', { tier: 3 }],
    ['/spec/size: must be one of small, large', { size: 'medium' }],
    ['/spec/disks/1: must have required properties size_gib', { disks: [{ name: 'a', size_gib: 2 }, { name: 'b' }] }],
    ['/spec/options/a~1b: must be string', { options: { 'a/b': 1 } }],
    ['/spec/image: must match format "uuid"', { image: 'hunter2' }],
  ])('%s', (message, spec) => {
    expect(refusal(withSpec(spec))).toBe(`Machine a-machine: ${message}`);
  });

  it.each<[string, object]>([
    ['/spec/colour', { colour: 'red' }],
    ['/spec/disks/0/speed', { disks: [{ name: 'a', size_gib: 2, speed: 3 }] }],
    ['/spec/volumes/root/speed', { volumes: { root: { size_gib: 1, speed: 3 } } }],
    ['/spec/options/two\nlines', { options: { 'two\nlines': 5 } }],
    ['/spec/placement/a~1b', { placement: { rack: 'r', 'a/b': 1 } }],
  ])('%s, which is not declared, is refused and not dropped', (path, spec) => {
    expect(refusal(withSpec(spec))).toBe(
      `Machine a-machine: ${path}: is not in the schema, and Kubernetes would drop it silently: declare it, or leave it out`,
    );
  });

  it('a field of unknown type accepts every value', () => {
    expect(refusal(withSpec({ extra: { deep: [1, { any: null }] } }))).toBe('admitted');
  });

  it('a status must match its schema, including the fields of the framework', () => {
    const condition = {
      type: 'Available',
      status: 'True',
      reason: 'Provisioned',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    expect(
      refusal({ ...machine(), status: { address: '10.0.0.1', observedGeneration: 1, conditions: [condition] } }),
    ).toBe('admitted');
    expect(refusal({ ...machine(), status: { conditions: [{ ...condition, status: 'true' }] } })).toContain(
      '/status/conditions/0/status: must be one of True, False, Unknown',
    );
    expect(refusal({ ...machine(), status: { colour: 'red' } })).toContain('/status/colour: is not in the schema');
  });

  it('an unchanged value is not checked against a later schema', () => {
    const previous = stored(machine({ cores: 0 }));
    const { metadata, spec } = previous;
    expect(refusal({ metadata, spec: { ...spec } }, previous)).toContain('/spec/cores');
    expect(refusal({ metadata, spec, status: {} }, previous)).toBe('admitted');
  });

  it('an object that is too large for an engine is refused, by bytes and not by characters', () => {
    const object = machine();
    const fits = (serialized: string) => {
      assertFits(Machine, object, serialized);
    };
    expect(() => {
      fits('x'.repeat(limits.objectBytes));
    }).not.toThrow();
    expect(() => {
      fits('x'.repeat(limits.objectBytes + 1));
    }).toThrow(`Machine a-machine: /: must take at most ${limits.objectBytes} bytes`);
    expect(() => {
      fits('€'.repeat(limits.objectBytes / 2));
    }).toThrow('must take at most');
  });
});

describe('immutable fields', () => {
  const before = stored(
    machine(
      {
        placement: { zone: 'z1', rack: 'r1' },
        options: { 'boot/order': 'cd', other: 'x' },
        disks: [{ name: 'root', size_gib: 10 }],
        extra: { a: [1] },
      },
      { labels: { 'unikorn-cloud.org/organization': 'o1' } },
    ),
  );
  const changed = (spec: Partial<MachineSpec>) =>
    refusal({ metadata: before.metadata, spec: { ...before.spec, ...spec } }, before);

  it('a property that is undefined is absent', () => {
    expect(
      refusal(
        {
          metadata: before.metadata,
          spec: { ...before.spec, namespace: undefined, disks: [{ name: 'root', size_gib: 10, boot: undefined }] },
        },
        before,
      ),
    ).toBe('admitted');
  });

  it('an equal value with another order of keys is unchanged', () => {
    expect(
      changed({ placement: { rack: 'r1', zone: 'z1' }, disks: [{ size_gib: 10, name: 'root' }], extra: { a: [1] } }),
    ).toBe('admitted');
  });

  it('fields beside an immutable field may change', () => {
    expect(
      changed({
        placement: { zone: 'z1', rack: 'r2' },
        options: { 'boot/order': 'cd' },
        disks: [
          { name: 'root', size_gib: 10 },
          { name: 'data', size_gib: 20 },
        ],
      }),
    ).toBe('admitted');
  });

  it.each<[string, Partial<MachineSpec>]>([
    ['/spec/image', { image: 'a059b3e6-9ae5-42b7-94b4-f42fb7a6baee' }],
    ['/spec/placement/zone', { placement: { zone: 'z2', rack: 'r1' } }],
    ['/spec/placement/zone', { placement: { rack: 'r1' } }],
    ['/spec/options/boot~1order', { options: { 'boot/order': 'dc' } }],
    ['/spec/disks/0', { disks: [{ name: 'root', size_gib: 12 }] }],
    ['/spec/disks/0', { disks: [] }],
    ['/spec/namespace', { namespace: 'appeared' }],
    ['/spec/extra', { extra: { a: [1, 2] } }],
  ])('a change of %s is refused', (pointer, spec) => {
    expect(changed(spec)).toBe(`Machine a-machine: ${pointer}: cannot be changed after creation`);
  });

  it('an immutable label can neither be changed nor removed', () => {
    const message =
      'Machine a-machine: /metadata/labels/unikorn-cloud.org~1organization: cannot be changed after creation';
    expect(
      refusal(
        { metadata: { name: 'a-machine', labels: { 'unikorn-cloud.org/organization': 'o2' } }, spec: before.spec },
        before,
      ),
    ).toBe(message);
    expect(refusal({ metadata: { name: 'a-machine' }, spec: before.spec }, before)).toBe(message);
  });

  it('absent before and after is unchanged', () => {
    expect(refusal(machine(), stored(machine()))).toBe('admitted');
  });
});

describe('rules', () => {
  it.each<[string, Partial<MachineSpec>]>([
    ['admitted', { cores: 32 }],
    ['Machine a-machine: /: more than 32 cores need tier 2', { cores: 33 }],
    ['Machine a-machine: /: more than 32 cores need tier 2', { cores: 33, tier: 1 }],
    ['admitted', { cores: 33, tier: 2 }],
    ['admitted', { disks: [{ name: 'a', size_gib: 2 }] }],
    [
      'Machine a-machine: /: the size of a disk must be even',
      {
        disks: [
          { name: 'a', size_gib: 2 },
          { name: 'b', size_gib: 3 },
        ],
      },
    ],
    ['admitted', { load: 0.5 }],
    ['Machine a-machine: /: the load must stay under 0.9', { load: 0.95 }],
  ])('integers are integers and numbers are doubles: %s for %j', (outcome, spec) => {
    expect(refusal(machine(spec))).toBe(outcome);
  });

  it('a rule sees the name of an object and the values of its maps', () => {
    expect(refusal(machine({}, { name: 'none' }))).toBe('Machine none: /: a machine must not have the name none');
    expect(refusal(machine({ volumes: { root: { size_gib: 0 } } }))).toBe(
      'Machine a-machine: /: a volume must hold something',
    );
    expect(refusal(machine({ volumes: { root: { size_gib: 1 } } }))).toBe('admitted');
  });

  it('a rule about a change is only checked on updates', () => {
    expect(refusal(machine({ cores: 2 }))).toBe('admitted');
    expect(refusal(machine({ cores: 2 }), stored(machine({ cores: 4 })))).toBe(
      'Machine a-machine: /: the number of cores cannot be reduced',
    );
    expect(refusal(machine({ cores: 8 }), stored(machine({ cores: 4 })))).toBe('admitted');
  });

  it('a variable is distinguished from a text that contains its name', () => {
    const kind = defineKind({
      group: 'test.unikorn-cloud.org',
      version: 'v1',
      kind: 'Note',
      plural: 'notes',
      spec: Type.Object({ text: Type.String() }),
      status: {},
      admission: [{ rule: 'self.spec.text != "oldSelf"', message: 'another text is needed' }],
    });
    expect(() => {
      admit(kind, { metadata: { name: 'n' }, spec: { text: 'oldSelf' } });
    }).toThrow('another text is needed');
  });

  it('a rule that cannot be evaluated refuses the object and keeps the reason for the log', () => {
    const kind = defineKind({
      group: 'test.unikorn-cloud.org',
      version: 'v1',
      kind: 'Note',
      plural: 'notes',
      spec: Type.Object({ text: Type.Optional(Type.String()) }),
      status: {},
      admission: [{ rule: 'self.spec.text != ""', message: 'a text is needed' }],
    });
    const attempt = () => {
      admit(kind, { metadata: { name: 'n' }, spec: {} });
    };
    expect(attempt).toThrow(
      'Note n: /: the rule "a text is needed" cannot be evaluated: it must check optional fields with has() before it reads them',
    );
    expect(attempt).toThrow(
      expect.objectContaining({
        code: 'invalid_object',
        cause: expect.objectContaining({ name: 'EvaluationError' }) as unknown,
      }),
    );
  });
});
