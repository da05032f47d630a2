import { provisioningFigures } from './region-controllers.ts';
import { monitorFigures } from './region-monitor.ts';
import type { Suite } from './report.ts';

export const regionSuite: Suite = {
  name: 'region',
  async run(progress) {
    return [...(await provisioningFigures(progress)), ...(await monitorFigures(progress))];
  },
};
