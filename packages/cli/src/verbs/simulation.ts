import { healthySimulation, type Simulation } from '@unikorn/sdk';

import { demandConsent } from '../ask.ts';
import { fieldsOf, isFields, type Fields } from '../documents.ts';
import { Failure } from '../failure.ts';
import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import { typeable } from '../hints.ts';
import { flavor } from '../nouns/flavor.ts';
import { printRecords, type Records } from '../output/records.ts';
import { about, isId, list, nameOf } from '../resources.ts';
import type { YesOption } from '../yes-option.ts';
import { opened, type Call } from './verb.ts';

export interface SimulationChange {
  /** Each such as `call_ms=200`. */
  readonly set?: readonly string[];
  readonly up?: boolean;
  readonly down?: boolean;
  readonly reset?: boolean;
}

export type SimulationOptions = GlobalOptions & YesOption & SimulationChange;

/** The names of the flavors of a region, by id. */
type Flavors = ReadonlyMap<string, string>;

const path = '/api/v2/regions/{regionID}/simulation';

/** Shows the settings of a simulated region, after changing those that are given. */
export async function simulationVerb(call: Call<SimulationOptions>, name: string): Promise<void> {
  const { terminal, noun, options } = call;
  const { session } = await opened(call);
  const region = await find(session, noun, name);
  const { id } = region.metadata;
  const service = session.unikorn.region.untyped;
  const params = { path: { regionID: id } };
  const current = fieldsOf((await service.send('GET', path, { params })).data);
  // A region that is down may not list its flavors. Ids are shown then.
  const flavors: Flavors = new Map(
    (await list(about(session, { region: id }), flavor).catch(() => [])).map((each) => [
      each.metadata.id,
      nameOf(flavor, each),
    ]),
  );
  const change = changeOf(current, options, flavors);
  if (change['service'] === 'down' && current['service'] !== 'down')
    await demandConsent(terminal, options, {
      verb: 'stop',
      what: `the cloud of region ${nameOf(noun, region)}`,
      losses: ['every change of the resources in it, until the cloud is up again'],
    });
  const isChange = Object.keys(change).length > 0;
  const settings = isChange ? fieldsOf((await service.send('PUT', path, { params, body: change })).data) : current;
  if (isChange) terminal.stderr.write(`the simulation of region ${nameOf(noun, region)} is changed\n`);
  await printRecords(settingRecords, settingsIn(settings, flavors), { terminal, options, document: settings });
  if (settings['service'] === 'down')
    terminal.stderr.write(
      `${typeable(`the cloud is down; bring it back: unikorn region simulation ${name} --up`, terminal.env, options)}\n`,
    );
}

/** The settings that an update sends. The others stay unchanged. */
export function changeOf(
  current: Fields,
  { set = [], up = false, down = false, reset = false }: SimulationChange,
  flavors: Flavors,
): Fields {
  const first: Fields = reset ? healthySimulation : {};
  const said = set.reduce(
    (change, text) => ({ ...change, ...settingOf(text, { ...current, ...change }, flavors) }),
    first,
  );
  return { ...said, ...(up ? { service: 'up' } : {}), ...(down ? { service: 'down' } : {}) };
}

/** The setting in a text such as `call_ms=200`. The current value shows its type. */
function settingOf(text: string, current: Fields, flavors: Flavors): Fields {
  const { name, value } = /^(?<name>[^=]+)=(?<value>.*)$/s.exec(text)?.groups ?? {};
  if (name === undefined || value === undefined)
    throw new Failure('usage', `${text} is not a setting; write it as name=value, such as call_ms=200`);
  const [, place] = /^places\.(.+)$/.exec(name) ?? [];
  if (place !== undefined) {
    const others = Object.entries(fieldsOf(current['places'])).filter(([id]) => id !== flavorId(place, flavors));
    const own = value === '' ? [] : [[flavorId(place, flavors), numberOf(name, value)] as const];
    return { places: Object.fromEntries([...others, ...own]) };
  }
  const present = Object.hasOwn(current, name) ? current[name] : undefined;
  if (present === undefined || isFields(present))
    throw new Failure('usage', `there is no setting ${name}`, `there are ${namesIn(current).join(', ')}`);
  return { [name]: typeof present === 'number' ? numberOf(name, value) : value };
}

function numberOf(name: string, value: string): number {
  const number = Number(value);
  if (value.trim() === '' || Number.isNaN(number))
    throw new Failure('usage', `${name} must be a number, not "${value}"`);
  return number;
}

function flavorId(nameOrId: string, flavors: Flavors): string {
  const id = [...flavors].find(([each, name]) => each === nameOrId || name === nameOrId)?.[0];
  if (id !== undefined) return id;
  if (flavors.size === 0 && isId(nameOrId)) return nameOrId;
  throw new Failure('usage', `the region has no flavor ${nameOrId}`, `there are ${[...flavors.values()].join(', ')}`);
}

function namesIn(settings: Fields): readonly string[] {
  return Object.entries(settings).map(([name, value]) => (isFields(value) ? `${name}.FLAVOR` : name));
}

interface Setting {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

const settingRecords: Records<Setting> = {
  plural: 'settings',
  handle: ({ name }) => name,
  columns: [
    { header: 'NAME', value: ({ name }) => name, exact: true },
    { header: 'VALUE', value: ({ value }) => value, rank: 90 },
    { header: 'MEANING', value: ({ meaning }) => meaning, flows: true, rank: 60 },
  ],
};

/** A server may have settings that this version does not know. They are shown without their meaning. */
function settingsIn(settings: Fields, flavors: Flavors): readonly Setting[] {
  const known: Readonly<Partial<Record<string, string>>> = meanings;
  return Object.entries(settings).flatMap(([name, value]): readonly Setting[] => {
    const meaning = known[name] ?? '';
    const inner = Object.entries(fieldsOf(value));
    if (!isFields(value) || inner.length === 0) return [{ name, value: isFields(value) ? '' : String(value), meaning }];
    return inner.map(([id, each]) => ({
      name: `${name}.${flavors.get(id) ?? id}`,
      value: String(each),
      meaning,
    }));
  });
}

const meanings: Readonly<Record<keyof Simulation, string>> = {
  call_ms: 'response time of each call',
  build_ms: 'time to build or rebuild a machine',
  power_ms: 'time to start, stop or reboot a machine',
  delete_ms: 'time to delete a machine',
  image_ms: 'time to import the data of an image',
  loadBalancer_ms: 'time to change a load balancer',
  fileStorage_ms: 'time to change a file storage',
  errorRate: 'share of calls that fail before they change anything',
  lostResponseRate: 'share of calls that take effect but return an error',
  notFoundRate: 'share of read calls that return nothing although the object exists',
  buildFailureRate: 'share of machines that end in error instead of running',
  service: 'up, or down: every call fails',
  serversPerIdentity: 'maximum number of machines on each network',
  fileStorage_gib: 'total capacity for file storage, in GiB',
  places: 'capacity for machines of a flavor, where it differs from the catalogue; such as places.sim-gpu-8=2',
};
