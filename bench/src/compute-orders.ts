/** The messages to and from the measured process. */

export interface Place {
  readonly organizationId: string;
  readonly projectId: string;
  readonly networkId: string;
}

export interface Setting {
  readonly url: string;
  readonly token: string;
  readonly places: readonly Place[];
  readonly flavorId: string;
  readonly imageId: string;
}

export type Order =
  | { readonly type: 'version' | 'resident' }
  | { readonly type: 'await provisioned' | 'server changes'; readonly count: number }
  | { readonly type: 'fill'; readonly from: number; readonly to: number }
  | { readonly type: 'plain creates'; readonly lanes: number; readonly count: number };

export type Answer =
  { readonly ready: Setting } | { readonly done: number | readonly number[] } | { readonly failed: string };

/** The number of instances in a busy project. */
export const instancesPerProject = 50;

/** The id of an additional stored instance, or of its project. */
export function otherId(sort: 'instance' | 'project', number: number): string {
  return `${sort === 'instance' ? 'a' : 'b'}0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
