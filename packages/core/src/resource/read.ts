import { defined } from '../defined.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { annotations, labels } from './keys.ts';
import {
  availableReasons,
  findCondition,
  wireHealthReasons,
  type AvailableReason,
  type Condition,
  type WireHealthReason,
} from './conditions.ts';
import { healthStatus, provisioningStatus, type HealthStatus, type ProvisioningStatus } from './status.ts';
import type { Tag } from './tags.ts';

export interface StaticReadMetadata {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly tags?: readonly Tag[];
  readonly creationTime: string;
  readonly createdBy?: string;
  readonly modifiedTime?: string;
  readonly modifiedBy?: string;
}

interface Detail<Reason> {
  readonly reason: Reason;
  readonly message: string;
}

export interface ReadMetadata extends StaticReadMetadata {
  readonly deletionTime?: string;
  readonly deletedBy?: string;
  readonly deletionCause?: string;
  readonly provisioningStatus: ProvisioningStatus;
  readonly provisioningStatusDetail?: Detail<AvailableReason>;
  readonly healthStatus: HealthStatus;
  readonly healthStatusDetail?: Detail<WireHealthReason>;
}

export interface OrganizationScopedReadMetadata extends ReadMetadata {
  readonly organizationId: string;
}

export interface ProjectScopedReadMetadata extends OrganizationScopedReadMetadata {
  readonly projectId: string;
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Also checks the format, because `Date.parse` accepts almost any text with a digit. */
function validTime(text: string | undefined): string | undefined {
  return text !== undefined && rfc3339.test(text) && Number.isFinite(Date.parse(text)) ? text : undefined;
}

function detail<Reason extends string>(
  condition: Condition | undefined,
  reasons: readonly Reason[],
): Detail<Reason> | undefined {
  const reason = reasons.find((known) => known === condition?.reason);
  return condition && reason ? { reason, message: condition.message } : undefined;
}

function wireHealth(condition: Condition | undefined): Condition | undefined {
  return condition?.reason === 'Errored' ? { ...condition, reason: 'Degraded' } : condition;
}

export function staticReadMetadata(object: Resource, tags?: readonly Tag[]): StaticReadMetadata {
  const { name: id, creationTimestamp, labels: label = {}, annotations: annotation = {} } = object.metadata;
  return {
    id,
    name: label[labels.name] ?? '',
    creationTime: creationTimestamp,
    ...defined({
      description: annotation[annotations.description],
      tags: tags?.length ? tags : undefined,
      createdBy: annotation[annotations.creator],
      modifiedTime: validTime(annotation[annotations.modifiedTimestamp]),
      modifiedBy: annotation[annotations.modifier],
    }),
  };
}

/** When it was deleted and by whom, and the object whose deletion caused this one, if that was another. */
function deletionOf({ metadata }: Resource): Pick<ReadMetadata, 'deletionTime' | 'deletedBy' | 'deletionCause'> {
  const { by, root } = markIn(metadata.annotations?.[annotations.deletion]);
  return defined({
    deletionTime: metadata.deletionTimestamp,
    deletedBy: textOf(by),
    deletionCause: textOf(root),
  });
}

function markIn(text = '{}'): { readonly by?: unknown; readonly root?: unknown } {
  try {
    const mark: unknown = JSON.parse(text);
    return typeof mark === 'object' && mark !== null ? mark : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The metadata of a resource in the API. */
export function readMetadata(kind: Kind, object: Resource, tags?: readonly Tag[]): ReadMetadata {
  const conditions = object.status?.conditions;
  const metadata = {
    ...staticReadMetadata(object, tags),
    ...(object.metadata.deletionTimestamp === undefined ? undefined : deletionOf(object)),
    provisioningStatus: provisioningStatus(object, kind.realisation),
    healthStatus: healthStatus(object, kind.realisation),
    ...defined({
      provisioningStatusDetail: detail(findCondition(conditions, 'Available'), availableReasons),
      healthStatusDetail: detail(wireHealth(findCondition(conditions, 'Healthy')), wireHealthReasons),
    }),
  };
  return kind.changes === 'realised' && isBehind(object) ? whileChanging(metadata) : metadata;
}

/** Whether the controller has not reconciled the last change yet, so that its status may be outdated. */
function isBehind({ metadata: { generation }, status }: Resource): boolean {
  return status?.observedGeneration !== undefined && status.observedGeneration < generation;
}

export function organizationScopedReadMetadata(
  kind: Kind,
  object: Resource,
  tags?: readonly Tag[],
): OrganizationScopedReadMetadata {
  return { ...readMetadata(kind, object, tags), organizationId: object.metadata.labels?.[labels.organization] ?? '' };
}

export function projectScopedReadMetadata(
  kind: Kind,
  object: Resource,
  tags?: readonly Tag[],
): ProjectScopedReadMetadata {
  return {
    ...readMetadata(kind, object, tags),
    organizationId: object.metadata.labels?.[labels.organization] ?? '',
    projectId: object.metadata.labels?.[labels.project] ?? '',
  };
}

/**
 * The same metadata while the last change is in progress: neither success nor failure is known yet.
 *
 * @example metadata: isRebuilding ? whileChanging(metadata) : metadata
 */
export function whileChanging<Read extends ReadMetadata>(metadata: Read): Read {
  if (metadata.provisioningStatus !== 'provisioned' && metadata.provisioningStatus !== 'error') return metadata;
  return {
    ...metadata,
    provisioningStatus: 'provisioning',
    provisioningStatusDetail: { reason: 'Provisioning', message: 'the last change is in progress' },
  };
}
