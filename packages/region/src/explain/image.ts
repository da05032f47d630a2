import { defined } from '@unikorn/core/defined';
import {
  explanationOf,
  missingStatus,
  remedyFor,
  type Explanation,
  type Graph,
  type NodeDraft,
  type NodeStatus,
  type Remedies,
} from '@unikorn/core/explain';
import { labels } from '@unikorn/core/resource';

import type { Region } from '../kinds/index.ts';
import { isProviderFailure, type Image } from '../provider/index.ts';
import { sourceNodes } from './image-source.ts';
import type { Reading } from './needs.ts';
import type { RegionNodeKind } from './node-kinds.ts';

const graph: Graph<RegionNodeKind> = [
  { kind: 'region', dependsOn: [] },
  { kind: 'source', dependsOn: ['region'] },
  { kind: 'image', dependsOn: ['region', 'source'] },
];

const remedies: Remedies<RegionNodeKind> = {
  region: { degraded: 'wait until the region answers, then explain the image again' },
  source: { missing: 'delete the image, and make a snapshot of another instance' },
  image: {
    waiting: 'wait until the region answers, then explain the image again',
    'given up': 'delete the image and create it again; if it is imported, check that its URL returns a raw disk image',
    missing: 'choose another image',
  },
};

/** The image as the cloud shows it, or the reason why the cloud could not be asked. */
export type ImageAnswer =
  | { readonly type: 'answered'; readonly image: Image | undefined }
  | { readonly type: 'silent'; readonly problem: string };

/** Asks a cloud for an image. If the cloud does not answer, that becomes part of the explanation. */
export async function askForImage(ask: () => Promise<Image | undefined>): Promise<ImageAnswer> {
  try {
    return { type: 'answered', image: await ask() };
  } catch (error) {
    if (!isProviderFailure(error)) throw error;
    return { type: 'silent', problem: error.message };
  }
}

/** Explains the state of an image. */
export async function explainImage(
  reading: Omit<Reading, 'providers'>,
  region: Region,
  id: string,
  answer: ImageAnswer,
): Promise<Explanation<RegionNodeKind>> {
  const image = answer.type === 'answered' && answer.image?.state !== 'ready' ? answer.image : undefined;
  return explanationOf<RegionNodeKind>({
    nodes: [
      regionNode(region, answer),
      ...(image ? await sourceNodes(reading, image, remedies) : []),
      imageNode(id, answer),
    ],
    graph,
    own: ['image'],
    whenReady: 'the image is ready',
  });
}

function regionNode({ metadata }: Region, answer: ImageAnswer): NodeDraft<RegionNodeKind> {
  const name = metadata.labels?.[labels.name];
  const node = { kind: 'region', id: metadata.name, ...defined({ name }) } as const;
  if (answer.type === 'answered')
    return { ...node, state: 'ready', reason: 'Answers', message: '', since: metadata.creationTimestamp };
  const status = { state: 'degraded', reason: 'Unreachable', message: answer.problem } as const;
  return { ...node, ...status, ...remedyFor(remedies, 'region', status) };
}

function imageNode(id: string, answer: ImageAnswer): NodeDraft<RegionNodeKind> {
  const status = imageStatus(answer);
  const name = answer.type === 'answered' && answer.image ? { name: answer.image.name } : {};
  return { kind: 'image', id, ...name, ...status, ...remedyFor(remedies, 'image', status) };
}

/** The state of an image, from the answer of its cloud. */
export function imageStatus(answer: ImageAnswer): NodeStatus {
  if (answer.type === 'silent')
    return { state: 'waiting', reason: 'Unknown', message: 'its region does not answer, so its state is not known' };
  const { image } = answer;
  if (!image) return missingStatus;
  const { createdAt: since } = image;
  switch (image.state) {
    case 'ready':
      return { state: 'ready', reason: 'Ready', message: '', since };
    case 'pending':
      return { state: 'progressing', reason: 'Pending', message: 'the cloud has not started to create it yet', since };
    case 'creating':
      return { state: 'progressing', reason: 'Creating', message: 'the cloud is fetching or copying its data', since };
    case 'failed':
      return { state: 'failed', reason: 'Failed', message: 'the cloud could not fetch or copy its data', since };
  }
}
