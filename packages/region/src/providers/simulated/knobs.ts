import { isProblem, Problem } from '@unikorn/core/errors';
import type { DeepReadonly } from '@unikorn/core/kinds';
import type { Store } from '@unikorn/core/store';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { Records } from './records.ts';

const Duration = Type.Integer({ minimum: 0 });
const Rate = Type.Number({ minimum: 0, maximum: 1 });

/** All settings of a simulated region that an operator can change while it runs. */
export const Knobs = Type.Object({
  /** Response time of each call. */
  call_ms: Duration,
  build_ms: Duration,
  power_ms: Duration,
  delete_ms: Duration,
  image_ms: Duration,
  loadBalancer_ms: Duration,
  fileStorage_ms: Duration,
  /** Share of calls that fail before they change anything. */
  errorRate: Rate,
  /** Share of calls that take effect but return an error. */
  lostResponseRate: Rate,
  /** Share of read calls that return nothing although the object exists. Removals are not affected. */
  notFoundRate: Rate,
  /** Share of servers that end in error instead of running, and of images whose data never arrives. */
  buildFailureRate: Rate,
  service: Type.Union([Type.Literal('up'), Type.Literal('down')]),
  serversPerIdentity: Type.Integer({ minimum: 0 }),
  /** Total capacity for file storage. */
  fileStorage_gib: Type.Integer({ minimum: 0 }),
  /** Number of servers that fit, by flavor id, where it differs from the catalogue. */
  places: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
});
export type Knobs = DeepReadonly<Static<typeof Knobs>>;

/** A healthy cloud of average speed. */
export const defaultKnobs: Knobs = {
  call_ms: 20,
  build_ms: 15_000,
  power_ms: 3_000,
  delete_ms: 5_000,
  image_ms: 20_000,
  loadBalancer_ms: 5_000,
  fileStorage_ms: 5_000,
  errorRate: 0,
  lostResponseRate: 0,
  notFoundRate: 0,
  buildFailureRate: 0,
  service: 'up',
  serversPerIdentity: 1_000,
  fileStorage_gib: 1_000_000,
  places: {},
};

const knobs = Compile(Knobs);

/** The settings of one region. They are stored with the cloud so that every process sees changes. */
export class KnobBoard {
  readonly #records: Records<Knobs>;
  readonly #name: string;

  constructor(store: Store, region: string) {
    this.#records = new Records({ store, region, sort: 'knobs', parse: (body) => knobs.Parse(withDefaults(body)) });
    this.#name = this.#records.nameOf('', 'knobs');
  }

  async read(): Promise<Knobs> {
    return (await this.#records.named(this.#name, { cached: true }))?.body ?? defaultKnobs;
  }

  /** Changes the given settings. If one is invalid, nothing is changed. */
  async turn(change: Partial<Knobs>): Promise<Knobs> {
    if (!(await this.#records.named(this.#name))) await this.#found();
    return (await this.#records.change(this.#name, (current) => fitting({ ...current, ...change }))).body;
  }

  async #found(): Promise<void> {
    try {
      await this.#records.create('', 'knobs', defaultKnobs);
    } catch (error) {
      // Another process created it first, which is fine.
      if (!isProblem(error, 'conflict')) throw error;
    }
  }
}

/** A cloud that is older than a setting uses its default. */
function withDefaults(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? { ...defaultKnobs, ...body } : body;
}

function fitting(turned: unknown): Knobs {
  if (knobs.Check(turned)) return turned;
  const [first] = knobs.Errors(turned);
  throw new Problem('invalid_request', `knobs${first?.instancePath ?? ''}: ${first?.message ?? 'is not valid'}`);
}
