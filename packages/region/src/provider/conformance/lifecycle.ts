import { beforeEach, describe, expect, it } from 'vitest';

import {
  answer,
  expectFailure,
  freshIdentity,
  insist,
  isAbsent,
  isPresent,
  shows,
  useStage,
  type ProviderHarness,
} from './harness.ts';
import { specimens } from './specimens.ts';

/** Tests for every resource type that can be created. */
export function describeLifecycle(harness: ProviderHarness): void {
  const shown = specimens.filter(({ capability }) => capability === undefined || shows(harness, capability));

  describe.each(shown)('a $sort', (specimen) => {
    const current = useStage(harness);
    beforeEach(() => specimen.prepare(current()));

    it('is created and stays the same, however often it is requested', async () => {
      const stage = current();
      const id = stage.freshId();
      await insist(stage, () => specimen.ensure(stage, id), isPresent);
      const made = await answer(stage, () => specimen.providerId(stage, id));
      await insist(stage, () => specimen.ensure(stage, id), isPresent);
      expect(made).toBeDefined();
      expect(await answer(stage, () => specimen.providerId(stage, id))).toBe(made);
      expect((await answer(stage, () => specimen.list(stage))).filter((other) => other === id)).toEqual([id]);
    });

    it('is adopted if the response of its creation was lost', async () => {
      const stage = current();
      const id = stage.freshId();
      await stage.lose((provider) => specimen.ensure(stage, id, provider));
      const made = await answer(stage, () => specimen.providerId(stage, id));
      await insist(stage, () => specimen.ensure(stage, id), isPresent);
      expect(made).toBeDefined();
      expect(await answer(stage, () => specimen.providerId(stage, id))).toBe(made);
      expect((await answer(stage, () => specimen.list(stage))).filter((other) => other === id)).toEqual([id]);
    });

    it('is found by a process that only knows its id', async () => {
      const stage = current();
      const id = stage.freshId();
      await insist(stage, () => specimen.ensure(stage, id), isPresent);
      expect(await answer(stage, () => specimen.observe(stage, id, stage.restarted()))).toMatchObject({
        state: 'present',
      });
    });

    it('is not confused with another whose id begins or ends like its own', async () => {
      const stage = current();
      const id = stage.freshId();
      for (const similar of [`${id}0`, `a${id}`]) await insist(stage, () => specimen.ensure(stage, similar), isPresent);
      expect(await answer(stage, () => specimen.observe(stage, id))).toEqual({ state: 'absent' });
      await insist(stage, () => specimen.remove(stage, id), isAbsent);
      expect(await answer(stage, () => specimen.observe(stage, `${id}0`))).toMatchObject({ state: 'present' });
      await insist(stage, () => specimen.ensure(stage, id), isPresent);
      await insist(stage, () => specimen.remove(stage, `${id}0`), isAbsent);
      expect(await answer(stage, () => specimen.observe(stage, id))).toMatchObject({ state: 'present' });
    });

    it('stays removed, and removing it again does not fail', async () => {
      const stage = current();
      const id = stage.freshId();
      await insist(stage, () => specimen.ensure(stage, id), isPresent);
      for (let repetition = 0; repetition < 3; repetition++)
        await insist(stage, () => specimen.remove(stage, id), isAbsent);
      await stage.pause();
      expect(await answer(stage, () => specimen.observe(stage, id))).toEqual({ state: 'absent' });
      expect(await answer(stage, () => specimen.list(stage))).not.toContain(id);
    });

    it('can be created again after it was removed, as another one', async () => {
      const stage = current();
      const id = stage.freshId();
      await insist(stage, () => specimen.ensure(stage, id), isPresent);
      const former = await answer(stage, () => specimen.providerId(stage, id));
      await insist(stage, () => specimen.remove(stage, id), isAbsent);
      await insist(stage, () => specimen.ensure(stage, id), isPresent);
      expect(await answer(stage, () => specimen.providerId(stage, id))).not.toBe(former);
    });

    it('can be removed while it is still being created', async () => {
      const stage = current();
      const id = stage.freshId();
      await answer(stage, () => specimen.ensure(stage, id));
      await insist(stage, () => specimen.remove(stage, id), isAbsent);
      expect(await answer(stage, () => specimen.observe(stage, id))).toEqual({ state: 'absent' });
    });

    it('that never existed is absent, and removing it does nothing', async () => {
      const stage = current();
      const id = stage.freshId();
      expect(await answer(stage, () => specimen.observe(stage, id))).toEqual({ state: 'absent' });
      expect(await answer(stage, () => specimen.remove(stage, id))).toEqual({ state: 'absent' });
    });

    it('is listed with all others in order of id, and listing changes nothing', async () => {
      const stage = current();
      const before = await answer(stage, () => specimen.list(stage));
      const ids = Array.from({ length: stage.several }, () => stage.freshId());
      // Asked for before waiting for any, so that a real cloud makes them at the same time.
      for (const id of ids) await insist(stage, () => specimen.ensure(stage, id));
      for (const id of ids) await insist(stage, () => specimen.ensure(stage, id), isPresent);
      const expected = [...before, ...ids].sort();
      expect(await answer(stage, () => specimen.list(stage))).toEqual(expected);
      expect(await answer(stage, () => specimen.list(stage))).toEqual(expected);
    });
  });

  describe.each(shown.filter(({ ownedBy }) => ownedBy === 'identity'))(
    'a $sort of an identity that never existed',
    (specimen) => {
      const current = useStage(harness);

      it('is not created, and removing it does nothing', async () => {
        const stage = { ...current(), identity: freshIdentity(current()) };
        const id = stage.freshId();
        await expectFailure(stage, () => specimen.ensure(stage, id), 'unrealised_identity');
        expect(await answer(stage, () => specimen.remove(stage, id))).toEqual({ state: 'absent' });
        expect(await answer(stage, () => specimen.observe(stage, id))).toEqual({ state: 'absent' });
      });
    },
  );
}
