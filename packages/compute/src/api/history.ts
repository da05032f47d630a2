import { Type } from 'typebox';

import { InstanceHistory } from '../kinds/index.ts';

/** More than anybody reads in one go. */
const entries = { most: 1_000, usually: 100 };

export const HistoryQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: entries.most, description: `at most this many of the latest entries, else ${entries.usually}` })),
  continue: Type.Optional(Type.String({ maxLength: 64, description: 'from the header Continue of a page: the entries before it' })),
});

export const defaultHistoryLimit = entries.usually;

export const HistoryRead = Type.Array(Type.Object(InstanceHistory.spec.properties.entries.items.properties, { $id: 'instanceHistoryEntry' }), { $id: 'instanceHistoryRead' });
