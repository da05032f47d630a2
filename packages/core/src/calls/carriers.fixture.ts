import { onTestFinished } from 'vitest';

import { forwardedCertificate } from '../access/certificate.fixture.ts';
import { openBench, thingRoutes, type Bench, type BenchOptions } from '../http/things.fixture.ts';
import type { Carrier } from '../testing/carriers.ts';
import { httpCalls, httpChannel, localCalls, type ServiceCalls } from './index.ts';

/** A service of things, and both ways to call it as compute does. */
export async function openCarriers(options: BenchOptions = {}) {
  const bench = await openBench({ certificates: 'forwarded', ...options });
  const { app, store, world, telemetry, authenticator } = bench;
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const channel = httpChannel({
    baseUrl: address,
    world,
    headers: { 'ssl-client-cert': forwardedCertificate, 'ssl-client-verify': 'SUCCESS' },
  });
  onTestFinished(async () => {
    await channel.close();
    await bench[Symbol.asyncDispose]();
  });
  const service = {
    name: 'things',
    version: '1',
    routes: options.routes ?? thingRoutes,
    authenticator,
    authorizationServer: 'https://identity.example.com',
  };
  const bound: Readonly<Record<Carrier, ServiceCalls>> = {
    'in the same process': localCalls({
      service,
      commonName: 'unikorn-compute',
      store,
      world,
      telemetry,
      instance: 'test',
    }),
    'over HTTP': httpCalls({ service: 'things', channel, world, telemetry }),
  };
  return {
    ...bench,
    bound,
    makeThing: (...given: Parameters<Bench['makeThing']>) => bench.makeThing(...given),
    call: (...given: Parameters<Bench['call']>) => bench.call(...given),
  };
}
