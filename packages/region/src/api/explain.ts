import { explanationSchema } from '@unikorn/core/explain';

import { regionNodeKinds } from '../explain/node-kinds.ts';

export const ExplanationRead = explanationSchema('explanation', regionNodeKinds);
