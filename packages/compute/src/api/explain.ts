import { explanationSchema } from '@unikorn/core/explain';

import { nodeKinds } from '../explain/node-kinds.ts';

export const ExplanationRead = explanationSchema('instanceExplanation', nodeKinds);
