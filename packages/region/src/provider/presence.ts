/** What a provider found. `pending` means that it is on its way, in or out: ask again later. */
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

/** What asking for something can come to, short of a failure. */
export type Ensured<Observed> = Present<Observed> | Pending<Observed>;

/** What asking for its removal can come to. Only `absent` means that it is gone. */
export type Removed = Absent | { readonly state: 'pending'; readonly reason: string };

export const absent: Absent = { state: 'absent' };
