import { expect, it } from 'vitest';

import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';
import { timestamp } from '@unikorn/core/world';

import { FindingReporter } from './finding-reporter.ts';
import { standingFindings } from './standing.ts';

it('the open problems of the last pass are listed for operators, with its time', () => {
  const telemetry = silentTelemetry();
  const world = virtualWorld();
  expect(standingFindings(telemetry.registry)).toEqual({ findings: [] });
  const reporter = new FindingReporter(telemetry, { record: () => undefined }, world);
  const finding = { checker: 'missing-link', id: 'i', message: 'it has no link', evidence: 'none' } as const;
  reporter.report([finding]);
  expect(standingFindings(telemetry.registry)).toEqual({ findings: [finding], checkedTime: timestamp(world.now()) });
  reporter.report([]);
  expect(standingFindings(telemetry.registry)).toMatchObject({ findings: [] });
});
