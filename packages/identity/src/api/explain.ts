import { explanationSchema } from '@unikorn/core/explain';

import { projectNodeKinds } from '../explain/node-kinds.ts';

export const ExplanationRead = explanationSchema('explanation', projectNodeKinds);
