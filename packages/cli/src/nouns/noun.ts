import type { Realised, Tag } from '@unikorn/sdk';

/** The fields of a resource that every command uses. */
export interface Named {
  readonly metadata: {
    readonly id: string;
    readonly name: string;
    readonly description?: string;
    readonly tags?: readonly Tag[];
    readonly organizationId?: string;
    readonly projectId?: string;
    readonly creationTime?: string;
    /** Since when it is being deleted. */
    readonly deletionTime?: string;
  } & Partial<Realised['metadata']>;
}

/** The scopes that a resource can have. Commands take them from flags or from the current context. */
export const scopes = ['organization', 'project', 'region'] as const;
export type Scope = (typeof scopes)[number];

// These types use method syntax instead of function properties, because TypeScript then allows nouns of different
// resources in one list.

export interface Column<Read> {
  readonly header: string;
  value(object: Read): string | number | boolean | readonly string[] | undefined;
  /** Shown only with `-o wide`. */
  readonly wide?: boolean;
  /** Too long for a table: shown only in the description of a single resource. */
  readonly described?: boolean;
  /** The noun whose names are shown instead of the ids that `value` returns. */
  readonly noun?: string;
  /** In a narrow terminal, columns with the lowest rank are left out first: 50 by default, 20 for wide columns. */
  readonly rank?: number;
  /** It is never shortened, because half of it is useless. */
  readonly exact?: boolean;
}

/** How a field finds the resources that its value names. */
export interface Lookups {
  readonly find: (noun: string, name: string) => Promise<Named>;
  readonly list: (noun: Noun) => Promise<readonly Named[]>;
}

/** A field of a resource: a flag of create and update, and a path in a file. */
export interface Field {
  /** Without dashes, such as `security-group`. */
  readonly flag: string;
  /** The path in the request body, such as `spec.networking.securityGroups`. */
  readonly path: string;
  readonly description: string;
  /**
   * `list`: the flag may be repeated. `file`: the flag names a file, or - for standard input; its text is sent (for
   * `base64`, its bytes). `secret`: the same for one line, which is never shown; with -, a terminal asks for it.
   * `gibibytes`: a size such as 100GiB; a number alone is in GiB.
   */
  readonly type: 'text' | 'integer' | 'gibibytes' | 'switch' | 'list' | 'json' | 'file' | 'base64' | 'secret';
  /** The noun that this field refers to, by id or by unique name. */
  readonly noun?: string;
  /** The value that is sent for the referenced resource; its id by default. */
  refer?(object: Named): unknown;
  readonly choices?: readonly string[];
  /** Converts the text of a flag to the value that is sent. Throws a `Failure` that describes the syntax. */
  parse?(text: string): unknown;
  /** Replaces the names of resources in a parsed value. */
  complete?(value: unknown, lookups: Lookups): Promise<unknown>;
  /** The verbs that have this flag; both by default. */
  readonly on?: 'create' | 'update';
  readonly required?: boolean;
  /** The value that create sends if the flag is not given. */
  readonly fallback?: unknown;
  /**
   * The referenced resource determines the region of a new resource, and so where the names in other fields are looked
   * up.
   */
  readonly places?: boolean;
}

/** A type of resource for users. It contains, as data, all that the commands need. */
export interface Noun<Read extends Named = Named> {
  readonly name: string;
  readonly plural: string;
  readonly aliases?: readonly string[];
  /** Completes the sentence "a … is". */
  readonly description: string;
  readonly service: 'identity' | 'region' | 'compute';
  /** The path of the list; `{organizationID}` and `{regionID}` in it are filled from the scope. */
  readonly path: string;
  /** The path for create and delete, if it is another one. */
  readonly writePath?: string;
  /** The name of the last path variable of a single resource. */
  readonly idParameter: string;
  /**
   * The operations of the service besides list. Without `get`, a resource is looked up in the list. Without `watch`, it
   * is polled.
   */
  readonly verbs: readonly ('get' | 'watch' | 'explain' | 'create' | 'update' | 'delete')[];
  /** Query parameters for a list that also contains resources that it usually omits. Names are looked up there too. */
  readonly hiddenQuery?: Readonly<Record<string, string>>;
  /** Its list has few resources, so the service cannot search it. */
  readonly isShort?: boolean;
  /** Sent as query parameters of the list, unless they are in the path. */
  readonly scope: readonly Scope[];
  /** Sent as `spec.<scope>Id` on create; by default the scope that is not in the path. */
  readonly owner?: readonly Scope[];
  /** The path of the name; `metadata.name` by default. */
  readonly namePath?: 'spec.subject';
  /** The name cannot be changed. */
  readonly keepsName?: boolean;
  readonly columns: readonly Column<Read>[];
  readonly fields: readonly Field[];
  /** Its state in one word; the provisioning status by default. */
  status?(object: Read): string;
  /** The part of a resource that an update may send back; by default everything that the fields contain. */
  editable?(object: Read): object;
  /** The field that protects it against deletion. */
  readonly protection?: string;
  /** Instances in it may be protected against deletion. Then it is only deleted with --ignore-protection. */
  readonly holdsProtected?: boolean;
  /** Its history can be read. Instances have their own command for this. */
  readonly history?: boolean;
  /** What is lost with it, for the question before it is deleted. */
  readonly loss?: string;
  /** The nouns of the resources that are deleted with it. The question lists them by name. */
  readonly contents?: readonly string[];
  /** The path of the secret that is returned once, at creation. Only the secret is printed, not the resource. */
  readonly secretPath?: string;
  /** For help: an example name, and the arguments of each verb, such as `create web --prefix 10.0.0.0/24`. */
  readonly examples?: {
    readonly name?: string;
    readonly list?: string;
    readonly create?: string;
    readonly update?: string;
  };
}
