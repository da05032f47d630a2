import type { ComputeInstance } from '../kinds/index.ts';

/**
 * The names of the parts of a history sort by day. Of a day, those come first that were put together from others, so that
 * whoever reads in order of name knows by then which others count no longer.
 */
const sorts = { volume: 'a', birth: 'b', notes: 'c' } as const;

/** Of what is written together, at a time in milliseconds. */
export function notesName(id: string, day: string, time: number, unique: string): string {
  return [id, day, sorts.notes, `${time.toString(36).padStart(9, '0')}-${unique}`].join('.');
}

/** Of the part that a life begins with. There is at most one for each life, whoever writes of it first. */
export function birthName({ metadata: { name, uid, creationTimestamp } }: Pick<ComputeInstance, 'metadata'>): string {
  return [name, creationTimestamp.slice(0, 10), sorts.birth, uid].join('.');
}

/** Of what is put together from parts, after the first of them: of two who do so at the same moment one is refused. */
export function volumeName(id: string, day: string, first: string): string {
  return [id, day, sorts.volume, first.split('.').at(-1)].join('.');
}

/** Whether it may still be put together with others. Everything of a day in one object is what older versions wrote. */
export function isPart(name: string): boolean {
  const [, , sort] = name.split('.');
  return sort === sorts.birth || sort === sorts.notes;
}

export function isBirthOf(name: string, uid: string): boolean {
  const [, , sort, unique] = name.split('.');
  return sort === sorts.birth && unique === uid;
}

/** Of what is left of a life that is over; they sort by when it ended. */
export function goneName({ metadata: { uid } }: Pick<ComputeInstance, 'metadata'>, deletedAt: string): string {
  return `${deletedAt.replaceAll(/\D/g, '').slice(0, 14)}.${uid}`;
}
