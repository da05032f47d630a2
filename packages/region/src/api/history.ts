import { historySchema } from '@unikorn/core/history';

/** The history of any resource of region. */
export const ResourceHistoryRead = historySchema('resourceHistory');
