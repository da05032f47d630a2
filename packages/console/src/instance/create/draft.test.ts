import { expect, it } from 'vitest';

import { draftOf, dropDraft, keepDraft } from './draft.ts';

it('a draft is kept for its project until the instance is created', () => {
  keepDraft('website', { userData: '#cloud-config' });
  const tags = [{ name: 'team', value: 'web' }];
  keepDraft('website', { tags });
  expect(draftOf('website')).toEqual({ userData: '#cloud-config', description: '', tags });
  expect(draftOf('research')).toEqual({ description: '' });
  dropDraft('website');
  expect(draftOf('website')).toEqual({ description: '' });
});
