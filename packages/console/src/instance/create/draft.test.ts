import { expect, it } from 'vitest';

import { draftOf, dropDraft, keepDraft } from './draft.ts';

it('a draft is kept for its project until the instance is created', () => {
  keepDraft('website', { userData: '#cloud-config' });
  keepDraft('website', { tags: 'team=web' });
  expect(draftOf('website')).toEqual({ userData: '#cloud-config', tags: 'team=web' });
  expect(draftOf('research')).toEqual({ userData: '', tags: '' });
  dropDraft('website');
  expect(draftOf('website')).toEqual({ userData: '', tags: '' });
});
