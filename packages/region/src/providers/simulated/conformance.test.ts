import { describeProvider } from '../../provider/conformance/index.ts';
import { underTest } from './simulated.fixture.ts';

describeProvider('simulated', { open: () => underTest({}) });
describeProvider('simulated without any latency', {
  open: () => underTest({ call_ms: 0, build_ms: 0, power_ms: 0, delete_ms: 0, loadBalancer_ms: 0, fileStorage_ms: 0 }),
});
describeProvider('simulated with errors, lost answers and slow calls', {
  open: () => underTest({ call_ms: 700, errorRate: 0.2, lostResponseRate: 0.2 }),
});
