import { describe, expect, it } from 'vitest';

import { answer, freshIdentity, insist, isAbsent, isPresent, useStage, type ProviderHarness } from './harness.ts';

export function describeIdentities(harness: ProviderHarness): void {
  describe('an identity', () => {
    const current = useStage(harness);

    it('stays the same and keeps its key, however often it is requested', async () => {
      const stage = current();
      const { provider, identity } = stage;
      const made = await answer(stage, () => provider.identities.observe(identity));
      const key = await answer(stage, () => provider.identities.privateKey(identity));
      expect(key).toContain('PRIVATE KEY');
      expect(await answer(stage, () => provider.identities.ensure(identity))).toEqual(made);
      expect(await answer(stage, () => stage.restarted().identities.privateKey(identity))).toBe(key);
    });

    it('is adopted if the response of its creation was lost', async () => {
      const stage = current();
      const identity = freshIdentity(stage);
      await stage.lose((provider) => provider.identities.ensure(identity));
      const made = await answer(stage, () => stage.provider.identities.observe(identity));
      expect(made.state).toBe('present');
      expect(await insist(stage, () => stage.provider.identities.ensure(identity), isPresent)).toEqual(made);
    });

    it('stays removed, and removing one that never existed does not fail', async () => {
      const stage = current();
      for (const identity of [stage.identity, freshIdentity(stage)]) {
        await insist(stage, () => stage.provider.identities.remove(identity), isAbsent);
        expect(await answer(stage, () => stage.provider.identities.remove(identity))).toEqual({ state: 'absent' });
        expect(await answer(stage, () => stage.provider.identities.observe(identity))).toEqual({ state: 'absent' });
      }
    });
  });
}
