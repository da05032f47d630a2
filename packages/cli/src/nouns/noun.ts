import type { Realised } from '@unikorn/sdk';

/** A resource as far as every command looks at it. */
export interface Named {
  readonly metadata: { readonly id: string; readonly name: string; readonly organizationId?: string; readonly projectId?: string } & Partial<Realised['metadata']>;
}

/** What a resource belongs to; the commands take it from flags or from the context in use. */
export type Scope = 'organization' | 'project' | 'region';

export interface Column<Read> {
  readonly header: string;
  readonly value: (object: Read) => string | number | boolean | undefined;
  /** Shown only with `-o wide`. */
  readonly wide?: boolean;
  /** The noun whose name is shown in place of the id that `value` gives. */
  readonly noun?: string;
}

/** Something that can be said of a resource: as a flag of create and update, and at its place in a file. */
export interface Field {
  /** Without dashes, such as `security-group`. */
  readonly flag: string;
  /** Where it is in what is sent, such as `spec.networking.securityGroups`. */
  readonly path: string;
  readonly description: string;
  /** `list`: the flag may be repeated. `file`: the flag names a file, or - for standard input, whose text (or, for `base64`, whose bytes) is sent. */
  readonly type: 'text' | 'integer' | 'switch' | 'list' | 'json' | 'file' | 'base64';
  /** The noun that is named here, by id or by unique name. */
  readonly noun?: string;
  readonly choices?: readonly string[];
  /** When it can be said; both unless given. */
  readonly on?: 'create' | 'update';
  readonly required?: boolean;
}

/** A sort of resource that users work with: everything the commands need to know about it, as data. */
export interface Noun<Read extends Named = Named> {
  readonly name: string;
  readonly plural: string;
  readonly aliases?: readonly string[];
  /** Ends the sentence "a … is". */
  readonly description: string;
  readonly service: 'identity' | 'region' | 'compute';
  /** The path of the list; `{organizationID}` and `{regionID}` in it are filled from the scope. */
  readonly path: string;
  /** The name of the last variable of the path of one of them. */
  readonly idParameter: string;
  /** What the service can do with one of them; listing goes without saying. Without `get` one is looked for in the list, without `watch` it is asked for again and again. */
  readonly verbs: readonly ('get' | 'watch' | 'create' | 'update' | 'delete')[];
  /** Sent as query parameters of the list, and as `spec.<scope>Id` on create, unless they are in the path. */
  readonly scope: readonly Scope[];
  readonly columns: readonly Column<Read>[];
  readonly fields: readonly Field[];
  /** The part of what is read that an update may send back; everything the fields name, unless given. */
  readonly editable?: (object: Read) => object;
}
