/** The result of a look-up. `pending` means that it is being created or removed: ask again later. */
export type Presence<Observed> = Present<Observed> | Pending<Observed> | Absent;

export interface Present<Observed> {
  readonly state: 'present';
  readonly observed: Observed;
}

export interface Pending<Observed> {
  readonly state: 'pending';
  /** Safe to show to a user. */
  readonly reason: string;
  readonly observed: Observed;
}

export interface Absent {
  readonly state: 'absent';
}

/** The result of a request to create or change a resource, if it does not fail. */
export type Ensured<Observed> = Present<Observed> | Pending<Observed>;

/** The result of a request to remove a resource. Only `absent` means that it is removed. */
export type Removed = Absent | { readonly state: 'pending'; readonly reason: string };

export const absent: Absent = { state: 'absent' };
