import type { Realised, Tag } from '@unikorn/sdk';

/** A resource as far as every command looks at it. */
export interface Named {
  readonly metadata: {
    readonly id: string;
    readonly name: string;
    readonly description?: string;
    readonly tags?: readonly Tag[];
    readonly organizationId?: string;
    readonly projectId?: string;
    readonly creationTime?: string;
  } & Partial<Realised['metadata']>;
}

/** What a resource belongs to; the commands take it from flags or from the context in use. */
export const scopes = ['organization', 'project', 'region'] as const;
export type Scope = (typeof scopes)[number];

// What follows has methods where functions would do, because TypeScript then lets nouns of different resources be in
// one list.

export interface Column<Read> {
  readonly header: string;
  value(object: Read): string | number | boolean | readonly string[] | undefined;
  /** Shown only with `-o wide`. */
  readonly wide?: boolean;
  /** Too long for a table: shown only where one of them is described. */
  readonly described?: boolean;
  /** The noun whose name is shown in place of each id that `value` gives. */
  readonly noun?: string;
}

/** Something that can be said of a resource: as a flag of create and update, and at its place in a file. */
export interface Field {
  /** Without dashes, such as `security-group`. */
  readonly flag: string;
  /** Where it is in what is sent, such as `spec.networking.securityGroups`. */
  readonly path: string;
  readonly description: string;
  /**
   * `list`: the flag may be repeated. `file`: the flag names a file, or - for standard input, whose text (or, for
   * `base64`, whose bytes) is sent.
   */
  readonly type: 'text' | 'integer' | 'switch' | 'list' | 'json' | 'file' | 'base64';
  /** The noun that is named here, by id or by unique name. */
  readonly noun?: string;
  /** What is sent of the one that is named; its id unless given. */
  refer?(object: Named): unknown;
  readonly choices?: readonly string[];
  /**
   * What is sent for the text of a flag, where that is not the text itself. Throws a `Failure` that says how it is
   * written.
   */
  parse?(text: string): unknown;
  /** When it can be said; both unless given. */
  readonly on?: 'create' | 'update';
  readonly required?: boolean;
  /** What create sends when nothing is said. */
  readonly fallback?: unknown;
  /** What it names says which region a new resource is in, and so where the names in other fields are looked for. */
  readonly places?: boolean;
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
  /** The same for create and delete, where they are elsewhere. */
  readonly writePath?: string;
  /** The name of the last variable of the path of one of them. */
  readonly idParameter: string;
  /**
   * What the service can do with one of them; listing goes without saying. Without `get` one is looked for in the list,
   * without `watch` it is asked for again and again.
   */
  readonly verbs: readonly ('get' | 'watch' | 'explain' | 'create' | 'update' | 'delete')[];
  /** Query parameters that make the list show what it usually leaves out; names are looked for there too. */
  readonly hiddenQuery?: Readonly<Record<string, string>>;
  /** Sent as query parameters of the list, unless they are in the path. */
  readonly scope: readonly Scope[];
  /** Sent as `spec.<scope>Id` on create; the scope that is not in the path, unless given. */
  readonly owner?: readonly Scope[];
  /** Where the name is said; `metadata.name` unless given. */
  readonly namePath?: 'spec.subject';
  /** Its name cannot be changed. */
  readonly keepsName?: boolean;
  readonly columns: readonly Column<Read>[];
  readonly fields: readonly Field[];
  /** How it is doing; its provisioning status unless given. */
  status?(object: Read): string;
  /** The part of what is read that an update may send back; everything the fields name, unless given. */
  editable?(object: Read): object;
  /** The switch among its fields that keeps it from being deleted. */
  readonly protection?: string;
  /** Instances in it may be protected, and deleting it is refused then unless that is said. */
  readonly holdsProtected?: boolean;
  /** Its history can be read. Instances have a command of their own for that. */
  readonly history?: boolean;
  /** What is lost with it, which is asked about before it is deleted. */
  readonly loss?: string;
  /** Where the secret is that is told once, when it is created: it is printed, alone, in place of the resource. */
  readonly secretPath?: string;
  /**
   * For help: what one may be called, and the rest of the line of each verb, such as `create web --prefix 10.0.0.0/24`.
   */
  readonly examples?: {
    readonly name?: string;
    readonly list?: string;
    readonly create?: string;
    readonly update?: string;
  };
}
